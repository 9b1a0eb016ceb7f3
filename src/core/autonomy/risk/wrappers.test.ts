import { describe, expect, test } from 'vitest'
import { scoreHint } from './score-hint.ts'

const scoreOf = (command: string) => scoreHint(command, { isCommand: true }).score

describe('AUTO-13 a value that is attached to its option is not the program', () => {
  test.each([
    "cat l | xargs -d'\\n' rm -rf",
    'xargs -a/tmp/dirs rm -rf',
    'xargs -0a/tmp/dirs rm -rf',
    'xargs -ifn rm -rf fn',
    'xargs -eEOFd rm -rf',
    'sudo -uroot rm -rf /srv/x',
    'sudo -nuroot rm -rf /srv/x',
    'sudo -Eu root rm -rf /srv/x',
    'doas -uC rm -rf /srv/x',
    'timeout -k5s 9 rm -rf /srv/x',
    'env -uC rm -rf /srv/x',
    'env -iuS rm -rf /srv/x',
    "env -S 'bash -c' 'rm -rf /srv/x'",
    'ssh -lbob h rm -rf /srv/x',
    "ssh -o'ProxyJump b' h rm -rf /srv/x",
    'docker exec -eA=e c rm -rf /data',
    'taskset -c0 rm -rf /srv/x',
    'taskset -c 0 rm -rf /srv/x',
    'nsenter -t1 -mS0 rm -rf /srv/x',
    'strace -otrace rm -rf /srv/x',
    "su -lc 'rm -rf /srv/x' root",
    'parallel -j4d rm -rf ::: /srv/x',
  ])('%s', (command) => {
    expect(scoreOf(command)).toBeGreaterThan(60)
  })

  test.each(['perl -Mstrice /tmp/x.pl', 'python3 -Wc /tmp/x.py', 'python3 -bWc /tmp/x.py'])(
    'of an interpreter neither: %s',
    (command) => {
      expect(scoreOf(command)).toBe(45)
    },
  )

  test.each([["printf 'rm,-rf,/home/me' | xargs -d, env"], ["printf 'rm:-rf:/home/me' | xargs -d : env"]])(
    'what separates the items is what the option says: %s',
    (command) => {
      expect(scoreOf(command)).toBeGreaterThan(60)
    },
  )
})

describe('AUTO-13 where it is unclear which word is the program, the gravest counts', () => {
  test.each([
    'strace --output ls rm -rf /srv/x',
    'strace --foo cat rm -rf /srv/x',
    'strace --foo cat --bar ls rm -rf /srv/x',
    'systemd-run --description ls rm -rf /srv/x',
    'env -a ls rm -rf /srv/x',
    'setarch -R crontab -r',
    'setarch x86_64 -R crontab -r',
    'linux32 crontab -r',
    'podman exec -l rm -rf /data',
    'podman exec -itl rm -rf /data',
    'uv run --foo cat rm -rf /srv/x',
    'find . -type f | xargs --foo cat rm -rf /srv/x',
    "hyperfine -p true 'rm -rf /srv/x'",
    "hyperfine --prepare 'rm -rf /srv/x' ls",
    "hyperfine -w 3 ls 'rm -rf /srv/x'",
  ])('%s', (command) => {
    expect(scoreOf(command)).toBeGreaterThan(60)
  })

  test.each([
    'sudo -n true',
    'env -i bash -c true',
    'docker exec -it c ls -l',
    'docker compose exec -T db pg_dump app',
    'taskset -c 0 npm test',
    'strace -f -o out.txt ls',
    'find . -name "*.o" | xargs -i rm {}',
    "hyperfine -w 3 --prepare 'rm -rf build' 'npm run build'",
  ])('and everyday work asks nobody: %s', (command) => {
    expect(scoreOf(command)).toBeLessThanOrEqual(30)
  })
})
