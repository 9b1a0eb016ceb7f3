/**
 * A text that must not be written anywhere by accident (OOB-04). The field is private to the language, so that neither
 * JSON, nor a template, nor a debugger's print of the object shows it; whoever needs it says so by calling `use`.
 */
export class Secret {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  use<T>(reader: (text: string) => T): T {
    return reader(this.#text)
  }

  toString(): string {
    return '[secret]'
  }

  toJSON(): string {
    return '[secret]'
  }
}
