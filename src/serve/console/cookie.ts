import { SIGN_IN } from './sign-ins.ts'

/** Cookies know no ports, so the name carries it: two consoles on one computer do not sign each other out. */
export function cookieName(port: number): string {
  return `mcpaql_console_${port}`
}

export function setCookie(name: string, value: string): string {
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${SIGN_IN.absoluteMs / 1_000}`
}

export function clearCookie(name: string): string {
  return `${name}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`
}

export function readCookie(header: string | undefined, name: string): string | undefined {
  const found = header?.split(';').map((pair) => pair.trim().split('=', 2))
  return found?.find(([key]) => key === name)?.[1]
}
