import { serveHttp } from '../../src/serve/http.ts'
import { guardStdout, serveStdio } from '../../src/serve/stdio.ts'
import { openProbe } from './probe-adapter.ts'

/** A process of its own for tests: `stdio`, or `http`, which prints its address. */
const isHttp = process.argv[2] === 'http'
const { runtime } = await openProbe()
const version = '0.0.0'
const server = isHttp
  ? await serveHttp([runtime], { version })
  : serveStdio([runtime], { version, input: process.stdin, output: guardStdout(process.stdout, process.stderr) })

if ('url' in server) process.stdout.write(`${server.url}\n`)
process.on('SIGTERM', () => void server.close().then(leave))
if ('closed' in server) void server.closed.then(leave)

function leave(): void {
  process.stderr.write('closed\n')
  process.exit(0)
}
