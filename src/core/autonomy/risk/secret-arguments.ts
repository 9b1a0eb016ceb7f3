import { isVariablesFile } from '../secret-places.ts'
import { possibleValues, wordSet, words } from './options.ts'
import { known } from './scope.ts'

/** Programs that tell of a file, remove it or give it other rights: nothing of its contents is read. */
const METADATA =
  wordSet(`: true false exit return break continue shift wait jobs fg bg disown umask ulimit trap ls ll la l dir stat test [ [[ file du df realpath readlink dirname basename echo printf cd pushd which type
  whereis where wc cksum md5 md5sum sha1sum sha256sum sha512sum shasum b2sum chmod chown chgrp chattr lsattr getfacl setfacl icacls touch rm rmdir
  unlink shred srm wipe trash trash-put mkdir mkfifo truncate tree locate mdfind lsof fuser inotifywait watch entr
  lsblk blkid fdisk sfdisk gdisk sgdisk parted smartctl hdparm nvme mdadm tune2fs wipefs mount umount fsck e2fsck swapon swapoff
  cryptsetup partprobe blockdev losetup findmnt eject diskutil badblocks resize2fs mkswap mkfs pvcreate vgcreate zpool read export
  test-path get-item get-childitem remove-item new-item join-path resolve-path split-path`)
/** Programs that use what stands there without showing it, edit it, or whose own rows follow where it goes. */
const USES = wordSet(`cp mv ln install rsync scp sftp tar dd ssh ssh-add ssh-copy-id mosh autossh sshfs sshpass
  find gfind fd fdfind xargs nano vim vi nvim ed ex emacs code cursor subl micro hx open xdg-open notepad start
  dotenv dotenvx dotenv-cli env-cmd direnv foreman honcho nodemon set declare local readonly typeset unset alias env
  gpg gpg2 sops ansible-vault ansible ansible-playbook helm helmfile htpasswd keytool jarsigner apksigner codesign certbot mkcert copy
  copy-item move-item set-content add-content out-file curl wget mcpaql sudo doas su`)
/** What stands behind them is a key or settings that are used, is left out, or is written. */
const USING =
  /^--?(?!no-)([a-z]+[-_])*(key|keys|keyfile|keystore|keyout|inkey|cert|certs|certificate|cacert|ca|identity|kubeconfig|env|dotenv|env-?file|var-?file|creds|credentials?|secret|tls\w*|ssl\w*|exclude\w*|ignore\w*|skip\w*|out|output\w*|userconfig|(password|passphrase|pwd|netrc|token|key|cert|ca|credentials?)-?file|cookie-jar|service-account\w*)$|^-o$/i
/** Programs to which `-i` names a key. */
const IDENTITY = wordSet('age rage')

/** Sub-commands of git that tell of a path, or set it aside. */
const GIT_METADATA =
  wordSet(`rm mv status ls-files ls-tree check-ignore check-attr update-index rev-list rev-parse checkout restore reset
  stash clean switch clone init sparse-checkout filter-branch filter-repo lfs remote fetch pull push branch worktree submodule`)
const PATCHES = /^(-[pLSGu]\w*|--patch|--unified.*)$/
const OPENSSL_KEYS = /^(rsa|pkey|ec|dsa|pkcs8|pkcs12|enc|base64|asn1parse|storeutl)$/

/** What a command hands over of these files is at most that they are there. */
export function isMetadata(name: string, args: readonly string[]): boolean {
  if (METADATA.has(name)) return true
  if (name !== 'git') return false
  const at = args.findIndex(
    (arg, i) => !arg.startsWith('-') && !/^(-[cC]|--git-dir|--work-tree)$/.test(args[i - 1] ?? ''),
  )
  const sub = args[at] ?? ''
  return GIT_METADATA.has(sub) || (sub === 'log' && !args.some((arg) => PATCHES.test(arg)))
}

/** Names of files in the orders of a client of databases (`.import .env t`), and in scripts that read lines of others. */
export function orderedFiles(name: string, args: readonly string[]): readonly string[] {
  if (CLIENTS.has(name)) return args.flatMap((arg) => partsOf(arg, true))
  if (!AWK.test(name) || !args.some((arg) => arg.includes('getline'))) return []
  return args.flatMap((arg) => [...partsOf(arg, false), ...stringsIn(arg)])
}

const AWK = /^[gmn]?awk$/

/** Two strings beside each other are one. */
function stringsIn(script: string): readonly string[] {
  const joined = script.replaceAll(/(?<!\\)"[ \t]{1,8}"/g, '')
  return [script, joined].flatMap((text) =>
    [...text.matchAll(/"((?:[^"\\\n]|\\.){0,400})"/g)].map(([, inside = '']) => inside),
  )
}

/**
 * Files that options name, for programs whose operands are read by other rows or not at all: a list of words or files is
 * read (`xargs -a`, `wc --files0-from`), and so is what stands in the word of an option, if it is not known to be used.
 */
export function optionFiles(name: string, args: readonly string[], prints: boolean): readonly string[] {
  const lists = LISTS.get(name)
  const readsJoined = prints || (METADATA.has(name) && !SAYS.has(name))
  if (!lists && !readsJoined) return []
  // `tar cTf LIST ARCHIVE`: of old letters, nothing says which word belongs to which.
  if (/^(bsd|g)?tar$/.test(name) && /^[a-zA-Z]*T/.test(args[0] ?? '')) return args.slice(1)
  return possibleValues(args).flatMap(({ flag, value, isJoined }) => {
    if (lists?.test(flag)) return value.endsWith('/.ssh/config') ? [] : [value]
    return readsJoined && isJoined && !USING.test(flag) && !SOUGHT.test(flag) && looksLikeFile(value) ? [value] : []
  })
}

const LISTS: ReadonlyMap<string, RegExp> = new Map(
  (
    [
      ['xargs gxargs', /^(-a|--a[\w-]*)$/],
      ['file', /^(-f|--f[\w-]*)$/],
      ['wc du sort', /^--f[\w-]*$/],
      ['tar bsdtar gtar', /^(-T|--files[\w-]*)$/],
      ['find gfind', /^-files0-from$/],
      ['rsync', /^--files-f[\w-]*$/],
      ['tree inotifywait', /^--from\w*$/],
      // What is no setting or order of theirs is shown as it stands.
      ['ssh scp', /^-F$/],
      ['sftp', /^-[bF]$/],
    ] as const
  ).flatMap(([names, flags]) => words(names).map((name) => [name, flags] as const)),
)
/** Programs that open nothing that an option names, or only change it. */
const SAYS =
  wordSet(`: true false exit return break continue shift wait jobs fg bg disown umask ulimit trap test [ [[ echo printf
  cd pushd read export chmod chown chgrp chattr touch rm rmdir unlink mkdir basename dirname realpath readlink`)
/** What is looked for, or into which files. */
const SOUGHT = /^(-[egI]|--(regexp|expression|include|glob|iglob|hide)[\w-]*)$/

/** The words of a command whose files it reads, if they are files; for programs that no narrower row follows. */
export function readArguments(name: string, args: readonly string[]): readonly string[] {
  if (isMetadata(name, args) || (USES.has(name) && !isShowing(name, args))) return []
  if (
    name === 'openssl' &&
    (!OPENSSL_KEYS.test(args[0] ?? '') || args.some((arg) => /^-(pubout|pubin|genkey|noout)$/.test(arg)))
  )
    return []
  if (name === 'ssh-keygen') return args.some((arg) => /^-[a-z]*[ye]/.test(arg)) ? args.filter(isWord) : []
  const given = name === 'zip' && args.includes('-x') ? args.slice(0, args.indexOf('-x')) : args
  return given.flatMap((arg, at) => {
    const before = known(given[at - 1] ?? '')
    if (USING.test(before) || (before === '-i' && IDENTITY.has(name))) return []
    if (isSourced(name, arg)) return []
    return partsOf(arg, CLIENTS.has(name))
  })
}

/** `gpg --store -o - FILE`: what it makes of the file is shown. */
function isShowing(name: string, args: readonly string[]): boolean {
  return /^gpg2?$/.test(name) && /(^| )(-[a-zA-Z]*o|--output[= ]) ?-( |$)/.test(args.map(known).join(' '))
}

/** Clients of databases: their orders hold names of files. */
const CLIENTS = wordSet('sqlite3 sqlite duckdb psql mysql mariadb')

function isSourced(name: string, arg: string): boolean {
  return (name === 'source' || name === '.') && isVariablesFile(arg)
}

function isWord(arg: string): boolean {
  return !arg.startsWith('-')
}

/** `--flag=PATH`, `@PATH`, `name=@PATH`, `rev:PATH`, `PATH:PATH`: each part may be the file. */
function partsOf(arg: string, isOrder: boolean): readonly string[] {
  if (!FILE_SIGN.test(arg)) return []
  const plain = known(arg)
  if (/^--?[\w-]+=/.test(plain) && USING.test(plain.slice(0, plain.indexOf('=')))) return []
  if (/\s/.test(plain)) return isOrder ? words(plain.replaceAll(/['"();]/g, ' ')).filter(looksLikeFile) : []
  if (/^(?!file:)[a-z][\w+.-]*:\/\//i.test(plain)) return []
  const pieces = plain.startsWith('-') ? [plain.slice(plain.indexOf('=') + 1), plain.slice(2)] : [plain]
  return pieces
    .flatMap((piece) => (/[=@:,]/.test(piece) ? [piece, ...piece.split(/[=@:,]/)] : piece))
    .filter(looksLikeFile)
}

const FILE_SIGN = /[./~\\]|(?:^|[=@:,])id_/

/** Not an expression of a search, and more than a bare word. */
function looksLikeFile(text: string): boolean {
  return FILE_SIGN.test(text) && text !== 'process.env' && !text.startsWith('-') && !/[\\()|^$+<>!"'`]|\.\*/.test(text)
}
