/** The one place where the mark is given; it exists for the compiler alone. */
export function admitted(call, permit) {
    return (permit ? { ...call, permit } : call);
}
