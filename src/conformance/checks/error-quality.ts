import { checksOf, failed, passed, verdict, warned } from '../check.ts'
import { AT_WORD, LEAKS } from '../leak-patterns.ts'
import { probeErrors } from '../probes.ts'
import { failureShape } from '../shapes.ts'
import { codeOf, messageOf } from '../target.ts'

/** Conformance document §3.3. Published: three tests. */
export const ERROR_QUALITY = checksOf('Error Quality', 1, [
  {
    id: 'errors-shape',
    requirements: ['RES-01', 'RES-03', 'ERR-01', 'ERR-06'],
    title: 'Failures are tool results with exactly success and error',
    async run(target) {
      const cases = await probeErrors(target)
      const faults = cases.flatMap(({ name, reply }) => {
        if (reply.answer.kind !== 'result') return [`${name}: ${codeOf(reply)}`]
        return reply.result?.success === true ? [`${name}: success`] : failureShape(reply.result, name)
      })
      return verdict(cases.length, 'failures provoked', faults)
    },
  },
  {
    id: 'errors-no-leaks',
    requirements: ['ERR-03', 'ERR-04', 'ERR-05'],
    title: 'Error messages show nothing of the implementation',
    async run(target) {
      const messages = (await probeErrors(target)).map(({ name, reply }) => [name, messageOf(reply)] as const)
      const told = messages.filter(([, message]) => message !== '')
      if (told.length === 0) return failed('No failure had a message.')
      const leaking = told.filter(([, message]) => LEAKS.some((pattern) => pattern.test(message)))
      if (leaking.length > 0) return failed(leaking.map(([name, message]) => `${name}: ${message}`).join(' · '))
      const flagged = told.filter(([, message]) => AT_WORD.test(message))
      if (flagged.length > 0)
        return warned(`The published pattern flags: ${flagged.map(([, message]) => message).join(' · ')}`)
      return passed(`${told.length} messages.`)
    },
  },
  {
    id: 'errors-actionable',
    requirements: ['ERR-03'],
    title: 'Error messages name what is wrong and what was expected',
    async run(target) {
      const cases = (await probeErrors(target)).filter(({ mention }) => mention.length > 0)
      if (cases.every(({ reply }) => messageOf(reply) === '')) return failed('No failure had a message.')
      const faults = cases.flatMap(({ name, mention, reply }) => {
        const unsaid = mention.filter((word) => !messageOf(reply).includes(word))
        return unsaid.length > 0 ? [`${name}: does not mention ${unsaid.join(', ')}`] : []
      })
      return verdict(cases.length, 'messages read', faults, 'should')
    },
  },
])
