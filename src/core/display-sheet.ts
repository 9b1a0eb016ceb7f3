import { codeOf } from './display-character.ts'

/**
 * Foreign text as it may be shown to a human who decides by it (DNG-17): what cannot be seen is written out, what looks
 * like something else is marked, and two different texts never look equal. No segment holds a control character.
 */
export interface Displayed {
  readonly segments: readonly Segment[]
  /** There is something that a screen would not show, or would obey. */
  readonly hidden: boolean
  /** There is something that looks like something else. */
  readonly alike: boolean
  /** The scripts of its letters, in order of appearance; more than one is worth a look. */
  readonly scripts: readonly string[]
}

export interface Segment {
  /** `escape` stands for a character that is not shown itself; `alike` shows it, with its code behind. */
  readonly kind: 'text' | 'escape' | 'alike'
  readonly text: string
  readonly name?: string
}

/** Where segments are collected. Foreign characters come here only after they were judged. */
export interface Sheet {
  plain(text: string): void
  /** Shown by its code alone. */
  escape(letter: string, name: string, flag?: Flag): void
  /** Shown, and its code behind. */
  alike(letter: string, name: string): void
  mark(text: string, name: string): void
  script(name: string | undefined): void
  done(): Displayed
}

type Flag = 'hidden' | 'alike'

export function createSheet(): Sheet {
  const segments: Segment[] = []
  const flags = new Set<Flag>()
  const scripts = new Set<string>()
  let pending = ''
  const push = (segment: Segment) => {
    if (pending !== '') segments.push({ kind: 'text', text: pending })
    pending = ''
    segments.push(segment)
  }
  return {
    plain: (text) => {
      pending += text
    },
    escape: (letter, name, flag) => {
      if (flag) flags.add(flag)
      push({ kind: 'escape', text: `⟨${codeOf(letter)} ${name}⟩`, name })
    },
    alike: (letter, name) => {
      flags.add('alike')
      push({ kind: 'alike', text: `${letter}⟨${codeOf(letter)}⟩`, name })
    },
    mark: (text, name) => push({ kind: 'escape', text, name }),
    script: (name) => {
      if (name !== undefined) scripts.add(name)
    },
    done: () => {
      if (pending !== '') segments.push({ kind: 'text', text: pending })
      pending = ''
      return { segments, hidden: flags.has('hidden'), alike: flags.has('alike'), scripts: [...scripts] }
    },
  }
}
