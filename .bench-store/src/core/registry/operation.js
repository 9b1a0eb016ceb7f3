/** Identity at run time; at compile time the handler's parameters are read off the table. */
export function defineOperation(definition) {
    // The registry calls the handler only with values that its own table has checked.
    return definition;
}
