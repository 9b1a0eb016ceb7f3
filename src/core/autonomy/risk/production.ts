import { wordSet } from './options.ts'
import { known, type Scope } from './scope.ts'

/** Flags whose value names where something is done. */
const PLACES = wordSet(
  `--context --kube-context --namespace -n --profile --project --environment --env -e --stage -s --stack --cluster -i --inventory --limit -l
  --target --remote -r -a --app --workspace --subscription --account --service --site --host -h --database -d --dbname -p`,
)

const LIVE = /(^|[-_/.:@])(prod|production|live)([-_/.:\d]|$)/i

/** `--prod`, `-n live`, `--context=prod-eu`, `promote production`: what is done is done to what others use. */
export function namesProduction(args: readonly string[]): boolean {
  return args.map(known).some((arg, at, all) => {
    if (/^--?(prod|production)$/.test(arg) || /^(prod|production|live)$/.test(arg)) return true
    const cut = arg.startsWith('-') ? arg.indexOf('=') : -1
    const flag = cut > 0 ? arg.slice(0, cut) : (all[at - 1] ?? '')
    return PLACES.has(flag) && LIVE.test(cut > 0 ? arg.slice(cut + 1) : arg)
  })
}

/** `kubectl config use-context prod`, `docker context use prod`: what follows is done there. */
export function markProduction(args: readonly string[], scope: Scope): void {
  const at = args.findIndex((arg) => /^(use|use-context|set-context|select|switch|set|link|kubectx)$/.test(arg))
  if (at >= 0 && args.slice(at + 1).some((arg) => LIVE.test(known(arg)))) scope.seen.production = true
}
