import { codeOf, scriptOf } from "./display-character.js";
export function createSheet() {
    const segments = [];
    const flags = new Set();
    const scripts = new Set();
    let pending = '';
    const push = (segment) => {
        if (pending !== '')
            segments.push({ kind: 'text', text: pending });
        pending = '';
        segments.push(segment);
    };
    return {
        plain: (text) => {
            pending += text;
        },
        escape: (letter, name, flag) => {
            if (flag)
                flags.add(flag);
            push({ kind: 'escape', text: `⟨${codeOf(letter)} ${name}⟩`, name });
        },
        alike: (letter, name) => {
            flags.add('alike');
            push({ kind: 'alike', text: `${letter}⟨${codeOf(letter)}⟩`, name });
        },
        mark: (text, name) => push({ kind: 'escape', text, name }),
        script: (letter) => {
            const script = scriptOf(letter);
            if (script !== undefined)
                scripts.add(script);
        },
        done: () => {
            if (pending !== '')
                segments.push({ kind: 'text', text: pending });
            pending = '';
            return { segments, hidden: flags.has('hidden'), alike: flags.has('alike'), scripts: [...scripts] };
        },
    };
}
