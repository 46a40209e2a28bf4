/** The characters that make spreadsheet programs treat a cell as a formula. */
const formula = /^[=+\-@\t\r\n]/;

/** Signs alone, and lists of them: strands and genotypes, which are not formulas. */
const signs = /^[+\-/,; ]+$/;

/**
 * Makes a text cell safe for spreadsheet programs: a formula gets a leading apostrophe, a number or signs do not. The
 * same applies after a semicolon, at which programs of many languages separate the cells of a CSV file.
 */
export const escapeFormula = (text: string): string => {
  if (isFormula(text)) return `'${text}`.replace(afterSemicolon, escaped);
  return text.includes(';') ? text.replace(afterSemicolon, escaped) : text;
};

const isFormula = (text: string): boolean => formula.test(text) && !signs.test(text) && !decimal.test(text);

const afterSemicolon = /(?<=;["\s]*)[=+\-@][^;]*/g;

const escaped = (part: string): string => (isFormula(part) ? `'${part}` : part);

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
