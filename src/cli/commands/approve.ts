import { defineCommand } from '../command.ts'
import { atDesk, storeOptions } from '../open-operator.ts'

export const approve = defineCommand({
  name: 'approve',
  summary: 'Let one waiting request run, once.',
  usage: ['ID'],
  about: [
    'At the terminal only: the operator secret is typed there, then everything that would run is shown, then the word approve lets it run. Nothing else counts: no pipe, file, argument or variable.',
  ],
  examples: ['mcpaql approve 5f3a9c0e71b2d846'],
  options: storeOptions(),
  positionals: [1, 1],

  async run({ values, positionals: [id = ''] }, world) {
    const { decideRequest } = await import('../decide-request.ts')
    return atDesk(values, world, (desk) => decideRequest(id, { decision: 'approve' }, desk, world))
  },
})
