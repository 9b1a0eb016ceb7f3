/**
 * A text as an address; undefined when it is none. A host so long that no network knows it is no address either: turning
 * one of another script into the network's spelling takes time that grows with the square of its length.
 */
export function parseUrl(text: string): URL | undefined {
  return hasShortHost(text) && URL.canParse(text) ? new URL(text) : undefined
}

/** With user, password and port. A name has 253 characters at most. */
const MOST_CHARACTERS = 2_000

/** Only these schemes have hosts that are spelled anew; line ends and tabs are left out wherever they stand. */
export function hasShortHost(text: string): boolean {
  if (text.length <= MOST_CHARACTERS) return true
  const plain = text.replaceAll(/[\t\n\r]/g, '')
  const scheme = /^[\0-\x20]*(?:https?|wss?|ftp|file):[/\\]*/i.exec(plain)
  if (!scheme) return true
  const end = plain.slice(scheme[0].length).search(/[/\\?#]/)
  return (end < 0 ? plain.length - scheme[0].length : end) <= MOST_CHARACTERS
}
