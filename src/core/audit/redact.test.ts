// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of a shell
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cpuTime } from '../../../test/cpu-time.ts'
import { REPEATED } from '../../../test/safety/repeated-texts.ts'
import { defineAdapter } from '../registry/adapter.ts'
import type { Operation } from '../registry/compile-operation.ts'
import { defineOperation } from '../registry/operation.ts'
import { createRegistry } from '../registry/registry.ts'
import { findCredentials } from './find-credentials.ts'
import {
  certainPhraseIn,
  credentialIn,
  phraseIn,
  redact,
  redactAction,
  redactBeginning,
  redactProse,
  redactText,
  redactValue,
  unseenIn,
} from './redact.ts'
import { isSecretName } from './secret-names.ts'
import { tokenRef } from './token-ref.ts'

const TOKEN = `conf_${'0123456789abcdef'.repeat(4)}`
const QUOTA = `quota_continue_${'fedcba9876543210'.repeat(4)}`
/** printf '%s' "$TOKEN" | sha256sum | cut -c1-16 */
const KEY_LINE = 'MIIEpAIBAAKCAQEAx7Zp0Q2vT1dS9kLw4NcYbR8uHfJgE5mXoWq3VtP6yUzBnDsA'
const [TOKEN_REF, QUOTA_REF] = ['f34d19d9d5177b83', '7e8bf50689699e56']

test('AUDIT-06 a token appears as the first 16 hex characters of its SHA-256', () => {
  expect([tokenRef(TOKEN), tokenRef(QUOTA), tokenRef('')]).toEqual([TOKEN_REF, QUOTA_REF, 'e3b0c44298fc1c14'])
})

describe('AUDIT-06 names of secrets', () => {
  test.each([
    'password',
    'Password',
    'user_password',
    'userPassword',
    'USERPASSWORD',
    'new-password',
    'passwd',
    'pwd',
    'passphrase',
    'token',
    'api_token',
    'accessToken',
    'access_tokens',
    'secret',
    'client_secret',
    'CLIENT-SECRET',
    'secrets',
    'api_key',
    'apiKey',
    'apikey',
    'X-Api-Key',
    'private_key',
    'aws_access_key_id',
    'authorization',
    'Authorization',
    'proxy-authorization',
    'cookie',
    'Set-Cookie',
    'credentials',
    'otp',
    'pin',
    'jwt',
    'ｐａｓｓｗｏｒｄ',
  ])('%s', (name) => {
    expect(isSecretName(name, 'x')).toBe(true)
  })

  test.each([
    'title',
    'key',
    'keyboard',
    'author',
    'spinner',
    'passenger',
    'broken',
    'tokenizer',
    'opinion',
    'bearing',
    '',
  ])('%s is none', (name) => {
    expect(isSecretName(name, 'x')).toBe(false)
  })

  test('a number of tokens is a budget, a token is a token', () => {
    expect([isSecretName('max_tokens', 500), isSecretName('tokens', ['x']), isSecretName('pin', 1234)]).toEqual([
      false,
      true,
      true,
    ])
  })
})

describe('AUDIT-06 values', () => {
  test.each([
    ['a token alone', TOKEN, TOKEN_REF],
    ['a token in a sentence', `redeem ${TOKEN}, please`, `redeem ${TOKEN_REF}, please`],
    ['two tokens', `${TOKEN} ${QUOTA}`, `${TOKEN_REF} ${QUOTA_REF}`],
    ['a token with something behind it', `${TOKEN}ffff`, `${TOKEN_REF}ffff`],
    ['a token in an address', `https://x.test/?c=${TOKEN}&d=1`, `https://x.test/?c=${TOKEN_REF}&d=1`],
    ['a verification code', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ23', '⟨masked verification code a49d274e361c33e7⟩'],
    ['a code as it is typed', 'abcd-efgh-ijkl-mnop-qrst-uvwx-yz23', '⟨masked verification code 3fae8f6ed2a78e1d⟩'],
    ['a header', 'Authorization: Bearer abcdefgh.ijkl7', 'Authorization: Bearer ⟨masked bearer token⟩'],
    ['the value of a header', 'Bearer abcdefgh12345678', 'Bearer ⟨masked bearer token⟩'],
    ['a header with a password', 'Authorization: Basic YW5uOnMzY3JldA==', 'Authorization: Basic ⟨masked password⟩'],
    ['an address with a password', 'postgres://ann:s3cret@db.test/x', 'postgres://ann:⟨masked password⟩@db.test/x'],
    ['a JSON web token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_d', '⟨masked JSON web token 9abf6872e2cc3e30⟩'],
    [
      'a private key',
      `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n${KEY_LINE}\n${KEY_LINE}\nAb3dEf==\n-----END`,
      '-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n⟨masked private key b1b666f8cffdf1bc⟩\n-----END',
    ],
    ['a key of a well-known service', `ghp_${'a'.repeat(36)}`, '⟨masked key ba94fef946060f5e⟩'],
  ])('%s', (_, text, expected) => {
    expect(redactText(text)).toBe(expected)
  })

  test.each([
    ['conf_dir'],
    ['the conf_ prefix'],
    ['https://x.test/a:b@c'],
    ['at 10:30, mail ann@x.test'],
    ['Basic rules'],
    ['rm -r Basic /srv/customers'],
    ['rm -r Basic customers2024'],
    ['rm -r Bearer /srv/customers2024/invoices'],
    ['rm -r Negotiate ./customers2024'],
    ['drop read only from last week when sure'],
    ['some more text with four long word lead'],
    ['0123456789abcdef'.repeat(4)],
    ['sk-1'],
    ['eyJ'],
  ])('%s stays', (text) => {
    expect(redactText(text)).toBe(text)
  })

  test('anywhere inside, also as a key', () => {
    expect(
      redactValue({ a: [{ [TOKEN]: 1 }, TOKEN], nested: { Password: { deep: 'x' }, n: 1, t: true, z: null } }),
    ).toEqual({
      a: [{ [TOKEN_REF]: 1 }, { $masked: 'string', text: TOKEN_REF }],
      nested: { Password: { $masked: 'object' }, n: 1, t: true, z: null },
    })
  })

  test('hostile texts take no longer than others', () => {
    const texts = ['conf_', '://', '-----BEGIN ', 'Bearer ', 'eyJ', 'abcd-', '://a:', 'eyJaaaaaaaa.'].map((text) =>
      text.repeat(1_000_000 / text.length),
    )
    const began = performance.now()
    for (const text of texts) redactText(text)
    expect(performance.now() - began).toBeLessThan(5_000)
  })

  test.each(['x://u:aBaBaBaBa', 'password=aBaBaBaBa', 'token: a', 'PASSWORD=aBaB!_'])(
    'no word is read in more than one way behind %s',
    (head) => {
      for (const word of ['_a', '__', '._', '_.a', '-_a', '/_', '_A'])
        for (const end of [';@h', '~', '@', '"'])
          expect(cpuTime(() => unseenIn(head + word.repeat(60) + end))).toBeLessThan(200)
    },
  )

  test.each(REPEATED)('many of %j in one word take no longer than in many', (text) => {
    expect(cpuTime(() => unseenIn(text.repeat(131_072 / text.length)))).toBeLessThan(1_500)
  })
})

const STRING = { $masked: 'string' }

test('AUDIT-06 VAL-10 what an operation calls sensitive is masked in its place, and nothing that is equal to it', async () => {
  const target = await compiled()
  expect(redact(target, { recipe: 'two eggs', note: 'the recipe is two eggs', code: 7, list: [7, 8] })).toEqual({
    recipe: STRING,
    note: 'the recipe is two eggs',
    code: 7,
    list: [7, 8],
  })
  const params = { recipe: 'soup', note: TOKEN, api_key: 'k', __proto__x: 1 }
  expect(redact(target, params)).toEqual({
    recipe: STRING,
    note: { ...STRING, text: TOKEN_REF },
    api_key: STRING,
    __proto__x: 1,
  })
  expect(params.api_key).toBe('k')
  expect(redact(target, { recipe: 'o', note: 'production' })).toEqual({ recipe: STRING, note: 'production' })
  expect(redact(target, { recipe: null, note: '***' })).toEqual({ recipe: null, note: '***' })
})

test('AUDIT-06 nothing that is sent can pass for a masked value', async () => {
  const target = await compiled()
  expect(redact(target, { recipe: 'x', note: { $masked: 'string' } as never })).toEqual({
    recipe: STRING,
    note: { $$masked: 'string' },
  })
  expect(redactValue([{ $masked: 1 }, { $$masked: 1 }, { $cut: {} }, { masked: 1 }])).toEqual([
    { $$masked: 1 },
    { $$$masked: 1 },
    { $$cut: {} },
    { masked: 1 },
  ])
})

test('AUDIT-06 a key that becomes another does not take its place', () => {
  expect(redactValue({ [TOKEN_REF]: 'production', [TOKEN]: 'test' })).toEqual({
    [TOKEN_REF]: 'production',
    [`${TOKEN_REF}~2`]: 'test',
  })
})

async function compiled(): Promise<Operation> {
  const adapter = defineAdapter({
    name: 'kitchen',
    description: 'A kitchen.',
    operations: [
      defineOperation({
        name: 'create_dish',
        category: 'CREATE',
        description: 'Cook.',
        params: { recipe: { type: 'string', sensitive: true }, note: { type: 'string' } },
        handler: () => null,
      }),
    ],
  })
  const registry = await createRegistry(adapter, { profile: 'crude', maxPageSize: 100, builtIn: [] })
  const found = registry.operations.get('create_dish')
  if (!found) throw new Error('create_dish was not compiled')
  return found
}

describe('AUDIT-06 what an agent writes about its actions', () => {
  const SECRET = 'Tr0ub4dor-and-3x'
  test.each([
    `PGPASSWORD=${SECRET} psql -h db`,
    `export DB_PASSWORD="${SECRET}"`,
    `deploy --password ${SECRET} --force`,
    `deploy --api-token=${SECRET}`,
    `curl -H "X-Api-Key: ${SECRET}" https://x.example`,
    `curl https://x.example/?api_key=${SECRET}&a=1`,
    `curl -sS -u admin:${SECRET} https://x.example`,
    `mysql -h db -u root -p${SECRET} shop`,
    `sshpass -p ${SECRET} ssh host`,
    `redis-cli -h db -a ${SECRET} ping`,
    `send {"user":"a","password":"${SECRET}"}`,
    `send {\\"password\\": \\"${SECRET}\\"}`,
    `aws_secret_access_key = ${SECRET}`,
    `set client_secret: ${SECRET} in the form`,
    `npm config set //r.example/:_authToken=${SECRET}`,
    `DB_PASS=${SECRET} make`,
    `PASS=${SECRET}`,
    `db_pass: ${SECRET}`,
    `pw=${SECRET}`,
    `SSHPASS=${SECRET} sshpass -e ssh h`,
    `passwort=${SECRET}`,
    `openssl rsa -passin pass:${SECRET}`,
    `ansible -e ansible_become_pass=${SECRET}`,
    `curl 'https://x.example/?user=a&pass=${SECRET}'`,
    `ALTER USER a WITH PASSWORD '${SECRET}'`,
    `CREATE USER a IDENTIFIED BY '${SECRET}'`,
    `SET PASSWORD = PASSWORD('${SECRET}')`,
    `passphrase "${SECRET}"`,
    `<password>${SECRET}</password>`,
    `token => "${SECRET}"`,
    `the password is ${SECRET}`,
    `aws configure set aws_secret_access_key ${SECRET}`,
    `curl -H 'X-Auth: ${SECRET}' https://x.example`,
    `curl -b 'session=${SECRET}' https://x.example`,
    `export KEY=${SECRET}`,
    `ldapsearch -D a -w ${SECRET}`,
    `mongosh -u a -p ${SECRET}`,
    `smbclient -U u%${SECRET} //h/s`,
  ])('%s', (text) => {
    expect(redactProse(text)).not.toContain(SECRET)
    expect(redactProse(text)).toContain('⟨masked ')
    expect(redactBeginning(text.padEnd(5_000, ' and so on'), 2_000)).not.toContain(SECRET)
    expect(JSON.stringify(redactValue({ goal: text }))).not.toContain(SECRET)
  })

  const LONG = 'a1'.repeat(1_500)
  test.each([
    ["export DB_PASSWORD='alpha NEEDLE omega'"],
    ['export DB_PASSWORD="alpha NEEDLE omega" && ls'],
    ["deploy --password 'xx NEEDLE yy' --force"],
    ["deploy --password='xx'NEEDLE"],
    ["sshpass -p 'aa NEEDLE bb' ssh host"],
    ["curl -u 'bob:aa NEEDLE' https://x.example"],
    [`API_TOKEN=${LONG}NEEDLE`],
    [`Authorization: Bearer ${LONG}NEEDLE`],
    ['psql postgres://bob:pa@NEEDLEx@db/prod'],
    ['psql postgres://bob:pa/NEEDLEx@db/prod'],
    ['psql postgres://bob:pa#NEEDLEx@db/prod'],
    [`https://bob:${LONG}NEEDLE@host/`],
    ['git clone https://NEEDLEabcdef0123456789abcdef@git.example/x'],
    ['AWS_SECRET_ACCESS_KEY=/wJalrNEEDLE08K7MDENGbPxRfiCYEXAMPLEKEY aws s3 ls'],
    ['AWS_SECRET_ACCESS_KEY=/wJalrXUtnFEMI/K7MDENG/bPxRfiNEEDLE aws s3 ls'],
    ['PGPASSWORD=NEEDLE*x psql'],
    ['PGPASSWORD=$1NEEDLEx psql'],
    ["PGPASSWORD='$NEEDLEx' psql"],
    ['PGPASSWORD=pa\\ NEEDLE psql'],
    ['password=pa,NEEDLE'],
    [
      '-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\nNEEDLEabc\n=ab12\n-----END PGP PRIVATE KEY BLOCK-----',
    ],
    ['-----BEGIN OPENSSH PRIVATE KEY-----\nNEEDLEabc\n-----END OPENSSH PRIVATE KEY-----'],
    ['{"password":"ab\\"NEEDLEcd"}'],
    ['{"password":"ab NEEDLE, cd"}'],
    ['docker login -u bob -p NEEDLEabc registry.example'],
    ['curl -sSu bob:NEEDLEabc https://x.example'],
    ['vault login -token NEEDLEabcdef'],
    ['machine x login bob password NEEDLEabc'],
    ['password: |\n  NEEDLEabc'],
    ['password -> NEEDLEabc'],
    ['password：NEEDLEabc'],
    ['AccountName=x;AccountKey=NEEDLEabcdefgh==;EndpointSuffix=y'],
    ['https://acct.blob.core.windows.net/c?sv=2020&sig=NEEDLEabc%3D'],
    ['https://hooks.slack.com/services/T00000000/B00000000/NEEDLEabcdefghijk'],
    ['https://api.telegram.org/bot123456789:AANEEDLEabcdefghijklmnopqrstuvwxyz/sendMessage'],
    ['Authorization:\r\n Bearer NEEDLEabcdef'],
  ])('a secret is masked to its end: %s', (text) => {
    expect(redactProse(text)).not.toContain('NEEDLE')
    expect(redactBeginning(text.padEnd(9_000, ' and so on'), 2_000)).not.toContain('NEEDLE')
    expect(JSON.stringify(redactValue({ findings: text }))).not.toContain('NEEDLE')
    expect(unseenIn(text)).toMatch(/^a [\w ]+ at character \d+$/)
  })

  test('a quotation that is cut off is masked up to where it is cut', () => {
    const text = `did PASSWORD='${'some words '.repeat(200)}NEEDLE' and so on`
    expect(redactBeginning(text, 1_000)).not.toContain('some')
    expect(JSON.stringify(redactValue({ text: text.repeat(100) }))).not.toContain('some')
  })

  test.each([
    [
      'echo Authorization: Bearer x;./deploy.sh${IFS}production;ls',
      'echo Authorization: Bearer ⟨masked bearer token⟩;./deploy.sh${IFS}production;ls',
    ],
    ['curl http://a:$(deploy${IFS}production)@localhost/', 'curl http://a:$(deploy${IFS}production)@localhost/'],
    ['curl http://a:b@evil.example/@x', 'curl http://a:⟨masked password⟩@evil.example/@x'],
    ['token=abcd; ./deploy.sh $token', 'token=⟨masked secret⟩; ./deploy.sh $token'],
    ['token=abcd|./deploy.sh', 'token=⟨masked secret⟩|./deploy.sh'],
    ['token=abcd&&./deploy.sh', 'token=⟨masked secret⟩&&./deploy.sh'],
    ['token=abcd$(./deploy.sh)', 'token=⟨masked secret⟩$(./deploy.sh)'],
    ['token=abcd`./deploy.sh`', 'token=⟨masked secret⟩`./deploy.sh`'],
    ['token=abcd<(./deploy.sh)', 'token=⟨masked secret⟩<(./deploy.sh)'],
    ['token="abcd$(./deploy.sh)"', 'token="⟨masked secret⟩$(./deploy.sh)"'],
    ['token="abcd`./deploy.sh`"', 'token="⟨masked secret⟩`./deploy.sh`"'],
    ['./deploy.sh --token abcd production', './deploy.sh --token ⟨masked secret⟩ production'],
    ["it's token=abcd; don't", "it's token=⟨masked secret⟩; don't"],
    ['-----BEGIN PRIVATE KEY-----\nmake deploy', '-----BEGIN PRIVATE KEY-----\nmake deploy'],
    ['{token:abcd,cmd:deploy}', '{token:⟨masked secret⟩,cmd:deploy}'],
  ])('a mask hides no other command: %s', (text, recorded) => {
    expect(redactAction(text)).toBe(recorded)
  })

  test.each([
    `echo "it's token='"; rm -rf /srv/customers; echo "'"`,
    'echo token=\\"; rm -rf build; echo \\"',
    '# token="\nrm -rf build\n#"',
    "ls # password='\ngit push origin main\n# '",
    `echo 'token="'; git push origin main; echo '"'`,
    'cat <<"E"\ntoken="\nE\nrm -rf build\n: "',
    "curl -u x:' ' ; rm -rf build; echo ' '",
    "mysql -p' ' ; rm -rf build ; echo ' '",
    "token='find . -delete'; $token",
    'eval env token=a\\ rm\\ -rf\\ build',
    'eval token=a\\;reboot',
    '{env,API_TOKEN=a,rm,-rf,build}',
    '{env,x=http://a:b,rm,-rf,build,@h}',
    'token={rm,-rf,build}',
    'TOKEN= find build -delete',
    'TOKEN=\nfind build -delete',
    'X_TOKEN= PASSWORD= reboot',
    'password:\n\nreboot',
    'echo token: |\n  reboot',
    'auth_token=Token reboot',
    'chown token:token build/x',
    'Authorization=Bearer reboot',
    'sudo --no-cookie reboot',
    'gh auth login --with-token reboot',
    'login x password reboot',
    'gpg --delete-secret-keys ABCDEF0123456789',
    'aws secretsmanager delete-secret --secret-id prod/db',
    'echo "dev ALL=(ALL) NOPASSWD:ALL" >> /etc/sudoers',
    'kill 2345 2346 2347 2356 3456 3457',
    'DROP VIEW ANN2 FROM MORE ROLE LIST',
    'echo -----BEGIN PRIVATE KEY-----\nrm build/x\necho -----END',
    'echo -----BEGIN PRIVATE KEY-----\nreboot\n-----END',
    '-----BEGIN PRIVATE KEY-----\nDROP TABLE customers\n-----END',
    'rm -r Bearer customersinvoices2024',
    'rm -r npm_customers_production_2024',
    'rm -r conf_customers_production_2024',
    'rm -r customersinvoicesbackups2345',
    'rm -r eyJcustomers.invoices2024',
  ])('AUDIT-06 whatever an agent writes, what it runs stays in the trail: %j', (text) => {
    expect(redactAction(text)).toBe(text)
    expect(redactText(text)).toBe(text)
  })

  test('AUDIT-06 a mask of an action covers one word, and nothing that a shell reads', () => {
    const pieces = fc.constantFrom(
      ...['token', 'DB_PASSWORD', '--secret', 'pass', 'curl -u a:', 'mysql -p', 'Authorization', 'Bearer', 'Basic'],
      ...['-----BEGIN PRIVATE KEY-----', '-----END', KEY_LINE, '://a:', '@', 'IDENTIFIED BY ', 'ABCD', 'a1B2c3D4e5F6'],
      ...[
        '=',
        ':',
        ' ',
        '  ',
        '\n',
        '"',
        "'",
        '\\',
        '\\"',
        '`',
        '$',
        '$(',
        ')',
        ';',
        '|',
        '&',
        '{',
        '}',
        ',',
        '<',
        '>',
        '\t',
      ],
      ...['rm', '-rf', '/srv', 'reboot', '-', 'x'],
      ...[
        "('token','",
        '"name":"token","value":"',
        'Cookie: a=b; c=',
        '${DB_PASSWORD:-',
        'c[password]=',
        "$'",
        'zip -P ',
      ],
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 25 }), (chosen) => {
        const text = chosen.join('')
        for (const { start, end, kind } of findCredentials(text, { isProse: true })) {
          const held = text.slice(start, end)
          const words = kind === 'private key' ? held.split(/(?:\s|\\[nr])+/) : [held]
          for (const word of words) expect(word).toMatch(/^[^\s"'`;|&()<>{}\\]+$/)
        }
      }),
      { numRuns: 3_000 },
    )
  })

  test.each([
    ["export DB_PASSWORD='alpha beta gamma'", 'a secret at character 20'],
    ['PGPASSWORD=pa\\ beta psql', 'a secret at character 12'],
    ["PGPASSWORD='a&b;c' psql", 'a secret at character 12'],
    ['password: |\n  NEEDLEabc', 'a secret at character 15'],
    [`token='"; rm -rf build; echo "'`, 'a secret at character 7'],
  ])('what may be a secret of several words is found, and no word of it is masked in an action: %j', (text, where) => {
    expect(phraseIn(text)).toBe(where)
    expect(redactAction(text)).toBe(text)
    expect(redactProse(text)).toContain('⟨masked secret⟩')
  })

  test.each(['DB_PASSWORD="Tr0ub4dor"', '--token abcd', 'ls', 'git commit -m "it\'s password: done"'])(
    'one word is no phrase: %s',
    (text) => {
      expect(phraseIn(text)).toBeUndefined()
    },
  )

  const RANDOM = 'zq8Lw3RtY7xPvN2k'
  test.each([
    'DB_PASSWORD=correcthorse npm start',
    'deploy --password correcthorse',
    '{"password":"correcthorse"}',
    'DB_PASSWORD=NEEDLE1 make',
    'git push --token abcd1234',
    `curl -H "X-Api-Key: ${RANDOM}" h`,
    `const token = '${RANDOM}'`,
    `the password is ${RANDOM}`,
    `curl -H "Authorization: Bearer ${RANDOM}" h`,
    `API_SECRET='${RANDOM}&x' make`,
    "DB_PASSWORD='correct horse battery' make",
    'mysql -pcorrecthorse shop',
    'psql postgres://u:correcthorse@h/d',
    "ALTER USER u WITH PASSWORD 'correcthorse'",
    '--pin 1234',
  ])('AUDIT-06 has the form of a credential: %s', (text) => {
    expect(credentialIn(text)).toMatch(/^a [\w ]+ at character \d+$/)
  })

  test.each([
    "token = 'a b'",
    'const token = tokens1[0]',
    'token: sha256(input)',
    'password: req.body.password2',
    'POSTGRES_PASSWORD=postgres',
    'DB_PASSWORD=changeme',
    'password=secret123',
    'docker tag x acme/auth-token:1.4.2',
    '--token YOUR_TOKEN',
    "--token 'your token here'",
    "--eos-token '</s>'",
    's/password=.*/password=XXX/p',
    'getToken: getAccessTokenFromStoreNow',
    'Authorization: Bearer TOKEN',
    'password: bcrypt10Rounds',
    'password=passwordInput1',
    'password: min8chars',
    'git push origin +fix-password:release-1',
    "password: 'password123!'",
  ])('AUDIT-06 has not the form of a credential: %s', (text) => {
    expect(credentialIn(text)).toBeUndefined()
    expect(certainPhraseIn(text)).toBeUndefined()
  })

  const PLAIN = 'Lq77xQ7mZ9vK4p'
  test.each([
    `DB_PASSWORD=my-${PLAIN} x`,
    `API_TOKEN=a-${PLAIN} x`,
    `DB_PASSWORD=old.${PLAIN} x`,
    `mysql -psome-${PLAIN} x`,
    `DB_PASSWORD=x]${PLAIN} x`,
    `DB_PASSWORD=x.*${PLAIN} x`,
    `DB_PASSWORD=[${PLAIN} x`,
    `DB_PASSWORD=/${PLAIN} x`,
    `DB_PASSWORD=-${PLAIN} x`,
    `DB_PASSWORD=%${PLAIN}% x`,
    `DB_PASSWORD='%${PLAIN}%' x`,
    `DB_PASSWORD=$'${PLAIN}' x`,
    `DB_PASSWORD=ab"${PLAIN}" x`,
    'DB_PASSWORD=monkey12Dragon x',
    'DB_PASSWORD=dragon-123 x',
    'DB_PASSWORD=admin2024 x',
    'deploy --password LetMeInPlease',
    `os.environ['DB_PASSWORD'] = '${PLAIN}'`,
    `d.setdefault('password', '${PLAIN}')`,
    `x.set("token","${PLAIN}")`,
    `python -c "auth=('me', '${PLAIN}')"`,
    `declare -A c; c[password]=${PLAIN}`,
    `curl -b "a=b; sid=${PLAIN}" h`,
    `Cookie: a=b; sid=${PLAIN}; c=d`,
    `echo "\${DB_PASSWORD:-${PLAIN}}"`,
    `{"name":"X-Api-Key","value":"${PLAIN}"}`,
    `{\\"name\\": \\"X-Api-Key\\", \\"value\\": \\"${PLAIN}\\"}`,
    `env:\n  - name: DB_PASSWORD\n    value: ${PLAIN}`,
    `zip -P ${PLAIN} a b`,
    `7z a -p${PLAIN} a b`,
    `htpasswd -bc f u ${PLAIN}`,
    `htpasswd -nbB u ${PLAIN}`,
    `sqlcmd -S h -U sa -P ${PLAIN}`,
    `cqlsh -u u -p ${PLAIN}`,
    `twine upload -u x -p ${PLAIN} d`,
    `poetry publish -u x -p ${PLAIN}`,
    `tailscale up --authkey ${PLAIN}`,
    `etcdctl --user root:${PLAIN} get x`,
  ])('AUDIT-06 SELF-06 what is refused and what the record masks is the same word: %s', (text) => {
    expect(credentialIn(text)).toMatch(/^a (?:secret|password) at character \d+$/)
    expect(redactAction(text)).toMatch(/⟨masked (?:secret|password)⟩/)
    expect(redactAction(text)).not.toMatch(/Lq77|monkey|dragon|admin2|LetMe/)
  })

  test.each([
    `DB_PASSWORD="new ${PLAIN}" x`,
    `DB_PASSWORD='pass[${PLAIN} y' x`,
    `DB_PASSWORD='x<${PLAIN}' x`,
    `DB_PASSWORD='x{${PLAIN}' x`,
    `DB_PASSWORD="a;${PLAIN}" x`,
    `DB_PASSWORD='a$${PLAIN}' x`,
    `DB_PASSWORD='\\n${PLAIN}' x`,
    "DB_PASSWORD='x{hunter22' x",
    `mysql -u r -p'a b${PLAIN}' x`,
    ...['&', '(', ',', ';', '>', '{', '$'].map((sign) => `psql 'postgres://u:a${sign}${PLAIN}@h/x'`),
  ])('AUDIT-06 what is more than a word hides nothing and does not go on: %s', (text) => {
    expect(certainPhraseIn(text)).toMatch(/^a (?:secret|password) at character \d+$/)
    expect(redactAction(text)).toBe(text)
    expect(redactProse(text)).not.toMatch(/Lq77|hunter/)
  })

  test.each([
    'DATABASE_URL: postgres://postgres:postgres@localhost:5432/test',
    'psql postgres://app:app@db:5432/test',
    'psql postgres://${USER1}:${PASSWORD1}@${HOST}/x',
    'psql "postgres://u:$DB_PASS1@h/x"',
    'mysql://<user1>:<password1>@h/x',
    'curl -H "Idempotency-Key: 3f2504e0-4f89-11d3-9a0c-0305e82c3301"',
    '{"Bucket":"b","Key":"9f86d081884c7d659a2feaa0c55ad015"}',
    'redis-cli del session:8f3a2b1c4d5e6f70',
    '{"key":"user:8f3a2b1c4d5e6f70:profile"}',
    '{"sort_key":"USER#1a2b3c4d5e","cache_key":"a1B2c3D4e5F6"}',
    'aws iam delete-access-key --access-key-id AKIAIOSFODNN7EXAMPLE',
    'nextToken: AQICAHi1a2B3c4D5',
    'mysql -uroot -ppassword shop',
    'API_TOKEN=your-256-bit-secret',
    "password: 'change me please'",
    'DB_PASSWORD=YourPassword',
    "rename('token', 'customers2')",
    '{"name":"token","value":"production"}',
    "password: '<password1>'",
    'password: [bcrypt10, x]',
    "password: '[a-z0-9]{8,12}'",
    'token: getOAuth2TokenFromStoreV2(x)',
    `token='"; git checkout 8e8c483db84b; echo "'`,
    '${DB_PASSWORD:-dev}',
  ])('AUDIT-06 SELF-06 is asked about: %s', (text) => {
    expect(credentialIn(text)).toBeUndefined()
  })

  test('AUDIT-06 the id of a key is no secret, and the key beside it is', () => {
    const [id, key] = ['AKIAIOSFODNN7EXAMPLQ', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzKEY123']
    expect(credentialIn(`${id} x`)).toBeUndefined()
    expect(credentialIn(`mc alias set m h ${id} ${key}`)).toMatch(/^a key at character 39$/)
    expect(redactText(`${id},${key}`)).not.toContain('wJalr')
  })

  const MIXED = 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0'
  const HEX = '8f3a2b1c4d5e6f708192a3b4c5d6e7f8'
  test.each([
    ...['GOCSPX-', '1//0', 'xoxc-', 'xoxd-', 'glrt-', 'gldt-', 'glptt-', 'gsk_', 'figd_', 'sntrys_', 'sntryu_'].map(
      (prefix) => prefix + MIXED,
    ),
    ...['xkeysib-', 'shppa_', 'tskey-auth-', 'HRKU-', 'pat-na1-', 'sbp_', 'sb_secret_', 'pscale_pw_', 'doo_v1_'].map(
      (prefix) => prefix + MIXED,
    ),
    ...['dor_v1_', 'CCIPAT_', 'rubygems_', 'xai-', 'pplx-', 'ntn_', 'ops_eyJ', '123456789:AA'].map(
      (prefix) => prefix + (prefix.endsWith('AA') ? MIXED.slice(0, 33) : MIXED),
    ),
    `dapi${HEX}`,
    `MTA${MIXED.slice(0, 21)}.zUoGKo.${MIXED.slice(0, 38)}`,
    `https://x.webhook.office.com/webhookb2/${HEX}@1/IncomingWebhook/${HEX}/1`,
    'https://hooks.zapier.com/hooks/catch/12345/gOy2ik3t/',
  ])('AUDIT-06 a key of a well-known service: %s', (key) => {
    expect(redactText(`use ${key} x`)).toMatch(/⟨masked key [0-9a-f]{16}⟩ x$/)
    expect(credentialIn(`use ${key} x`)).toMatch(/^a key at character \d+$/)
  })

  test.each([
    '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',
    'ya29.c.b0AaekYLEAKm1Zx9Kq2Wv3Rt4Yu5Io6Pp7As8Df9Gh0Jk',
    'ya29.a0AfB_byC1d2E3f4G5h6I7j8K9.lmnopQRST_1234',
    'ATATT3xFfGF0abcDEF123ghiJKL456mnoPQR=1A2B3C4D',
    'eyJhbGciOiJSU0EtT0FFUCJ9.OKOawDo13gRp2oja.48V1_ALb6US04U3b.5eym8TW_c8SuK0lt.XFBoMYUZodetZdvT',
  ])('AUDIT-06 a key of several parts is masked to its end: %s', (key) => {
    expect(redactText(`echo ${key} x`)).toMatch(/^echo ⟨masked [\w ]+⟩ x$/)
  })

  test('a mark is told from a literal', () => {
    expect(redactProse('token=⟨masked secret⟩')).not.toBe(redactProse('token=production'))
    expect(redactProse('echo ⟨masked secret⟩')).toBe('echo ⟨U+27E8⟩masked secret⟨U+27E9⟩')
    expect(redactText('⟨masked key⟩')).toBe('⟨U+27E8⟩masked key⟨U+27E9⟩')
  })

  test.each(['npm_', 'sk_test_', 'hf_', 'whsec_', 'xapp-', 'glpat-'])('a key that begins with %s', (prefix) => {
    expect(redactText(`use ${prefix}A1b2C3d4E5f6G7h8I9`)).not.toContain('A1b2C3d4')
  })

  test.each([
    'rm -r token= /srv/customers',
    'TOKEN=/srv/customers; rm -r $TOKEN',
    'password: ./customers/*',
    'rm -r --secret ~/customers',
    'deploy --token "$DEPLOY_TOKEN"',
    'deploy --token $DEPLOY_TOKEN',
    'deploy --token ${DEPLOY_TOKEN}',
    'deploy --token %DEPLOY_TOKEN%',
    'deploy --token $(cat /run/secrets/deploy)',
    'deploy --token-file token.txt',
    'deploy --password-stdin < pw',
    'at Object.<anonymous> (/src/secret.ts:12:3)',
    'grep -n x src/token.py:120',
    'curl http://localhost:3000/@scope/package',
    'curl http://[::1]:3000/@scope/package',
    'max_tokens: 500',
    'the key customers, the author customers',
    'git commit -m "fix: token: expire after 5 min"',
    'git commit -m "password: rename the field"',
    'the secret: never give up',
    'pin: bottom',
    'const token = readToken()',
    'token: process.env.TOKEN',
    'password: string',
    'tokens: 12345',
    'token_count=12345',
    'pass: 3',
    'curl --cookie https://b.example/_all https://a.example/x',
    'git -c core.askpass=helper status',
    'http POST x.example Authorization:"Bearer $TOKEN"',
    'the bypass: closed',
  ])('a name hides no place: %s', (text) => {
    expect(redactProse(text)).toBe(text)
    expect(unseenIn(text)).toBeUndefined()
  })
})

describe('no text makes it slow', () => {
  const MIB = 1_048_576
  test.each(
    [
      'eyJ-',
      'eyJabcdefgh.',
      'auth=',
      'password is ',
      'password "',
      '<token>a',
      'mongo ',
      'default login a password ',
      'USER a PASSWORD ',
      'USER a A A A A ',
      "IDENTIFIED BY '",
      'Authorization: Bearer',
      '-----BEGIN PRIVATE KEY-----\na: b\\n',
      `-----BEGIN PRIVATE KEY-----\\n${KEY_LINE}\\n`,
      'conf_',
      'token=abc ',
      'a-',
      '-----BEGIN ',
      'Bearer a',
      '://a:b',
      'mysql ',
      'curl -u a:',
      '--token ',
      'AAAA-',
      'sk-',
      'key: ',
      'token="',
      "token='a ",
      'token=\\"a',
      'token="\\"',
      'token=$',
      'docker login ',
      '://a:b&',
      'cookie=a=b;',
      'curl -b a=b;',
      '"name":"token","value":"a',
      'name: token\n',
      "('token','",
      '${TOKEN:-',
      'x[token]=a"',
      'token=a"b',
      'key:a:',
      'key:"ab-',
      'token=your ',
      'token="your your ',
      'htpasswd -b a ',
      ':AA',
      '.abcdef.',
      '1//0',
      'login a password ',
      '-----BEGIN PRIVATE KEY-----',
      '-----BEGIN PRIVATE KEY-----a: ',
      '://a:/@',
      ',token=a',
      '"',
      '\\"',
    ].map((piece) => [piece]),
  )('of %j', (piece) => {
    const text = piece.repeat(MIB / piece.length)
    const began = performance.now()
    redactText(text)
    redactBeginning(text, 2_000)
    redactValue({ text })
    redactProse(text.slice(0, 65_536))
    expect(performance.now() - began).toBeLessThan(1_500) // a quadratic one takes minutes
  })

  test('keys that become one are told apart, at no more cost than others', () => {
    const keys = Array.from({ length: 4_000 }, (_, at) => `Bearer abcdefgh12345${at}`)
    const began = performance.now()
    const kept = redactValue(Object.fromEntries(keys.slice(0, 20).map((key) => [key, 1])))
    expect(new Set(Object.keys(kept as object)).size).toBe(20)
    redactValue(Object.fromEntries(keys.map((key) => [key, 1])))
    expect(performance.now() - began).toBeLessThan(1_000)
  })
})
