import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** Tests of the tests: what they name is a sample, not something that our code does. */
const NOT_CASES = ['test/conformance/ledger.test.ts', 'test/schemas.test.ts']
const ID =
  /\b(?:SES|MODE|TOOL|REQ|UPD|VAL|DATA|RES|ERR|INT|TYPE|OPN|LIFE|BATCH|FIELD|COLL|PAGE|AGG|COMP|REL|CONC|PROG|MULTI|MCP|CONF|X|GATE|DNG|TRUST|TOK|RATE|LOOP|AUTO|NOTE|OOB|BLOCK|SELF|AUDIT|SESS|DONGLE|ELEM|PLUG|GEN|DISC|R)-\d{2}\b/g

/** Requirement id → the test files whose titles or table rows name it. */
export function findCases(): ReadonlyMap<string, readonly string[]> {
  const cases = new Map<string, string[]>()
  for (const file of suites()) {
    for (const id of idsIn(readFileSync(join(ROOT, file), 'utf8'))) {
      cases.set(id, [...(cases.get(id) ?? []), file])
    }
  }
  return cases
}

/**
 * The ids that the string literals of a test file name, each once. Comments do not count, and neither does
 * what stands inside a skipped or planned test. Ranges are not expanded: each id must be named.
 */
export function idsIn(source: string): ReadonlySet<string> {
  const ids = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (isUnrun(node)) return
    for (const [id] of textOf(node).matchAll(ID)) ids.add(id)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('case.ts', source, ts.ScriptTarget.Latest))
  return ids
}

/** `*.test.ts` everywhere, and the contract suites, whose tests stand in the file that the `*.test.ts` calls. */
function suites(): string[] {
  return ['src', 'test', 'examples'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => [folder, ...path.split(sep)].join('/'))
      .filter((path) => path.endsWith('.test.ts') || /^test\/contract\/.*\.ts$/.test(path))
      .filter((path) => !NOT_CASES.includes(path))
      .filter((path) => !path.includes('/node_modules/')),
  )
}

function textOf(node: ts.Node): string {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) return node.text
  return ''
}

/** `test.skip(…)`, `describe.todo(…)`, `test.skip.each(…)(…)` and their like. */
function isUnrun(node: ts.Node): boolean {
  if (!ts.isCallExpression(node)) return false
  let callee: ts.Expression = node.expression
  while (true) {
    if (ts.isCallExpression(callee)) callee = callee.expression
    else if (ts.isTaggedTemplateExpression(callee)) callee = callee.tag
    else if (ts.isPropertyAccessExpression(callee)) {
      if (callee.name.text === 'skip' || callee.name.text === 'todo') return isSuite(callee.expression)
      callee = callee.expression
    } else return false
  }
}

function isSuite(callee: ts.Expression): boolean {
  return ts.isIdentifier(callee) && ['test', 'it', 'describe'].includes(callee.text)
}
