/**
 * One description of a value: a row, a listed type, a JSON Schema, a control of a collection. Several can describe the
 * same value, and what one of them calls sensitive is. A description returns the same list for the same name each time.
 */
export interface Shape {
  readonly hides?: (value: unknown) => boolean
  /** Others that describe the same value, such as a named type. They may refer to each other. */
  readonly also?: () => Shapes
  /** Of these the ones that can describe the value do; where none can, it is not known which, and all do. */
  readonly branches?: () => readonly Branch[]
  /** Conditions: of these the ones that can describe the value do, and no other. */
  readonly cases?: () => readonly Branch[]
  readonly field?: (name: string) => Shapes
  readonly items?: (at: number) => Shapes
  /** Whatever `field` can return. */
  readonly fields?: () => Shapes
  /** Whatever `items` can return. */
  readonly elements?: () => Shapes
}

export interface Branch {
  readonly shape: Shape
  /** False only where the value is surely none of these. */
  readonly fits: (value: unknown) => boolean
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
