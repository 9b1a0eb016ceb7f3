import { expect, test } from 'vitest'
import { groupTools } from './group-tools.ts'

test('MULTI-04 tools are grouped by the part before mcpaql or mcp_aql', () => {
  const names = [
    'tracker_mcpaql_read',
    'github_mcp_aql_read',
    'tracker_mcpaql',
    'github_mcp_aql_create',
    'mcp_aql',
    'mcpaql_read',
    'apple_mail_mcpaql_read',
    'send_mail',
    'xmcpaql_read',
    'mcpaqlx',
  ]
  const groups = groupTools(names.map((name) => ({ name })))
  const plain = groups.map(({ prefix, unified, families }) => ({
    prefix,
    unified: unified?.name,
    families: Object.fromEntries([...families].map(([family, { name }]) => [family, name])),
  }))
  expect(plain).toEqual([
    { prefix: 'tracker', unified: 'tracker_mcpaql', families: { read: 'tracker_mcpaql_read' } },
    {
      prefix: 'github',
      unified: undefined,
      families: { read: 'github_mcp_aql_read', create: 'github_mcp_aql_create' },
    },
    { prefix: '', unified: 'mcp_aql', families: { read: 'mcpaql_read' } },
    { prefix: 'apple_mail', unified: undefined, families: { read: 'apple_mail_mcpaql_read' } },
  ])
})
