import { PROGRAMS } from './programs.ts'

export function isProgram(word: string): boolean {
  return PROGRAMS.has(nameOf(word))
}

export function programOf(word: string): string | undefined {
  const name = nameOf(word)
  return PROGRAMS.has(name) ? name : undefined
}

/** `/usr/bin/rm`, `rm.exe`, `RM` where letters do not differ. */
export function nameOf(word: string): string {
  if (word.includes(' ')) return word
  const base = word.slice(word.lastIndexOf('/') + 1)
  if (PROGRAMS.has(base)) return base
  const versioned = /^(python|pip|ruby|perl|php|node|lua|gcc|clang|pypy)[\d.-]+$/.exec(base)?.[1]
  if (versioned !== undefined) return versioned
  const bare = base.toLowerCase().replace(/\.(exe|cmd|bat)$/, '')
  if (PROGRAMS.has(bare)) return bare
  const tool = base.includes('-') ? base.replace(/\.sh$/, '') : base
  if (PROGRAMS.has(tool)) return tool
  const cross = /^[\w]+(?:-[\w]+)+-(gcc|g\+\+|ld|ar|as|objcopy|objdump|size|nm|strip|readelf|gdb)$/.exec(base)?.[1]
  if (cross !== undefined) return cross
  if (base.startsWith('qemu-system-')) return 'qemu-system'
  if (base.startsWith('kafka-')) return 'kafka-topics'
  return base.startsWith('mkfs') ? 'mkfs' : base
}
