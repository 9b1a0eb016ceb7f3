import { defineCommand, EXIT, stop } from '../command.ts'
import { asOperator, atDesk, storeOptions } from '../open-operator.ts'

export const unblock = defineCommand({
  name: 'unblock',
  summary: 'Let a stopped agent go on. This allows no action by itself.',
  usage: ['AGENT --reason TEXT'],
  about: ['At the terminal only, with the operator secret. The reason is kept in the audit trail.'],
  examples: ['mcpaql unblock deploy-bot --reason "the ticket was a test of ours"'],
  options: {
    reason: { type: 'string', value: 'TEXT', description: 'Why, in 10 characters or more.' },
    ...storeOptions(),
  },
  positionals: [1, 1],

  async run({ values, positionals: [agent = ''] }, world) {
    const { SHORTEST_REASON } = await import('../../core/operator/blocks.ts')
    const reason = values.reason?.trim() ?? ''
    if ([...reason].length < SHORTEST_REASON) {
      return stop(EXIT.badUsage, `Say why, in ${SHORTEST_REASON} characters or more: --reason TEXT`)
    }
    return atDesk(values, world, (desk) =>
      asOperator(world, desk, async ({ operator: by }, terminal) => {
        const { blockLines, findBlocks } = await import('../print-blocks.ts')
        const { layOut, showAll } = await import('../show-request.ts')
        const { displayText } = await import('../../core/display.ts')
        const open = (await desk.operator.blocks.list()).filter(({ liftedAt }) => liftedAt === undefined)
        const [found, ...others] = findBlocks(open, agent)
        if (!found) return stop(EXIT.failed, `No agent ${agent} is stopped`, 'To see who is: mcpaql blocks')
        if (others.length > 0)
          return stop(EXIT.failed, `Several stopped agents are called ${agent}`, 'Name one by its id: mcpaql blocks')
        if (!(await showAll(terminal, layOut(blockLines(found), terminal.columns)))) return notDone()
        const answer = await terminal.readLine(
          `Type unblock to let ${displayText(found.name)} go on, or Enter to leave it stopped [no]: `,
        )
        if (answer?.trim() !== 'unblock') return notDone()
        const done = await desk.operator.blocks.lift({
          agentKey: found.agentKey,
          reason,
          by: by.subject,
          channel: by.channel,
        })
        if (done !== 'lifted') return stop(EXIT.failed, 'The block is gone already')
        terminal.write(`${displayText(found.name)} may go on. No action was allowed by this.\n`)
        return EXIT.ok
      }),
    )
  },
})

function notDone() {
  return stop(EXIT.waiting, 'The agent stays stopped')
}
