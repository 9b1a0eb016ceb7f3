import { act } from './actions.ts'
import { commandLine } from './judge-verbs.ts'
import { note } from './ledger.ts'
import { has, splitOptions, words } from './options.ts'
import type { Call, Program, Programs } from './program.ts'
import { ANYTHING, type Stream } from './scope.ts'

/** Programs that are one thing whatever follows: what they are worth, and why. */
const FIXED: readonly (readonly [names: string, score: number, why: string, asks?: RegExp])[] = [
  [
    'mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkfs.f2fs mke2fs mkswap newfs mkdosfs format',
    95,
    'makes a new file system over the old one',
  ],
  ['cryptsetup', 80, 'works on a device', /^(status|luksDump|isLuks|luksUUID|benchmark|--test-passphrase)$/],
  ['hdparm', 80, 'works on a device', /^-[IigtTCH]+$/],
  ['nvme', 80, 'works on a device', /^(list\S*|id-\S+|\S+-log|get-\S+|show-\S+|error-log|smart-log|version)$/],
  ['luksFormat sg_format badblocks', 80, 'works on a device'],
  ['reboot shutdown poweroff halt init telinit kexec', 80, 'stops the machine'],
  ['userdel groupdel deluser delgroup', 75, 'deletes a user or group'],
  [
    'useradd adduser groupadd addgroup usermod groupmod chpasswd gpasswd vipw chsh chfn newusers',
    66,
    'changes users, groups or their rights',
  ],
  ['chage', 66, 'changes when a password ends', /^(-l|--list)$/],
  ['passwd', 66, 'changes a password or locks a user', /^(-S|--status)$/],
  ['visudo', 66, 'changes rights', /^(-c|--check)$/],
  ['umount swapoff swapon losetup', 50, 'changes what is mounted'],
  ['insmod rmmod modprobe depmod', 66, 'changes the kernel'],
  ['setenforce semanage aa-disable aa-complain aa-teardown', 72, 'weakens the protection of the system'],
  ['killall pkill xkill skill', 62, 'ends processes by name'],
  ['renice', 32, 'changes the priority of processes'],
  ['mail mailx sendmail mutt msmtp swaks', 50, 'sends mail'],
  ['wall write mesg', 40, 'writes to other users'],
  ['ssh-copy-id', 58, 'gives a key access to another machine'],
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
  ['xdg-open open gnome-open start', 26, 'opens something in a program'],
  ['notify-send', 12, 'shows a message'],
  ['telinit', 80, 'stops the machine'],
  ['mogrify', 40, 'changes pictures in place'],
  [
    'updatedb pdftk qpdf convert magick ffmpeg pandoc inkscape gs sox lame wkhtmltopdf latex pdflatex xelatex dot gnuplot asciidoctor sphinx-build mkdocs',
    22,
    'writes a file from another',
  ],
  ['mplayer mpv vlc play aplay', 12, 'plays'],
  ['logger', 24, 'writes to the log'],
]

export const ADMIN_PROGRAMS: Programs = [
  ...FIXED.flatMap(([names, score, why, asks]) => words(names).map((name) => [name, fixed(score, why, asks)] as const)),
  ['kill', kill],
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
  ...words('iptables ip6tables ebtables nft pfctl ipset').map((name) => [name, firewall] as const),
  ['gpg', gpg],
  ['gpg2', gpg],
  ['openssl', openssl],
  [
    'ssh-keygen',
    ({ scope, args }) =>
      said(scope, args.some((arg) => /^-[lFyB]$/.test(arg)) ? 10 : args.includes('-R') ? 62 : 30, 'ssh-keygen: keys'),
  ],
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
      verbs: { read: 'list print', change: 'kickstart', create: 'load bootstrap', destroy: 'unload bootout remove' },
    }),
  ],
  [
    'systemctl',
    commandLine({
      verbs: {
        read: 'status show list-units list-unit-files is-active is-enabled is-failed cat list-timers list-dependencies list-sockets get-default show-environment --failed',
        create: 'start enable daemon-reload',
        change: 'restart reload edit set-default',
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
    commandLine({ verbs: { change: 'allow deny limit enable reject', stop: 'disable', destroy: 'delete reset' } }),
  ],
  [
    'firewall-cmd',
    commandLine({
      verbs: { read: '--state --list-all --list-all-zones --get-active-zones --get-zones --get-default-zone' },
    }),
  ],
]

/** `asks` fits the first word of a call that only asks. */
function fixed(score: number, why: string, asks?: RegExp): Program {
  return ({ name, args, scope }) => {
    if (asks?.test(args[0] ?? '')) return said(scope, 12, `${name}: asks`)
    const isHelp = args.length === 1 && /^(--help|--version|-V|-h)$/.test(args[0] ?? '')
    return said(scope, isHelp ? 6 : score, `${name}: ${isHelp ? 'shows its help' : why}`)
  }
}

function kill({ args, scope }: Call): Stream | undefined {
  if (args.includes('-l') || args.includes('-0') || args.includes('-L')) return said(scope, 8, 'kill: asks')
  const targets = args.filter((arg, i) => !(i === 0 && arg.startsWith('-')))
  return said(
    scope,
    targets.some((pid) => pid === '-1' || pid === '1' || pid === '0') ? 86 : 48,
    'kill: ends processes',
  )
}

function partition({ name, args, scope }: Call): Stream | undefined {
  const reads =
    args.some((arg) => /^(-l|--list|-n|print|list|info|-p|--version|--help)$/.test(arg)) ||
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
  if (has(options, '-L', '--list', '-S', '--list-rules') || (args.includes('list') && !args.includes('flush')))
    return said(scope, 10, `${name}: lists rules`)
  return said(
    scope,
    has(options, '-F', '--flush', '-X', '-D', '--delete', '-P') ||
      args.some((arg) => /^(flush|delete|destroy)$/.test(arg))
      ? 76
      : 66,
    `${name}: changes the firewall`,
  )
}

function openssl({ scope, args }: Call): Stream | undefined {
  const at = args.indexOf('-out')
  if (at >= 0) act(scope, 'openssl', 'write', args[at + 1] ?? '')
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
