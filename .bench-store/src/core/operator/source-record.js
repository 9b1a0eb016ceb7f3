import { record } from "../ports/store.js";
export function sourceRef(adapter) {
    return record('source', adapter);
}
