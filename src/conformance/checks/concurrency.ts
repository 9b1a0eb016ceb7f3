import { checksOf, failed, passed, skipped, verdict, warned } from '../check.ts'
import { read, scratch, writable } from '../scratch.ts'
import { codeOf, type Target } from '../target.ts'
import { at, type Fields, textAt } from '../values.ts'
import { expect } from './request-format.ts'

/** Spec §9.3. */
export const CONCURRENCY_CHECKS = checksOf('Concurrency', 2, [
  {
    id: 'concurrency-pipelined',
    requirements: ['CONC-01', 'MCP-01'],
    title: 'Requests in flight together each get the answer to their own question',
    async run(target) {
      const names = target.operations.map(({ name }) => name).slice(0, IN_FLIGHT)
      if (names.length === 0) return failed('No operation is listed.')
      const replies = await Promise.all(names.map((name) => target.introspect({ query: 'operations', name })))
      const faults = replies.flatMap((reply, index) =>
        at(reply.result, 'data.operation.name') === names[index]
          ? []
          : [`${names[index]}: ${textAt(reply.result, 'data.operation.name') || codeOf(reply)}`],
      )
      return verdict(names.length, 'requests together', faults)
    },
  },
  {
    id: 'concurrency-declared',
    requirements: ['CONC-01', 'CONC-04'],
    title: 'The server declares its concurrency category',
    async run(target) {
      const told = target.protocol.concurrency
      if (told === undefined)
        return warned('_protocol.concurrency is not stated; then it must be documented elsewhere.')
      return ['serialized', 'read-concurrent', 'fully-concurrent', 'resource-locked'].includes(String(told))
        ? passed(String(told))
        : failed(`It is ${JSON.stringify(told)}.`)
    },
  },
  {
    id: 'concurrency-version',
    requirements: ['CONC-02'],
    title: 'The version of a resource changes with every modification',
    run: (target) =>
      withVersion(target, async ({ change, version }) => {
        const before = await version()
        const reply = await change(`version ${target.mark}`)
        return [...expect(reply, 'success'), ...((await version()) === before ? ['the version stayed the same'] : [])]
      }),
  },
  {
    id: 'concurrency-if-match',
    requirements: ['CONC-03', 'ERR-37'],
    title: 'A stale if_match is CONFLICT_VERSION_MISMATCH and changes nothing; the right one is taken',
    run: (target) =>
      withVersion(target, async ({ change, version, stored }) => {
        const stale = await version()
        await change(`first ${target.mark}`)
        const refused = await change(`stale ${target.mark}`, stale)
        const faults = expect(refused, 'CONFLICT_VERSION_MISMATCH')
        if ((await stored()) === `stale ${target.mark}`) faults.push('the change was made nevertheless')
        faults.push(
          ...expect(await change(`right ${target.mark}`, await version()), 'success').map(
            (fault) => `with the right version: ${fault}`,
          ),
        )
        return faults
      }),
  },
  {
    id: 'concurrency-one-winner',
    requirements: ['CONC-03', 'CONC-01'],
    title: 'Of several changes in flight with the same if_match exactly one wins',
    run: (target) =>
      withVersion(target, async ({ change, version }) => {
        const seen = await version()
        const replies = await Promise.all([1, 2, 3, 4].map((turn) => change(`rival ${turn} ${target.mark}`, seen)))
        const won = replies.filter((reply) => codeOf(reply) === 'success').length
        return won === 1 ? [] : [`${won} of 4 won`]
      }),
  },
])

/** More listeners than this on one signal make the SDK's client warn. */
const IN_FLIGHT = 10

interface Versioned {
  readonly change: (value: string, ifMatch?: unknown) => ReturnType<Target['operate']>
  readonly version: () => Promise<unknown>
  readonly stored: () => Promise<unknown>
}

async function withVersion(target: Target, run: (resource: Versioned) => Promise<readonly string[]>) {
  const made = await scratch(target)
  const found = made && (await writable(target, made))
  const before: Fields | undefined = made && (await read(target, made))
  const key = ['_version', '_etag'].find((name) => before && Object.hasOwn(before, name))
  if (!made || !found || !key || !found.update.parameters.some((row) => row.name === 'if_match')) {
    return skipped('No scratch resource with a version and if_match could be made.')
  }
  const { update, ids, field } = found
  return verdict(
    1,
    'resources',
    await run({
      change: (value, ifMatch) =>
        target.operate(update.name, {
          ...ids,
          input: { [field]: value },
          ...(ifMatch !== undefined && { if_match: ifMatch }),
        }),
      version: async () => (await read(target, made))?.[key],
      stored: async () => (await read(target, made))?.[field],
    }),
  )
}
