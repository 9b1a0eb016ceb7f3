import { hostKind } from './hosts.ts'
import { note } from './ledger.ts'
import { wordSet } from './options.ts'
import { known, type Scope } from './scope.ts'
import { targetKind } from './targets.ts'

/** Flags whose value says where packages come from. */
const FROM = wordSet(
  '--registry --index-url -i --extra-index-url --index --find-links -f --source -s --git --repo --repository --channel -c --default-index --url --mirror --from',
)

/** Addresses and files that can be packages: `git+https://…`, `x@https://…`, `oci://…`, `git@host:…`. */
const ADDRESS =
  /^(?:[\w@./-]+@)?((?:git\+)?(?:https?|git|ssh|oci|ftp|s3|file|hg\+https?|svn\+https?):\/\/\S+|git@[\w.-]+:\S+)$/
const SHORT = /^(github|gitlab|bitbucket|gist):|^[\w.-]+\/[\w.-]+#[\w./-]+$/

/** Foreign code is as good as where it comes from: an address, a file, another registry. */
export function judgeSources(args: readonly string[], scope: Scope, name: string): void {
  for (const [at, arg] of args.entries()) {
    const plain = known(arg)
    const cut = plain.startsWith('-') ? plain.indexOf('=') : -1
    const flag = cut > 0 ? plain.slice(0, cut) : (args[at - 1] ?? '')
    const value = cut > 0 ? plain.slice(cut + 1) : plain
    const [, address] = ADDRESS.exec(value) ?? []
    if (address !== undefined) judgeAddress(address, FROM.has(flag), scope, name)
    else if (SHORT.test(value)) note(scope.ledger, 62, `${name}: brings in a repository`)
    else if (FILE.test(value) && !READS.has(flag)) judgeFile(value, scope, name)
    else if (flag === '--manifest') note(scope.ledger, 45, `${name}: brings in what a file says`)
    else if (flag === '--trusted-host') note(scope.ledger, 50, `${name}: without the check of the other side`)
  }
  if (args.some((arg) => UNCHECKED.test(arg))) note(scope.ledger, 64, `${name}: without the checks of packages`)
}

function judgeAddress(address: string, isRegistry: boolean, scope: Scope, name: string): void {
  const kind = hostKind(address.replace(/^(git|hg|svn)\+/, ''))
  if (address.startsWith('file:')) {
    judgeFile(address.slice(address.startsWith('file://') ? 7 : 5), scope, name)
    return
  }
  const isRaw = /^https?:\/\/(raw|gist)\./.test(address)
  const score = kind === 'foreign' || isRaw ? 64 : kind === 'forge' ? 62 : isRegistry || kind === 'local' ? 26 : 50
  note(scope.ledger, score, `${name}: brings in code from ${isRegistry ? 'another registry' : 'an address'}`)
}

function judgeFile(path: string, scope: Scope, name: string): void {
  const kind = targetKind(path, scope)
  const isInside = kind === 'project' || kind === 'projectRoot' || kind === 'regenerable' || path.startsWith('..')
  const isOwn = isInside && !/^(brew|gem|choco|flatpak|snap)$/.test(name)
  note(scope.ledger, isOwn ? 28 : isInside ? 45 : 62, `${name}: brings in code from a file`)
}

/** Paths, and files that are packages by their ending. */
const FILE =
  /^(\.{0,2}\/|~\/|[A-Za-z]:[\\/])|\.(whl|tgz|tar\.gz|gem|deb|rpm|snap|vsix|nupkg|jar|apk|pkg|dmg|msi|crate|flatpakref|AppImage)$/
/** Flags whose file says what to take, not the code itself. */
const READS = wordSet(
  '-r --requirement -c --constraint --prefix -C --cwd --dir --cache --cache-dir --root --manifest-path -t --target --python -p --project --save-dir --values -f --file --directory --config',
)
const UNCHECKED =
  /^--(dangerous|devmode|allow-unauthenticated|force-yes|no-gpg-checks?|nogpgcheck|allow-untrusted|no-check-certificate|skip-ssl|insecure|no-verify-ssl|allow-downgrades|nosignature|force-overwrite|no-signature)$/
