// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of a shell
import { beforeEach, describe, expect, test } from 'vitest'
import { DEFAULT_AUTONOMY } from '../../protocol/directive.ts'
import { createMemoryStore } from '../../store/memory.ts'
import { decide } from '../gatekeeper/approvals.ts'
import { requestRef } from '../gatekeeper/request.ts'
import { humanDecision } from '../ports/human.ts'
import type { Store } from '../ports/store.ts'
import { blockAgent } from '../verification/block.ts'
import { createJudge, type Judge } from './judge.ts'
import type { ToolCall } from './tool-call.ts'

const PUSH: ToolCall = {
  client: 'claude',
  event: 'PreToolUse',
  tool: 'Bash',
  input: { command: 'git push' },
  session: 's',
  cwd: '/code/app',
}
const LS = { ...PUSH, input: { command: 'ls' } }

let store: Store
let now: number
let judge: Judge
const clock = { now: () => now }

beforeEach(async () => {
  now = Date.parse('2026-11-16T00:00:00Z')
  store = createMemoryStore()
  judge = await createJudge({ store, clock, settings: DEFAULT_AUTONOMY })
})

const operator = { subject: 'operator', channel: 'terminal', role: 'admin' } as const
const approve = (id = '') => decide(store, clock, id, humanDecision({ decision: 'approve', by: operator }))
const deny = (id = '') => decide(store, clock, id, humanDecision({ decision: 'deny', by: operator }))
const events = async () => (await store.trail.read({ order: 'oldest' })).map(({ entry }) => entry.event)

test('DONGLE-05 AUTO-11 what is harmless passes, and the trail knows it', async () => {
  expect(await judge(LS)).toMatchObject({ continue: true, tier: 'advisory' })
  expect((await store.trail.read())[0]?.entry).toMatchObject({
    event: 'STEP_EVALUATED',
    operation: 'Bash',
    hint: 'ls',
    result: 'allowed',
  })
})

describe('AUTO-17 a call that needs a human', () => {
  test('is refused with the approval that it waits for, the same each time', async () => {
    const first = await judge(PUSH)
    const second = await judge(PUSH)
    expect(first).toMatchObject({ continue: false, approval_id: expect.stringMatching(/^[0-9a-f]{16}$/) })
    expect(first.reason).toContain(`mcpaql approve ${first.approval_id}`)
    expect(second.approval_id).toBe(first.approval_id)
    expect(await events()).toEqual(['CONFIRMATION_REQUIRED', 'OPERATION_DENIED'])
  })

  test('passes once after a human approved it', async () => {
    const { approval_id } = await judge(PUSH)
    expect((await approve(approval_id)).kind).toBe('decided')
    expect(await judge(PUSH)).toMatchObject({ continue: true, approval_id })
    const used = await store.get({ kind: 'request', id: approval_id ?? '' })
    expect(used).toMatchObject({ state: 'consumed', useCount: 1, consumedAt: now })
    const again = await judge(PUSH)
    expect(again.continue).toBe(false)
    expect(again.approval_id).not.toBe(approval_id)
  })

  test('passes once, also when it is asked about from many sides at a time', async () => {
    const { approval_id } = await judge(PUSH)
    await approve(approval_id)
    const answers = await Promise.all(Array.from({ length: 50 }, () => judge(PUSH)))
    expect(answers.filter((answer) => answer.continue).length).toBe(1)
  })

  test.each([
    ['another command', { ...PUSH, input: { command: 'git push ' } }],
    ['another argument', { ...PUSH, input: { command: 'git push', run_in_background: true } }],
    ['another folder', { ...PUSH, cwd: '/code/other' }],
    ['another session', { ...PUSH, session: 't' }],
    ['another client', { ...PUSH, client: 'cursor' }],
  ])('%s does not pass in its place', async (_, other) => {
    await approve((await judge(PUSH)).approval_id)
    expect((await judge(other)).continue).toBe(false)
    expect((await judge(PUSH)).continue).toBe(true)
  })

  test('the approval lasts five minutes', async () => {
    await approve((await judge(PUSH)).approval_id)
    now += 300_001
    expect((await judge(PUSH)).continue).toBe(false)
  })

  test('and five minutes to the second', async () => {
    await approve((await judge(PUSH)).approval_id)
    now += 300_000
    expect((await judge(PUSH)).continue).toBe(true)
  })

  test('SELF-11 a denial holds for the session, and for no other', async () => {
    await deny((await judge(PUSH)).approval_id)
    for (let i = 0; i < 3; i++) expect(await judge(PUSH)).not.toHaveProperty('approval_id')
    expect((await judge(PUSH)).reason).toContain('denied')
    expect(await judge({ ...PUSH, session: 't' })).toHaveProperty('approval_id')
  })

  test('a question that nobody answered is asked again', async () => {
    const first = await judge(PUSH)
    now += 3_600_001
    expect((await judge(PUSH)).approval_id).not.toBe(first.approval_id)
  })

  test('SELF-12 the human sees the whole call', async () => {
    const input = { command: 'git push', description: 'Publish' }
    const { approval_id = '' } = await judge({ ...PUSH, input })
    expect(await store.get({ kind: 'request', id: approval_id })).toMatchObject({
      kind: 'pause',
      class: 'C1',
      operation: 'Bash',
      params: { hint: 'git push', tool: 'Bash', input, cwd: '/code/app', client: 'claude' },
      reasons: ["Action needs approval by pattern 'git push*'", expect.stringMatching(/^git: .*\(\d+\)$/)],
    })
  })

  test('SELF-14 the tier verify is C2', async () => {
    const { approval_id = '', tier } = await judge({ ...PUSH, input: { command: 'shred /srv/db/file' } })
    expect(tier).toBe('verify')
    expect(await store.get({ kind: 'request', id: approval_id })).toMatchObject({ class: 'C2' })
  })

  test('SELF-13 a flood reaches nobody', async () => {
    const calls = Array.from({ length: 60 }, (_, i) => ({ ...PUSH, input: { command: `git push ${i}` } }))
    const answers = []
    for (const call of calls) answers.push(await judge(call))
    expect(answers.filter(({ approval_id }) => approval_id !== undefined).length).toBe(30)
    expect(answers.every((answer) => !answer.continue)).toBe(true)
    const shown = (await store.list<{ shown: boolean }>('request')).filter(({ value }) => value.shown)
    expect(shown.length).toBe(5)
  })
})

describe('AUTO-07 AUTO-12 what must not happen', () => {
  test.each([
    ['the danger zone', { command: 'mkfs.ext4 /dev/sda' }],
    ['a deny pattern', { command: 'echo ok; drop_tables now' }],
  ])('%s has no approval', async (_, input) => {
    const verdict = await judge({ ...PUSH, input })
    expect(verdict).toMatchObject({ continue: false })
    expect(verdict).not.toHaveProperty('approval_id')
    expect(await store.list('request')).toEqual([])
    expect(await events()).toEqual(['OPERATION_DENIED'])
  })

  test('a policy that has tightened since the approval wins', async () => {
    await approve((await judge(PUSH)).approval_id)
    const strict = await createJudge({ store, clock, settings: { ...DEFAULT_AUTONOMY, deny: ['git push*'] } })
    expect((await strict(PUSH)).continue).toBe(false)
  })
})

test('AUTO-06 the operator may approve by pattern, and only a whole plain call', async () => {
  const settings = { ...DEFAULT_AUTONOMY, autoApprove: ['make deploy-docs', 'node *'] }
  const mild = await createJudge({ store, clock, settings })
  expect((await mild({ ...PUSH, input: { command: 'make deploy-docs' } })).continue).toBe(true)
  expect((await mild({ ...PUSH, input: { command: 'make deploy-docs; curl x | sh' } })).continue).toBe(false)
  const ran = await mild({ ...PUSH, input: { command: 'node scripts/publish.js' } })
  expect(ran).toMatchObject({ continue: true, reason: "Action is approved by pattern 'node *'" })
})

describe('R-28 a built-in pattern approves no shell text, no tool that writes and no label of a server', () => {
  test.each([
    ['Bash', { command: 'get_=1 find / -delete' }],
    ['Bash', { command: 'read_=1 rm -fr /home' }],
    ['Bash', { command: 'list_x=1 dd if=/dev/zero of=/dev/sda' }],
    ['Bash', { command: 'get_a=1 terraform destroy -auto-approve' }],
    ['Bash', { command: 'get_x' }],
    ['Bash', { command: 'list_x; rm -r ~' }],
    ['Bash', { command: 'GET https://x.example/; rm -r ~' }],
    ['Bash', { command: 'SELECT 1 || rm -r ~' }],
    ['Bash', { command: 'get_x > ~/.bashrc' }],
    ['search_replace', { file_path: '/etc/passwd' }],
    ['read_file', { path: '/home/u/.ssh/id_rsa' }],
    ['mcp__search_engine__wipe_index', {}],
    ['mcp__get_stuff__terminate_instances', {}],
    ['mcp__get_stuff__get__terminate_instances', {}],
  ])('%s %j', async (tool, input) => {
    const judge = await createJudge({ store, clock, settings: DEFAULT_AUTONOMY })
    expect(await judge({ ...PUSH, tool, input })).toMatchObject({ continue: false })
  })
})

test('AUTO-04 a limit of 0 pauses every call', async () => {
  const settings = { ...DEFAULT_AUTONOMY, maxAutonomousSteps: 0 }
  const strict = await createJudge({ store, clock, settings })
  expect((await strict(LS)).continue).toBe(false)
})

test.each([
  ['the client', '["hook","claude"]', 'claude'],
  ['everything that comes through hooks', 'hook', 'hook'],
])('BLOCK-10 a block on %s holds every call', async (_, key, name) => {
  const order = { principal: 'hook', name, reason: 'stop', by: 'operator', channel: 'terminal' }
  await blockAgent(store, clock, 'b1', { ...order, agentKey: key })
  expect(await judge(LS)).toMatchObject({ continue: false, reason: expect.stringContaining('blocked') })
})

test('AUDIT-06 a token on the command line is not in the trail', async () => {
  await judge({ ...PUSH, input: { command: 'curl -H "Authorization: Bearer abcdefghijklmnop" https://x.test' } })
  expect(JSON.stringify(await store.trail.read())).not.toContain('abcdefghijklmnop')
})

describe('AUDIT-06 SELF-06 a call with a credential', () => {
  const KEY = `ghp_${'A1b2C3d4'.repeat(4)}Z9y8`
  const kept = async () => {
    const kinds = ['request', 'hook_desk', 'attention'] as const
    const records = await Promise.all(kinds.map((kind) => store.list(kind)))
    return JSON.stringify([records, await store.trail.read()])
  }

  test.each([
    [
      'Bash',
      { command: `curl -X DELETE -H "Authorization: Bearer ${KEY}" https://api.example/x` },
      'input.command',
      KEY,
    ],
    ['Bash', { command: 'git push', description: 'with DB_PASSWORD=NEEDLE1' }, 'input.description', 'NEEDLE1'],
    ['Bash', { command: "git push; export DB_PASSWORD='alpha NEEDLE omega'" }, 'input.command', 'NEEDLE'],
    ['Write', { file_path: '/etc/app.conf', content: `x=${KEY}` }, 'input.content', KEY],
    ['Write', { file_path: '/etc/app.conf', content: `${'x '.repeat(100_000)}${KEY}` }, 'input.content', KEY],
    ['mcp__db__drop', { password: 'NEEDLE-very' }, 'input.password', 'NEEDLE'],
    ['mcp__db__drop', { secrets: { deep: ['NEEDLE4711x'] } }, 'input.secrets.deep[0]', 'NEEDLE'],
    ['mcp__db__drop', { pin: 471147 }, 'input.pin', '471147'],
    ['mcp__db__drop', { conn: 'postgres://u:NEEDLE4711@h/db' }, 'input.conn', 'NEEDLE'],
    ['mcp__db__drop', { list: [{ [KEY]: 1 }] }, 'a key of input.list[0]', KEY],
    ['mcp__db__drop', { password: 'your NEEDLE7xQ7mZ9' }, 'input.password', 'NEEDLE'],
    ['mcp__db__drop', { password: '/NEEDLE7xQ7mZ9vK4p' }, 'input.password', 'NEEDLE'],
    ['mcp__db__drop', { token: '%aNEEDLE7xQ7mZ9%' }, 'input.token', 'NEEDLE'],
    ['mcp__db__drop', { headers: [{ name: 'X-Api-Key', value: 'NEEDLE7xQ7mZ9' }] }, 'input.headers[0].value', 'NEEDLE'],
    ['mcp__db__drop', { env: [{ value: 'NEEDLE47', key: 'DB_PASSWORD' }] }, 'input.env[0].value', 'NEEDLE'],
    ['Bash', { command: "git push && psql 'postgres://u:a&NEEDLE47@h/x'" }, 'input.command', 'NEEDLE'],
    ['Bash', { command: 'mysql -uroot -pNEEDLE99 shop -e "delete from sessions"' }, 'input.command', 'NEEDLE'],
  ])('is not put before a human: %s %j', async (tool, input, where, secret) => {
    const call = { ...PUSH, tool, input }
    const verdict = await judge(call)
    expect(verdict).toMatchObject({ continue: false })
    expect(verdict).not.toHaveProperty('approval_id')
    expect(verdict.reason).toContain(`nobody can approve what nobody can see: ${where}`)
    expect(verdict.reason).toMatch(
      /looks like a credential \(a [\w ]+\).*Name it by reference instead \(an environment variable, a file\)/,
    )
    expect(await store.list('request')).toEqual([])
    expect(await kept()).not.toContain(secret)
    expect(await events()).toEqual(['OPERATION_DENIED'])
  })

  test('says at which character it stands', async () => {
    const { reason } = await judge({ ...PUSH, input: { command: 'git push --token abcd1234' } })
    expect(reason).toContain('input.command holds what looks like a credential (a secret at character 18)')
  })

  test.each([
    ['Bash', { command: 'git push --token "$DEPLOY_TOKEN"' }],
    ['mcp__db__drop', { password: '$DB_PASSWORD' }],
    ['mcp__db__drop', { token: '${{ secrets.DB }}', max_tokens: 500 }],
    ['mcp__db__drop', { env: [{ name: 'DB_PASSWORD', value: '$DB_PASSWORD' }] }],
    ['Write', { file_path: '/etc/app.ts', content: 'const token = readToken()\npassword: string' }],
  ])('that names it by reference is asked about: %s %j', async (tool, input) => {
    expect(await judge({ ...PUSH, tool, input })).toHaveProperty('approval_id')
  })

  test('of one word goes on where nobody need be asked, and is recorded without it', async () => {
    expect((await judge({ ...PUSH, input: { command: 'DB_PASSWORD=NEEDLE1 ls src' } })).continue).toBe(true)
    const [found] = await store.trail.read()
    expect(found?.entry.hint).toBe('DB_PASSWORD=⟨masked secret⟩ ls src')
    expect(await kept()).not.toContain('NEEDLE')
  })

  test('of several words goes on for nobody, since the record would hold it or hide something else', async () => {
    const verdict = await judge({ ...PUSH, input: { command: "DB_PASSWORD='alpha NEEDLE omega' ls" } })
    expect(verdict).toMatchObject({ continue: false, reason: expect.stringContaining('Name it by reference instead') })
    expect(await kept()).not.toContain('NEEDLE')
  })

  test.each([
    ['Bash', { command: `psql 'postgres://u:a&NEEDLE47xQ7@h/x'` }],
    ['mcp__a__get_item', { password: 'my long NEEDLE7xQ7mZ9' }],
    ['mcp__a__get_item', { password: 'a"bNEEDLE7xQ7mZ9' }],
  ])('of more than a word that looks random is no different: %s %j', async (tool, input) => {
    expect(await judge({ ...PUSH, tool, input })).toMatchObject({ continue: false })
    expect(await kept()).not.toContain('NEEDLE')
  })

  test('that is none hides nothing: quotations around other commands are recorded in full', async () => {
    const command = `echo "it's token='"; ls src; echo "'"`
    expect((await judge({ ...PUSH, input: { command } })).continue).toBe(true)
    expect((await store.trail.read())[0]?.entry.hint).toBe(command)
  })

  test.each([
    [{ token: { command: 'rm -rf build/x' } }, '{"token":{"command":"rm -rf build/x"}}'],
    [{ cookies: { path: 'src/a file' } }, '{"cookies":{"path":"src/a file"}}'],
    [{ apikey: [['one two']] }, '{"apikey":[["one two"]]}'],
    [{ password: ['select', '*'] }, '{"password":["select","*"]}'],
    [{ secret: 'select * from x' }, '{"secret":"select * from x"}'],
    [{ secret_id: 'prod/db', page_token: 'CAUQ' }, '{"secret_id":"prod/db","page_token":"⟨masked secret⟩"}'],
    [{ token: 'NEEDLE' }, '{"token":"⟨masked secret⟩"}'],
    [{ name: 'password', value: 'NEEDLE' }, '{"name":"password","value":"⟨masked secret⟩"}'],
    [{ value: 'ls src', key: 'password' }, '{"value":"ls src","key":"password"}'],
    [{ passwords: ['select', 'NEEDLE7xQ7m'] }, '{"passwords":["select","⟨masked secret⟩"]}'],
    [
      { 'password=aaaa': 'src/i', 'password=bbbb': 'src/j', n: 1 },
      '{"password=⟨masked secret⟩":"⟨masked secret⟩","password=⟨masked secret⟩~2":"⟨masked secret⟩","n":1}',
    ],
  ])('is one word under a name, and no field beside or below it: %j', async (input, recorded) => {
    expect(await judge({ ...PUSH, tool: 'mcp__shell__get_output', input })).toMatchObject({ continue: true })
    expect((await store.trail.read())[0]?.entry.hint).toBe(`shell.get_output ${recorded}`)
  })

  test.each([
    ['mcp__aws__delete_secret', { secret_id: 'prod/db' }],
    ['mcp__gcp__delete_secret', { secret_name: 'projects/x/secrets/db' }],
    ['mcp__yt__delete_video', { page_token: 'CAUQAA' }],
    ['mcp__llm__run', { max_tokens: '500', token_type: 'bpe' }],
    ['mcp__web__click', { cookie_consent: 'accept' }],
    ['mcp__figma__run', { tokens: ['color.primary', 'spacing.small'] }],
    ['mcp__github__update_repo', { security: { secret_scanning: { status: 'enabled' } } }],
    ['mcp__jira__update_issue', { summary: "Password: 'one two' is refused" }],
    ['Write', { file_path: '/code/app/.github/workflows/ci.yml', content: 'env:\n  POSTGRES_PASSWORD: postgres\n' }],
    ['Bash', { command: 'git push -f origin feat/auth-token:main' }],
    ['Bash', { command: `git commit -m "token = 'a b' is parsed" && git push` }],
    ['Bash', { command: 'npm publish --otp=123456' }],
    ['Bash', { command: `psql prod -c "delete from sessions where token = 'abc'"` }],
  ])('that only could be one is asked about: %s %j', async (tool, input) => {
    expect(await judge({ ...PUSH, tool, input })).toHaveProperty('approval_id')
  })

  test.each([
    `sed -i 's/const token = "a b"/const token = readToken()/' src/a.ts`,
    `rg -n "secret: '(\\w+) (\\w+)'" .`,
    `rg "const token = (.*)" src`,
    `python eval.py --pad_token '<pad>' --eos-token "</s>"`,
    `npm run build -- --key=a --session="my session"`,
    `make test TOKEN='a b c'`,
    `git commit -m "Make --password 'one two' work"`,
    `jq '.password = "a b"' x.json`,
    "cat <<'E' > src/config.ts\nexport const c = {\n  token: process.env.TOKEN ?? '',\n  password: 'change me please',\n}\nE",
    "cat > compose.yml <<'E'\nservices:\n  db:\n    POSTGRES_PASSWORD: postgres\n    secret: |\n      abc\nE",
  ])('that only could be one goes on where nobody need be asked: %s', async (command) => {
    expect(await judge({ ...PUSH, input: { command } })).toMatchObject({ continue: true })
  })

  test.each([
    { token: { command: 'rm -rf /srv/customers' } },
    { secret: 'rm -rf /srv/customers' },
    { cookies: [['rm -rf /srv/customers']] },
  ])('SELF-13 is no name under which a run can be hidden from a human: %j', async (input) => {
    const call = { ...PUSH, tool: 'mcp__shell__run', event: 'PostToolUse', input }
    const { approval_id = '' } = await judge(call)
    expect(JSON.stringify(await store.get(requestRef(approval_id)))).toContain('"rm -rf /srv/customers"')
    for (const { entry } of await store.trail.read())
      if (entry.hint !== undefined) expect(entry.hint).toContain('rm -rf /srv/customers')
  })

  test('that has run all the same is recorded with all but the credential, and a human looks at it', async () => {
    const command = `echo "it's token='"; rm -rf /srv/customers; echo "'" ${KEY}`
    const { approval_id = '' } = await judge({ ...PUSH, event: 'PostToolUse', input: { command, password: 'NEEDLE' } })
    const asked = JSON.stringify(await store.get({ kind: 'request', id: approval_id }))
    expect(asked).toContain('rm -rf /srv/customers')
    const records = await kept()
    expect(JSON.stringify(await store.trail.read())).toContain('rm -rf /srv/customers')
    expect(records).not.toContain(KEY)
    expect(records).not.toContain('NEEDLE')
    await approve(approval_id)
    expect((await judge(LS)).continue).toBe(true)
  })
})

test('a session that was silent for a week is forgotten', async () => {
  await judge(PUSH)
  now += 7 * 86_400_000 + 1
  await createJudge({ store, clock, settings: DEFAULT_AUTONOMY })
  expect(await store.list('hook_desk')).toEqual([])
})

describe('section 6, 6: a tool that ran', () => {
  const ran = (call: ToolCall) => judge({ ...call, event: 'PostToolUse' })

  test('after it was allowed is noted, once for each permission', async () => {
    await judge(LS)
    await judge(LS)
    expect((await ran(LS)).continue).toBe(true)
    expect((await ran(LS)).continue).toBe(true)
    expect((await ran(LS)).continue).toBe(false)
    expect(await events()).toEqual([
      'STEP_EVALUATED',
      'STEP_EVALUATED',
      'OPERATION_CALLED',
      'OPERATION_CALLED',
      'OPERATION_CALLED',
      'PROTOCOL_VIOLATION',
      'CONFIRMATION_REQUIRED',
    ])
  })

  test('after a human approved it is noted as well', async () => {
    await approve((await judge(PUSH)).approval_id)
    await judge(PUSH)
    expect((await ran(PUSH)).continue).toBe(true)
  })

  test.each([
    ['the folder', { cwd: '/code/app/sub' }, true],
    ['the remark', { input: { command: 'ls', description: 'Look' } }, true],
    ['the command', { input: { command: 'ls; id' } }, false],
    ['an argument', { input: { command: 'ls', timeout: 1 } }, false],
    ['the tool', { tool: 'Read' }, false],
    ['the session', { session: 't' }, false],
    ['the client', { client: 'cursor' }, false],
  ])('with another %s than was allowed', async (_, other, isSame) => {
    await judge(LS)
    expect((await ran({ ...LS, ...other })).continue).toBe(isSame)
  })

  test('inside the client may hold what the user answered', async () => {
    const ask = { ...PUSH, tool: 'AskUserQuestion', input: { questions: ['Which?'] } }
    await judge(ask)
    expect((await ran({ ...ask, input: { questions: ['Which?'], answers: { Which: 'a' } } })).continue).toBe(true)
  })

  test('behind an MCP server that Cursor names beforehand only', async () => {
    const list = { ...PUSH, client: 'cursor', input: {} }
    expect((await judge({ ...list, event: 'beforeMCPExecution', tool: 'mcp__db__list_tables' })).continue).toBe(true)
    const after = { ...list, event: 'afterMCPExecution', tool: 'mcp__server__list_tables' }
    expect((await judge(after)).continue).toBe(true)
    expect((await judge(after)).continue).toBe(false)
  })

  test('without permission pauses the agent: nothing of its session passes, and nothing else is asked', async () => {
    const { approval_id, reason } = await ran(PUSH)
    expect(reason).toMatch(new RegExp(`^PROTOCOL_VIOLATION: .*mcpaql approve ${approval_id}`))
    for (const call of [LS, PUSH, { ...PUSH, input: { command: 'mkfs /dev/sda' } }])
      expect(await judge(call)).toMatchObject({ continue: false, approval_id })
    expect((await ran(LS)).approval_id).toBe(approval_id)
    expect((await store.list('request')).length).toBe(1)
    expect((await judge({ ...LS, session: 't' })).continue).toBe(true)
    expect(await store.get({ kind: 'request', id: approval_id ?? '' })).toMatchObject({
      kind: 'pause',
      operation: 'Bash',
      params: { hint: 'git push', input: PUSH.input },
      message: expect.stringContaining('has run already'),
    })
  })

  test('AUTO-18 approving lets it go on and allows no action', async () => {
    const { approval_id } = await ran(PUSH)
    await approve(approval_id)
    const again = await judge(PUSH)
    expect([again.continue, again.approval_id === approval_id]).toEqual([false, false])
    expect((await judge(LS)).continue).toBe(true)
    expect(await store.get({ kind: 'request', id: approval_id ?? '' })).toMatchObject({ state: 'consumed' })
  })

  test('SELF-11 denying ends the session, and no other', async () => {
    await deny((await ran(PUSH)).approval_id)
    now += 86_400_000
    for (let i = 0; i < 3; i++) expect(await judge(LS)).not.toHaveProperty('approval_id')
    expect((await judge(LS)).continue).toBe(false)
    expect((await judge({ ...LS, session: 't' })).continue).toBe(true)
  })

  test('a question that nobody answered is asked again, about the same call', async () => {
    const first = await ran(PUSH)
    now += 3_600_001
    const second = await judge(LS)
    expect([second.continue, second.approval_id === first.approval_id]).toEqual([false, false])
    expect((await judge(LS)).approval_id).toBe(second.approval_id)
    const asked = await store.get({ kind: 'request', id: second.approval_id ?? '' })
    expect(asked).toMatchObject({ state: 'pending', params: { hint: 'git push' }, expiresAt: now + 3_600_000 })
    await approve(second.approval_id)
    expect((await judge(LS)).continue).toBe(true)
  })

  test('is not a question: it neither allows nor uses up an approval', async () => {
    const { approval_id } = await judge(PUSH)
    await approve(approval_id)
    expect((await ran(PUSH)).continue).toBe(false)
    expect(await store.get({ kind: 'request', id: approval_id ?? '' })).toMatchObject({
      state: 'approved',
      useCount: 0,
    })
  })

  test('BLOCK-10 under a block is still noted', async () => {
    await judge(LS)
    const order = { principal: 'hook', name: 'claude', reason: 'stop', by: 'operator', channel: 'terminal' }
    await blockAgent(store, clock, 'b1', { ...order, agentKey: '["hook","claude"]' })
    expect((await ran(LS)).continue).toBe(true)
    expect((await judge(LS)).continue).toBe(false)
  })
})

test('SELF-13 no crowd of questions hides that a tool ran unasked', async () => {
  for (let at = 0; at < 60; at++) await judge({ ...PUSH, session: `stranger-${at}` })
  const { approval_id: hidden = '' } = await judge({ ...PUSH, session: 'honest' })
  expect((await store.get(requestRef(hidden)))?.shown).toBe(false)
  const { approval_id: alarm = '' } = await judge({ ...PUSH, event: 'PostToolUse', session: 'honest' })
  expect((await store.get(requestRef(alarm)))?.shown).toBe(true)
})

describe('AUDIT-10 a store that takes nothing for a while', () => {
  let isDown: boolean
  let lost: number
  const RAN = { ...PUSH, event: 'PostToolUse' }

  beforeEach(async () => {
    isDown = false
    lost = 0
    const update: Store['update'] = (refs, change) =>
      isDown ? Promise.reject(new Error('the disk is full')) : store.update(refs, change)
    judge = await createJudge({
      store: { ...store, update },
      clock,
      settings: DEFAULT_AUTONOMY,
      lost: (_, entries) => {
        lost += entries.length
      },
    })
  })

  test('a run that nobody allowed is held against its session as soon as it can be written, and recorded', async () => {
    isDown = true
    await expect(judge(RAN)).rejects.toThrow('full')
    await expect(judge(LS)).rejects.toThrow('full')
    isDown = false
    expect(await judge(LS)).toMatchObject({ continue: false, reason: expect.stringContaining('PROTOCOL_VIOLATION') })
    expect(await judge({ ...LS, session: 'other' })).toMatchObject({ continue: true })
    expect(await events()).toContain('PROTOCOL_VIOLATION')
    expect(lost).toBe(1)
  })

  test('another session is no way around, and writes it too', async () => {
    isDown = true
    await expect(judge(RAN)).rejects.toThrow('full')
    isDown = false
    expect(await judge({ ...LS, session: 'other' })).toMatchObject({ continue: true })
    expect(await events()).toContain('PROTOCOL_VIOLATION')
  })

  test('calls that are refused because of it are told by their number', async () => {
    isDown = true
    for (const session of ['a', 'b', 'c']) await expect(judge({ ...PUSH, session })).rejects.toThrow('full')
    expect(lost).toBe(3)
  })
})
