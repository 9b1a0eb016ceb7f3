import { setMaxListeners } from 'node:events'
import type { Progress } from '../../protocol/lifecycle.ts'
import type { Warning } from '../../protocol/result.ts'
import type { ProgressNotice } from '../call.ts'
import type { Admitted } from '../gatekeeper/admit.ts'
import type { CollectionQuery } from '../query/collection.ts'
import type { ApiUsage, Context, Work } from '../registry/operation.ts'
import { maskText, secretsOf } from '../registry/secrets.ts'
import type { Session } from '../session.ts'

export type StartRun = (call: Admitted, work: Work, context: CallContext) => Promise<unknown>

/**
 * What a handler may use of its call. A class because most handlers use little of it: the abort signal, which is the
 * expensive part, is made when somebody asks for it.
 */
export class CallContext implements Context {
  readonly now: number
  readonly warnings: Warning[] = []
  usage: ApiUsage | undefined
  readonly #call: Admitted
  readonly #start: StartRun
  #controller: AbortController | undefined
  #reason: unknown
  #lastProgress = Number.NEGATIVE_INFINITY
  #answered = false
  #unfollow: (() => void)[] = []

  constructor(call: Admitted, now: number, start: StartRun) {
    this.#call = call
    this.now = now
    this.#start = start
  }

  get operation(): string {
    return this.#call.operation
  }

  get session(): Session {
    return this.#call.session
  }

  /** For the safety loop: whether the user can be asked through this very connection. */
  get canElicit(): boolean {
    return this.#call.caller.canElicit === true
  }

  get query(): CollectionQuery {
    const { query } = this.#call
    if (!query) throw new Error(`Operation '${this.operation}' is not a collection`)
    return query
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      setMaxListeners(0, this.#controller.signal)
      const { caller, session } = this.#call
      for (const source of [caller.signal, session.signal]) this.#follow(source)
      if (this.#reason !== undefined) this.#controller.abort(this.#reason)
    }
    return this.#controller.signal
  }

  /** Has the client gone, or the session? */
  get isAbandoned(): boolean {
    return this.#call.caller.signal?.aborted === true || this.#call.session.signal.aborted
  }

  /** Why nobody waits for the answer, for the trail. */
  get departure(): string {
    return this.#call.session.signal.aborted ? 'its session has ended' : 'its caller has left'
  }

  abort(reason: unknown): void {
    this.#reason = reason
    this.#controller?.abort(reason)
  }

  // A handler may take these out of the context; most do not.

  get warn(): (warning: Warning) => void {
    return (warning) => {
      this.warnings.push(warning)
    }
  }

  get used(): (usage: ApiUsage) => void {
    return (usage) => {
      this.usage = { ...this.usage, ...usage }
    }
  }

  get progress(): (progress: Progress) => void {
    return (progress) => {
      const current = progress.current ?? progress.percentage
      if (current !== undefined) this.notify(current, progress.total ?? 100, this.#masked(progress.message))
    }
  }

  /** PROG-03: strictly increasing, and silent once the answer is on its way. */
  notify(progress: number, total: number, message: string | undefined): void {
    const { onProgress } = this.#call.caller
    if (!onProgress || this.#answered || !(progress > this.#lastProgress)) return
    this.#lastProgress = progress
    const notice: ProgressNotice = { progress, total, ...(message !== undefined && { message }) }
    onProgress(notice)
  }

  /** VAL-10. */
  #masked(message: string | undefined): string | undefined {
    const { target, params } = this.#call
    return typeof message === 'string' && target.hasSecrets ? maskText(message, secretsOf(target, params)) : message
  }

  get wantsProgress(): boolean {
    return this.#call.caller.onProgress !== undefined
  }

  /** The answer is on its way. */
  finish(): void {
    this.#answered = true
  }

  /** The handler has settled: signals that outlive the call let go of it. */
  detach(): void {
    for (const unfollow of this.#unfollow) unfollow()
    this.#unfollow = []
  }

  /** For whoever holds the lock: work that runs by itself runs without it, whether or not its caller waits. */
  onRun: () => void = NOTHING

  get run(): (work: Work) => Promise<unknown> {
    return (work) => {
      this.onRun()
      return this.#start(this.#call, work, this)
    }
  }

  #follow(source: AbortSignal | undefined): void {
    if (!source) return
    if (source.aborted) {
      this.#controller?.abort(source.reason)
      return
    }
    const leave = () => this.#controller?.abort(source.reason)
    source.addEventListener('abort', leave, { once: true })
    this.#unfollow.push(() => source.removeEventListener('abort', leave))
  }
}

const NOTHING = (): void => {}
