// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
import { Buffer } from 'node:buffer'

/** A way to write a command differently that leaves what it does as it was. */
export interface Mutation {
  readonly name: string
  /** Undefined where the command has no place for it. */
  readonly mutate: (command: string) => string | undefined
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
const double = (text: string) => `"${text.replaceAll(/(["\\$`])/g, '\\$1')}"`
const base64 = (text: string) => Buffer.from(text).toString('base64')
const hex = (text: string) => Buffer.from(text).toString('hex')
const reversed = (text: string) => Array.from(text).reverse().join('')
const octal = (text: string) =>
  Array.from(text, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`).join('')
const escapes = (text: string) =>
  Array.from(text, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')
const rot13 = (text: string) =>
  text.replaceAll(/[a-z]/gi, (char) => String.fromCharCode(char.charCodeAt(0) + (char.toLowerCase() < 'n' ? 13 : -13)))

/** Only a command of plain words can be taken apart. */
const words = (change: (words: readonly string[], command: string) => string) => (command: string) =>
  /^[\w./:@=+,-]+( [\w./:@=+,-]+)*$/.test(command) ? change(command.split(' '), command) : undefined
/** Only a single line without quotes can stand inside of other quotes. */
const line = (change: (command: string) => string) => (command: string) =>
  /[\n]/.test(command) ? undefined : change(command)

const LOOKS: Readonly<Record<string, string>> = {
  a: 'а',
  c: 'с',
  e: 'е',
  i: 'і',
  o: 'о',
  p: 'р',
  r: 'г',
  m: 'м',
  t: 'τ',
  g: 'ɡ',
  d: 'ԁ',
  h: 'һ',
  s: 'ѕ',
  k: 'к',
  v: 'ν',
  b: 'Ь',
}

export const MUTATIONS: readonly Mutation[] = [
  // Quoting.
  { name: 'the name in single quotes', mutate: words(([first, ...rest]) => [`'${first}'`, ...rest].join(' ')) },
  { name: 'the name in double quotes', mutate: words(([first, ...rest]) => [`"${first}"`, ...rest].join(' ')) },
  { name: 'every word quoted', mutate: words((all) => all.map((word) => `'${word}'`).join(' ')) },
  {
    name: 'empty quotes inside of the name',
    mutate: words(([first = '', ...rest]) => [`${first.slice(0, 1)}''${first.slice(1)}`, ...rest].join(' ')),
  },
  {
    name: 'empty quotes inside of every word',
    mutate: words((all) => all.map((word) => `${word.slice(0, 1)}""${word.slice(1)}`).join(' ')),
  },
  { name: 'a backslash before the name', mutate: words((_, command) => `\\${command}`) },
  {
    name: 'a backslash inside of every word',
    mutate: words((all) =>
      all.map((word) => (/^[a-z]{2}/.test(word) ? `${word[0]}\\${word.slice(1)}` : word)).join(' '),
    ),
  },
  { name: 'half quoted', mutate: words((all) => all.map((word) => `"${word.slice(0, 1)}"${word.slice(1)}`).join(' ')) },
  { name: 'ANSI-C hex', mutate: words((all) => all.map((word) => `$'${escapes(word)}'`).join(' ')) },
  { name: 'ANSI-C octal', mutate: words((all) => all.map((word) => `$'${octal(word)}'`).join(' ')) },
  { name: 'locale quotes', mutate: words((all) => all.map((word) => `$"${word}"`).join(' ')) },
  { name: 'a line continued', mutate: words((all) => all.join(' \\\n')) },
  // Space.
  { name: 'many blanks', mutate: words((all) => `  ${all.join('   ')}  `) },
  { name: 'tabs', mutate: words((all) => all.join('\t')) },
  { name: '${IFS}', mutate: words((all) => all.join('${IFS}')) },
  { name: '$IFS and an empty expansion', mutate: words((all) => all.join('$IFS$@')) },
  { name: '${IFS%??}', mutate: words((all) => all.join('${IFS%??}')) },
  { name: 'IFS of its own', mutate: words((all) => `IFS=^; X='${all.join('^')}'; $X`) },
  { name: 'a comment behind', mutate: line((command) => `${command} # harmless`) },
  { name: 'a carriage return', mutate: line((command) => `echo ok\r${command}`) },
  // Wrappers.
  ...[
    'sudo',
    'sudo -u root',
    'sudo -E --',
    'env',
    'env A=1 B=2',
    'env -i',
    'env -u PATH',
    'nice -n 10',
    'nohup',
    'time',
    'timeout 10',
    'timeout -k 5 10s',
    'stdbuf -oL',
    'setsid',
    'command',
    'exec',
    'builtin command',
    'busybox',
    'ionice -c 3',
    'doas',
    'strace -f',
    'chroot /',
    'unshare -r',
    'systemd-run --user',
    'flock /tmp/l',
    'caffeinate',
    'sudo env A=1 nice',
    'xvfb-run',
    'firejail',
    'unknown-wrapper --flag',
  ].map((wrapper): Mutation => ({ name: `behind ${wrapper}`, mutate: words((_, command) => `${wrapper} ${command}`) })),
  { name: 'sh -c', mutate: line((command) => `sh -c ${quote(command)}`) },
  { name: 'bash -lc', mutate: line((command) => `bash -lc ${double(command)}`) },
  { name: 'sh -c in sh -c', mutate: line((command) => `sh -c ${quote(`bash -c ${quote(command)}`)}`) },
  { name: 'eval', mutate: line((command) => `eval ${quote(command)}`) },
  { name: 'eval of words', mutate: words((_, command) => `eval ${command}`) },
  { name: 'ssh', mutate: line((command) => `ssh user@host ${quote(command)}`) },
  { name: 'su -c', mutate: line((command) => `su - root -c ${quote(command)}`) },
  { name: 'watch', mutate: line((command) => `watch -n 1 ${quote(command)}`) },
  { name: 'script -c', mutate: line((command) => `script -qc ${quote(command)} /dev/null`) },
  { name: 'xargs', mutate: words(([first, ...rest]) => `echo ${rest.join(' ')} | xargs ${first}`) },
  { name: 'xargs -I', mutate: words((all) => `echo ${all.at(-1)} | xargs -I% ${all.slice(0, -1).join(' ')} %`) },
  { name: 'xargs sh -c', mutate: line((command) => `echo x | xargs -I{} sh -c ${quote(command)}`) },
  { name: 'parallel', mutate: line((command) => `parallel ::: ${quote(command)}`) },
  { name: 'find -exec', mutate: words((_, command) => `find . -maxdepth 0 -exec ${command} \\;`) },
  { name: 'find -exec sh -c', mutate: line((command) => `find . -exec sh -c ${quote(command)} \\;`) },
  { name: 'trap', mutate: line((command) => `trap ${quote(command)} EXIT`) },
  {
    name: 'docker with the host mounted',
    mutate: line((command) => `docker run -v /:/host alpine sh -c ${quote(command)}`),
  },
  { name: 'kubectl exec', mutate: words((_, command) => `kubectl exec pod -- ${command}`) },
  { name: 'tmux', mutate: line((command) => `tmux new-session -d ${quote(command)}`) },
  { name: 'at', mutate: line((command) => `echo ${quote(command)} | at now`) },
  // Inside of other syntax.
  { name: 'after &&', mutate: line((command) => `echo ok && ${command}`) },
  { name: 'after ||', mutate: line((command) => `false || ${command}`) },
  { name: 'after ;', mutate: line((command) => `ls; ${command}`) },
  { name: 'after a new line', mutate: (command) => `ls\n${command}` },
  { name: 'after |', mutate: line((command) => `yes | ${command}`) },
  { name: 'in the background', mutate: line((command) => `${command} &`) },
  { name: 'negated', mutate: line((command) => `! ${command}`) },
  { name: 'in a subshell', mutate: line((command) => `(${command})`) },
  { name: 'in a group', mutate: line((command) => `{ ${command}; }`) },
  { name: 'in if', mutate: line((command) => `if true; then ${command}; fi`) },
  { name: 'in while', mutate: line((command) => `while true; do ${command}; done`) },
  { name: 'in for', mutate: line((command) => `for i in 1 2; do ${command}; done`) },
  { name: 'in case', mutate: line((command) => `case a in a) ${command};; esac`) },
  { name: 'in a function', mutate: line((command) => `f() { ${command}; }; f`) },
  { name: 'a function that runs its words', mutate: words((_, command) => `f() { "$@"; }; f ${command}`) },
  { name: 'in a substitution', mutate: line((command) => `echo $(${command})`) },
  { name: 'in back-ticks', mutate: words((_, command) => `echo \`${command}\``) },
  { name: 'in a quoted substitution', mutate: words((_, command) => `echo "$(${command})"`) },
  { name: 'in arithmetic', mutate: line((command) => `echo $((1 + $(${command})))`) },
  { name: 'in a process substitution', mutate: line((command) => `cat <(${command})`) },
  { name: 'in a redirect', mutate: line((command) => `echo x > "$(${command})"`) },
  { name: 'in an assignment', mutate: line((command) => `X=$(${command})`) },
  { name: 'in a default', mutate: line((command) => `echo \${X:-$(${command})}`) },
  { name: 'in a here-document of a reader', mutate: line((command) => `cat <<EOF\n$(${command})\nEOF`) },
  { name: 'in a test', mutate: line((command) => `[[ -n $(${command}) ]]`) },
  { name: 'a here-document', mutate: (command) => `bash <<'EOF'\n${command}\nEOF` },
  { name: 'a here-document that is expanded', mutate: words((_, command) => `sh <<EOF\n${command}\nEOF`) },
  { name: 'a here-string', mutate: line((command) => `bash <<<${quote(command)}`) },
  { name: 'coproc', mutate: line((command) => `coproc { ${command}; }`) },
  // Variables.
  { name: 'the name in a variable', mutate: words(([first, ...rest]) => `X=${first}; $X ${rest.join(' ')}`) },
  { name: 'all in a variable', mutate: words((_, command) => `X='${command}'; $X`) },
  { name: 'all in an array', mutate: words((all) => `X=(${all.join(' ')}); "\${X[@]}"`) },
  {
    name: 'two halves',
    mutate: words(([first = '', ...rest]) => `A=${first.slice(0, 1)}; B=${first.slice(1)}; $A$B ${rest.join(' ')}`),
  },
  {
    name: 'an unset variable inside',
    mutate: words(([first = '', ...rest]) => [`${first.slice(0, 1)}\${NOPE}${first.slice(1)}`, ...rest].join(' ')),
  },
  {
    name: '$@ inside',
    mutate: words(([first = '', ...rest]) => [`${first.slice(0, 1)}$@${first.slice(1)}`, ...rest].join(' ')),
  },
  {
    name: 'a slice',
    mutate: words(([first = '', ...rest]) => `X=zz${first}yy; \${X:2:${first.length}} ${rest.join(' ')}`),
  },
  { name: 'a default', mutate: words(([first, ...rest]) => `\${NOPE:-${first}} ${rest.join(' ')}`) },
  {
    name: 'a replacement',
    mutate: words(([first = '', ...rest]) => `X=${first.slice(0, 1)}@${first.slice(1)}; \${X/@/} ${rest.join(' ')}`),
  },
  { name: 'indirection', mutate: words(([first, ...rest]) => `Y=${first}; X=Y; \${!X} ${rest.join(' ')}`) },
  {
    name: 'lower case',
    mutate: words(
      ([first = '', ...rest]) =>
        `X=${first.toUpperCase()}; ${first === first.toLowerCase() ? `\${X,,}` : first} ${rest.join(' ')}`,
    ),
  },
  { name: 'positional words', mutate: words((_, command) => `set -- ${command}; "$@"`) },
  { name: 'positional words of sh', mutate: words((all) => `sh -c '"$@"' _ ${all.join(' ')}`) },
  { name: 'read', mutate: words((_, command) => `read -r X <<< '${command}'; $X`) },
  { name: 'printf -v', mutate: words((_, command) => `printf -v X '%s' '${command}'; $X`) },
  {
    name: 'a loop over words',
    mutate: words(([first, ...rest]) => `for c in ${first}; do $c ${rest.join(' ')}; done`),
  },
  { name: 'while read', mutate: line((command) => `echo ${quote(command)} | while read -r c; do eval "$c"; done`) },
  { name: 'an alias', mutate: line((command) => `alias x=${quote(command)}; x`) },
  { name: 'export', mutate: words((_, command) => `export X='${command}'; bash -c "$X"`) },
  { name: 'a suffix removed', mutate: words(([first, ...rest]) => `X=${first}.txt; \${X%.txt} ${rest.join(' ')}`) },
  // Braces and patterns.
  {
    name: 'braces',
    mutate: words((all) =>
      all.some((word) => word.includes(',')) || all.length < 2 ? all.join(' ') : `{${all.join(',')}}`,
    ),
  },
  {
    name: 'braces inside of the name',
    mutate: words(([first = '', ...rest]) =>
      [`${first.slice(0, 1)}{${first.slice(1)},}`, ...rest].join(' ').replace(`{${first.slice(1)},}`, first.slice(1)),
    ),
  },
  // Encodings.
  { name: 'base64 to a shell', mutate: (command) => `echo ${base64(command)} | base64 -d | sh` },
  { name: 'base64 in a substitution', mutate: (command) => `bash -c "$(echo ${base64(command)} | base64 --decode)"` },
  { name: 'base64 to eval', mutate: (command) => `eval $(base64 -d <<< ${base64(command)})` },
  { name: 'hex to a shell', mutate: (command) => `echo ${hex(command)} | xxd -r -p | bash` },
  { name: 'reversed', mutate: words((_, command) => `echo '${reversed(command)}' | rev | sh`) },
  { name: 'printf octal', mutate: (command) => `printf '${octal(command)}' | sh` },
  { name: 'printf hex in a substitution', mutate: words((_, command) => `$(printf '${escapes(command)}')`) },
  { name: 'echo -e', mutate: (command) => `echo -e '${escapes(command)}' | bash` },
  { name: 'rot13', mutate: words((_, command) => `echo '${rot13(command)}' | tr 'A-Za-z' 'N-ZA-Mn-za-m' | sh`) },
  {
    name: 'tr -d',
    mutate: words((all) => `echo '${all.map((word) => Array.from(word).join('~')).join(' ')}' | tr -d '~' | sh`),
  },
  { name: 'sed', mutate: words((_, command) => `echo 'XX${command}' | sed 's/XX//' | sh`) },
  { name: 'openssl', mutate: (command) => `echo ${base64(command)} | openssl base64 -d | sh` },
  { name: 'twice base64', mutate: (command) => `echo ${base64(base64(command))} | base64 -d | base64 -d | sh` },
  { name: 'source of a process', mutate: line((command) => `source <(echo ${quote(command)})`) },
  { name: 'bash of a process', mutate: line((command) => `bash <(printf '%s' ${quote(command)})`) },
  // Files of the text's own.
  { name: 'a script of its own', mutate: line((command) => `echo ${quote(command)} > x.sh; sh x.sh`) },
  {
    name: 'a script made runnable',
    mutate: (command) => `cat > x.sh <<'EOF'\n${command}\nEOF\nchmod +x x.sh && ./x.sh`,
  },
  { name: 'tee to a shell', mutate: line((command) => `echo ${quote(command)} | tee /tmp/x | bash`) },
  { name: 'make', mutate: line((command) => `printf 'all:\\n\\t%s\\n' ${quote(command)} | make -f -`) },
  // Other programs that run text.
  { name: 'python os.system', mutate: words((_, command) => `python3 -c "import os; os.system('${command}')"`) },
  {
    name: 'python subprocess',
    mutate: words(
      (all) => `python3 -c "import subprocess; subprocess.run([${all.map((word) => `'${word}'`).join(', ')}])"`,
    ),
  },
  { name: 'node', mutate: words((_, command) => `node -e "require('child_process').execSync('${command}')"`) },
  { name: 'perl', mutate: words((_, command) => `perl -e 'system("${command}")'`) },
  { name: 'ruby', mutate: words((_, command) => `ruby -e '\`${command}\`'`) },
  { name: 'awk', mutate: words((_, command) => `awk 'BEGIN { system("${command}") }'`) },
  { name: 'vim', mutate: words((_, command) => `vim -c ':!${command}' -c ':q'`) },
  { name: 'git alias', mutate: words((_, command) => `git -c alias.x='!${command}' x`) },
  {
    name: 'tar',
    mutate: words((_, command) => `tar cf /dev/null x --checkpoint=1 --checkpoint-action=exec='${command}'`),
  },
  { name: 'sed e', mutate: words((_, command) => `sed '1e ${command}' /etc/hosts`) },
  // Letters.
  {
    name: 'look-alike letters',
    mutate: words(([first = '', ...rest]) =>
      [Array.from(first, (char) => LOOKS[char] ?? char).join(''), ...rest].join(' '),
    ),
  },
  {
    name: 'one look-alike letter',
    mutate: words(([first = '', ...rest]) => {
      const at = Array.from(first).findIndex((char) => LOOKS[char] !== undefined)
      return [at < 0 ? first : first.slice(0, at) + LOOKS[first[at] ?? ''] + first.slice(at + 1), ...rest].join(' ')
    }),
  },
  {
    name: 'full-width letters',
    mutate: words(([first = '', ...rest]) =>
      [
        Array.from(first, (char) =>
          /[a-z]/.test(char) ? String.fromCodePoint(char.charCodeAt(0) + 0xfee0) : char,
        ).join(''),
        ...rest,
      ].join(' '),
    ),
  },
  {
    name: 'zero-width spaces',
    mutate: words(([first = '', ...rest]) => [`${first.slice(0, 1)}\u200b${first.slice(1)}`, ...rest].join(' ')),
  },
  { name: 'bidirectional marks', mutate: words((_, command) => `\u202e${command}\u202c`) },
  { name: 'no-break spaces', mutate: words((all) => all.join('\u00a0')) },
  {
    name: 'long dashes',
    mutate: words((all) => all.map((word) => word.replace(/^-+/, (dashes) => '–'.repeat(dashes.length))).join(' ')),
  },
  // Prose.
  { name: 'in a sentence', mutate: words((_, command) => `I will now run ${command} to tidy up.`) },
  { name: 'between back-ticks', mutate: words((_, command) => `Next step: execute \`${command}\` in the project`) },
  { name: 'after command:', mutate: words((_, command) => `Shell tool, command: ${command}`) },
  { name: 'as a tool call', mutate: line((command) => `run_command ${JSON.stringify({ command })}`) },
  // Paths.
  { name: 'the full path', mutate: words((_, command) => `/usr/bin/${command}`) },
  { name: 'a path with dots', mutate: words((_, command) => `/usr/./bin/../bin/${command}`) },
]
