/** The value of a JSON text, and the value for type inference if the two differ. */
export interface LosslessJson {
  /** Integers that a double would round, and numbers that it cannot hold, are strings of their digits. */
  readonly value: unknown;
  /** With those of them that fit a long as rounded numbers; undefined if there are none. */
  readonly rounded?: unknown;
}

/** Digit runs as long as numbers above 2^53; most of them are in strings, or smaller. */
const longDigits = /(?<!["\d])\d{16,}(?!\d)/g;
const sixteenDigits = /\d{16}/;
/** Powers of ten that a double may not have. */
const farExponent = /\d[eE][+-]?\d{3}/;
const lastSafe = String(2 ** 53);
const wholeNumber = /^-?\d+$/;
/** Every string and number of a JSON text, so that digits in strings and fractions are never taken for integers. */
const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * JSON.parse, except that integers that a double would round, and numbers that it cannot hold, become strings.
 * @throws SyntaxError for invalid JSON
 */
export const parseLosslessJson = (text: string): LosslessJson => {
  const value: unknown = JSON.parse(text);
  if (!farExponent.test(text) && (!sixteenDigits.test(text) || !mayLoseDigits(text))) return { value };
  let [kept, long] = [0, 0];
  const quoting = (isQuoted: (loss: DigitLoss) => boolean): unknown =>
    JSON.parse(
      text.replace(stringOrNumber, (token) => {
        const loss = token.startsWith('"') ? 'none' : digitLoss(token);
        if (loss === 'none' || !isQuoted(loss)) return token;
        kept += 1;
        if (loss === 'of a long') long += 1;
        return `"${token}"`;
      }),
    );
  const exact = quoting(() => true);
  if (kept === 0) return { value };
  return long === 0 ? { value: exact } : { value: exact, rounded: quoting((loss) => loss === 'of a text') };
};

const mayLoseDigits = (text: string): boolean => {
  for (const [digits] of text.matchAll(longDigits))
    if (digits.length > lastSafe.length || digits > lastSafe) return true;
  return false;
};

/** What becomes of an integer's digits in a double: a long keeps them, or only a text does. */
export type DigitLoss = 'none' | 'of a long' | 'of a text';

const smallestLong = -(2n ** 63n);
const largestLong = 2n ** 63n - 1n;

/**
 * Whether a number's text is an integer that a double would round, or too large or too small for one. Fractions are
 * doubles for every reader.
 */
export const digitLoss = (source: string): DigitLoss => {
  if (source.length < 16 && !/[eE]/.test(source)) return 'none';
  const number = Number(source);
  if (number !== 0 && Number.isSafeInteger(number)) return 'none';
  if (!Number.isFinite(number) || (number === 0 && /^[^eE]*[1-9]/.test(source))) return 'of a text';
  if (!wholeNumber.test(source)) return 'none';
  // the shortest text of a double is read and written without a change
  if (number === 0 || String(number) === source) return 'none';
  const exact = BigInt(source);
  if (Number.isFinite(number) && BigInt(number) === exact) return 'none';
  return exact >= smallestLong && exact <= largestLong ? 'of a long' : 'of a text';
};
