import { spend } from './budget.ts'
import { judgeEvaluated } from './evaluated.ts'
import { specialFields } from './expand-parameter.ts'
import { type ArithmeticExpression, forEachChild, type SyntaxNode } from './parse-command.ts'
import { NOTHING, type Scope, UNKNOWN } from './scope.ts'

/** The number, or unknown; commands that stand in it are judged. */
export function arithmeticText(expression: ArithmeticExpression | undefined, scope: Scope): string {
  if (!expression) return UNKNOWN
  judgeInside(expression, scope, 0)
  const value = numberOf(expression, scope, 0)
  return value === undefined || !Number.isFinite(value) ? UNKNOWN : String(Math.trunc(value))
}

/** Judges every command substitution below a node that is no command itself. */
export function judgeInside(node: SyntaxNode, scope: Scope, depth: number): void {
  if (depth > 40) scope.budget.isSpent = true
  if (!spend(scope.budget, 2)) return
  if (
    node.type === 'CommandExpansion' ||
    node.type === 'ArithmeticCommandExpansion' ||
    node.type === 'ProcessSubstitution'
  ) {
    if (!spend(scope.budget, 20 + node.text.length)) return
    const { script } = node
    if (script) scope.runScript(script, scope, NOTHING)
    return
  }
  // What stands in quotes, and the values of names, are evaluated as well.
  if (node.type === 'ArithmeticWord') judgeEvaluated(node.value, scope)
  forEachChild(node, (child) => judgeInside(child, scope, depth + 1))
}

function numberOf(node: ArithmeticExpression, scope: Scope, depth: number): number | undefined {
  if (depth > 20) return undefined
  if (node.type === 'ArithmeticGroup') return numberOf(node.expression, scope, depth + 1)
  if (node.type === 'ArithmeticWord') return wordValue(node.value, scope)
  if (node.type !== 'ArithmeticBinary') return undefined
  const left = numberOf(node.left, scope, depth + 1)
  const right = numberOf(node.right, scope, depth + 1)
  return left === undefined || right === undefined ? undefined : OPERATORS.get(node.operator)?.(left, right)
}

function wordValue(text: string, scope: Scope): number | undefined {
  if (/^\d+$/.test(text)) return text.startsWith('0') ? Number.parseInt(text, 8) : Number(text)
  if (/^0x[\da-f]+$/i.test(text)) return Number(text)
  const [base = '', digits] = text.split('#')
  if (digits !== undefined) return Number.parseInt(digits, Number(base))
  const [value = ''] = specialFields(text.replace(/^\$/, ''), scope)
  return /^\d+$/.test(value) ? Number(value) : undefined
}

const OPERATORS: ReadonlyMap<string, (left: number, right: number) => number> = new Map([
  ['+', (left, right) => left + right],
  ['-', (left, right) => left - right],
  ['*', (left, right) => left * right],
  ['/', (left, right) => left / right],
  ['%', (left, right) => left % right],
  ['**', (left, right) => left ** right],
  ['<<', (left, right) => left << right],
  ['^', (left, right) => left ^ right],
  ['|', (left, right) => left | right],
  ['&', (left, right) => left & right],
])
