import { expect, test } from 'vitest'
import { createProgress } from './progress.ts'

function record() {
  const sent: unknown[] = []
  let time = 0
  const progress = createProgress(
    'token',
    async ({ params }) => {
      sent.push(params?.progress)
    },
    () => time,
  )
  return { sent, progress, pass: (ms: number) => (time += ms) }
}

test('PROG-03 only what is higher is sent, and nothing after the end', async () => {
  const { sent, progress } = record()
  for (const value of [0, 1, 1, 0.5, Number.NaN, 2]) progress.report({ progress: value })
  await progress.end()
  progress.report({ progress: 3 })
  expect(sent).toEqual([0, 1, 2])
})

test('PROG-03 a notification has the token and what was told, no more', async () => {
  const sent: unknown[] = []
  const progress = createProgress(7, async (notification) => {
    sent.push(notification)
  })
  progress.report({ progress: 1 })
  progress.report({ progress: 2, total: 5, message: 'half' })
  await progress.end()
  expect(sent).toEqual([
    { method: 'notifications/progress', params: { progressToken: 7, progress: 1 } },
    { method: 'notifications/progress', params: { progressToken: 7, progress: 2, total: 5, message: 'half' } },
  ])
})

test('PROG-03 a flood is thinned out, and the newest is never lost', async () => {
  const { sent, progress, pass } = record()
  for (let i = 0; i < 10_000; i++) progress.report({ progress: i })
  expect(sent).toHaveLength(100)
  pass(50)
  progress.report({ progress: 10_000 })
  progress.report({ progress: 10_001 })
  await progress.end()
  expect(sent.slice(100)).toEqual([10_000, 10_001])
})

test('MCP-12 a client that has gone does not matter', async () => {
  const progress = createProgress('t', () => Promise.reject(new Error('gone')))
  progress.report({ progress: 1 })
  await progress.end()
})
