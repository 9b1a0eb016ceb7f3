import { hostKind } from './hosts.ts'
import { note } from './ledger.ts'
import { wordSet, words } from './options.ts'
import { isUnknown, known, type Scope, type Stream } from './scope.ts'
import { isSecretFile } from './targets.ts'

/** Calls that print secrets, or all of somebody's data. The pattern fits the words of the call; empty fits every call. */
const SOURCES: ReadonlyMap<string, RegExp> = new Map(
  (
    [
      ['env printenv', /^$/],
      ['set export declare', /^(-p)?$/],
      ['gh', /^auth token|^secret/],
      ['glab', /^auth token/],
      ['kubectl oc', /\bget (secrets?|cm|configmaps?)\b|config view.*--raw/],
      ['aws', /get-secret-value|--with-decryption|export-credentials|get-session-token|assume-role/],
      ['gcloud', /secrets versions access|print-(access|identity)-token/],
      ['az', /keyvault secret show|get-access-token/],
      ['op', /^(item get|read|document get)/],
      ['vault', /^(kv get|read|token lookup)/],
      [
        'pass gopass bw lpass doppler infisical chamber sops',
        /^(show|get|export|secrets|read|download|-d|--decrypt|decrypt)/,
      ],
      ['heroku', /^config/],
      ['security', /find-\w+-password|dump-keychain/],
      ['git', /^credential fill/],
      ['pg_dump pg_dumpall mysqldump mongodump mongoexport', /^/],
      ['gpg gpg2', /--export-secret/],
      ['history', /^/],
    ] as const
  ).flatMap(([names, pattern]) => words(names).map((name) => [name, pattern] as const)),
)

/** Programs that print what stands in their files. */
const PRINTS = wordSet(
  'cat tac head tail less more bat nl od hexdump xxd strings base64 base32 grep egrep rg jq yq cut zcat sort awk sed tar zip gzip openssl',
)

/** A file whose contents are for its owner alone: keys, and the settings that hold them. */
export function isPrivate(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (/[._-](example|sample|template|dist|defaults?|test|schema)\b/.test(name)) return false
  return (
    isSecretFile(path) ||
    /^\.env(\.[\w-]+)*$|^(secrets?|credentials?)(\.\w+)?$|\.(tfstate|tfvars|keystore|jks|kdbx)$/.test(name)
  )
}

/** Remembers that the text has read a secret. */
export function markSecrets(name: string, args: readonly string[], scope: Scope): void {
  const isRead = PRINTS.has(name) && args.some((arg) => isPrivate(known(arg)))
  if (isRead || SOURCES.get(name)?.test(args.map(known).join(' '))) scope.seen.secret = true
}

/** Programs that send what they are given to another machine, and the flags whose value only says who asks. */
const SENDERS = wordSet(
  'curl wget http https xh nc ncat netcat socat telnet ftp tftp mail mailx sendmail mutt msmtp swaks nslookup dig host ping ssh',
)
const ASKS_AS = wordSet('-H --header -u --user --oauth2-bearer -b --cookie -A --user-agent --cert --key -E -o --output')

/** Programs that copy files to where others keep theirs. */
const COPIES_AWAY = wordSet('aws gsutil gcloud az rclone s3cmd mc s5cmd b2 azcopy scp rsync sftp croc wormhole ossutil')

/** What was read before may be what is sent now: as input, in a body, or in an address. */
export function judgeSending(name: string, args: readonly string[], scope: Scope, stdin: Stream): void {
  const isAway = args.some((arg) => /^\w[\w.@-]*:/.test(known(arg)) || arg === 'send')
  if (
    COPIES_AWAY.has(name) &&
    isAway &&
    args.some((arg) => isSecretFile(known(arg)) && !/^\w[\w.@-]*:/.test(known(arg)))
  )
    note(scope.ledger, 82, `${name}: sends a file that holds secrets`)
  if (!scope.seen.secret || !SENDERS.has(name)) return
  const given = args.filter((arg, at) => !ASKS_AS.has(known(args[at - 1] ?? '')) && !ASKS_AS.has(known(arg)))
  const isGiven = (stdin.kind !== 'none' && (name !== 'ssh' || given.length > 1)) || given.some(isUnknown)
  const isLocal = given.some(
    (arg) => /^\w+:\/\/|^localhost|^127\./.test(known(arg)) && hostKind(known(arg)) === 'local',
  )
  if (isGiven && !isLocal) note(scope.ledger, 66, `${name}: may send a secret that was read before`)
}
