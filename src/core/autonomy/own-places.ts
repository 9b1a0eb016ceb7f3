/** Files and folders that the running server itself uses. Of a path that ends with `/` all that lies below it is meant. */
export interface OwnPlaces {
  /** What is written there changes what is asked, or runs when the server starts again. */
  readonly trusted: readonly string[]
  /** What is read there shows keys and what was approved. */
  readonly secret: readonly string[]
  /** Where it answers, besides the usual ports. */
  readonly ports?: readonly number[]
  /** The folder that a call works in, where it is known. */
  readonly folder?: string
}

export const NO_PLACES: OwnPlaces = Object.freeze({ trusted: Object.freeze([]), secret: Object.freeze([]) })

/** True for an absolute path that is one of the places, or lies in one. */
export function isAmong(full: string, places: readonly string[]): boolean {
  return places.some((place) =>
    place.endsWith('/')
      ? full.startsWith(place) && full.length > place.length && !KEPT_FOR_SPEED.test(full.slice(place.length))
      : full === place,
  )
}

/** What build tools keep among the packages; programs and packages themselves are found elsewhere. */
const KEPT_FOR_SPEED = /^\.(?!bin\/|pnpm\/)/

/** As a call sees them whose folder stands for another one: the folder that it works in is no place of the server's. */
export function seenFrom(places: OwnPlaces, folder: string, standsFor: string): OwnPlaces {
  const seen = (all: readonly string[]) =>
    all
      .filter((place) => !place.endsWith('/') || ![folder, standsFor].some((one) => `${one}/`.startsWith(place)))
      .flatMap((place) =>
        folder !== '' && place.startsWith(`${folder}/`) ? [place, standsFor + place.slice(folder.length)] : [place],
      )
  return { trusted: seen(places.trusted), secret: seen(places.secret) }
}
