import { defineCommand, isStop } from '../command.ts'
import { jsonLine } from '../json-line.ts'
import { runtimeOptions } from '../settings.ts'

export const measure = defineCommand({
  name: 'measure',
  summary: 'Count the tokens that a model reads, with and without MCP-AQL.',
  usage: ['SOURCE [--json]', '-- COMMAND…'],
  about: [
    'One tool for each operation is set against the modes of MCP-AQL. Counted are the compact tool lists and the texts of answers. With the package gpt-tokenizer at hand the count is that of o200k; without it, it is an estimate. Of a running server only the mode it is in can be measured.',
  ],
  examples: ['mcpaql measure demo', 'mcpaql measure ./adapter.ts --json', 'mcpaql measure http://127.0.0.1:7420/mcp'],
  options: {
    json: { type: 'boolean', description: 'Print the figures as JSON.' },
    ...runtimeOptions(),
  },
  positionals: [1, 1],
  takesCommand: true,

  async run({ values, positionals: [given], command }, world) {
    const { readConfig } = await import('../read-config.ts')
    const { readSource } = await import('../source.ts')
    const { measureSource, measurementText } = await import('../measure-source.ts')
    const config = await readConfig(values, world)
    if (isStop(config)) return config
    const source = readSource(given, command)
    if (isStop(source)) return source
    const figures = await measureSource(source, config, world)
    if (isStop(figures)) return figures
    world.out(values.json ? jsonLine(figures) : measurementText(figures, world))
    return 0
  },
})
