/** A JSON text's value, and the value as JSON.parse alone would have it when the two differ. */
export interface LosslessJson {
  readonly value: unknown;
  /** undefined when nothing was rounded. */
  readonly rounded?: unknown;
}

/** Shorter runs of digits always fit a double; looking for them first keeps the common case at JSON.parse's speed. */
const longRunOfDigits = /\d{16}/;
const wholeNumber = /^-?\d+$/;

/**
 * JSON.parse, except that whole numbers past 2^53 that a double would round are kept as strings of their digits.
 * @throws SyntaxError what is not JSON
 */
export const parseLosslessJson = (text: string): LosslessJson => {
  if (!longRunOfDigits.test(text)) return { value: JSON.parse(text) };
  let kept = 0;
  const keepDigits = (_key: string, value: unknown, context: { source?: string }): unknown => {
    if (typeof value !== 'number' || !losesDigits(context.source ?? '')) return value;
    kept += 1;
    return context.source;
  };
  const value: unknown = JSON.parse(text, keepDigits as (key: string, value: unknown) => unknown);
  return kept === 0 ? { value } : { value, rounded: JSON.parse(text) };
};

const smallestLong = -(2n ** 63n);
const largestUnsignedLong = 2n ** 64n - 1n;

/**
 * Whether a number's text is a whole number of a long's size that a double cannot hold exactly. Fractions and larger
 * numbers are doubles whoever reads them.
 */
export const losesDigits = (source: string): boolean => {
  if (source.length < 16 || source.length > 20 || !wholeNumber.test(source)) return false;
  const exact = BigInt(source);
  return exact >= smallestLong && exact <= largestUnsignedLong && BigInt(Number(source)) !== exact;
};
