/** Linear-time `*` and `?`. Names are not paths: nothing else is special, and there is no backtracking tree. */
export function matchesGlob(pattern, text) {
    let p = 0;
    let t = 0;
    let star = -1;
    let resume = 0;
    while (t < text.length) {
        if (p < pattern.length && pattern[p] === '*') {
            star = p++;
            resume = t;
        }
        else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === text[t])) {
            p++;
            t++;
        }
        else if (star >= 0) {
            p = star + 1;
            t = ++resume;
        }
        else
            return false;
    }
    while (p < pattern.length && pattern[p] === '*')
        p++;
    return p === pattern.length;
}
