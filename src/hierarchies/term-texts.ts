/** The ids, labels and synonyms of all terms, as UTF-8. */
export interface TermTexts {
  /** For each term its id, label and synonyms, each with a line break at its end. */
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
export const textsOf = ({ bytes, offsets }: TermTexts, term: number): readonly string[] =>
  bufferOf(bytes)
    .toString('utf8', offsets[term]!, offsets[term + 1]! - 1)
    .split('\n');

export const idsOf = ({ bytes, offsets }: TermTexts, terms: Uint32Array): readonly string[] => {
  const buffer = bufferOf(bytes);
  return Array.from(terms, (term) => {
    const start = offsets[term]!;
    return buffer.toString('utf8', start, bytes.indexOf(lineBreak, start));
  });
};

export const indexOfId = ({ bytes, offsets, places }: TermTexts, id: string): number | undefined => {
  const wanted = Buffer.from(id);
  for (let place = hashOf(wanted) % places.length; ; place = (place + 1) % places.length) {
    const term = places[place]! - 1;
    if (term < 0) return undefined;
    if (hasIdAt(bytes, offsets[term]!, wanted)) return term;
  }
};

const hasIdAt = (bytes: Uint8Array, start: number, id: Uint8Array): boolean =>
  bytes[start + id.length] === lineBreak && id.every((byte, at) => bytes[start + at] === byte);

/** FNV-1a, 32 bits. */
const hashOf = (bytes: Uint8Array): number => {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
};

/** As texts are compared: in lower case, without accents. */
export const foldedText = (text: string): string =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/**
 * Packs the texts of terms.
 * @param textsAt the id, label and synonyms of a term
 */
export const packTexts = (size: number, textsAt: (term: number) => readonly string[]): TermTexts => {
  const plain = packLines(size, textsAt);
  const folded = packLines(size, (term) => textsAt(term).map(foldedText));
  const places = new Uint32Array(2 * size + 1);
  for (let term = 0; term < size; term++) {
    const start = plain.offsets[term]!;
    let place = hashOf(plain.bytes.subarray(start, plain.bytes.indexOf(lineBreak, start))) % places.length;
    while (places[place] !== 0) place = (place + 1) % places.length;
    places[place] = term + 1;
  }
  return { ...plain, folded: folded.bytes, foldedOffsets: folded.offsets, places };
};

const packLines = (
  size: number,
  textsAt: (term: number) => readonly string[],
): { readonly bytes: Uint8Array; readonly offsets: Uint32Array } => {
  const parts: Buffer[] = [];
  const offsets = new Uint32Array(size + 1);
  for (let term = 0; term < size; term++) {
    const lines = textsAt(term).map((text) => `${text.replaceAll('\n', ' ')}\n`);
    const part = Buffer.from(lines.join(''));
    offsets[term + 1] = offsets[term]! + part.length;
    parts.push(part);
  }
  return { bytes: Buffer.concat(parts), offsets };
};

/** Terms with a text that contains the one searched: equal ones, then those that begin with it, then others. */
export const findText = (
  { folded, foldedOffsets }: TermTexts,
  text: string,
  limit: number,
  among?: Uint32Array,
): readonly number[] => {
  const wanted = foldedText(text).replaceAll('\n', ' ');
  const bytes = bufferOf(folded);
  const found = new Map<number, number>();
  const needle = Buffer.from(wanted);
  if (needle.length === 0) return [];
  let full = 0;
  for (let at = bytes.indexOf(needle); at >= 0 && full < limit; at = bytes.indexOf(needle, at + 1)) {
    const term = termAt(foldedOffsets, at);
    if (among !== undefined && !hasNumber(among, term)) continue;
    const begins = at === 0 || bytes[at - 1] === lineBreak;
    const rank = begins ? (bytes[at + needle.length] === lineBreak ? 0 : 1) : 2;
    if (rank === 0 && found.get(term) !== 0) full++;
    found.set(term, Math.min(rank, found.get(term) ?? rank));
  }
  const ranked = [...found].sort(([left, rank], [right, other]) => rank - other || left - right);
  return ranked.slice(0, limit).map(([term]) => term);
};

/** The last offset that is not past a position, by halving. */
const termAt = (offsets: Uint32Array, position: number): number => {
  let low = 0;
  let high = offsets.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (offsets[middle]! <= position) low = middle;
    else high = middle;
  }
  return low;
};

const hasNumber = (numbers: Uint32Array, number: number): boolean =>
  numbers.length > 0 && numbers[termAt(numbers, number)] === number;

/**
 * Terms with a text that differs from a word by one slip: a letter added, dropped, replaced, or two swapped. What is left
 * between the beginning and the end that both share tells, so a long list of terms is read once, without a table a term.
 */
export const nearestText = (
  { folded, foldedOffsets }: TermTexts,
  word: string,
  limit: number,
): readonly number[] => {
  const wanted = Buffer.from(foldedText(word));
  const found = new Set<number>();
  for (let start = 0; start < folded.length && found.size < limit;) {
    const end = folded.indexOf(lineBreak, start);
    if (Math.abs(end - start - wanted.length) <= 1 && isSlip(folded, start, end, wanted))
      found.add(termAt(foldedOffsets, start));
    start = end + 1;
  }
  return [...found];
};

const isSlip = (bytes: Uint8Array, start: number, end: number, wanted: Uint8Array): boolean => {
  let first = 0;
  let last = 0;
  const most = Math.min(end - start, wanted.length);
  while (first < most && bytes[start + first] === wanted[first]) first++;
  while (last < most - first && bytes[end - 1 - last] === wanted[wanted.length - 1 - last]) last++;
  const left = Math.max(end - start, wanted.length) - first - last;
  return left <= 1 || (left === 2 && isSwap(bytes, start + first, wanted, first));
};

const isSwap = (bytes: Uint8Array, at: number, wanted: Uint8Array, other: number): boolean =>
  bytes[at] === wanted[other + 1] && bytes[at + 1] === wanted[other];

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
