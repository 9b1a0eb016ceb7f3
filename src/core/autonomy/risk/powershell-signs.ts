/** True for a text that only PowerShell would be given: its commands, its variables that get a value, its here-strings. */
export function readsAsPowerShell(source: string): boolean {
  if (NAMED.test(source) && COMMANDS.test(source)) return true
  if (source.includes('$') && ASSIGNED.test(source)) return true
  return (MAY_SIGN.test(source) || source.includes(']::')) && SIGNS.test(source)
}

/** What the longer patterns need; most texts hold none of it. */
const NAMED = /[a-z]-[A-Z]/
const MAY_SIGN = /\$PS|@['"]|&[ \t]*[$({'"]|\|[ \t]*(?:%|\?|foreach|where)[ \t]*\{/

const COMMANDS =
  /(?:^|[;|({\n&=])[ \t]*(?:Get|Set|New|Remove|Test|Write|Start|Stop|Invoke|Select|Where|ForEach|Sort|Measure|Group|Out|Copy|Move|Rename|Add|Clear|Import|Export|ConvertFrom|ConvertTo|Compare|Format|Join|Split|Resolve|Push|Pop|Expand|Compress|Install|Uninstall|Tee|Restart|Wait|Unblock)-[A-Z][A-Za-z]+(?![\w.=/-])/
/** `$name = value`: no other shell has a blank there. */
const ASSIGNED = /(?:^|[;{\n(])[ \t]*\$(?:\w+:)?\w+[ \t]+[-+]?=[ \t\n]/
const SIGNS =
  /\$PSVersionTable\b|(?:^|[\s=;(])@['"][ \t]*\r?\n|(?:^|[;{\n])[ \t]*&[ \t]*[$({'"]|(?:^|[;{(\n=|&]|if[ \t]*\()[ \t]*\[[A-Za-z][\w.]*\]::\w|\|[ \t]*(?:%|\?|foreach|where)[ \t]*\{/

/** What gives variables of another shell a value: then a name may stand for a program there. */
const SETS =
  /(?<![\w-])(?:eval|declare|typeset|local|export|read|readarray|mapfile|printf|let|getopts|source|set|for|select|unset)(?![\w-])|\+=|\]=/

/**
 * The text as another shell reads it: a variable that the text never sets there is empty, so that `$x = …` runs `=` and
 * `$x.y` runs `.y`; both are nothing.
 */
export function asOthersRead(source: string): string {
  if (SETS.test(source)) return source
  const assigned = new Set([...source.matchAll(ASSIGNMENTS)].map(([, , name = '']) => name))
  if (assigned.size > 32) return source
  const isUnset = (name: string) => !new RegExp(`(?<![$\\w{])${name}(?!\\w)`).test(source)
  const unset = new Set([...assigned, ...AUTOMATIC].filter((name) => isUnset(name)))
  return source
    .replaceAll(ASSIGNMENTS, (whole, start: string, name: string) => (unset.has(name) ? `${start}: =` : whole))
    .replaceAll(VALUES, (whole, start: string, name: string) => (unset.has(name) ? `${start}:` : whole))
}

const ASSIGNMENTS = /(^|[;{\n(|&][ \t]*)\$(\w{1,80})[ \t]+[-+]?=(?=[ \t\n])/g
const VALUES = /(^|[;{\n(|&][ \t]*)\$(\w{1,80})(?:\.\w{1,80}|\[\d{1,9}\]){0,12}(?=[ \t]*(?:$|[;|\n})]))/g
const AUTOMATIC = ['PSVersionTable', 'LASTEXITCODE', 'PSScriptRoot', 'null', 'true', 'false']
