import { checksOf, failed, type Outcome, passed, skipped, warned } from '../check.ts'
import { callBytes, callHeaders, type RawReply } from '../raw.ts'
import { codeOf, type Target } from '../target.ts'
import { at, isObject, listAt, textAt } from '../values.ts'

/** Spec §4.7.1 and §4.7.5: bytes that no proper client sends. */
export const ENCODING = checksOf('Encoding', 1, [
  attack(
    'encoding-bad-continuation',
    ['DATA-01', 'DATA-02', 'ERR-28'],
    'A bad continuation byte',
    'VALIDATION_INVALID_ENCODING',
    () => bytesIn(0xc3, 0x28),
  ),
  attack('encoding-truncated', ['DATA-01'], 'A truncated sequence', 'VALIDATION_INVALID_ENCODING', () =>
    bytesIn(0xe2, 0x82),
  ),
  attack('encoding-overlong', ['DATA-01'], 'An overlong form', 'VALIDATION_INVALID_ENCODING', () =>
    bytesIn(0xc0, 0xaf),
  ),
  attack('encoding-surrogate-bytes', ['DATA-01'], 'A surrogate written as UTF-8', 'VALIDATION_INVALID_ENCODING', () =>
    bytesIn(0xed, 0xa0, 0x80),
  ),
  attack(
    'encoding-lone-surrogate',
    ['DATA-02'],
    'A lone surrogate written as an escape in a value',
    'VALIDATION_INVALID_ENCODING',
    () => named('"\\ud800"'),
  ),
  attack(
    'encoding-lone-surrogate-key',
    ['DATA-02'],
    'A lone surrogate written as an escape in a key',
    'VALIDATION_INVALID_ENCODING',
    () => named('"x","\\udc00":1'),
  ),
  attack(
    'encoding-nul',
    ['DATA-03'],
    'U+0000 in a text',
    'VALIDATION_INVALID_ENCODING',
    () => named('"a\\u0000b"'),
    'should',
  ),
  attack(
    'limits-depth',
    ['DATA-08', 'DATA-09', 'DATA-10', 'ERR-29'],
    'Deeper nesting than the limit',
    'VALIDATION_PAYLOAD_TOO_LARGE',
    (limits) => named(`"x","_deep":${nest(limits.max_nesting_depth)}`),
  ),
  attack(
    'limits-array',
    ['DATA-08', 'DATA-10'],
    'More array elements than the limit',
    'VALIDATION_PAYLOAD_TOO_LARGE',
    (limits) => named(`"x","_list":[${'0,'.repeat(limits.max_array_elements)}0]`),
  ),
  attack(
    'limits-string',
    ['DATA-08', 'DATA-10'],
    'A longer string than the limit',
    'VALIDATION_PAYLOAD_TOO_LARGE',
    (limits) => named(`"${'x'.repeat(limits.max_string_length + 1)}"`),
  ),
  attack(
    'limits-request',
    ['DATA-08', 'DATA-10'],
    'A larger request than the limit',
    'VALIDATION_PAYLOAD_TOO_LARGE',
    (limits) => {
      const part = `"${'x'.repeat(60_000)}",`
      return named(`"x","_parts":[${part.repeat(Math.ceil(limits.max_request_size / 60_000) + 1)}0]`)
    },
  ),
  {
    id: 'limits-accepted',
    requirements: ['DATA-09'],
    title: 'What stays just within the limits is accepted',
    async run(target) {
      const port = await target.raw()
      if (!port || !target.readTool) return skipped('No raw connection could be opened.')
      const { max_nesting_depth: depth } = limitsOf(target)
      // `arguments` is level 1 and `params` level 2.
      const text = named(`"x","_deep":${nest(depth - 3)}`)
      const reply = await port.send(
        91,
        callBytes(port.era, 91, target.readTool, text),
        callHeaders(port.era, target.readTool),
      )
      return refusal(reply) === 'success' ? passed(`Depth ${depth}.`) : failed(`Depth ${depth} gives ${refusal(reply)}`)
    },
  },
  {
    id: 'encoding-survived',
    requirements: ['DATA-10', 'VAL-02'],
    title: 'After all this an ordinary call is answered, on the same connection and on the other',
    async run(target) {
      const port = await target.raw()
      const text = '{"operation":"introspect","params":{"query":"types"}}'
      const reply =
        port && target.readTool
          ? await port.send(92, callBytes(port.era, 92, target.readTool, text), callHeaders(port.era, target.readTool))
          : undefined
      const ordinary = await target.introspect({ query: 'types' })
      if (codeOf(ordinary) !== 'success') return failed(`The ordinary connection answers ${codeOf(ordinary)}.`)
      return !reply
        ? skipped('No raw connection could be opened.')
        : refusal(reply) === 'success'
          ? passed('Both answer.')
          : failed(`The attacked connection answers ${refusal(reply)}.`)
    },
  },
])

interface PublishedLimits {
  readonly max_request_size: number
  readonly max_string_length: number
  readonly max_array_elements: number
  readonly max_nesting_depth: number
}

function attack(
  id: string,
  requirements: readonly string[],
  what: string,
  code: string,
  build: (limits: PublishedLimits) => Uint8Array,
  level: 'must' | 'should' = 'must',
) {
  return {
    id,
    requirements,
    title: `${what} is refused with ${code}`,
    async run(target: Target): Promise<Outcome> {
      const port = await target.raw()
      if (!port) return skipped('No raw connection could be opened.')
      if (!target.readTool) return failed('No tool answers introspect.')
      const tool = target.readTool
      const reply = await port.send(
        90,
        callBytes(port.era, 90, tool, build(limitsOf(target))),
        callHeaders(port.era, tool),
      )
      return judge(reply, code, level)
    },
  }
}

/** Named by its code is right; refused in another way is half right; anything else is not. */
function judge(reply: RawReply, code: string, level: 'must' | 'should'): Outcome {
  const seen = refusal(reply)
  if (seen === code) return passed(code)
  const refused = seen.startsWith('JSON-RPC') || seen.startsWith('HTTP 4') || seen.startsWith('VALIDATION_')
  if (refused) return warned(`It is refused, but with ${seen} in place of ${code}.`)
  return (level === 'must' ? failed : warned)(`It gets ${seen} in place of ${code}.`)
}

function refusal(reply: RawReply): string {
  const error = at(reply.message, 'error')
  if (isObject(error)) {
    const named = /VALIDATION_[A-Z_]+/.exec(JSON.stringify(error))?.[0]
    return named ?? `JSON-RPC error ${String(error.code)}`
  }
  const text = textAt(listAt(reply.message, 'result.content')[0], 'text')
  if (text) {
    try {
      const result: unknown = JSON.parse(text)
      return at(result, 'success') === true ? 'success' : textAt(result, 'error.code') || 'no MCP-AQL result'
    } catch {
      return 'no MCP-AQL result'
    }
  }
  if (reply.status && reply.status >= 400) return `HTTP ${reply.status}`
  return reply.closed ? 'a closed connection' : 'no answer'
}

/** The published limits, or the specification's defaults. */
function limitsOf(target: Target): PublishedLimits {
  const told = target.protocol.limits
  const limit = (key: keyof PublishedLimits, fallback: number) => {
    const value = isObject(told) ? told[key] : undefined
    return typeof value === 'number' && value > 0 && value <= 10_485_760 ? value : fallback
  }
  return {
    max_request_size: limit('max_request_size', 1_048_576),
    max_string_length: limit('max_string_length', 1_048_576),
    max_array_elements: limit('max_array_elements', 10_000),
    max_nesting_depth: limit('max_nesting_depth', 32),
  }
}

/** A harmless question whose `name` is this JSON text. */
function named(json: string): Uint8Array {
  return Buffer.from(`{"operation":"introspect","params":{"query":"operations","name":${json}}}`)
}

function bytesIn(...bytes: readonly number[]): Uint8Array {
  const [head = '', tail = ''] = '{"operation":"introspect","params":{"query":"operations","name":"x|y"}}'.split('|')
  return Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from(tail)])
}

function nest(depth: number): string {
  return `${'['.repeat(depth)}${']'.repeat(depth)}`
}
