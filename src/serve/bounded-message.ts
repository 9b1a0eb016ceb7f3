/**
 * The SDK reads all of a message with its schemas, which takes long for many values, and a session keeps what its client
 * said of itself. What may be large is the arguments of a tool, and those are ours to read.
 */
const MOST_VALUES = 500
const MOST_CHARACTERS = 32_768

export const TOO_MUCH = `All of a message but the arguments of tools/call may hold ${MOST_VALUES} values and ${MOST_CHARACTERS} characters`

/** Nested no deeper than the bytes may be. */
export function isBounded(message: Readonly<Record<string, unknown>>): boolean {
  const room: Room = { values: MOST_VALUES, characters: MOST_CHARACTERS }
  if (message.method !== 'tools/call') return fits(message, room)
  return membersFit(message, room, 'params') && membersFit(message.params, room, 'arguments')
}

interface Room {
  values: number
  characters: number
}

function fits(value: unknown, room: Room): boolean {
  if (typeof value === 'string') room.characters -= value.length
  if (--room.values < 0 || room.characters < 0) return false
  if (Array.isArray(value)) return value.every((each) => fits(each, room))
  return typeof value !== 'object' || value === null || membersFit(value, room)
}

function membersFit(value: unknown, room: Room, but?: string): boolean {
  for (const key in value as Readonly<Record<string, unknown>>) {
    if (key === but) continue
    room.characters -= key.length
    if (!fits((value as Readonly<Record<string, unknown>>)[key], room)) return false
  }
  return true
}
