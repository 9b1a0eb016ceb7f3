import { Buffer } from 'node:buffer'
import { fromBase32 } from './filters.ts'

const MOST_TOKENS = 12

/** What a text may be in disguise: every common way to write letters as something else, undone. */
export function decodedOf(text: string): readonly string[] {
  return [...new Set([...pieces(text), ...wholes(text)])].filter((one) => one.length > 3 && one !== text)
}

/** Parts of the text that are letters in another notation. */
function pieces(text: string): readonly string[] {
  return [
    ...found(text, /[A-Za-z\d+/_-]{8,}={0,2}/g, (token) => Buffer.from(token, 'base64').toString('latin1')),
    ...found(text, /[A-Z2-7]{16,}=*/g, (token) => fromBase32(token) ?? ''),
    ...found(text, /(?:[\da-f]{2}){4,}/gi, (token) => Buffer.from(token, 'hex').toString('latin1')),
    ...found(text, /(?:(?:\\{1,16}x|\\{1,16}u00|%|=|0x|&#x|U\+00)[\da-f]{2}[;, ]{0,2}){4,}/gi, (token) =>
      letters(token.match(/[\da-f]{2}(?=[;, ]|\\|%|=|0x|&|U|$)/gi) ?? [], 16),
    ),
    ...found(text, /(?:\\{1,16}0?[0-7]{3}){4,}/g, (token) => letters(token.match(/[0-7]{3}(?=\\|$)/g) ?? [], 8)),
    ...found(text, /\d{2,3}(?:[\s,;]{1,2}\d{2,3}){3,}/g, (token) => letters(token.match(/\d+/g) ?? [], 10)),
    ...found(text, /\d{2,3}(?:[\s,;]{1,2}\d{2,3}){3,}/g, (token) => letters(token.match(/\d+/g) ?? [], 8)),
  ]
}

function found(text: string, pattern: RegExp, decode: (token: string) => string): readonly string[] {
  return (text.match(pattern) ?? [])
    .slice(0, MOST_TOKENS)
    .map((token) => decode(token).replaceAll('\0', ''))
    .filter((one) => PRINTED.test(one))
}

const PRINTED = /^[\t\n\r\x20-\x7e]*$/

function letters(numbers: readonly string[], base: number): string {
  const points = numbers.map((number) => Number.parseInt(number, base))
  return points.every((point) => point < 0x7f) ? String.fromCharCode(...points.slice(0, 2_000)) : ''
}

/** The whole text read another way. */
function wholes(text: string): readonly string[] {
  const sign = /([^\w\s\\/])(?:.\1){3,}/.exec(text)?.[1]
  return [
    Array.from(text).reverse().join(''),
    text.replaceAll(/[a-z]/gi, (char) =>
      String.fromCharCode(char.charCodeAt(0) + (char.toLowerCase() < 'n' ? 13 : -13)),
    ),
    ...(sign === undefined ? [] : [text.replaceAll(sign, '')]),
  ]
}
