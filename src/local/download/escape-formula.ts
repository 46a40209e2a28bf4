/** What makes a spreadsheet program take a cell for a formula. */
const formula = /^[=+\-@\t\r]/;

/** A text cell that no spreadsheet program runs: one that begins like a formula gets a leading apostrophe. */
export const escapeFormula = (text: string): string => (formula.test(text) ? `'${text}` : text);
