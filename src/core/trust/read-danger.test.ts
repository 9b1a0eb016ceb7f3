import { expect, test } from 'vitest'
import { faultOfCooldown, readDanger } from './read-danger.ts'

const NOTHING = {
  reasons: [],
  cooldownSeconds: 0,
  requiresReauth: false,
  auditContext: [],
  requiresConfirmation: false,
  hookBlockable: true,
}

test.each([
  ['DNG-02 nothing is declared', {}, NOTHING],
  ['DNG-05 the bare level', { danger: 'destructive' }, { ...NOTHING, declared: 'destructive' }],
  [
    'DNG-04 the whole block',
    {
      danger: {
        level: 'dangerous',
        reasons: ['sends mail', 'to everyone'],
        confirmation_message: 'Send to {list}?',
        cooldown_seconds: 30,
        requires_reauth: true,
        audit_context: ['list'],
      },
    },
    {
      declared: 'dangerous',
      reasons: ['sends mail', 'to everyone'],
      confirmationMessage: 'Send to {list}?',
      cooldownSeconds: 30,
      requiresReauth: true,
      auditContext: ['list'],
      requiresConfirmation: false,
      hookBlockable: true,
    },
  ],
  ['DNG-05 the flat level', { danger_level: 'forbidden' }, { ...NOTHING, declared: 'forbidden' }],
  [
    'DNG-05 the flat pair',
    { danger_level: 'safe', requires_confirmation: true },
    { ...NOTHING, declared: 'safe', requiresConfirmation: true },
  ],
  ['DNG-06 the flag alone', { requires_confirmation: true }, { ...NOTHING, requiresConfirmation: true }],
  [
    'DNG-05 the classification object, its reason first',
    { danger: { level: 'reversible', reason: 'moves files', requires_confirmation: true, hook_blockable: false } },
    { ...NOTHING, declared: 'reversible', reasons: ['moves files'], requiresConfirmation: true, hookBlockable: false },
  ],
  [
    'DNG-05 the defaults of the classification object',
    { danger: { level: 'safe', reason: 'reads' } },
    { ...NOTHING, declared: 'safe', reasons: ['reads'] },
  ],
  ['DNG-04 a cooldown of zero', { danger: { level: 'safe', cooldown_seconds: 0 } }, { ...NOTHING, declared: 'safe' }],
])('%s', (_, source, danger) => {
  expect(readDanger(source)).toEqual({ danger, warnings: [] })
})

test.each([
  ['block over flat', { danger: 'dangerous', danger_level: 'safe' }, 'dangerous'],
  ['flat over block', { danger: { level: 'safe' }, danger_level: 'destructive' }, 'destructive'],
  ['flat over classification', { danger: { level: 'safe', reason: 'x' }, danger_level: 'forbidden' }, 'forbidden'],
])('DNG-05 R-14 of two levels the higher one applies, with a warning: %s', (_, source, declared) => {
  const read = readDanger(source)
  expect(read).toMatchObject({ danger: { declared } })
  expect('warnings' in read && read.warnings).toHaveLength(1)
})

test('DNG-05 two forms that agree give no warning', () => {
  expect(readDanger({ danger: 'safe', danger_level: 'safe' })).toMatchObject({ warnings: [] })
})

test.each([
  [{ danger: { level: 'safe', requires_confirmation: false }, requires_confirmation: true }, true, true],
  [{ danger: { level: 'safe', requires_confirmation: true }, requires_confirmation: false }, true, true],
  [{ danger: { level: 'safe', hook_blockable: false }, hook_blockable: true }, false, true],
  [{ danger: { level: 'safe', hook_blockable: true }, hook_blockable: false }, false, true],
])(
  'DNG-06 of two flags the stricter one applies, with a warning: %j',
  (source, requiresConfirmation, hookBlockable) => {
    const read = readDanger(source)
    expect(read).toMatchObject({ danger: { requiresConfirmation, hookBlockable } })
    expect('warnings' in read && read.warnings).toHaveLength(1)
  },
)

const LEVELS = 'one of safe, reversible, destructive, dangerous, forbidden'

test.each([
  ['DNG-01 an unknown level', { danger: 'harmless' }, [LEVELS, '"harmless"']],
  ['DNG-01 a number', { danger: 2 }, [LEVELS, "for 2 write 'destructive'"]],
  ['DNG-01 a number in the block', { danger: { level: 4 } }, ['`danger.level`', "for 4 write 'forbidden'"]],
  ['DNG-01 a number outside of the scale', { danger: { level: 5 } }, ['`danger.level`', LEVELS]],
  ['DNG-01 a flat number', { danger_level: 3 }, ['`danger_level`', "for 3 write 'dangerous'"]],
  ['DNG-01 a flat unknown level', { danger_level: 'SAFE' }, ['`danger_level`', LEVELS, '"SAFE"']],
  ['DNG-01 a name of Object.prototype', { danger: 'constructor' }, [LEVELS]],
  ['DNG-04 no level', { danger: { reasons: ['x'] } }, ['`danger.level` is missing']],
  ['DNG-04 an inherited level', { danger: Object.create({ level: 'safe' }) }, ['`danger.level` is missing']],
  ['DNG-04 an unknown key', { danger: { level: 'safe', levle: 'x' } }, ['"levle"', 'unknown', 'cooldown_seconds']],
  ['DNG-04 null', { danger: null }, ['`danger`', LEVELS]],
  ['DNG-04 a list', { danger: ['safe'] }, ['`danger`', LEVELS]],
  [
    'DNG-04 reasons as a string',
    { danger: { level: 'safe', reasons: 'x' } },
    ['`danger.reasons`', 'a list of strings'],
  ],
  ['DNG-04 reasons of numbers', { danger: { level: 'safe', reasons: [1] } }, ['`danger.reasons`']],
  ['DNG-04 a message that is no text', { danger: { level: 'safe', confirmation_message: 1 } }, ['a string']],
  ['DNG-04 a cooldown below zero', { danger: { level: 'safe', cooldown_seconds: -1 } }, ['an integer from 0', '-1']],
  ['DNG-04 a broken cooldown', { danger: { level: 'safe', cooldown_seconds: 1.5 } }, ['an integer from 0']],
  ['DNG-04 a cooldown as text', { danger: { level: 'safe', cooldown_seconds: '30' } }, ['an integer from 0', '"30"']],
  ['DNG-04 reauth as text', { danger: { level: 'safe', requires_reauth: 'yes' } }, ['true or false', '"yes"']],
  ['DNG-04 audit_context as text', { danger: { level: 'safe', audit_context: 'id' } }, ['a list of strings']],
  ['DNG-05 confirmation as text', { requires_confirmation: 'true' }, ['`requires_confirmation`', 'true or false']],
  ['DNG-05 blockable as a number', { hook_blockable: 0 }, ['`hook_blockable`', 'true or false']],
  ['DNG-05 the object under the flat key', { danger_level: { level: 'safe' } }, ['put the object under `danger`']],
  ['DNG-05 half of each form', { danger: { level: 'safe', reason: 'x', reasons: [] } }, ['write it into `reasons`']],
  [
    'DNG-05 a flag inside the block',
    { danger: { level: 'safe', cooldown_seconds: 1, requires_confirmation: true } },
    ['write it beside `danger`'],
  ],
  [
    'DNG-23 default_level',
    { danger: { level: 'safe', default_level: 'safe' } },
    ['not specified yet', 'write `level`'],
  ],
  ['DNG-23 conditions', { danger: { level: 'safe', conditions: [] } }, ['`danger.conditions`', 'policy']],
  ['DNG-23 approval', { danger: { level: 'safe', approval: {} } }, ['`danger.approval`', 'requires_reauth']],
  ['DNG-23 escalation', { danger: { level: 'safe', escalation: {} } }, ['`danger.escalation`']],
  ['DNG-23 score_factors', { danger: { level: 'safe', score_factors: [] } }, ['`danger.score_factors`']],
  ['DNG-23 computed_level', { danger: { computed_level: 'x' } }, ['`danger.computed_level`', 'highest `level`']],
])('%s is a load error that says what to write', (_, source, parts) => {
  const read = readDanger(source)
  for (const part of parts) expect(read).toMatchObject({ error: expect.stringContaining(part) })
})

test('DNG-18 a cooldown not shorter than the token lifetime is a load error', () => {
  const read = readDanger({ danger: { level: 'safe', cooldown_seconds: 300 } })
  if ('error' in read) throw new Error(read.error)
  expect(faultOfCooldown(read.danger, 300)).toContain('must be shorter than the token lifetime of 300 s')
  expect(faultOfCooldown(read.danger, 301)).toBeUndefined()
})
