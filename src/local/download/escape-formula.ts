/** The characters that make spreadsheet programs treat a cell as a formula. */
const formula = /^[=+\-@\t\r]/;

/** A text cell that no spreadsheet program executes: one that starts like a formula gets a leading apostrophe. */
export const escapeFormula = (text: string): string => (formula.test(text) ? `'${text}` : text);
