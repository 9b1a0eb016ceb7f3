import { defineCommand } from '../command.ts'
import { atDesk, storeOptions } from '../open-operator.ts'

export const deny = defineCommand({
  name: 'deny',
  summary: 'Refuse one waiting request for the rest of its session.',
  usage: ['ID [--reason TEXT] [--manipulated]'],
  about: ['At the terminal only, with the operator secret.'],
  examples: [
    'mcpaql deny 5f3a9c0e71b2d846',
    'mcpaql deny 5f3a9c0e71b2d846 --manipulated --reason "not what I asked for"',
  ],
  options: {
    reason: { type: 'string', value: 'TEXT', description: 'Why; kept in the audit trail.' },
    manipulated: { type: 'boolean', description: 'The agent seems to follow somebody else: stop it as well.' },
    ...storeOptions(),
  },
  positionals: [1, 1],

  async run({ values, positionals: [id = ''] }, world) {
    const { decideRequest } = await import('../decide-request.ts')
    const { reason, manipulated = false } = values
    const wish = { decision: 'deny', manipulated, ...(reason !== undefined && { reason }) } as const
    return atDesk(values, world, (desk) => decideRequest(id, wish, desk, world))
  },
})
