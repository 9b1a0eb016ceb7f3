import { HIGHEST_BY_WORD, isTrusted, isTrustLevel, TRUST_LEVEL_NAMES, type TrustLevel } from '../../protocol/trust.ts'
import { defineCommand, EXIT, type Stop, stop } from '../command.ts'
import { jsonLine } from '../json-line.ts'
import { asOperator, atDesk, type Desk, storeOptions } from '../open-operator.ts'
import type { World } from '../world.ts'

export const trust = defineCommand({
  name: 'trust',
  summary: 'Show how far sources are trusted, and change it.',
  usage: ['[--json]', 'SOURCE', 'SOURCE LEVEL --reason TEXT'],
  about: [
    `With a SOURCE: where its trust comes from, what has changed since it was trusted, and what was done about it. With a LEVEL (${TRUST_LEVEL_NAMES.filter((level) => isTrusted(HIGHEST_BY_WORD, level)).join(', ')}) it is changed, at the terminal only and with the operator secret; running servers follow within a second. The word is bound to the source as it is shown: what changes later falls back to generated until it is accepted, by the same command. Higher levels are earned by evidence.`,
  ],
  examples: [
    'mcpaql trust',
    'mcpaql trust tracker',
    'mcpaql trust tracker generated --reason "its new version sends mail"',
  ],
  options: {
    reason: { type: 'string', value: 'TEXT', description: 'Why, in 10 characters or more; kept in the audit trail.' },
    json: { type: 'boolean', description: 'Print the list, or the source, as compact JSON.' },
    ...storeOptions(),
  },
  positionals: [0, 2],

  async run({ values, positionals: [source, level] }, world) {
    const { SHORTEST_REASON } = await import('../../core/operator/blocks.ts')
    const reason = values.reason?.trim() ?? ''
    if (level !== undefined && !isTrustLevel(level))
      return stop(EXIT.badUsage, `There is no trust ${level}`, `Levels: ${TRUST_LEVEL_NAMES.join(', ')}`)
    if (level !== undefined && [...reason].length < SHORTEST_REASON)
      return stop(EXIT.badUsage, `Say why, in ${SHORTEST_REASON} characters or more: --reason TEXT`)
    return atDesk(values, world, (desk) => {
      if (source === undefined) return list(desk, values.json === true, world)
      return level === undefined
        ? show(desk, source, values.json === true, world)
        : change(desk, { source, level, reason }, world)
    })
  },
})

async function list(desk: Desk, isJson: boolean, world: World): Promise<number> {
  const { trustJson, trustText } = await import('../print-trust.ts')
  const known = await desk.operator.trusts.list()
  world.out(isJson ? jsonLine({ sources: known.map(trustJson) }) : trustText(known, world))
  return EXIT.ok
}

async function show(desk: Desk, name: string, isJson: boolean, world: World): Promise<number | Stop> {
  const { trustJson, trustLines } = await import('../print-trust.ts')
  const { layOut } = await import('../show-request.ts')
  const found = await find(desk, name)
  if (!found) return unknown(desk, name)
  world.out(isJson ? jsonLine(trustJson(found)) : layOut(trustLines(found), world.columns ?? 100).join('\n'))
  return EXIT.ok
}

interface Word {
  readonly source: string
  readonly level: TrustLevel
  readonly reason: string
}

/** SELF-14: C3. The secret, everything that the word is about, and the level typed once more. */
function change(desk: Desk, { source: name, level, reason }: Word, world: World): Promise<number | Stop> {
  return asOperator(world, desk, async ({ operator: by }, terminal) => {
    const { trustLines } = await import('../print-trust.ts')
    const { layOut, showAll } = await import('../show-request.ts')
    const { displayText } = await import('../../core/display.ts')
    const found = await find(desk, name)
    if (!found) return unknown(desk, name)
    if (!(await showAll(terminal, layOut(trustLines(found), terminal.columns)))) return notDone()
    const question = `Type ${level} to trust ${displayText(name)} so far as it is now, or Enter to leave it [no]: `
    if ((await terminal.readLine(question))?.trim() !== level) return notDone()
    const { adapter, hash } = found.source
    const { subject, channel } = by
    const done = await desk.operator.trusts.set({ adapter, level, hash, reason, by: subject, channel })
    if (done.kind === 'refused') return stop(EXIT.failed, `Nothing was changed: ${done.text}`)
    const accepted = done.kind === 'set' && done.accepted ? ' What had changed is accepted.' : ''
    terminal.write(`${displayText(name)} is ${done.kind === 'same' ? 'already ' : ''}trusted as ${level}.${accepted}\n`)
    return EXIT.ok
  })
}

async function find({ operator }: Desk, name: string) {
  return (await operator.trusts.list()).find(({ source }) => source.adapter === name)
}

async function unknown({ operator }: Desk, name: string): Promise<Stop> {
  const names = (await operator.trusts.list()).map(({ source }) => source.adapter)
  return stop(EXIT.failed, `No source ${name} is known`, names.length > 0 ? `Known: ${names.join(', ')}` : 'None is')
}

function notDone(): Stop {
  return stop(EXIT.waiting, 'The trust stays as it was')
}
