import type { OperationFailure } from '../../protocol/result.ts'
import { defineCommand, EXIT, isStop, stop } from '../command.ts'
import { jsonLine } from '../json-line.ts'
import { runtimeOptions } from '../settings.ts'

export const explain = defineCommand({
  name: 'explain',
  summary: 'Show what the gate would say of a call, layer by layer.',
  usage: ['SOURCE OPERATION [JSON]'],
  about: [
    'Nothing runs and nothing is recorded. SOURCE is demo, or a module that exports an adapter; how far it is trusted is read from the store of its servers. The strictest layer decides; it is marked. Exit code: 0 it would run, 3 denied, 4 a human would be asked.',
  ],
  examples: [
    'mcpaql explain demo delete_issue',
    `mcpaql explain demo get_issue '{"issue_id": "iss_57"}'`,
    'mcpaql explain demo delete_user --policy-file policies.yaml',
  ],
  options: {
    json: { type: 'boolean', description: 'Print decision and layers as compact JSON.' },
    ...runtimeOptions(),
  },
  positionals: [2, 3],

  async run({ values, positionals }, world) {
    const { readConfig } = await import('../read-config.ts')
    const { readLocalSource } = await import('../source.ts')
    const { openRuntimes } = await import('../open-runtime.ts')
    const { isFailure } = await import('../../protocol/result.ts')
    const config = await readConfig(values, world)
    if (isStop(config)) return config
    const [given = '', operation = '', json = '{}'] = positionals
    const source = readLocalSource(given, 'runs elsewhere')
    if (isStop(source)) return source
    const params = readParams(json)
    if (!params)
      return stop(EXIT.badUsage, 'The parameters must be a JSON object', `For example '{"issue_id": "iss_57"}'`)
    const { readTrustRecords, withTrustRecords } = await import('../trust-records.ts')
    const records = await readTrustRecords(config, world)
    if (isStop(records)) return records
    const throwaway = { ...config, store_url: 'memory:' }
    const opened = await openRuntimes([source], throwaway, world, undefined, withTrustRecords(records))
    if (isStop(opened)) return opened
    try {
      const explained = opened.runtimes[0]?.explain(operation, params)
      if (!explained) return stop(EXIT.failed, 'There is no such source')
      if (isFailure(explained)) {
        const { notFound } = await import('../not-found.ts')
        const next = `To find one: mcpaql introspect ${given} --search "what you want to do"`
        return notFound('operation', operation, suggestionsIn(explained), next)
      }
      if (values.json) world.out(jsonLine(explained))
      else {
        const { printExplanation } = await import('../print-explanation.ts')
        printExplanation(explained, world)
      }
      return { allow: EXIT.ok, deny: EXIT.denied, confirm: EXIT.waiting }[explained.decision]
    } finally {
      await opened.close()
    }
  },
})

function suggestionsIn({ error: { details } }: OperationFailure): readonly string[] {
  return (details as { readonly suggestions?: readonly string[] } | undefined)?.suggestions ?? []
}

function readParams(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
