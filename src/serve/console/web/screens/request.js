// @ts-check
/** One request: facts first, every bound value in full, then the decision. */
import { get } from '../api.js'
import { clock, minutes, number, plural, serverNow } from '../clock.js'
import { closeDialogs } from '../dialog.js'
import { address, h, icon, one, say } from '../dom.js'
import { downloadButton } from '../download.js'
import { isLive } from '../live.js'
import {
  button,
  card,
  claim,
  diffLine,
  facts,
  historyList,
  levelTag,
  note,
  tag,
  targetOf,
  traceList,
  whence,
} from '../parts.js'
import { isDeceptive, nodes, plain, value } from '../text.js'
import { openItems } from '../waiting.js'
import { askApprove, askDeny, decide } from './decide.js'
import { gateOf, panelParts } from './decision-panel.js'
import { watchEnds } from './ends-seen.js'
import { restOfValue } from './rest-of-value.js'

/** @param {string | undefined} id */
export async function open(id) {
  const body = h('div')
  /** @type {any} */
  let request = await get(`/api/requests/${id}`)
  /** What the operator has seen of this version, and since when it is on the screen. */
  let seen = unseen()
  let stopWatching = () => {}
  let warned = false
  /** Why the last decision did not count, or may not have. @type {string | undefined} */
  let trouble
  /** After a decision the focus belongs on its result, whoever paints it. */
  let wantsFocus = false

  const gate = () => gateOf(request, seen)

  const paintPanel = () => {
    const panel = one('.decide', body)
    if (!panel) return
    panel.className = `decide ${request.state}`
    panel.replaceChildren(...panelParts(request, seen, { approve, deny, takeBack: () => decided('revoke') }))
    if (trouble) panel.prepend(note('bad', 'warn', trouble))
    if (wantsFocus && request.state !== 'pending') one('h2', panel)?.focus()
  }

  const refreshGate = () => {
    const line = one('#gate', body)
    if (!line) return
    const why = gate()
    line.className = `gate ${why === '' ? 'ok' : ''}`
    line.replaceChildren(icon(why === '' ? 'check' : 'eye'), h('span', null, why || 'You have seen every value.'))
    for (const each of body.querySelectorAll('[data-gated]')) {
      if (why === '') each.removeAttribute('aria-disabled')
      else each.setAttribute('aria-disabled', 'true')
    }
  }

  const paint = () => {
    stopWatching()
    seen = { ...unseen(), isSent: seen.isSent }
    body.replaceChildren(
      ...page(request, () => {
        seen.downloaded = true
        refreshGate()
      }),
    )
    paintPanel()
    stopWatching = watchEnds(body, (name) => {
      seen.ends.add(name)
      refreshGate()
    })
    setTimeout(refreshGate, 1_050)
  }

  /** After any doubt the page is read again, and unread starts again when the request has changed. */
  const refetch = async (isIdle = true) => {
    const before = request
    request = await get(`/api/requests/${id}`, { idle: isIdle })
    if (request.version !== before.version || request.params_hash !== before.params_hash) {
      closeDialogs()
      const isOpen = request.state === 'pending' && before.state === 'pending'
      if (isOpen) paint()
      else paintPanel()
    } else if (request.state !== before.state) paintPanel()
  }

  /** @param {'approve' | 'deny' | 'revoke'} decision */
  const decided = async (decision, more = {}) => {
    if (seen.isSent) return
    wantsFocus = true
    seen.isSent = true
    trouble = undefined
    paintPanel()
    trouble = await decide(request, decision, more)
    await refetch(false).catch(() => {})
    seen.isSent = false
    paintPanel()
    one('.decide h2', body)?.focus()
    setTimeout(() => {
      wantsFocus = false
    }, 2_000)
  }

  /** @param {boolean} isSession */
  const approve = (isSession) => {
    const why = gate()
    if (why !== '') {
      say(why)
      leadToUnread(body, seen.ends)
      return
    }
    askApprove(request, isSession, (more) => decided('approve', more))
  }
  const deny = () => {
    if (isLive() && !seen.isSent) askDeny(request, (more) => decided('deny', more))
  }

  const step = (/** @type {number} */ by) => {
    const items = openItems()
    const next = items[items.findIndex((item) => item.id === request.id) + by]
    if (next) location.hash = address('r', next.id)
  }

  return {
    title: plain(request.operation),
    body,
    keys: {
      a: () => canDecide(request) && one('#approve', body) && approve(false),
      d: () => canDecide(request) && one('#deny', body) && deny(),
      ']': () => step(1),
      '[': () => step(-1),
    },
    onShown: paint,
    onHappening: (/** @type {any} */ event) => {
      if (event.id === request.id || event.kind === 'all') void refetch().catch(() => {})
    },
    onConnection: paintPanel,
    onTick: () => {
      const left = request.expires_at - serverNow()
      if (request.state === 'pending' && left <= 60_000 && left > 0 && !warned) {
        warned = true
        say('One minute left to decide.')
      }
      if ((request.state === 'pending' || request.state === 'approved') && left <= 0) {
        request = { ...request, state: 'expired' }
        closeDialogs()
        paintPanel()
        say(request.use_count === 0 ? 'This request has expired. Nothing ran.' : 'This approval has expired.')
      }
      const cooldown = one('[data-cooldown]', body)
      if (!cooldown) return
      const rest = Number(cooldown.dataset.cooldown) - serverNow()
      if (rest > 0) one('.num', cooldown).textContent = minutes(rest)
      else paintPanel()
    },
    onLeave: () => stopWatching(),
  }
}

/** @returns {import('./decision-panel.js').Seen} */
function unseen() {
  return { ends: new Set(), downloaded: false, since: Date.now(), isSent: false }
}

/** @param {any} request */
function canDecide({ state }) {
  return state === 'pending'
}

/** @param {HTMLElement} body @param {Set<string>} ends */
function leadToUnread(body, ends) {
  const unread = [...body.querySelectorAll('[data-end]')].find(
    (element) => !ends.has(/** @type {HTMLElement} */ (element).dataset.end ?? ''),
  )
  const box = /** @type {HTMLElement | null} */ (unread?.closest('.value') ?? null)
  box?.scrollIntoView({ block: 'center' })
  if (box?.tabIndex === 0) box.focus()
}

/** @param {any} request @param {() => void} onDownload @returns {Node[]} */
function page(request, onDownload) {
  const items = openItems()
  const next = items[items.findIndex((item) => item.id === request.id) + 1]
  return [
    h(
      'nav',
      { class: 'crumbs', 'aria-label': 'Position' },
      h('a', { href: '#/inbox' }, icon('back'), 'Inbox'),
      h('span', { class: 'grow' }),
      next ? h('a', { href: address('r', next.id) }, 'Next request', icon('next')) : null,
    ),
    h(
      'div',
      { class: 'request' },
      h(
        'div',
        { class: 'column' },
        summary(request),
        parameters(request, onDownload),
        changes(request),
        reasons(request),
        claims(request),
        card(
          'Recent history',
          null,
          h('p', { class: 'sub' }, 'Of ', nodes(request.agent.principal), ', newest first.'),
          historyList(request.history),
        ),
      ),
      h('aside', { class: 'decide', 'aria-label': 'Decision' }),
    ),
  ]
}

/** @param {any} request */
function summary(request) {
  const deceptive = request.params.filter((/** @type {any} */ param) => isDeceptive(param.value))
  const { trust, agent, level } = request
  const isClaimed = trust.claim !== null && trust.claim !== trust.level
  return h(
    'section',
    { class: `summary l${level}`, 'aria-label': 'Summary' },
    h(
      'div',
      { class: 'tags' },
      levelTag(level),
      tag(request.category),
      tag(`class ${request.class}`),
      request.kind === 'operation' ? null : tag(request.kind),
      h('span', { class: 'grow' }),
      h('span', { class: 'muted mono' }, request.id),
    ),
    h('h1', { tabindex: '-1', class: 'op' }, nodes(request.operation)),
    h(
      'p',
      { class: 'on-target' },
      request.target.length > 0 ? ['on ', targetOf(request.target), ' '] : null,
      'through ',
      h('a', { href: address('sources', request.source.id) }, nodes(request.source.name)),
    ),
    deceptive.length > 0
      ? note(
          'bad',
          'warn',
          h(
            'strong',
            null,
            deceptive.map((/** @type {any} */ param) => plain(param.name)).join(', '),
            deceptive.length === 1 ? ' is not what it looks like.' : ' are not what they look like.',
          ),
          ' Characters that cannot be seen, or that imitate others, are marked below.',
        )
      : null,
    facts(
      [
        [
          'Who asks',
          [
            h('a', { href: address('agents', agent.id) }, nodes(agent.name)),
            h('span', { class: 'muted' }, ' ', whence(agent)),
          ],
        ],
        ['Why asked', nodes(request.why)],
        [
          'Source',
          [
            trust.level.replaceAll('_', ' '),
            h('span', { class: 'muted' }, isClaimed ? `, claims ${trust.claim.replaceAll('_', ' ')}` : ''),
            trust.drifted ? [', ', h('strong', null, 'this operation has changed since it was trusted')] : null,
          ],
        ],
        ['If approved', ifApproved(request)],
      ],
      'two',
    ),
  )
}

/** @param {any} request */
function ifApproved({ kind, expires_at, cooldown_seconds, quota_metric }) {
  if (kind === 'pause') return ['The agent may go on with this one action before ', clock(expires_at)]
  const cooldown = cooldown_seconds > 0 ? `, after a cooldown of ${cooldown_seconds}\u00a0s` : ''
  const what =
    kind === 'quota' && quota_metric ? ['Runs once beyond the limit of ', nodes(quota_metric)] : ['Runs once']
  return [what, ', with exactly these values, before ', clock(expires_at), cooldown]
}

/** Over this the page alone is not enough: what is bound is downloaded before it can be approved. */
const DOWNLOAD_BYTES = 65_536

/** @param {any} request @param {() => void} onDownload */
function parameters(request, onDownload) {
  const { id, params, params_hash, params_bytes } = request
  const save = downloadButton('Download', `/api/requests/${id}/params`, `request-${id}.json`, onDownload)
  return card(
    'Parameters',
    null,
    h(
      'p',
      { class: 'sub' },
      params.length === 0
        ? 'None. '
        : `${plural(params.length, 'value')}, all bound to the approval; any change needs a new one. `,
      h('span', { class: 'muted nb' }, 'SHA-256 ', h('code', null, params_hash.slice(0, 16)), '…'),
    ),
    params_bytes > DOWNLOAD_BYTES
      ? note('warn', 'down', `${number(params_bytes)} bytes: download them before you approve. `, save)
      : null,
    h(
      'div',
      { class: 'params' },
      params.map((/** @type {any} */ _, /** @type {number} */ at) => parameter(request, at)),
    ),
  )
}

/** @param {any} request @param {number} at */
function parameter(request, at) {
  const { name, type, value: text, masked, chars, lines } = request.params[at]
  const label = plain(name)
  const isLong = chars > 400 || lines > 9
  const written = chars === 0 && !masked ? h('span', { class: 'muted' }, 'empty') : value(text)
  const end = h('span', { class: 'end', data: { end: label } })
  const region = isLong ? { tabindex: '0', role: 'region', 'aria-label': `Value of ${label}` } : {}
  const box = h('div', { class: `value ${isLong ? 'long' : ''}`, ...region }, written, end)
  const flags = [
    text.hidden ? flag('invisible characters') : null,
    text.alike ? flag(`look-alikes${text.scripts.length > 1 ? `: ${text.scripts.join(', ')} mixed` : ''}`) : null,
  ].filter((each) => each !== null)
  const length = isLong
    ? [
        h('span', { class: 'muted' }, `${plural(chars, 'character')}${lines > 1 ? `, ${lines} lines` : ''}`),
        h('span', { class: 'seen', data: { seen: label } }, icon('eye'), 'End not reached yet'),
        button('Show in full', {
          class: 'link',
          onclick: (/** @type {any} */ event) => {
            box.classList.add('full')
            event.currentTarget.remove()
          },
        }),
        restOfValue(request, at, written, end),
      ].flat()
    : []
  return h(
    'div',
    { class: 'param' },
    h('div', { class: 'name' }, h('span', { class: 'op' }, nodes(name)), h('span', { class: 'type' }, type)),
    h('div', null, box, flags.length + length.length > 0 ? h('div', { class: 'under' }, flags, length) : null),
  )
}

/** @param {string} words */
function flag(words) {
  return h('span', { class: 'flag' }, icon('warn'), words)
}

/** @param {any} request */
function changes({ diff }) {
  if (diff === null) return null
  return card(
    'What changes',
    null,
    h(
      'p',
      { class: 'sub' },
      'Against the state read from the source at ',
      clock(diff.read_at),
      `. It may change before this runs. ${plural(diff.unchanged, 'field')} stay as they are.`,
    ),
    diff.fields.map((/** @type {any} */ { path, lines, omitted }) =>
      h(
        'div',
        { class: 'diff' },
        h('div', { class: 'path' }, h('code', null, nodes(path))),
        h('div', { class: 'lines' }, lines.map(diffLine)),
        omitted > 0
          ? note(
              'warn',
              'warn',
              `${plural(omitted, 'line')} too long to compare here. The new value is whole under Parameters.`,
            )
          : null,
      ),
    ),
  )
}

/** @param {any} request */
function reasons({ trace, reasons: texts }) {
  return card(
    'Why am I asked',
    null,
    h('p', { class: 'sub' }, 'Every layer gives a verdict; the strictest one counts.'),
    trace.length > 0 ? traceList(trace) : null,
    texts.length > 0
      ? h(
          'ul',
          { class: 'reasons' },
          texts.map((/** @type {any} */ text) => h('li', null, nodes(text))),
        )
      : null,
  )
}

const CLAIMANTS = /** @type {Record<string, string>} */ ({
  source: 'The source, about this call',
  client: 'The client, about itself',
})

/** @param {any} request */
function claims({ claims: all }) {
  if (all.length === 0) return null
  return card(
    'What others say',
    null,
    all.map((/** @type {any} */ each) => claim(CLAIMANTS[each.who] ?? each.who, each.text)),
  )
}
