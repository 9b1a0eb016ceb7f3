/**
 * A text that must not be written anywhere by accident (OOB-04). The field is private to the language, so that neither
 * JSON, nor a template, nor a debugger's print of the object shows it; whoever needs it says so by calling `use`.
 */
export class Secret {
    #text;
    constructor(text) {
        this.#text = text;
    }
    use(reader) {
        return reader(this.#text);
    }
    toString() {
        return '[secret]';
    }
    toJSON() {
        return '[secret]';
    }
}
