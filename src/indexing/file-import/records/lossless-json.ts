/** The value of a JSON text, and the value from plain JSON.parse if the two differ. */
export interface LosslessJson {
  readonly value: unknown;
  /** undefined when nothing was rounded. */
  readonly rounded?: unknown;
}

/** Digit runs as long as numbers above 2^53; most of them are in strings, or smaller. */
const longDigits = /(?<!["\d])\d{16,20}(?!\d)/g;
const sixteenDigits = /\d{16}/;
const lastSafe = String(2 ** 53);
const wholeNumber = /^-?\d+$/;
/** Every string and number of a JSON text, so that digits in strings and fractions are never taken for integers. */
const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * JSON.parse, except that integers above 2^53 that a double would round become strings of their digits.
 * @throws SyntaxError for invalid JSON
 */
export const parseLosslessJson = (text: string): LosslessJson => {
  const value: unknown = JSON.parse(text);
  if (!sixteenDigits.test(text) || !mayLoseDigits(text)) return { value };
  let kept = 0;
  const exact = text.replace(stringOrNumber, (token) => {
    if (!losesDigits(token)) return token;
    kept += 1;
    return `"${token}"`;
  });
  return kept === 0 ? { value } : { value: JSON.parse(exact), rounded: value };
};

const mayLoseDigits = (text: string): boolean => {
  for (const [digits] of text.matchAll(longDigits))
    if (digits.length > lastSafe.length || digits > lastSafe) return true;
  return false;
};

const smallestLong = -(2n ** 63n);
const largestUnsignedLong = 2n ** 64n - 1n;

/**
 * Whether a number's text is an integer that fits a long but not exactly a double. Fractions and larger numbers are
 * doubles for every reader.
 */
export const losesDigits = (source: string): boolean => {
  if (source.length < 16 || source.length > 20 || !wholeNumber.test(source)) return false;
  if (Number.isSafeInteger(Number(source))) return false;
  const exact = BigInt(source);
  return exact >= smallestLong && exact <= largestUnsignedLong && BigInt(Number(source)) !== exact;
};
