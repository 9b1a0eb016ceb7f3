export function defineAdapter(definition) {
    return definition;
}
