/** Without leading zeros, so that codes like 007 stay text. */
const plainNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
/** `1 234,56` or `1.234,56`; the point groups by three digits only. */
const commaNumber = /^[+-]?(0|[1-9]\d*|[1-9]\d{0,2}(?:[. \u00a0\u202f'’]\d{3})+)(,\d+)?$/;
/** `1,234.56` */
const pointNumber = /^[+-]?(0|[1-9]\d*|[1-9]\d{0,2}(?:[, \u00a0\u202f'’]\d{3})+)(\.\d+)?$/;
const groupSigns = { ',': /[. \u00a0\u202f'’+]/g, '.': /[, \u00a0\u202f'’+]/g } as const;

/** Whether a text is a number as JSON writes it, without leading zeros. */
export const isPlainNumber = (text: string): boolean => plainNumber.test(text);

/** Whether a text is a number with this decimal sign, its digits grouped or not. */
export const isNumberWith = (text: string, decimal: '.' | ','): boolean =>
  (decimal === ',' ? commaNumber : pointNumber).test(text);

/**
 * A number's text as JSON writes it, or null when it is none.
 * @param decimal the sign that numbers are written with; undefined: as JSON has them
 */
export const plainNumberText = (text: string, decimal: '.' | ',' | undefined): string | null => {
  if (decimal === undefined) return plainNumber.test(text) ? text : null;
  if (!isNumberWith(text, decimal)) return decimal === '.' && plainNumber.test(text) ? text : null;
  return text.replace(groupSigns[decimal], '').replace(',', '.');
};
