import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatReport } from '../../src/conformance/report.ts'
import { runConformance } from '../../src/conformance/run.ts'
import { type DemoServer, serveDemo } from './demo-server.ts'

let last = performance.now()
let semantic: DemoServer
let single: DemoServer

beforeAll(async () => {
  semantic = await serveDemo('semantic')
  single = await serveDemo('single')
})

afterAll(async () => {
  await semantic.close()
  await single.close()
})

test('CONF-02 the demo passes level 2', async () => {
  const report = await runConformance(
    { url: semantic.url },
    {
      level: 2,
      single: { url: single.url },
      evidence: true,
      onProgress: ({ check }) => {
        const n = performance.now()
        if (n - last > 400) process.stdout.write(`${check.id} ${Math.round(n - last)}\n`)
        last = n
      },
    },
  )
  process.stdout.write(formatReport(report, 'text', 200))
  expect(report.conformanceLevel).toBe(2)
})
