import { describe, expect, test } from 'vitest'
import { PROGRAMS } from '../../src/core/autonomy/risk/programs.ts'
import { scoreHint } from '../../src/core/autonomy/risk/score-hint.ts'

const scoreOf = (hint: string) => scoreHint(hint).score

/** What some program or other does something grave with. */
const DEEDS = [
  'delete ns prod',
  'purge -y postgresql',
  'uninstall web',
  'destroy prod',
  'push --force origin main',
  'publish',
  '-rf /srv/data',
  'apply',
  's3 rm s3://bucket --recursive',
  'drop production',
  '/dev/sda',
  'playbook.yml',
  'clean -fdx',
  'release',
  'system prune',
  '-r src/ /etc/',
]

/** All of them with each switch take minutes; this way each program meets each deed with a quarter of the switches. */
const EVERY = 4

/** Here the words mean something else: dpkg asks with -s, patch writes where -o says, our own help is never taken back. */
const OTHERWISE = new Set([
  'dpkg -s -s-',
  'patch --dry-run -o APT::Get::Simulate=false',
  'mcpaql-safety-dongle --help false',
])

const HELP = [
  '--help --help=false',
  '--help --no-help',
  '--help -h=0',
  '--help --help=0',
  '--help false',
  '--help --hel=no',
  '--version --no-version',
]
const REHEARSAL = [
  '--dry-run --dry-run=false',
  '--dry-run --no-dry-run',
  '--dry-run --no-act=false',
  '--dry-run --simulate=no',
  '--dry-run --dry_run=none',
  '--dry-run --dryRun=0',
  '--dry-run --no-dryRun',
  '--dry-run false',
  '--dry-run=client --dry-run=none',
  '--dry-run -s-',
  '--dry-run -s=0',
  '--dry-run -o APT::Get::Simulate=false',
  '--dry-run --no-sim',
  '--dryrun --no-dryrun',
  '--check --no-check',
  '-n --no-dry-run',
  '-s -s-',
  '--noop --no-noop',
  '--what-if --what-if=false',
]

describe('AUTO-13 a switch that makes a call harmless is believed where it is the only word about it', () => {
  const known = new Map<string, number>()
  /** Alone, and with as many words that no program knows: the last word may be a target. */
  const plainly = (line: string) => {
    const score =
      known.get(line) ?? Math.min(scoreOf(line), scoreOf(`${line} --frobs --frobs=7`), scoreOf(`${line} --frobs 7`))
    known.set(line, score)
    return score
  }

  test.each([...HELP, ...REHEARSAL].map((switches, round) => ({ switches, round })))(
    '$switches changes nothing for any program of the table',
    ({ switches, round }) => {
      const lowered = [...PROGRAMS.keys()]
        .filter((program) => !OTHERWISE.has(`${program} ${switches}`))
        .flatMap((program, at) =>
          DEEDS.filter((_, nth) => (nth + at + round) % EVERY === 0)
            .map((deed) => `${program} ${deed}`)
            .filter((line) => [30, 60].some((bar) => plainly(line) > bar && scoreOf(`${line} ${switches}`) <= bar))
            .map((line) => `${plainly(line)} ${scoreOf(`${line} ${switches}`)} ${line} ${switches}`),
        )
      expect(lowered).toEqual([])
    },
    60_000,
  )

  test.each([
    'apt-get purge -y postgresql --dry-run --no-act=false',
    'apt-get purge -y postgresql -s -s-',
    'apt-get -s -o APT::Get::Simulate=0 purge -y postgresql',
    'apt-get purge -y postgresql --simulate --recon=no',
    'kubectl delete ns prod --help --help=false',
    'kubectl delete ns prod -- --help',
    'kubectl delete ns prod -n --help',
    'kubectl delete ns prod --dry-run=client --dry_run=none',
    'helm uninstall x --help --help=false',
    'helm uninstall x --description --dry-run',
    'kind delete cluster --help --help=false',
    'kind delete cluster --name --help',
    'terraform destroy -help -help=false',
    'docker volume rm data --help --help=false',
    'npm publish --dry-run --dry-run=false',
    'npm run deploy --dry-run',
    'npm run deploy -- --dry-run --no-dry-run',
    'pnpm run deploy --dry-run -- --no-dry-run',
    'goreleaser release --snapshot --snapshot=false',
    'rsync -an --no-n --delete src/ /etc/',
    'git push --force -n --no-dry-run origin main',
    'at -l -r 5',
  ])('%s asks', (hint) => {
    expect(scoreOf(hint)).toBeGreaterThan(30)
  })

  test.each([
    'apt-get purge -y postgresql --dry-run',
    'apt-get -s purge postgresql',
    'kubectl delete ns prod --help',
    'kubectl delete pod x -n prod --dry-run=client --grace-period=0',
    'helm uninstall x --help',
    'helm upgrade web chart --dry-run --set image.tag=1 --wait=false',
    'terraform -chdir=infra destroy -help',
    'npm publish --dry-run --tag next',
    'npm run deploy -- --dry-run',
    'rsync -avn --delete src/ /etc/',
    'git clean -ndx',
    'git push --dry-run --no-verify origin main',
    'ansible-playbook site.yml --check --diff',
    'docker compose up --dry-run --build',
    'rm --help',
  ])('%s does not', (hint) => {
    expect(scoreOf(hint)).toBeLessThanOrEqual(30)
  })
})

describe('AUTO-13 SELF-06 npm exec keeps the options of what it runs', () => {
  test.each([
    'npm exec mcpaql serve demo --http 7420',
    'npm x mcpaql serve demo --no-elicitation',
    'npm exec mcpaql console --check',
  ])('%s asks', (hint) => {
    expect(scoreOf(hint)).toBeGreaterThan(60)
  })

  test('behind -- they are handed on', () => {
    expect(scoreOf('npm exec mcpaql -- serve demo --http 7420')).toBeLessThanOrEqual(30)
  })
})
