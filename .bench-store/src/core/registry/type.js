export function defineType(definition) {
    return definition;
}
/** The fields that an UPDATE of this type may carry in `input`; `except` names the identifiers (UPD-08). */
export function inputFields(type, except = []) {
    const hidden = new Set([...except, type.version]);
    return Object.fromEntries(Object.entries(type.fields).filter(([name, field]) => !hidden.has(name) && !field.readOnly && !field.appendOnly));
}
