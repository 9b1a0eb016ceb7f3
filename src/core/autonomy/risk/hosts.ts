import { known } from './scope.ts'

/** Whose machine an address names: this one, a registry or forge that everybody uses, or any other. */
export type HostKind = 'local' | 'registry' | 'forge' | 'foreign'

export function hostKind(address: string): HostKind {
  const host = hostOf(address)
  if (host === '' || LOCAL.test(host)) return 'local'
  if (REGISTRIES.test(host)) return 'registry'
  return FORGES.test(host) ? 'forge' : 'foreign'
}

/** `https://user@host:8080/path`, `git@host:path`, `host:5432`; empty where no host is named. */
export function hostOf(address: string): string {
  const plain = known(address).trim()
  if (/^(off|direct|none|unix:|npipe:|file:|sqlite:|fd:)/.test(plain) || plain.startsWith('/')) return ''
  const rest = plain.replace(/^[\w.+-]+:\/\//, '').replace(/^[^/@]*@/, '')
  if (rest.startsWith('[')) return rest.slice(0, rest.indexOf(']') + 1)
  return (/^[^/:?#,]*/.exec(rest)?.[0] ?? '').toLowerCase()
}

const LOCAL =
  /^(localhost|127(\.\d{1,3}){1,3}|0\.0\.0\.0|0|\[::1?\]|::1|host\.docker\.internal|[\w-]+\.(localhost|test|internal)|[\w.-]*\.local)$/
const REGISTRIES =
  /(^|\.)(pypi\.org|pythonhosted\.org|npmjs\.(org|com)|yarnpkg\.com|jsr\.io|rubygems\.org|crates\.io|golang\.org|goproxy\.io|packagist\.org|maven\.org|apache\.org|docker\.io|ghcr\.io|quay\.io|gcr\.io|k8s\.io|pytorch\.org|nuget\.org|hex\.pm|anaconda\.(org|com)|conda-forge\.org|nodejs\.org|python\.org|rust-lang\.org|rustup\.rs|debian\.org|ubuntu\.com|brew\.sh|amazonaws\.com|googleapis\.com|azure\.com|microsoft\.com|nvidia\.com|bitnami\.com|jetstack\.io|helm\.sh|cran\.r-project\.org|npmmirror\.com|gradle\.org|flutter\.dev|pub\.dev|huggingface\.co)$/
const FORGES = /(^|\.)(github\.com|githubusercontent\.com|gitlab\.com|bitbucket\.org|codeberg\.org|sr\.ht|github\.io)$/
