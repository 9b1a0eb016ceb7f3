/**
 * The format `url` of ajv-formats, in linear time: its own expression takes every `:` and `@` for the end of what stands
 * before a host, one by one, each time looking through the rest of the text.
 */
export function isUrl(text: string): boolean {
  const scheme = /^(?:https?|ftp):\/\//i.exec(text)
  if (!scheme || /\s/.test(text)) return false
  const start = scheme[0].length
  if (isHostAt(text, start)) return true
  for (let at = text.indexOf('@', start + 1); at >= 0; at = text.indexOf('@', at + 1)) {
    if (isHostAt(text, at + 1)) return true
  }
  return false
}

function isHostAt(text: string, start: number): boolean {
  HOST.lastIndex = start
  return HOST.test(text)
}

/** A public address or a name, perhaps a port, and a path. A name ends before the next `@`. */
const HOST =
  /(?:(?!(?:10|127)(?:\.\d{1,3}){3})(?!(?:169\.254|192\.168)(?:\.\d{1,3}){2})(?!172\.(?:1[6-9]|2\d|3[0-1])(?:\.\d{1,3}){2})(?:[1-9]\d?|1\d\d|2[01]\d|22[0-3])(?:\.(?:1?\d{1,2}|2[0-4]\d|25[0-5])){2}(?:\.(?:[1-9]\d?|1\d\d|2[0-4]\d|25[0-4]))|(?:(?:[a-z0-9\u{00a1}-\u{ffff}]+-)*[a-z0-9\u{00a1}-\u{ffff}]+)(?:\.(?:[a-z0-9\u{00a1}-\u{ffff}]+-)*[a-z0-9\u{00a1}-\u{ffff}]+)*(?:\.(?:[a-z\u{00a1}-\u{ffff}]{2,})))(?::\d{2,5})?(?:\/|$)/iuy
