import { type Fields, isFields } from '../mutant-server.ts'
import {
  answering,
  failure,
  type Mutants,
  mutant,
  onAnswer,
  onBody,
  onFailure,
  onList,
  onParams,
  operation,
  without,
} from '../mutations.ts'

/** MCP, bytes, leaks and what is left behind. */
export const TRANSPORT_MUTANTS: Mutants = {
  // MCP Basics
  'mcp-unknown-tool': [
    mutant(
      'answers an unknown tool with a result',
      onAnswer(
        ({ params }) => (params as Fields)?.name === 'zz_no_such_tool',
        ({ error: _error, ...answer }) => ({
          ...answer,
          result: { content: [{ type: 'text', text: 'no such tool' }], isError: true, resultType: 'complete' },
        }),
      ),
    ),
    mutant(
      'uses another code',
      onAnswer(
        ({ params }) => (params as Fields)?.name === 'zz_no_such_tool',
        (answer) => ({ ...answer, error: { code: -32603, message: 'no such tool' } }),
      ),
    ),
  ],
  'mcp-unknown-method': [
    mutant(
      'uses another code for an unknown method',
      onAnswer(
        ({ method }) => method === 'zz/none',
        (answer) => ({ ...answer, error: { code: -32600, message: 'no' } }),
      ),
    ),
  ],
  'mcp-no-batch-arrays': [
    mutant(
      'executes JSON-RPC arrays',
      onBody((text) => (text.startsWith('[') ? text.slice(1, -1) : text)),
    ),
  ],
  'mcp-version-negotiation': [
    mutant(
      'echoes every revision',
      onAnswer(
        ({ method }) => method === 'initialize',
        (answer, asked) => ({
          ...answer,
          result: { ...(answer.result as Fields), protocolVersion: (asked.params as Fields).protocolVersion },
        }),
      ),
    ),
    mutant(
      'names no server',
      onAnswer(
        ({ method }) => method === 'initialize',
        (answer) => ({ ...answer, result: { ...(answer.result as Fields), serverInfo: {} } }),
      ),
    ),
  ],
  'mcp-ping': [
    mutant(
      'answers ping with something',
      onAnswer(
        ({ method }) => method === 'ping',
        (answer) => ({ ...answer, result: { pong: true } }),
      ),
    ),
  ],
  'mcp-origin': [
    mutant('lets any origin in', () => ({ http: ({ headers: { origin: _origin, ...headers } }) => ({ headers }) })),
  ],
  'mcp-version-header': [
    mutant('takes any protocol version', () => ({
      http: ({ headers }) =>
        headers['mcp-protocol-version'] === '1999-01-01'
          ? { headers: { ...headers, 'mcp-protocol-version': '2025-06-18' } }
          : {},
    })),
  ],
  'mcp-session-ids': [
    mutant('answers unknown sessions', () => ({
      http: ({ headers, body }) =>
        headers['mcp-session-id'] !== undefined && body.includes('"id":76') ? { status: 200 } : {},
    })),
  ],
  'mcp-eras': [
    mutant(
      'answers the handshake revisions differently',
      onAnswer(
        (asked) =>
          asked.method === 'tools/call' && !JSON.stringify(asked).includes('io.modelcontextprotocol/protocolVersion'),
        (answer) => ({
          ...answer,
          result: { content: [{ type: 'text', text: '{"success":true,"data":{}}' }], isError: false },
        }),
      ),
    ),
  ],
  'mcp-neighbours': [
    mutant('shows the same operations under a second name', () => ({
      tools: (tools) => [...tools, ...tools.map((tool) => ({ ...tool, name: `other_${String(tool.name)}` }))],
      call: ({ tool, args }) => ({ tool: tool.replace('other_', ''), args }),
    })),
    mutant('lists a tool twice', () => ({ tools: (tools) => [...tools, ...tools.slice(0, 1)] })),
  ],
  'mcp-session-state': [
    mutant(
      'gives every connection the same session',
      onList((data) => ({
        ...data,
        _protocol: { ...(data._protocol as Fields), session_id: 'one-session-for-everyone' },
      })),
    ),
  ],

  // Encoding
  'encoding-bad-continuation': [
    mutant(
      'replaces bad bytes',
      onBody((text) => text),
    ),
  ],
  'encoding-truncated': [
    mutant(
      'replaces truncated sequences',
      onBody((text) => text),
    ),
  ],
  'encoding-overlong': [
    mutant(
      'replaces overlong forms',
      onBody((text) => text),
    ),
  ],
  'encoding-surrogate-bytes': [
    mutant(
      'replaces surrogates',
      onBody((text) => text),
    ),
  ],
  'encoding-lone-surrogate': [
    mutant(
      'takes lone surrogates',
      onBody((text) => text.replace('\\ud800', '?')),
    ),
  ],
  'encoding-lone-surrogate-key': [
    mutant(
      'takes lone surrogates in keys',
      onBody((text) => text.replace('"\\udc00":1', '"_x":1')),
    ),
  ],
  'encoding-nul': [
    mutant(
      'takes U+0000',
      onBody((text) => text.replace('\\u0000', '')),
      'WARN',
    ),
  ],
  'limits-depth': [
    mutant(
      'has no depth limit',
      onParams((params) => without(params, '_deep')),
    ),
    mutant(
      'refuses without saying why',
      answering(({ args }) => isFields(args.params) && '_deep' in args.params, failure('VALIDATION_INVALID_VALUE')),
      'WARN',
    ),
  ],
  'limits-array': [
    mutant(
      'has no array limit',
      onParams((params) => without(params, '_list')),
    ),
  ],
  'limits-string': [
    mutant(
      'has no string limit',
      onParams((params) =>
        typeof params.name === 'string' && params.name.length > 1_000 ? { ...params, name: 'x' } : params,
      ),
    ),
  ],
  'limits-request': [
    mutant(
      'has no request limit',
      onParams((params) => without(params, '_parts')),
    ),
  ],
  'limits-accepted': [
    mutant(
      'counts depth too strictly',
      answering(({ args }) => isFields(args.params) && '_deep' in args.params, failure('VALIDATION_PAYLOAD_TOO_LARGE')),
    ),
  ],
  'encoding-survived': [
    mutant(
      'is broken by bad bytes',
      () => {
        let broken = false
        return {
          http: ({ body }) => {
            broken ||= body.includes(Buffer.from([0xc3, 0x28]))
            return {}
          },
          call: (call) => (broken ? { result: failure('INTERNAL_ERROR'), isError: true } : call),
        }
      },
      'FAIL',
      ['encoding-bad-continuation'],
    ),
  ],

  // Leaks
  'leaks-nothing-internal': [
    mutant(
      'shows a path in details',
      onFailure('any', (error) => ({ ...error, details: { file: '/home/someone/server/bind.js' } })),
      'FAIL',
      ['errors-shape'],
    ),
  ],
  'leaks-published-pattern': [
    mutant(
      'uses a word that is flagged',
      onFailure('any', (error) => ({ ...error, message: 'Send at least one parameter' })),
      'WARN',
      ['errors-shape'],
    ),
  ],
  'leaks-no-crash': [
    mutant(
      'crashes on invalid values',
      onFailure('VALIDATION_INVALID_VALUE', () => ({ code: 'INTERNAL_ERROR', message: 'unexpected' })),
      'FAIL',
      ['errors-shape'],
    ),
  ],
  'leaks-sensitive': [
    mutant('repeats what was sent', () => ({
      result: (result, { args }) =>
        isFields(result.error) ? { ...result, error: { ...result.error, details: { sent: args.params } } } : result,
    })),
  ],

  'clean-up': [
    mutant(
      'asks for approval of a removal',
      answering(operation('delete_issue'), failure('CONFIRMATION_REQUIRED')),
      'WARN',
    ),
  ],
}
