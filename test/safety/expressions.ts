import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript'

const ROOT = join(import.meta.dirname, '../..')

/** A regular expression as it stands in a file of `src`. */
export interface Expression {
  readonly file: string
  readonly line: number
  readonly source: string
  readonly flags: string
}

/** Every regular expression of `src`: the literals, and what is handed to `RegExp`. */
export function expressionsOf(folder = join(ROOT, 'src')): readonly Expression[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.[cm]?[jt]s$/.test(file) && !/\.test\.ts$/.test(file))
    .flatMap((file) => expressionsIn(relative(ROOT, join(folder, file)), readFileSync(join(folder, file), 'utf8')))
}

export function expressionsIn(file: string, text: string): readonly Expression[] {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const constants = constantsOf(tree)
  const found: Expression[] = []
  const visit = (node: ts.Node): void => {
    const pattern = patternOf(node, constants)
    if (pattern) {
      const { line } = tree.getLineAndCharacterOfPosition(node.getStart())
      found.push({ file, line: line + 1, ...pattern })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

type Constants = ReadonlyMap<string, ts.Expression>

function constantsOf(tree: ts.SourceFile): Constants {
  const constants = new Map<string, ts.Expression>()
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
      constants.set(node.name.text, node.initializer)
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return constants
}

function patternOf(node: ts.Node, constants: Constants): Pick<Expression, 'source' | 'flags'> | undefined {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf('/')
    return { source: node.text.slice(1, end), flags: node.text.slice(end + 1) }
  }
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return undefined
  if (!ts.isIdentifier(node.expression) || node.expression.text !== 'RegExp') return undefined
  const [source, flags] = node.arguments ?? []
  return { source: textOf(source, constants), flags: flags ? textOf(flags, constants) : '' }
}

/** A part that is known only while the program runs. It is one word there: a name, a number, one word of a list. */
const UNKNOWN = 'Latin'

function textOf(node: ts.Expression | undefined, constants: Constants): string {
  if (node === undefined) return UNKNOWN
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isRegularExpressionLiteral(node)) return node.text.slice(1, node.text.lastIndexOf('/'))
  if (ts.isIdentifier(node)) return textOf(constants.get(node.text), constants)
  if (ts.isPropertyAccessExpression(node) && node.name.text === 'source') return textOf(node.expression, constants)
  if (ts.isBinaryExpression(node)) return textOf(node.left, constants) + textOf(node.right, constants)
  if (!ts.isTemplateExpression(node)) return UNKNOWN
  return node.head.text + node.templateSpans.map((s) => textOf(s.expression, constants) + s.literal.text).join('')
}
