import { record } from "../ports/store.js";
export const ATTENTION = { open: 5, shown: 10, windowMs: 600_000 };
export function attentionRef(principal) {
    return record('attention', principal);
}
const NOTHING = { open: [], shown: [], held: [] };
/** A new question joins the queue and comes through as far as there is room. */
export function withPrompt(attention, prompt, now, limits = attention?.limits ?? ATTENTION) {
    const { open, shown, held } = attention ?? NOTHING;
    return advance({ open, shown, held: [...held, prompt], limits }, now);
}
/** Someone decided, or the request is gone: the next one may come through. */
export function withoutPrompt(attention = NOTHING, id, now) {
    const others = (prompts) => prompts.filter((prompt) => prompt.id !== id);
    return advance({ ...attention, open: others(attention.open), held: others(attention.held) }, now);
}
/** What time alone has changed. */
export function advance(attention, now) {
    const { limits = ATTENTION } = attention;
    const isLive = ({ expiresAt }) => expiresAt >= now;
    const open = attention.open.filter(isLive);
    const held = attention.held.filter(isLive);
    const shown = attention.shown.filter((at) => at > now - limits.windowMs);
    const room = Math.max(0, Math.min(limits.open - open.length, limits.shown - shown.length));
    const next = held.slice(0, room);
    return { limits, open: [...open, ...next], shown: [...shown, ...next.map(() => now)], held: held.slice(room) };
}
export function isShown(attention, id) {
    return attention?.open.some((prompt) => prompt.id === id) ?? false;
}
/** When the next held request comes through if nobody decides. */
export function nextShownAt(attention) {
    const { limits = ATTENTION } = attention;
    if (attention.held.length === 0)
        return undefined;
    const [oldest = 0] = attention.shown;
    return attention.shown.length >= limits.shown ? oldest + limits.windowMs : attention.open[0]?.expiresAt;
}
