import type { Config } from '../config.ts'
import type { OperatorParts } from '../core/operator/operator.ts'
import type { OperatorAccount } from '../core/operator/operator-account.ts'
import type { QuotaView } from '../core/operator/quotas.ts'
import type { Clock } from '../core/ports/clock.ts'
import type { Store } from '../core/ports/store.ts'
import type { Runtime } from '../core/runtime.ts'
import { isFailure } from '../protocol/result.ts'

export interface ConsoleParts {
  readonly store: Store
  readonly clock: Clock
  readonly account: OperatorAccount
  /** The store's address. */
  readonly place: string
  readonly config: Config
  readonly port: number
  readonly onError: (error: unknown) => void
  /** What this process serves; a console on its own has none, and says what it therefore cannot show. */
  readonly runtimes?: readonly Runtime[]
}

export interface OpenedConsole {
  /** For the operator alone. */
  readonly url: string
  /** For whatever an agent reads. */
  readonly plainUrl: string
  close(): Promise<void>
}

/** SELF-08: the console on its own port, known to `mcpaql console` by a record in the store. It prints no link. */
export async function openOperatorConsole(parts: ConsoleParts): Promise<OpenedConsole> {
  const { openConsole } = await import('../serve/console/server.ts')
  const { createOperator } = await import('../core/operator/operator.ts')
  const { publishConsole, withdrawConsole } = await import('../core/operator/console-record.ts')
  const { osSeparation } = await import('./os-separation.ts')
  const { readAnchors } = await import('./audit-anchor.ts')
  const { version } = await import('./version.ts')
  const { store, clock, account, place, config, port, onError, runtimes } = parts
  const { audit_anchor: anchor } = config
  const [kind = '', ...path] = place.split(':')
  const operator = createOperator({
    store,
    clock,
    version: version(),
    storeName: { kind: kind === 'sqlite' ? 'SQLite' : kind, place: path.join(':') },
    separation: async () => osSeparation(place),
    rules: { elicitC2: config.elicit_dangerous, twoPerson: config.two_person },
    ...(anchor !== '' && { anchors: () => readAnchors(anchor), anchorPlace: anchor }),
    ...(runtimes && ofRuntimes(runtimes, clock)),
  })
  try {
    const opened = await openConsole({ operator, account, port, onError })
    await publishConsole(store, opened.url, clock.now())
    return {
      url: opened.url,
      plainUrl: opened.plainUrl,
      async close() {
        await opened.close()
        operator.close()
        await withdrawConsole(store).catch(onError) // whoever finds the record sees that its opener is gone
      },
    }
  } catch (error) {
    operator.close()
    throw error
  }
}

/** What only a process with the runtime can tell. */
function ofRuntimes(runtimes: readonly Runtime[], clock: Clock): Pick<OperatorParts, 'explain' | 'preview' | 'quotas'> {
  const find = (name: string) => runtimes.find(({ adapter }) => adapter.name === name)
  return {
    async explain(source, operation, params) {
      const explained = find(source)?.explain(operation, (params ?? {}) as Readonly<Record<string, unknown>>)
      if (!explained) return { kind: 'refused', why: `no source ${source} is served here` }
      if (isFailure(explained)) return { kind: 'refused', why: explained.error.message }
      return { kind: 'explained', decision: explained.decision, trace: explained.trace }
    },
    async preview({ adapter, preview }) {
      const result = preview && (await find(adapter)?.preview(preview.operation, preview.params))
      return result?.success ? { value: result.data, readAt: clock.now() } : undefined
    },
    async quotas() {
      const all = await Promise.all(runtimes.map((runtime) => runtime.quotaStatus()))
      return all.flatMap((status) => (status ? quotaViews(status) : []))
    },
  }
}

type Status = NonNullable<Awaited<ReturnType<Runtime['quotaStatus']>>>

function quotaViews({ adapter, quotas, next_reset }: Status): readonly QuotaView[] {
  return quotas.map(({ metric, current, warn, pause, hard_stop, status, currency }) => {
    const [unit = '', window = ''] = metric.split('_per_')
    return {
      adapter,
      metric,
      unit: currency ?? unit,
      window,
      current,
      warn,
      pause,
      status,
      ...(hard_stop !== undefined && { stop: hard_stop }),
      ...(next_reset !== null && { resetsAt: Date.parse(next_reset) }),
    }
  })
}
