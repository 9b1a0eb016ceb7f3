import { describe, expect, test } from 'vitest'
import { scoreHint } from './score-hint.ts'

const scoreOf = (command: string) => scoreHint(command, { isCommand: true }).score
const DEED = '$(rm -r /srv/x)'

describe('B4 what bash evaluates a second time is judged as commands', () => {
  test.each([
    `test -v 'a[${DEED}]'`,
    `[ -v 'a[${DEED}]' ]`,
    `test 'a[${DEED}]' -eq 1`,
    'test -v "a[`rm -r /srv/x`]"',
    'test -v \'a[$(rm -r "/srv/x")]\'',
    `test -v 'a[\${b:-$(rm -r /srv/x)}]'`,
    `let 'a[${DEED}]=1'`,
    `declare 'a[${DEED}]=1'`,
    `typeset 'a[${DEED}]=1'`,
    `local 'a[${DEED}]=1'`,
    `export 'a[${DEED}]=1'`,
    `readonly 'a[${DEED}]=1'`,
    `declare -a 'x=(${DEED})'`,
    `declare -i 'x=a[${DEED}]'`,
    `declare -n r='a[${DEED}]'; echo $r`,
    `read 'a[${DEED}]' <<< x`,
    `read -r -a 'a[${DEED}]' <<< x`,
    `printf -v 'a[${DEED}]' x`,
    `printf -v'a[${DEED}]' x`,
    `unset 'a[${DEED}]'`,
    `mapfile -C 'rm -r /srv/x #' -c 1 <<< x`,
    `mapfile -c1 -C'rm -r /srv/x #' <<< x`,
    `readarray -tC 'rm -r /srv/x #' <<< x`,
    `mapfile 'a[${DEED}]' <<< x`,
    `compgen -C 'rm -r /srv/x'`,
    `compgen -W '${DEED}'`,
    `compgen -W'${DEED}'`,
    `complete -C 'rm -r /srv/x' ls`,
    `complete -W '${DEED}' ls`,
    `bind -x'"\\C-l": rm -r /srv/x'`,
    'enable -f x.so y',
    'enable -nf x.so y',
    `fc -e 'rm -r /srv/x' 1`,
    `wait -p 'a[${DEED}]'`,
    'hash -p/bin/rm ls; ls -r /srv/x',
    `builtin test -v 'a[${DEED}]'`,
    `(( 'a[${DEED}]' ))`,
    `[[ -v 'a[${DEED}]' ]]`,
    `[[ 'a[${DEED}]' -eq 1 ]]`,
    `x='a[${DEED}]'; (( x ))`,
    `x='a[${DEED}]'; echo $((x + 1))`,
    `x='a[${DEED}]'; y=x; echo $((y))`,
    `x='a[${DEED}]'; [[ x -eq 1 ]]`,
    `x='a[${DEED}]'; let y=x`,
    `x='a[${DEED}]'; echo \${!x}`,
    `x='a[${DEED}]'; echo \${y[x]}`,
    `x='a[${DEED}]'; echo \${y:x}`,
    `x='a[${DEED}]'; y[x]=1`,
    `x='a[${DEED}]'; for ((i = x; i < 1; i++)); do :; done`,
    `PS1='${DEED}' bash -i`,
    `PS4='$(rm\${IFS}-r\${IFS}/srv/x)' bash -xc :`,
    `BASH_ENV='$(rm\${IFS}-r\${IFS}/srv/x)' bash -c :`,
    `sh -c "test -v 'a[\\$(rm -r /srv/x)]'"`,
  ])('%s', (command) => {
    // Behind another command the text is not searched for commands as a whole.
    expect(scoreOf(`ls; ${command}`)).toBeGreaterThan(60)
  })

  test.each([
    'test -v x',
    `[ -n "\${arr[0]}" ]`,
    'test "$a" -eq 3',
    'let i=i+1',
    'echo $((a + b))',
    'x=x; echo $((x))',
    'declare -A m=([a]=1)',
    'read -r -a parts <<< "a b"',
    "printf -v now '%s' x",
    'unset arr[0]',
    'mapfile -t lines < notes.txt',
    "complete -W 'start stop' app",
    'if [[ -v HOME && $i -lt 3 ]]; then ls; fi',
  ])('%s stays harmless', (command) => {
    expect(scoreOf(command)).toBeLessThanOrEqual(30)
  })
})
