// @ts-check
/** What the operator likes. Nothing foreign and nothing secret is kept beyond the tab. */
const KEY = 'mcpaql-console-prefs'

/** @type {{ utc: boolean, keys: boolean, notices: boolean }} */
export const prefs = { utc: false, keys: true, notices: false, ...read() }

/** @param {'utc' | 'keys' | 'notices'} name @param {boolean} value */
export function setPref(name, value) {
  prefs[name] = value
  try {
    localStorage.setItem(KEY, JSON.stringify(prefs))
  } catch {
    // Without storage it holds until the page is closed.
  }
}

function read() {
  try {
    const { utc, keys, notices } = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    return { utc: utc === true, keys: keys !== false, notices: notices === true }
  } catch {
    return {}
  }
}
