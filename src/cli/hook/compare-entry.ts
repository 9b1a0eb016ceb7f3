import { type Fields, isFields } from './edit-settings.ts'

/** Where an entry is not what install writes, in words; empty when it means the same. */
export function differencesOf(found: unknown, expected: unknown, at = ''): readonly string[] {
  if (isFields(found) && isFields(expected)) return fieldDifferences(found, expected, at)
  if (Array.isArray(found) && Array.isArray(expected) && found.length === expected.length)
    return found.flatMap((item, i) => differencesOf(item, expected[i], at))
  if (Array.isArray(found) && Array.isArray(expected))
    return [`${at || 'the entry'} holds ${found.length} commands, install writes ${expected.length}`]
  return found === expected ? [] : [`${at || 'the entry'} is ${shown(found)}, install writes ${shown(expected)}`]
}

function fieldDifferences(found: Fields, expected: Fields, at: string): readonly string[] {
  const names = [...new Set([...Object.keys(found), ...Object.keys(expected)])]
  return names.flatMap((name) => {
    const path = at === '' || at === 'hooks' ? name : `${at}.${name}`
    if (!Object.hasOwn(expected, name)) return [`${path} is ${shown(found[name])}, install writes no such key`]
    if (!Object.hasOwn(found, name)) return [`${path} is missing, install writes ${shown(expected[name])}`]
    return differencesOf(found[name], expected[name], path)
  })
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 400 ? `${text.slice(0, 400)}…` : text
}
