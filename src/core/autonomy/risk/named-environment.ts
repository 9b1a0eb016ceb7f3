import { hostKind } from './hosts.ts'
import type { Call } from './program.ts'
import { known } from './scope.ts'

/** Variables that say which of its databases a framework works on. */
export const ENVIRONMENT_NAME = /^(RAILS|RACK|MIX|NODE|APP|DJANGO|FLASK|SYMFONY|HANAMI)_ENV$/

/** `RAILS_ENV=test`, `--env=test`: what is done is done to a database that tests make again. */
export function isTestRun({ args, scope }: Pick<Call, 'args' | 'scope'>): boolean {
  const isSet = [...scope.variables].some(([name, [value]]) => ENVIRONMENT_NAME.test(name) && isTest(value ?? ''))
  return isSet || args.map(known).some((arg, at, all) => isTest(environmentIn(arg, all[at - 1] ?? '')))
}

/** `DATABASE_URL=postgresql://localhost/app_test`: a database of this machine whose name says what it is for. */
export function worksOnTestDatabase({ args, scope }: Pick<Call, 'args' | 'scope'>): boolean {
  const [address = ''] = scope.variables.get('DATABASE_URL') ?? []
  const [, name = ''] = /^\w+:\/\/[^/?#\s]+\/([\w-]+)(?:\?[^\s]*)?$/.exec(address) ?? []
  if (!/(^|[_-])(test|tests|testing|dev|development|ci)\d*$/i.test(name) || hostKind(address) !== 'local') return false
  // Another address, or a text that something runs, is judged for itself.
  return args.every((arg) => !/:\/\/|[\s(;]|\0/.test(arg))
}

function isTest(value: string): boolean {
  return /^(test|testing|ci)$/.test(value)
}

/** What stands behind a flag for the environment. */
function environmentIn(arg: string, before: string): string {
  const [, given] = /^(?:--env|--environment|-e|RAILS_ENV|MIX_ENV)=(.*)$/.exec(arg) ?? []
  return given ?? (/^(--env|--environment|-e)$/.test(before) ? arg : '')
}
