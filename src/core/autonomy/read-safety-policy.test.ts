import { expect, test } from 'vitest'
import { readSafetyPolicy } from './read-safety-policy.ts'

test('DONGLE-03 a policy with every key', () => {
  const webhook = { url: 'https://x.test/', secretEnv: 'BELL_SECRET', allowedHosts: ['x.test'] }
  const lists = { deny: ['drop_*'], requiresApproval: [], autoApprove: ['get_*'] }
  expect(
    readSafetyPolicy({
      ...lists,
      maxAutonomousSteps: 3,
      riskTolerance: 'conservative',
      channels: { osDialog: false, console: true, consolePort: 7000, elicitation: false, webhook },
      storage: { url: 'sqlite:./state.db' },
    }),
  ).toEqual({
    autonomy: { ...lists, maxAutonomousSteps: 3, riskTolerance: 'conservative' },
    channels: { osDialog: false, console: true, consolePort: 7000, elicitation: false, webhook },
    storage: { url: 'sqlite:./state.db' },
  })
})

test('DONGLE-04 an empty policy changes nothing', () => {
  expect(readSafetyPolicy({})).toEqual({ autonomy: {}, channels: {} })
})

test.each([
  ['no object', [], 'the policy must be a JSON object'],
  ['a text', 'deny', 'the policy must be a JSON object'],
  [
    'an unknown key',
    { allow: [] },
    "'allow' is not a setting of the policy; known are channels, storage, maxAutonomousSteps, riskTolerance, deny, requiresApproval, autoApprove",
  ],
  ['an inherited name', JSON.parse('{"__proto__": []}'), "'__proto__' is not a setting"],
  ['deny as a text', { deny: 'drop_*' }, "'deny' must be at most 500 patterns"],
  ['an empty pattern', { deny: [' '] }, "'deny' must be at most 500 patterns"],
  ['a number among patterns', { autoApprove: [1] }, "'autoApprove' must be"],
  ['steps as a text', { maxAutonomousSteps: '3' }, "'maxAutonomousSteps' must be a non-negative integer"],
  ['steps below 0', { maxAutonomousSteps: -1 }, "'maxAutonomousSteps' must be"],
  ['an unknown tolerance', { riskTolerance: 'reckless' }, "'riskTolerance' must be"],
  ['channels as a list', { channels: [] }, "'channels' must be an object"],
  ['an unknown channel', { channels: { email: true } }, "'channels.email' is not a setting of the policy"],
  ['a switch as a text', { channels: { console: 'yes' } }, "'channels.console' must be true or false"],
  ['a port beyond the last', { channels: { consolePort: 65_536 } }, "'channels.consolePort' must be a port"],
  [
    'a webhook without a secret',
    { channels: { webhook: { url: 'https://x' } } },
    "'channels.webhook.secretEnv' is missing",
  ],
  [
    'a secret in the file',
    { channels: { webhook: { url: 'https://x', secretEnv: 'A', secret: 's' } } },
    "'channels.webhook.secret' is not a setting",
  ],
  [
    'a secret for the name of a variable',
    { channels: { webhook: { url: 'https://x', secretEnv: 's3cr-et' } } },
    'environment',
  ],
  ['storage as a text', { storage: 'memory:' }, "'storage' must be an object"],
  ['storage without an address', { storage: {} }, "'storage.url' is missing"],
  ['storage elsewhere', { storage: { url: 'mysql://x' } }, "'storage.url' must be sqlite:PATH or memory:"],
])('DONGLE-03 %s is refused', (_, policy, fault) => {
  const read = readSafetyPolicy(policy)
  expect('faults' in read ? read.faults.join('\n') : 'read').toContain(fault)
})

test('DONGLE-03 all faults are told', () => {
  const read = readSafetyPolicy({ a: 1, deny: 1, channels: { b: 1 }, storage: 1 })
  expect('faults' in read ? read.faults.length : 0).toBe(4)
})
