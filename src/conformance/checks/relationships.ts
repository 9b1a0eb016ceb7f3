import type { OperationDetails } from '../../protocol/introspection.ts'
import { checksOf, failed, skipped, verdict } from '../check.ts'
import { working } from '../probes.ts'
import { keys, list, loose, matching } from '../shapes.ts'
import { dataOf, type Target } from '../target.ts'
import { at, type Fields, isObject, listAt, same, textAt } from '../values.ts'
import { expect } from './request-format.ts'

/** Relationship queries document. */
export const RELATIONSHIPS = checksOf('Relationships', 2, [
  {
    id: 'relationships-answer',
    requirements: ['REL-01', 'REL-02'],
    title: 'query_relationships answers root, relationships and graph in the documented form',
    run: (target) =>
      withQuery(target, async ({ data }) => {
        const word = matching(/\S/)
        return keys(
          {
            root: loose({ element_type: word, element_name: word }, {}),
            relationships: list(loose({ type: word, direction: word, target: () => [], depth: () => [] }, {})),
            graph: loose(
              {
                nodes: list(loose({ id: word, element_type: word, element_name: word }, {})),
                edges: list(loose({ source: word, target: word, type: word }, {})),
              },
              {},
            ),
          },
          { pageInfo: () => [] },
        )(data, 'data')
      }),
  },
  {
    id: 'relationships-graph',
    requirements: ['REL-02', 'REL-04'],
    title: 'Nodes are named {type}:{name} and come once; edges join nodes; cycles end',
    run: (target) =>
      withQuery(target, async ({ ask }) => {
        const data = await ask({ depth: DEEP, direction: 'both' })
        const nodes = listAt(data, 'graph.nodes').filter(isObject)
        const ids = nodes.map(({ id }) => id)
        const faults = nodes
          .filter(({ id, element_type: type, element_name: name }) => id !== `${String(type)}:${String(name)}`)
          .map(({ id }) => `node '${String(id)}'`)
        if (new Set(ids).size !== ids.length) faults.push('a node comes twice')
        const loose = listAt(data, 'graph.edges').filter(
          (edge) => !ids.includes(at(edge, 'source')) || !ids.includes(at(edge, 'target')),
        )
        faults.push(...loose.map((edge) => `edge ${textAt(edge, 'source')} → ${textAt(edge, 'target')} joins no nodes`))
        return nodes.length === 0 ? [...faults, 'no node is returned'] : faults
      }),
  },
  {
    id: 'relationships-include',
    requirements: ['REL-03'],
    title: 'include limits the answer to the parts that it names',
    run: (target) =>
      withQuery(target, async ({ ask, has }) => {
        if (!has('include')) return []
        const data = await ask({ include: ['graph.nodes'] })
        const graph = at(data, 'graph')
        const only =
          isObject(data) &&
          same(
            Object.keys(data).filter((key) => key !== 'pageInfo'),
            ['graph'],
          )
        return only && isObject(graph) && same(Object.keys(graph), ['nodes'])
          ? []
          : ['more than graph.nodes is returned']
      }),
  },
  {
    id: 'relationships-refused',
    requirements: ['REL-01'],
    title: 'A wrong direction, a depth below 1 and an incomplete root are refused',
    run: (target) =>
      withQuery(target, async ({ details, base }) => {
        const faults: string[] = []
        const wrong: readonly Fields[] = [{ direction: 'sideways' }, { depth: 0 }, { root: {} }]
        for (const controls of wrong) {
          const reply = await target.operate(details.name, { ...base, ...controls })
          if (!(reply.result?.success === false))
            faults.push(
              ...expect(reply, 'VALIDATION_INVALID_VALUE').map((fault) => `${JSON.stringify(controls)}: ${fault}`),
            )
        }
        return faults
      }),
  },
])

const DEEP = 3

interface Query {
  readonly details: OperationDetails
  readonly base: Fields
  readonly data: unknown
  readonly has: (parameter: string) => boolean
  readonly ask: (controls: Fields) => Promise<unknown>
}

async function withQuery(target: Target, run: (query: Query) => Promise<readonly string[]>) {
  const all = await target.allDetails()
  const details =
    all.find((entry) => entry.name === 'query_relationships') ??
    all.find((entry) => entry.relationship_capabilities?.supported)
  if (!details) return skipped('query_relationships is not offered.')
  const base = await working(target, details)
  if (!base) return failed('query_relationships cannot be called as it is documented.')
  const ask = async (controls: Fields) => dataOf(await target.operate(details.name, { ...base, ...controls }))
  const has = (parameter: string) => details.parameters.some((row) => row.name === parameter)
  return verdict(1, 'queries', await run({ details, base, data: await ask({}), has, ask }))
}
