import { isSecretName } from '../../audit/secret-names.ts'
import { wordSet } from './options.ts'
import { WHOLE_ENVIRONMENT } from './printed-environment.ts'

/** Those of the names that hold secrets. */
export function secretNames(names: readonly string[]): readonly string[] {
  return names.filter((name) => name === WHOLE_ENVIRONMENT || isSecretVariable(name))
}

/** Its name says that it holds a secret, and whose. */
export function isSecretVariable(name: string): boolean {
  return (isSecretName(name, '') || /_(PASS|KEY|PAT|PW)$/i.test(name)) && ownersOf(name).length > 0
}

function ownersOf(name: string): readonly string[] {
  const all = name.toLowerCase().split('_')
  return all.filter((word) => word.length > 1 && !GENERIC.has(word) && !(word === 'session' && all.at(-1) !== 'secret'))
}

/** A part of the host names the owner; of those that everybody knows only their own domains count. */
export function belongs(name: string, host: string): boolean {
  if (host.includes('~')) return false
  return ownersOf(name).some((owner) => {
    const own = OWN_HOSTS.find(([names]) => names.has(owner))?.[1]
    return own ? own.test(host) : host.toLowerCase().includes(owner)
  })
}

const GENERIC =
  wordSet(`token tokens key keys api apikey access auth authorization bearer jwt oauth secret secrets password passwd pass
  pwd pw pat credential credentials cookie my user username admin client service svc app application id refresh account private public
  test dev development staging stage prod production local ci job deploy bot new old csrf xsrf signing login personal web http https url
  internal external master main root default base backend frontend server webhook read write`)

const OWN_HOSTS: readonly (readonly [names: ReadonlySet<string>, hosts: RegExp])[] = [
  [wordSet('github gh'), /(^|\.)(github\.com|githubusercontent\.com|ghcr\.io)$/i],
  [wordSet('gitlab gl'), /(^|\.)gitlab\.com$|^gitlab\./i],
  [wordSet('npm node'), /(^|\.)(npmjs\.(org|com)|npm\.pkg\.github\.com)$/i],
  [wordSet('pypi twine pip'), /(^|\.)(pypi\.org|pythonhosted\.org)$/i],
  [wordSet('docker dockerhub'), /(^|\.)docker\.(io|com)$/i],
  [wordSet('aws'), /(^|\.)(amazonaws\.com|aws\.amazon\.com|api\.aws)$/i],
  [wordSet('google gcp gcloud gemini'), /(^|\.)(googleapis\.com|google\.com)$/i],
  [wordSet('azure az'), /(^|\.)(azure\.com|windows\.net|microsoft\.com|microsoftonline\.com)$/i],
  [wordSet('openai'), /(^|\.)openai\.(com|azure\.com)$/i],
  [wordSet('anthropic claude'), /(^|\.)anthropic\.com$/i],
  [wordSet('huggingface hf'), /(^|\.)huggingface\.co$/i],
  [wordSet('stripe'), /(^|\.)stripe\.com$/i],
  [wordSet('slack'), /(^|\.)slack\.com$/i],
  [wordSet('cloudflare cf'), /(^|\.)cloudflare\.com$/i],
  [wordSet('digitalocean do'), /(^|\.)digitalocean\.com$/i],
]
