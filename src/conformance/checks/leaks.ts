import { checksOf, failed, passed, skipped, verdict, warned } from '../check.ts'
import { AT_WORD, LEAKS } from '../leak-patterns.ts'
import { isStrict, sample, UNKNOWN } from '../probes.ts'
import { codeOf, messageOf, type Reply } from '../target.ts'
import { operationOf } from './responses.ts'

/** Looks back on every failure of the whole run. */
export const LEAK_CHECKS = checksOf('Leaks', 1, [
  {
    id: 'leaks-nothing-internal',
    requirements: ['ERR-03', 'ERR-04'],
    title: 'No failure of the whole run shows stack traces, paths, class names or the like',
    async run(target) {
      const seen = target.transcript.filter(isFailure)
      const faults = seen
        .filter((reply) => LEAKS.some((pattern) => pattern.test(said(reply))))
        .map((reply) => `${operationOf(reply)}: ${said(reply).slice(0, 160)}`)
      return verdict(seen.length, 'failures', [...new Set(faults)])
    },
  },
  {
    id: 'leaks-published-pattern',
    requirements: ['ERR-05'],
    title: 'No message of the whole run trips the published pattern "at …"',
    async run(target) {
      const seen = target.transcript.filter(isFailure)
      const flagged = [...new Set(seen.map(messageOf).filter((message) => AT_WORD.test(message)))]
      if (seen.length === 0) return skipped('No failure was seen.')
      return flagged.length === 0 ? passed(`${seen.length} messages.`) : warned(flagged.slice(0, 5).join(' · '))
    },
  },
  {
    id: 'leaks-no-crash',
    requirements: ['VAL-02'],
    title: 'Nothing that the run has sent ended in INTERNAL_ERROR or without an answer',
    async run(target) {
      const bad = target.transcript.filter(
        (reply) => codeOf(reply).startsWith('INTERNAL_') || reply.answer.kind === 'broken',
      )
      return target.transcript.length === 0
        ? failed('Nothing was answered.')
        : verdict(target.transcript.length, 'calls', [
            ...new Set(bad.map((reply) => `${operationOf(reply)}: ${codeOf(reply)}`)),
          ])
    },
  },
  {
    id: 'leaks-sensitive',
    requirements: ['VAL-10'],
    title: 'The value of a sensitive parameter appears in no failure',
    async run(target) {
      if (!(await isStrict(target)))
        return skipped('The server does not refuse unknown parameters, so a call might run.')
      const secret = `s3cr3t-${target.mark}`
      const faults: string[] = []
      let tested = 0
      for (const details of await target.allDetails()) {
        for (const row of details.parameters.filter(({ sensitive }) => sensitive === true)) {
          const params = sample(target, details)
          for (const value of [secret, [secret], { [secret]: secret }]) {
            tested += 1
            const reply = await target.operate(details.name, { ...params, [row.name]: value, [UNKNOWN]: 1 })
            if ((reply.text ?? '').includes(secret)) faults.push(`${details.name}.${row.name}: ${codeOf(reply)}`)
          }
        }
      }
      return verdict(tested, 'sensitive values', [...new Set(faults)])
    },
  },
])

function isFailure(reply: Reply): boolean {
  return (
    reply.result?.success === false ||
    reply.answer.kind === 'error' ||
    (reply.answer.kind === 'result' && !reply.result)
  )
}

function said(reply: Reply): string {
  if (reply.answer.kind === 'error') return `${reply.answer.message} ${JSON.stringify(reply.answer.details ?? '')}`
  return reply.result ? JSON.stringify(reply.result.error ?? '') : (reply.text ?? '')
}
