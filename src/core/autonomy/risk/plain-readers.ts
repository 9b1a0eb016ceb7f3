import { wordSet } from './options.ts'

/** Readers that only read, whatever their options, but for those that the tables of readers name. */
export const PLAIN_READERS =
  wordSet(`ls dir vdir exa eza lsd cat bat batcat tac head tail zcat bzcat xzcat lz4cat zstdcat gzcat nl od hexdump hd
  strings file stat wc du df cksum sum md5 md5sum sha1sum sha224sum sha256sum sha384sum sha512sum shasum b2sum crc32 grep egrep
  fgrep rgrep zgrep zegrep zfgrep bzgrep xzgrep rg ag pdfgrep look locate mlocate plocate which whereis whatis apropos cut
  paste comm diff diff3 cmp colordiff delta zdiff icdiff wdiff uniq tr rev fold fmt pr expand unexpand column tsort seq basename
  dirname realpath readlink pwd logname id groups whoami who w users last uname arch hostid nproc lscpu lsblk lspci
  lsusb lsmod lsof lsattr getfacl getfattr findmnt free uptime ps pgrep pidof pstree env printenv locale getconf getent cal ncal
  expr factor numfmt jq sleep yes true false test tput clear base64 base32 sed gsed awk gawk mawk nawk tee sponge date sort shuf
  journalctl dmesg mdfind pbpaste wl-paste dpkg-query stty ulimit fuser tree glow difft`)

/** Readers whose words are texts that they look for, print or keep: what these say is done by nobody. */
export const KEEPS_WORDS = wordSet(
  'ack agrep ugrep tldr cowsay figlet banner lolcat fortune say htmlq pup gron units csvgrep',
)
