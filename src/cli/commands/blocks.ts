import { defineCommand, EXIT, stop } from '../command.ts'
import { jsonLine } from '../json-line.ts'
import { asOperator, atDesk, storeOptions } from '../open-operator.ts'

export const blocks = defineCommand({
  name: 'blocks',
  summary: 'Show which agents are stopped.',
  usage: ['[--all] [--json]', 'AGENT'],
  about: ['With an AGENT: what it was stopped for, in full, on the terminal and after the operator secret.'],
  examples: ['mcpaql blocks', 'mcpaql blocks deploy-bot'],
  options: {
    all: { type: 'boolean', description: 'Those that were lifted as well.' },
    json: { type: 'boolean', description: 'Print the list as compact JSON.' },
    ...storeOptions(),
  },
  positionals: [0, 1],

  async run({ values, positionals: [agent] }, world) {
    return atDesk(values, world, async (desk) => {
      const { blockLines, blocksJson, blocksText, findBlocks } = await import('../print-blocks.ts')
      const known = await desk.operator.blocks.list()
      if (agent !== undefined) {
        return asOperator(world, desk, async (_, terminal) => {
          const { layOut, showAll } = await import('../show-request.ts')
          const found = findBlocks(known, agent)
          if (found.length === 0) return stop(EXIT.failed, `No block on ${agent} is known`)
          await showAll(terminal, layOut(found.flatMap(blockLines), terminal.columns))
          return EXIT.ok
        })
      }
      const listed = values.all ? known : known.filter(({ liftedAt }) => liftedAt === undefined)
      world.out(values.json ? jsonLine(blocksJson(listed)) : blocksText(listed, world))
      return EXIT.ok
    })
  },
})
