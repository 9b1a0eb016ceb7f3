import { writeFileSync } from 'node:fs'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { test } from 'vitest'
import { createRuntime } from '../../src/core/runtime.ts'
import { createMemoryStore } from '../../src/store/memory.ts'
import { openTracker } from './adapter.ts'

test('x', async () => {
  const t = openTracker(':memory:')
  const out: string[] = []
  for (const mode of ['single', 'semantic'] as const) {
    const r = await createRuntime(t.adapter, { store: createMemoryStore(), clock: { now: () => 0 }, mode })
    out.push(`${mode} tools ${countTokens(JSON.stringify(r.tools))}`)
    if (mode === 'semantic') {
      for (const x of r.tools) out.push(x.description)
      continue
    }
    const s = r.openSession('x')
    for (const { name } of [
      ...t.adapter.operations,
      { name: 'introspect' },
      { name: 'get_execution' },
      { name: 'list_executions' },
      { name: 'cancel_execution' },
    ]) {
      const a = await r.call({
        tool: r.tools[0]?.name ?? '',
        arguments: { operation: 'introspect', params: { query: 'operations', name } },
        session: s,
      })
      out.push(`${name} ${countTokens(a.text)}`)
      if (['list_issues', 'list_comments', 'create_issue', 'update_issue'].includes(name)) out.push(a.text)
    }
  }
  writeFileSync('/tmp/lt/out.txt', out.join('\n'))
})
