/** The ids, labels and synonyms of all terms, as UTF-8. */
export interface TermTexts {
  /** For each term its id, label and synonyms, each with a line break before it; one more ends the last. */
  readonly bytes: Uint8Array;
  /** Where each term begins in `bytes`, and where the last one ends. */
  readonly offsets: Uint32Array;
  /** `bytes` in lower case and without accents, to be searched. */
  readonly folded: Uint8Array;
  readonly foldedOffsets: Uint32Array;
  /** A hash table: at the hash of an id, or in the next places, the number of its term plus 1. */
  readonly places: Uint32Array;
}

const lineBreak = 10;

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

export const indexOfId = ({ bytes, offsets, places }: TermTexts, id: string): number | undefined => {
  const wanted = Buffer.from(id);
  for (let place = hashOf(wanted, 0, wanted.length) % places.length; ; place = (place + 1) % places.length) {
    const term = places[place]! - 1;
    if (term < 0) return undefined;
    if (hasIdAt(bytes, offsets[term]! + 1, wanted)) return term;
  }
};

const hasIdAt = (bytes: Uint8Array, start: number, id: Uint8Array): boolean => {
  for (let at = 0; at < id.length; at++) if (bytes[start + at] !== id[at]) return false;
  return bytes[start + id.length] === lineBreak;
};

/** FNV-1a, 32 bits. */
const hashOf = (bytes: Uint8Array, start: number, end: number): number => {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  return hash >>> 0;
};

/** As texts are compared: in lower case, without accents. */
const foldedText = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Collects the texts of terms in any order. */
export class TextCollector {
  #bytes = Buffer.allocUnsafe(1 << 16);
  #length = 0;
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  /** @param number of the term, from 0 @param texts its id, label and synonyms */
  add(number: number, texts: readonly string[]): void {
    this.#starts[number] = this.#length;
    for (const text of texts) {
      // of a UTF-16 unit at most three bytes
      if (this.#bytes.length < this.#length + 3 * text.length + 1) this.#grow(3 * text.length + 1);
      this.#bytes[this.#length++] = lineBreak;
      this.#length += this.#bytes.write(text.includes('\n') ? text.replaceAll('\n', ' ') : text, this.#length); // prettier-ignore
    }
    this.#ends[number] = this.#length;
  }

  textsOf(number: number): readonly string[] {
    return this.#bytes.toString('utf8', this.#starts[number]! + 1, this.#ends[number]).split('\n');
  }

  /** @param order the numbers of the terms, in the order in which they are to be kept */
  packed(order: Uint32Array): TermTexts {
    const bytes = Buffer.allocUnsafeSlow(this.#length + 1);
    const offsets = new Uint32Array(order.length + 1);
    let end = 0;
    order.forEach((number, term) => {
      end += this.#bytes.copy(bytes, end, this.#starts[number], this.#ends[number]);
      offsets[term + 1] = end;
    });
    bytes[end] = lineBreak;
    this.#bytes = Buffer.alloc(0);
    return { bytes, offsets, ...foldedTexts(bytes, offsets), places: placesOf(bytes, offsets) };
  }

  #grow(bytes: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.ceil(this.#length * 1.5) + bytes);
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}

const foldedTexts = (bytes: Buffer, offsets: Uint32Array): Pick<TermTexts, 'folded' | 'foldedOffsets'> => {
  // folding may lengthen a text, but by no more than this: İ has two bytes, and i with a dot has three
  const folded = Buffer.allocUnsafeSlow(Math.ceil(bytes.length * 1.5));
  const foldedOffsets = new Uint32Array(offsets.length);
  let end = 0;
  for (let term = 0; term < offsets.length - 1; term++) {
    end = foldInto(folded, end, bytes, offsets[term]!, offsets[term + 1]!);
    foldedOffsets[term + 1] = end;
  }
  folded[end] = lineBreak;
  return { folded: Uint8Array.prototype.slice.call(folded, 0, end + 1), foldedOffsets };
};

/** @returns where the folded text ends */
const foldInto = (target: Buffer, at: number, bytes: Buffer, from: number, to: number): number => {
  for (let next = from; next < to; next++) {
    const byte = bytes[next]!;
    if (byte > 127) return at + target.write(foldedText(bytes.toString('utf8', from, to)), at);
    target[at + next - from] = byte >= 65 && byte <= 90 ? byte + 32 : byte;
  }
  return at + to - from;
};

const placesOf = (bytes: Buffer, offsets: Uint32Array): Uint32Array => {
  const places = new Uint32Array(2 * offsets.length);
  for (let term = 0; term < offsets.length - 1; term++) {
    const start = offsets[term]! + 1;
    let place = hashOf(bytes, start, bytes.indexOf(lineBreak, start)) % places.length;
    while (places[place] !== 0) place = (place + 1) % places.length;
    places[place] = term + 1;
  }
  return places;
};

/** Terms with a text that contains the one searched: equal ones, then those that begin with it, then others. */
export const findText = (
  texts: TermTexts,
  text: string,
  limit: number,
  among?: Uint32Array,
): readonly number[] => {
  const wanted = foldedText(text).replaceAll('\n', ' ');
  if (wanted === '') return [];
  const found = new Set<number>();
  for (const needle of [`\n${wanted}\n`, `\n${wanted}`, wanted])
    for (const term of termsWith(texts, needle, among)) {
      if (found.size >= limit) break;
      found.add(term);
    }
  return [...found];
};

/** The terms with exactly this text as id, label or synonym, but for case and accents. */
export const equalText = (texts: TermTexts, text: string): readonly number[] => [
  ...termsWith(texts, `\n${foldedText(text).replaceAll('\n', ' ')}\n`),
];

/** Each term once, ascending. */
function* termsWith({ folded, foldedOffsets }: TermTexts, needle: string, among?: Uint32Array): Generator<number> {
  const bytes = bufferOf(folded);
  const sought = Buffer.from(needle);
  // a line break at the end is the first byte of the next term
  const length = needle.endsWith('\n') ? sought.length - 1 : sought.length;
  for (let at = bytes.indexOf(sought); at >= 0; ) {
    const term = placeIn(foldedOffsets, at);
    const own = among === undefined ? term : atLeast(among, term);
    if (own === undefined) return;
    if (own === term && at + length <= foldedOffsets[term + 1]!) yield term;
    at = bytes.indexOf(sought, own === term ? foldedOffsets[term + 1] : foldedOffsets[own]);
  }
} // prettier-ignore

/** Where the last number stands that is not greater than this one. @param numbers ascending, the first not greater */
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

/** The most texts compared with a word for likeness, for each half of it. */
const maxCompared = 20_000;

/**
 * Terms with a text that differs from a word by one slip: a letter added, dropped, replaced, or two swapped. One half of the
 * word is whole then, which finds the texts to compare.
 */
export const nearText = (texts: TermTexts, word: string, limit: number): readonly number[] => {
  const wanted = foldedText(word).replaceAll('\n', ' ');
  const half = Math.floor(wanted.length / 2);
  if (half === 0) return [];
  const folded = { bytes: texts.folded, offsets: texts.foldedOffsets };
  const found = new Set<number>();
  for (const needle of [`\n${wanted.slice(0, half)}`, `${wanted.slice(half)}\n`]) {
    let compared = 0;
    for (const term of termsWith(texts, needle)) {
      if (found.size >= limit || ++compared > maxCompared) break;
      if (textsOf(folded, term).some((text) => isSlip(text, wanted))) found.add(term);
    }
  }
  return [...found];
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
