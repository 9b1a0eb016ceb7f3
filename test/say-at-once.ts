import { writeSync } from 'node:fs'

/** To standard output before anything else happens, however full the pipe is: whoever is killed next has said it. */
export function sayAtOnce(line: string): void {
  for (let left = Buffer.from(`${line}\n`); left.length > 0; ) {
    try {
      left = left.subarray(writeSync(1, left))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(PAUSE, 0, 0, 1)
    }
  }
}

const PAUSE = new Int32Array(new SharedArrayBuffer(4))
