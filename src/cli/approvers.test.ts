import { expect, test } from 'vitest'
import { approvalsLine } from './approvers.ts'

const URL = 'http://127.0.0.1:7421/'
const NOBODY = 'Approvals: nobody can, so what needs a human is refused. A store on disk has a console and a terminal.'
const FORM = 'a form in the client, where it can show one'

test.each([
  ['memory, HTTP', { store_url: 'memory:', http_port: 7420 }, NOBODY],
  ['memory, HTTP, without forms', { store_url: 'memory:', http_port: 7420, elicitation: false }, NOBODY],
  ['memory, stdio, without forms', { store_url: 'memory:', elicitation: false }, NOBODY],
  ['memory, stdio', { store_url: 'memory:' }, `Approvals: ${FORM}.`],
  ['disk, stdio', {}, `Approvals: mcpaql console, or mcpaql approvals, or ${FORM}.`],
  ['disk, stdio, without forms', { elicitation: false }, 'Approvals: mcpaql console, or mcpaql approvals.'],
  ['disk, HTTP', { http_port: 7420 }, 'Approvals: mcpaql console, or mcpaql approvals.'],
])('SELF-10 the line of the start says what can approve: %s', (_, config, line) => {
  const approvers = { config: { store_url: '', elicitation: true, http_port: null, ...config }, formClients: [] }
  expect(approvalsLine({ ...approvers, consoleUrl: undefined }, 'mcpaql')).toBe(line)
})

test.each([
  [true, `Approvals: mcpaql console (${URL}), or mcpaql approvals, or a form in ann, eve (client add --elicitation).`],
  [false, `Approvals: mcpaql console (${URL}), or mcpaql approvals.`],
])('SELF-10 clients that the operator allowed to ask, where forms are %s', (elicitation, line) => {
  const config = { store_url: '', elicitation, http_port: 7420 }
  expect(approvalsLine({ config, consoleUrl: URL, formClients: ['ann', 'eve'] }, 'mcpaql')).toBe(line)
})
