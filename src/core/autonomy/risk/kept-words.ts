import { wordSet } from './options.ts'
import { partsOf } from './verbs.ts'

/**
 * True where a text is written for people or looked for, by the own name of the tool and by the key that it stands
 * under. The label of a server says nothing: `docker` is no server of documents.
 */
export function isKeptText(tool: string, key: string): boolean {
  const parts = partsOf(tool)
  if (parts.some((part) => RUNS.has(part))) return false
  if (SPOKEN_KEYS.has(key) && parts.some((part) => KEEPS.has(part) || KEEPS.has(part.replace(/s$/, '')))) return true
  return SOUGHT_KEYS.has(key) && parts.some((part) => SEEKS.has(part))
}

/** True where a text that is looked for may be a statement of a database or an expression all the same. */
export function asksForData(tool: string, key: string): boolean {
  const parts = partsOf(tool)
  return (
    SOUGHT_KEYS.has(key) && parts.some((part) => ASKS_DATA.has(part)) && !parts.some((part) => SEEKS_WORDS.has(part))
  )
}

const ASKS_DATA = wordSet('query find fetch ask')
const SEEKS_WORDS = wordSet('search grep lookup docs library context resolve')

/** Words in names of tools that keep words or send them to people. */
const KEEPS =
  wordSet(`issue comment message note doc document page mail email post review pull pr request ticket memo memory chat slack wiki
  card todo task reply thread discussion channel draft event calendar reminder blog article story epic release changelog commit
  branch gist label milestone entity entitie observation relation thought thinking sequentialthinking summary knowledge graph
  file notebook markdown`)
/** Words in names of tools that look for words. */
const SEEKS = wordSet('search find grep lookup query ask docs context library resolve fetch')
/** Words in names of tools that run what they are given. */
const RUNS = wordSet(
  'run exec execute eval evaluate shell bash terminal term command cmd script console ssh repl keys stdin process spawn',
)

/** Keys of what is written for people or into files. */
export const SPOKEN_KEYS: ReadonlySet<string> =
  wordSet(`content contents new_string old_string new_source new_str old_str file_text text description prompt message title body comment
  explanation instruction instructions output_mode summary note notes thought observation observations markdown subject reason
  edits blocks`)
const SOUGHT_KEYS = wordSet(
  'query q pattern regex text search term terms keyword keywords search_term search_query question topic',
)
