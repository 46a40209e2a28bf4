import { isAscii } from 'node:buffer';
import { fold } from '../../lib/text/fold.ts';
import { Numbers } from './lists.ts';
import { lineBreak, withRoom, type IdTable, type Spans } from './spans.ts';

/** The ids, labels and synonyms of all terms, as UTF-8, each with a line break before it. */
export interface TermTexts extends IdTable {
  /** `bytes` in lower case and without accents, for searching. */
  readonly folded: Uint8Array;
  readonly foldedOffsets: Uint32Array;
}

/** The texts of a term: its id, label and synonyms. */
export const textsOf = (
  { bytes, offsets }: Pick<TermTexts, 'bytes' | 'offsets'>,
  term: number,
): readonly string[] =>
  bufferOf(bytes)
    .toString('utf8', offsets[term]! + 1, offsets[term + 1])
    .split('\n');

export const idsOf = ({ bytes, offsets }: TermTexts, terms: Uint32Array): readonly string[] => {
  const buffer = bufferOf(bytes);
  return Array.from(terms, (term) => {
    const start = offsets[term]! + 1;
    return buffer.toString('utf8', start, buffer.indexOf(lineBreak, start));
  });
};

/** Collects the texts of terms in any order. */
export class TextCollector {
  #bytes: Buffer<ArrayBuffer>;
  #length = 0;
  readonly #starts = new Numbers();
  readonly #ends = new Numbers();

  /** @param size the approximate number of bytes: unused ones take no memory */
  constructor(size: number) {
    this.#bytes = Buffer.allocUnsafeSlow(size);
  }

  /** @param number the number of the term, from 0 @param texts its id, label and synonyms, in `bytes` */
  add(number: number, bytes: Uint8Array, { starts, ends, count }: Spans): void {
    this.#starts.set(number, this.#length);
    for (let text = 0; text < count; text++) {
      this.#bytes = withRoom(this.#bytes, this.#length, this.#length + 1 + ends[text]! - starts[text]!);
      this.#length = addLine(this.#bytes, this.#length, bytes, starts[text]!, ends[text]!);
    }
    this.#ends.set(number, this.#length);
  }

  /** Whether an added term has this label; an empty label matches any term. @param texts its id and label */
  hasLabel(number: number, bytes: Uint8Array, { starts, ends }: Spans): boolean {
    let at = this.#starts.array[number]! + 2 + ends[0]! - starts[0]!;
    for (let next = starts[1]!; next < ends[1]!; next++)
      if (this.#bytes[at++] !== onOneLine(bytes[next]!)) return false;
    return starts[1] === ends[1] || at === this.#ends.array[number] || this.#bytes[at] === lineBreak;
  }

  /**
   * @param order the numbers of the terms, in their final order
   * @param places the table of their ids in that order
   */
  packed(order: Uint32Array, places: Uint32Array): TermTexts {
    const bytes = Buffer.allocUnsafeSlow(this.#length + 1);
    const offsets = new Uint32Array(order.length + 1);
    let end = 0;
    order.forEach((number, term) => {
      end += this.#bytes.copy(bytes, end, this.#starts.array[number], this.#ends.array[number]);
      offsets[term + 1] = end;
    });
    bytes[end] = lineBreak;
    release(this.#bytes);
    return { bytes, offsets, ...foldedTexts(bytes, offsets), places };
  }
}

/** Adds a line break, and the text on one line. @returns where it ends */
const addLine = (target: Uint8Array, from: number, bytes: Uint8Array, start: number, end: number): number => {
  let at = from;
  target[at++] = lineBreak;
  for (let next = start; next < end; next++) target[at++] = onOneLine(bytes[next]!);
  return at;
};

const onOneLine = (byte: number): number => (byte === lineBreak || byte === 13 ? 32 : byte);

/** Frees a buffer's memory at once instead of at garbage collection; the buffer must own all of it. */
export const release = ({ buffer, length }: Buffer<ArrayBuffer>): void => {
  if (length + 3 >= buffer.byteLength) buffer.transfer(0);
};

const foldedTexts = (bytes: Buffer, offsets: Uint32Array): Pick<TermTexts, 'folded' | 'foldedOffsets'> => {
  let folded = Buffer.allocUnsafeSlow(bytes.length + 1);
  const foldedOffsets = new Uint32Array(offsets.length);
  let end = 0;
  for (let first = 0; first < offsets.length - 1; first += termsAtOnce) {
    const last = Math.min(first + termsAtOnce, offsets.length - 1);
    const block = bytes.subarray(offsets[first], offsets[last]);
    const shift = isAscii(block) ? end - offsets[first]! : null;
    if (shift !== null) end += folded.write(block.toString('latin1').toLowerCase(), end, 'latin1');
    for (let term = first; term < last; term++) {
      if (shift === null) {
        const text = Buffer.from(fold(bytes.toString('utf8', offsets[term], offsets[term + 1])));
        // folding may lengthen a text: Ⱥ has two bytes, ⱥ has three
        folded = withRoom(folded, end, end + text.length + bytes.length - offsets[term + 1]!);
        end += text.copy(folded, end);
      }
      foldedOffsets[term + 1] = shift === null ? end : offsets[term + 1]! + shift;
    }
  }
  folded[end] = lineBreak;
  return { folded: folded.subarray(0, end + 1), foldedOffsets };
};

/** How many terms are folded as one text if all letters are ASCII. */
const termsAtOnce = 32;

/** Terms with a text that contains the searched one: equal texts, then those that begin with it, then others. */
export const findText = (
  texts: TermTexts,
  text: string,
  limit: number,
  among?: Uint32Array,
): readonly number[] => {
  const wanted = fold(text).replaceAll('\n', ' ');
  if (wanted === '') return [];
  const terms = new Set<number>();
  for (const needle of [`\n${wanted}\n`, `\n${wanted}`, wanted])
    for (const term of termsWith(texts, needle, among)) {
      if (terms.size >= limit) break;
      terms.add(term);
    }
  return [...terms];
};

/** The terms with exactly this text as id, label or synonym, ignoring case and accents. */
export const equalText = (texts: TermTexts, text: string): readonly number[] => [
  ...termsWith(texts, `\n${fold(text).replaceAll('\n', ' ')}\n`),
];

/** Each term once, ascending. */
function* termsWith(
  { folded, foldedOffsets }: TermTexts,
  needle: string,
  among?: Uint32Array,
): Generator<number> {
  const bytes = bufferOf(folded);
  const sought = Buffer.from(needle);
  // a line break at the end is the first byte of the next term
  const length = needle.endsWith('\n') ? sought.length - 1 : sought.length;
  for (let at = bytes.indexOf(sought); at >= 0;) {
    const term = placeIn(foldedOffsets, at);
    const candidate = among === undefined ? term : atLeast(among, term);
    if (candidate === undefined) return;
    if (candidate === term && at + length <= foldedOffsets[term + 1]!) yield term;
    at = bytes.indexOf(sought, candidate === term ? foldedOffsets[term + 1] : foldedOffsets[candidate]);
  }
}

/** The index of the last number that is not greater than this one. @param numbers ascending, the first not greater */
const placeIn = (numbers: Uint32Array, number: number): number => {
  let low = 0;
  let high = numbers.length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! <= number) low = middle;
    else high = middle;
  }
  return low;
};

/** The first of ascending numbers that is not smaller than this one. */
const atLeast = (numbers: Uint32Array, number: number): number | undefined => {
  const at = placeIn(numbers, number);
  return numbers[at]! >= number ? numbers[at] : numbers[at + 1];
};

/** The maximum number of texts compared with a word for similarity, for each half of it. */
const maxCompared = 20_000;

/**
 * Terms with a text that differs from a word by one typing error: a letter added, dropped, replaced, or two swapped. One
 * half of the word is then unchanged, which finds the texts to compare.
 */
export const nearText = (texts: TermTexts, word: string, limit: number): readonly number[] => {
  const wanted = fold(word).replaceAll('\n', ' ');
  const half = Math.floor(wanted.length / 2);
  if (half === 0) return [];
  const folded = { bytes: texts.folded, offsets: texts.foldedOffsets };
  const terms = new Set<number>();
  for (const needle of [`\n${wanted.slice(0, half)}`, `${wanted.slice(half)}\n`]) {
    let compared = 0;
    for (const term of termsWith(texts, needle)) {
      if (terms.size >= limit || ++compared > maxCompared) break;
      if (textsOf(folded, term).some((text) => isSlip(text, wanted))) terms.add(term);
    }
  }
  return [...terms];
};

const isSlip = (text: string, wanted: string): boolean => {
  if (Math.abs(text.length - wanted.length) > 1) return false;
  let first = 0;
  let last = 0;
  const most = Math.min(text.length, wanted.length);
  while (first < most && text[first] === wanted[first]) first++;
  while (last < most - first && text.at(-1 - last) === wanted.at(-1 - last)) last++;
  const left = Math.max(text.length, wanted.length) - first - last;
  const isSwap = text[first] === wanted[first + 1] && text[first + 1] === wanted[first];
  return left <= 1 || (left === 2 && text.length === wanted.length && isSwap);
};

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
