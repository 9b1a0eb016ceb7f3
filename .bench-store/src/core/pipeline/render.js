import { isToolError } from "../../protocol/errors.js";
import { jsonText } from "../registry/json-text.js";
import { tooLarge } from "./decode.js";
/** RES-05 — the result as compact JSON. A response over the limit is replaced, not sent (DATA-10). */
export function render(result, maxResponse) {
    const text = jsonText(result);
    // A UTF-16 unit is at most three bytes: most answers are known to fit without being measured.
    if (text.length * 3 > maxResponse) {
        const size = byteLength(text);
        if (size > maxResponse) {
            const failed = tooLarge('response_size', maxResponse, size);
            return { result: failed, text: JSON.stringify(failed), isError: false };
        }
    }
    return { result, text, isError: isToolError(result) };
}
function byteLength(text) {
    return Buffer.byteLength(text, 'utf8');
}
