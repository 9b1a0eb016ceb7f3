import { defineCommand, EXIT, stop } from '../command.ts'
import { jsonLine } from '../json-line.ts'
import { asOperator, atDesk, storeOptions } from '../open-operator.ts'

export const approvals = defineCommand({
  name: 'approvals',
  summary: 'Show what waits for a human.',
  usage: ['[--held] [--json]', 'ID'],
  about: [
    'The list says what waits and for how long, and of a paused agent which action, without what looks like a credential. Parameters may be confidential: with an ID everything about one request is shown, on the terminal and after the operator secret.',
  ],
  examples: ['mcpaql approvals', 'mcpaql approvals 5f3a9c0e71b2d846'],
  options: {
    held: { type: 'boolean', description: 'Show what is held back because its caller has asked too often.' },
    json: { type: 'boolean', description: 'Print the list as compact JSON.' },
    ...storeOptions(),
  },
  positionals: [0, 1],

  async run({ values, positionals: [id] }, world) {
    return atDesk(values, world, async (desk) => {
      if (id !== undefined) {
        return asOperator(world, desk, async ({ operator: by }, terminal) => {
          const { layOut, requestLines, showAll } = await import('../show-request.ts')
          const view = await desk.operator.request(id, { subject: by.subject, channel: by.channel, view: 'approvals' })
          if (!view) return stop(EXIT.failed, `There is no request ${id}`, 'To see what waits: mcpaql approvals')
          await showAll(terminal, layOut(requestLines(view.request, view.state, world.now()), terminal.columns))
          return EXIT.ok
        })
      }
      const { approvalsJson, approvalsText, heldText } = await import('../print-approvals.ts')
      const inbox = await desk.operator.inbox()
      if (values.held && !values.json) {
        world.out(heldText(inbox, world))
        return EXIT.ok
      }
      const waiting = { inbox, challenges: await desk.operator.challenges.open(), store: desk.place }
      const { waitingElsewhere } = await import('../waiting-elsewhere.ts')
      const elsewhere = await waitingElsewhere(desk, world)
      world.out(values.json ? jsonLine(approvalsJson(waiting, elsewhere)) : approvalsText(waiting, elsewhere, world))
      return EXIT.ok
    })
  },
})
