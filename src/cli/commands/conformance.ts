import { defineCommand, isStop } from '../command.ts'
import { runtimeOptions } from '../settings.ts'

export const conformance = defineCommand({
  name: 'conformance',
  summary: 'Test a server against the MCP-AQL specification, live.',
  usage: ['TARGET [--level 1|2] [--evidence FILE] [OPTIONS]', '[OPTIONS] -- COMMAND…'],
  about: [
    'TARGET is demo or a module, which are started on a throwaway store, or the address of a running server. After -- stands a command that starts an MCP-AQL server on stdio. The suite makes resources of its own and removes them again.',
  ],
  examples: [
    'mcpaql conformance demo --level 2',
    'mcpaql conformance http://127.0.0.1:7420/mcp -f junit -o report.xml',
    'mcpaql conformance ./adapter.ts --evidence evidence.json',
    'mcpaql conformance -- node server.js',
  ],
  options: {
    level: { type: 'string', short: 'l', value: '1|2', description: 'The level that is asked for. (default: 1)' },
    format: {
      type: 'string',
      short: 'f',
      value: 'text|json|markdown|junit',
      description: 'How to report. (default: text)',
    },
    json: { type: 'boolean', description: 'The same as --format json.' },
    output: { type: 'string', short: 'o', writes: true, value: 'FILE', description: 'Write the report there.' },
    evidence: { type: 'string', writes: true, value: 'FILE', description: 'Write the evidence bundle there.' },
    category: {
      type: 'string',
      multiple: true,
      short: 'c',
      value: 'NAME',
      description: 'Only the checks of this category.',
    },
    ...runtimeOptions(),
  },
  positionals: [1, 1],
  takesCommand: true,

  async run(given, world) {
    const { runSuite } = await import('../run-suite.ts')
    const report = await runSuite(given, world)
    if (isStop(report)) return report
    const { exitCode } = await import('../../conformance/report.ts')
    return exitCode(report)
  },
})
