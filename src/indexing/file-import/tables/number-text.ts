/** Without leading zeros, so that codes like 007 stay text. */
const plainNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
/** `1 234,56` or `1.234,56`; a point groups exactly three digits. */
const commaNumber = /^[+-]?(0|[1-9]\d*|[1-9]\d{0,2}(?:[. \u00a0\u202f'’]\d{3})+)(,\d+)?$/;
/** `1,234.56` */
const pointNumber = /^[+-]?(0|[1-9]\d*|[1-9]\d{0,2}(?:[, \u00a0\u202f'’]\d{3})+)(\.\d+)?$/;
const groupSigns = { ',': /[. \u00a0\u202f'’+]/g, '.': /[, \u00a0\u202f'’+]/g } as const;

/** Whether a text is a number in JSON notation, without leading zeros. */
export const isPlainNumber = (text: string): boolean => plainNumber.test(text);

/** Whether a text is a number with this decimal separator, with or without digit grouping. */
export const isNumberWith = (text: string, decimal: '.' | ','): boolean =>
  (decimal === ',' ? commaNumber : pointNumber).test(text);

/**
 * A number's text in JSON notation, or null if it is not a number.
 * @param decimal the decimal separator; undefined: JSON notation
 */
export const plainNumberText = (text: string, decimal: '.' | ',' | undefined): string | null => {
  if (decimal === undefined) return plainNumber.test(text) ? text : null;
  if (!isNumberWith(text, decimal)) return decimal === '.' && plainNumber.test(text) ? text : null;
  return text.replace(groupSigns[decimal], '').replace(',', '.');
};
