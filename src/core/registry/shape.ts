/**
 * One description of a value: a row, a listed type, a JSON Schema, a control of a collection. Several can describe the
 * same value, and what one of them calls sensitive is. A description returns the same list for the same name each time.
 */
export interface Shape {
  readonly hides?: (value: unknown) => boolean
  /** Others that describe the same value: a named type, the members of a union. They may refer to each other. */
  readonly also?: () => Shapes
  readonly field?: (name: string) => Shapes
  readonly items?: () => Shapes
  /** Whatever `field` can return. */
  readonly fields?: () => Shapes
}

export type Shapes = readonly Shape[]

/** Made once, and when it is asked for: types may contain themselves. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
