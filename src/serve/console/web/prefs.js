// @ts-check
/** What the operator likes. Nothing foreign and nothing secret is ever kept in the browser. */
const KEY = 'mcpaql-console-prefs'

/** @type {{ utc: boolean, keys: boolean }} */
export const prefs = { utc: false, keys: true, ...read() }

/** @param {'utc' | 'keys'} name @param {boolean} value */
export function setPref(name, value) {
  prefs[name] = value
  try {
    localStorage.setItem(KEY, JSON.stringify({ utc: prefs.utc, keys: prefs.keys }))
  } catch {
    // Without storage it holds until the page is closed.
  }
}

function read() {
  try {
    const { utc, keys } = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    return { utc: utc === true, keys: keys !== false }
  } catch {
    return {}
  }
}
