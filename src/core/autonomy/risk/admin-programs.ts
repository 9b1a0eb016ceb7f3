import { act } from './actions.ts'
import { commandLine } from './judge-verbs.ts'
import { note } from './ledger.ts'
import { onlyPretends, onlyTells } from './only-pretends.ts'
import { has, optionValue, splitOptions, wordSet, words } from './options.ts'
import { INTO_PROCESS, isDebuggerSignal, isOwnJob, MAY_BE_NODE, opensDebugger } from './processes.ts'
import type { Call, Program, Programs } from './program.ts'
import { ANYTHING, isUnknown, known, type Stream } from './scope.ts'

const FORMATS = 95

function isDevice(arg: string): boolean {
  return /^\/dev\/|^[A-Za-z]:|^\\\\|\.img$/.test(arg) || isUnknown(arg)
}

/** Programs that are one thing whatever follows: what they are worth, and why. */
const FIXED: readonly (readonly [names: string, score: number, why: string, asks?: RegExp])[] = [
  [
    'mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkfs.f2fs mke2fs mkswap newfs mkdosfs format',
    FORMATS,
    'makes a new file system over the old one',
  ],
  ['cryptsetup', 80, 'works on a device', /^(status|luksDump|isLuks|luksUUID|benchmark|--test-passphrase)$/],
  ['hdparm', 80, 'works on a device', /^-[IigtTCH]+$/],
  ['nvme', 80, 'works on a device', /^(list\S*|id-\S+|\S+-log|get-\S+|show-\S+|error-log|smart-log|version)$/],
  ['luksFormat sg_format badblocks', 80, 'works on a device'],
  ['reboot shutdown poweroff halt kexec', 80, 'stops the machine'],
  ['userdel groupdel deluser delgroup', 75, 'deletes a user or group'],
  [
    'useradd adduser groupadd addgroup usermod groupmod chpasswd gpasswd vipw chsh chfn newusers',
    66,
    'changes users, groups or their rights',
  ],
  ['chage', 66, 'changes when a password ends', /^(-l|--list)$/],
  ['passwd', 66, 'changes a password or locks a user', /^(-S|--status)$/],
  ['visudo', 66, 'changes rights', /^(-c|--check)$/],
  ['swapon losetup', 50, 'changes what is mounted'],
  ['swapoff', 62, 'takes memory away'],
  ['insmod rmmod modprobe depmod', 66, 'changes the kernel'],
  ['setenforce semanage aa-disable aa-complain aa-teardown', 72, 'weakens the protection of the system'],
  ['xkill skill', 62, 'ends processes by name'],
  ['auditpol', 68, 'changes what is recorded', /^\/(get|list|backup|\?)/i],
  ['renice', 32, 'changes the priority of processes'],
  ['mailx sendmail mutt msmtp swaks', 62, 'sends mail'],
  ['mail', 50, 'sends mail'], // a word of every day too
  ['wall write mesg', 40, 'writes to other users'],
  ['ssh-agent gpg-agent', 30, 'handles keys'],
  [
    'grub-install update-grub grub-mkconfig efibootmgr bootctl',
    80,
    'changes how the machine starts',
    /^(-v|status|list)$/,
  ],
  ['update-alternatives ldconfig locale-gen dpkg-reconfigure', 50, 'changes the system'],
  ['rpm-ostree alternatives', 50, 'changes the system'],
  ['vgremove lvremove pvremove vgreduce lvreduce', 85, 'removes volumes'],
  [
    'mdadm',
    85,
    'changes an array of disks',
    /^(-[DEQX]|--detail|--examine|--query|--examine-bitmap|--detail-platform)$/,
  ],
  [
    'lvconvert resize2fs lvresize lvextend vgextend growpart xfs_growfs pvcreate vgcreate lvcreate tune2fs e2label',
    62,
    'changes volumes',
    /^-l$/,
  ],
  [
    'tmutil csrutil spctl nvram bless pmset',
    62,
    'changes the system',
    /^(list\w*|latestbackup|status|--status|-g|-p|--info|destinationinfo|compare|isexcluded)$/,
  ],
  ['nmap masscan hydra john hashcat sqlmap metasploit msfconsole nikto', 62, 'probes or attacks machines'],
  ['tcpdump tshark wireshark', 40, 'listens on the network'],
  ['xdg-open open gnome-open', 26, 'opens something in a program'],
  ['notify-send', 12, 'shows a message'],
  ['mogrify', 40, 'changes pictures in place'],
  [
    'updatedb pdftk qpdf convert magick ffmpeg pandoc inkscape gs sox lame wkhtmltopdf latex pdflatex xelatex dot gnuplot asciidoctor sphinx-build',
    22,
    'writes a file from another',
  ],
  ['mplayer mpv vlc play aplay', 12, 'plays'],
  ['logger', 24, 'writes to the log'],
]

export const ADMIN_PROGRAMS: Programs = [
  ...FIXED.flatMap(([names, score, why, asks]) => words(names).map((name) => [name, fixed(score, why, asks)] as const)),
  [
    'ssh-copy-id',
    ({ scope, args }) =>
      said(
        scope,
        args.some((arg) => /^root@/.test(arg)) ? 66 : 58,
        'ssh-copy-id: gives a key access to another machine',
      ),
  ],
  ['kill', kill],
  ['umount', unmount],
  ['add-apt-repository', fixed(62, 'adds another source of packages', /^(-L|--list)$/)],
  ['apt-key', fixed(66, 'changes whose packages are trusted', /^(list|finger|export)$/)],
  ['update-rc.d', fixed(64, 'changes what runs later')],
  ['chkconfig', fixed(64, 'changes what runs later', /^--list$/)],
  ['killall', killByName],
  ['pkill', killByName],
  ['init', runLevel],
  ['telinit', runLevel],
  ['fdisk', partition],
  ['parted', partition],
  ['gdisk', partition],
  ['sfdisk', partition],
  ['sgdisk', partition],
  ['cfdisk', partition],
  ['diskutil', partition],
  ['fsck', partition],
  ['e2fsck', partition],
  ['crontab', crontab],
  ['auditctl', auditing],
  ...words('iptables ip6tables ebtables nft pfctl ipset').map((name) => [name, firewall] as const),
  ['gpg', gpg],
  ['gpg2', gpg],
  ['openssl', openssl],
  ['ssh-keygen', makeKeys],
  [
    'ssh-add',
    ({ scope, args }) =>
      said(
        scope,
        args.some((arg) => /^-[lL]$/.test(arg)) ? 8 : args.some((arg) => /^-[dD]$/.test(arg)) ? 62 : 30,
        'ssh-add: keys of the agent',
      ),
  ],
  ['screenfetch', fixed(8, 'reads')],
  [
    'service',
    ({ scope, args }) =>
      said(
        scope,
        args.some((arg) => arg === 'status' || arg === '--status-all') ? 10 : args.includes('stop') ? 66 : 50,
        'service: starts or stops a service',
      ),
  ],
  [
    'launchctl',
    commandLine({
      verbs: {
        read: 'list print',
        change: 'kickstart',
        publish: 'load bootstrap enable submit setenv config',
        destroy: 'unload bootout remove',
      },
    }),
  ],
  [
    'systemctl',
    commandLine({
      verbs: {
        read: 'status show list-units list-unit-files is-active is-enabled is-failed cat list-timers list-dependencies list-sockets get-default show-environment --failed',
        create: 'start daemon-reload',
        change: 'restart reload',
        publish: 'enable edit set-default set-environment import-environment link preset set-property',
        stop: 'stop disable mask kill isolate',
        destroy: 'poweroff reboot halt rescue emergency reset-failed revert',
      },
      bare: 12,
    }),
  ],
  ['supervisorctl', commandLine({ verbs: { stop: 'stop shutdown' } })],
  [
    'pm2',
    commandLine({
      verbs: {
        read: 'monit prettylist jlist',
        create: 'start',
        change: 'restart reload',
        stop: 'stop',
        destroy: 'delete kill flush',
      },
    }),
  ],
  ['timedatectl', commandLine({ bare: 10 })],
  ['hostnamectl', commandLine({ bare: 10 })],
  ['loginctl', commandLine({ verbs: { destroy: 'terminate-user kill-session terminate-session' }, bare: 10 })],
  [
    'ufw',
    (call) => {
      if (/\ballow\b.*\bfrom any\b|\bdefault allow\b/.test(call.args.join(' ')))
        note(call.scope.ledger, 64, 'ufw: opens the machine to everybody')
      return uncomplicated(call)
    },
  ],
  [
    'firewall-cmd',
    (call) => {
      const line = call.args.join(' ')
      const isTrusted = /--(set-default-)?zone[= ]trusted\b/.test(line)
      if (isTrusted && /--set-default-zone|--(add|change)-(interface|source)/.test(line))
        note(call.scope.ledger, 64, 'firewall-cmd: opens the machine to everybody')
      return filtering(call)
    },
  ],
]

const filtering = commandLine({
  verbs: { read: '--state --list-all --list-all-zones --get-active-zones --get-zones --get-default-zone' },
})

const uncomplicated = commandLine({
  verbs: { change: 'allow deny limit enable reject', stop: 'disable', destroy: 'delete reset' },
})

/** What the kernel records: rules that are added are a question, fewer of them are more than that. */
function auditing({ name, args, scope }: Call): undefined {
  const options = splitOptions(args, wordSet('-a -A -b -d -e -f -F -S -w -W -p -k -r -R -t --backlog_wait_time'))
  if (optionValue(options, '-e') === '0' || has(options, '-D', '-d', '-W'))
    return said(scope, 68, `${name}: records less of what is done`)
  const isAsked = args.length > 0 && options.flags.every((flag) => /^-[lsvhk]$|^--(version|help)$/.test(flag))
  return said(scope, isAsked ? 10 : 50, `${name}: ${isAsked ? 'lists rules' : 'changes what is recorded'}`)
}

/** `asks` fits the first word of a call that only asks. */
function fixed(score: number, why: string, asks?: RegExp): Program {
  return ({ name, args, scope }) => {
    if (asks?.test(args[0] ?? '')) return said(scope, 12, `${name}: asks`)
    const isHelp = (args.length === 1 && /^(-V|-h)$/.test(args[0] ?? '')) || onlyTells(args)
    // `format` and its kin are words for other things: without a device they do nothing.
    if (!isHelp && score === FORMATS && !args.some(isDevice))
      return said(scope, args.length > 0 && name !== 'format' ? 66 : 12, `${name}: names no device`)
    return said(scope, isHelp ? 6 : score, `${name}: ${isHelp ? 'shows its help' : why}`)
  }
}

/** `kill $(lsof -ti :5432)`: a question only where it is done with the rights of another account. */
export const ENDS_FOUND = 'kill: ends processes that are found at run time'

function kill({ args, scope, stdin }: Call): Stream | undefined {
  if (/^-[lL0]$/.test(args[0] ?? '')) return said(scope, 8, 'kill: asks')
  const targets = args.filter((arg, i) => !(i === 0 && arg.startsWith('-')))
  if (opensDebugger(args) && !targets.every((target) => isOwnJob(target) || isDebuggerSignal(target)))
    return said(scope, INTO_PROCESS, 'kill: opens the debugger of a process that may be another one')
  // `ps | kill` of PowerShell: every process that is listed.
  if (targets.length === 0 && stdin.kind !== 'none') return said(scope, 66, 'kill: ends the processes that it is given')
  return said(
    scope,
    targets.some((pid) => pid === '-1' || pid === '1' || pid === '0')
      ? 86
      : targets.some((pid) => /^-\d/.test(pid))
        ? 48
        : 28,
    targets.some(isUnknown) ? ENDS_FOUND : 'kill: ends processes',
  )
}

function unmount({ name, args, scope }: Call): Stream | undefined {
  return said(
    scope,
    args.some((arg) => /^-[a-z]*[lf]|^--(lazy|force|all)$|^-a$/.test(arg)) ? 62 : 45,
    `${name}: changes what is mounted`,
  )
}

/** `init 0`: a run level is a digit; every other word is the name of something. */
function runLevel({ name, args, scope }: Call): Stream | undefined {
  const isLevel = args.some((arg) => /^([0-6]|[sSqQuU])$/.test(known(arg)) || isUnknown(arg))
  return said(scope, isLevel ? 80 : 12, `${name}: ${isLevel ? 'stops the machine' : 'nothing to do'}`)
}

/** What the machine or others need; the rest is mostly what a developer started. */
const SERVICES =
  /^-?(systemd|init|launchd|sshd?|dbus|NetworkManager|cron|rsyslog|auditd|falco|clamd|firewalld|docker|containerd|kubelet|postgres|mysql|mariadb|mongo|redis-server|oracle|sqlservr|nginx|apache|httpd|haproxy|rabbitmq|kafka|elastic|etcd|consul|vault|Xorg|Xwayland|gnome|kwin|plasma|Finder|WindowServer|loginwindow|explorer|svchost|lsass|csrss|winlogon|mcpaql|postmaster|beam\.smp|named|bind|ntpd|chronyd)/i

function killByName({ name, args, scope }: Call): Stream | undefined {
  const options = splitOptions(
    args,
    wordSet('-u -U -g -G -P -t -s --signal --user -F --pidfile -o --older-than -y --younger-than'),
  )
  if (onlyTells(args, '-l --list -0 --help --version -V')) return said(scope, 8, `${name}: asks`)
  if (has(options, '-u', '-U', '-G', '--user', '--uid', '--euid'))
    note(scope.ledger, 64, `${name}: ends every process of a user`)
  if (
    opensDebugger(args) &&
    (args.some((arg) => /^-\w*f/.test(arg)) || options.operands.some((one) => MAY_BE_NODE.test(known(one))))
  )
    return said(scope, INTO_PROCESS, `${name}: opens the debugger of a process`)
  const isWide = options.operands.some((pattern) => /^[.*^$]*$/.test(known(pattern)))
  const isService = options.operands.some((pattern) => SERVICES.test(known(pattern)))
  return said(scope, isWide ? 80 : isService ? 64 : 30, `${name}: ends processes by name`)
}

const PARTITION_REHEARSALS: ReadonlyMap<string, string> = new Map([
  ['sgdisk', '--pretend'],
  ['sfdisk', '--no-act'],
  ['fsck', '-N'],
])

/** Words of calls that only list: what to list, of which device, in which unit. */
const LISTING =
  /^(-l|--list|-n|-p|-s|-m|-x|--script|--machine|--version|--help|print|list|info|free|all|unit|[skMGT]?i?B|devices|apfs|-plist|-all|external|internal|physical|\d+|\/\S*|r?disk\w*)$/

/** A file that holds the image of a disk. */
const IMAGE = /^[\w./-]*\w\.(img|iso|raw|bin|qcow2|vmdk|vdi)$/

function partition({ name, args, scope }: Call): Stream | undefined {
  const rehearsal = PARTITION_REHEARSALS.get(name)
  if (rehearsal !== undefined && onlyPretends(args, { names: rehearsal }))
    return said(scope, 12, `${name}: a rehearsal`)
  const reads =
    (args.some((arg) => /^(-l|--list|-n|print|list|info|-p|--version|--help)$/.test(arg)) &&
      args.every((arg) => LISTING.test(arg) || (/^(-l|--list)$/.test(args[0] ?? '') && IMAGE.test(arg)))) ||
    (args.length === 0 && name === 'diskutil')
  if (!reads) for (const arg of args.filter((word) => word.startsWith('/dev/'))) act(scope, name, 'destroy', arg)
  return said(scope, reads ? 12 : 80, `${name}: ${reads ? 'lists partitions' : 'changes partitions or file systems'}`)
}

function crontab({ args, scope, stdin }: Call): Stream | undefined {
  if (args.includes('-l')) return said(scope, 8, 'crontab: lists jobs')
  if (args.some((arg) => /^-[a-z]*r/.test(arg))) return said(scope, 76, 'crontab: deletes all jobs')
  if (stdin.kind === 'text')
    for (const line of stdin.text.split('\n')) scope.runText(line.replace(/^(\S+\s+){5}|^@\w+\s+/, ''), scope, ANYTHING)
  if (args.includes('-e')) return said(scope, 55, 'crontab: opens what runs later in an editor')
  return said(scope, 66, 'crontab: changes what runs later')
}

function firewall({ name, args, scope }: Call): Stream | undefined {
  const options = splitOptions(args)
  if (
    has(options, '-F', '--flush', '-X', '-D', '--delete', '-P') ||
    args.some((arg) => /^(flush|delete|destroy)$/.test(arg))
  )
    return said(scope, 76, `${name}: changes the firewall`)
  const isListed = has(options, '-L', '--list', '-S', '--list-rules') || args.includes('list')
  const isChanged = has(options, '-A', '--append', '-I', '--insert', '-R', '--replace', '-N', '-Z')
  return isListed && !isChanged
    ? said(scope, 10, `${name}: lists rules`)
    : said(scope, 66, `${name}: changes the firewall`)
}

/** It asks before it replaces a key: what it is given as an answer replaces it. */
function makeKeys({ name, args, scope, stdin }: Call): Stream | undefined {
  const isAsked = args.some((arg) => /^-[lFyB]$/.test(arg))
  const file = args[args.indexOf('-f') + 1]
  if (!isAsked && args.includes('-f') && file !== undefined && stdin.kind !== 'none') act(scope, name, 'write', file)
  return said(scope, isAsked ? 10 : args.includes('-R') ? 62 : 30, `${name}: keys`)
}

function openssl({ scope, args }: Call): Stream | undefined {
  for (const [at, flag] of args.entries())
    if (/^-(out|keyout|writerand|CAserial)$/.test(flag)) act(scope, 'openssl', 'write', args[at + 1] ?? '')
  return said(scope, args[0] === 'enc' ? 24 : 18, 'openssl: keys, certificates and digests')
}

function gpg({ name, args, scope }: Call): Stream | undefined {
  const options = splitOptions(args)
  if (options.flags.some((flag) => flag.startsWith('--delete'))) return said(scope, 72, `${name}: deletes keys`)
  if (has(options, '--export-secret-keys', '--export-secret-subkeys'))
    return said(scope, 66, `${name}: writes secret keys`)
  return said(
    scope,
    options.flags.some(
      (flag) => flag.startsWith('--list') || flag === '-k' || flag === '--verify' || flag === '--version',
    )
      ? 8
      : 28,
    `${name}: keys, signatures, encryption`,
  )
}

function said(scope: Call['scope'], score: number, why: string): undefined {
  note(scope.ledger, score, why)
  return undefined
}
