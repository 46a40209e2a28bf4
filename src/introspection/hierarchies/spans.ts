import { Numbers } from './lists.ts';

/** Texts in a buffer, by start and end; cleared and reused, so that no text is an object. */
export class Spans {
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  count = 0;

  add(start: number, end: number): void {
    this.starts[this.count] = start;
    this.ends[this.count++] = end;
  }
}

/** A hash table of ids: at an id's hash, or in the next slots, its number plus 1. The number of slots is a power of 2. */
export interface IdTable {
  /** For each number a line break and its id, then optionally other data after another line break; a line break ends the last. */
  readonly bytes: Uint8Array;
  readonly offsets: Uint32Array;
  readonly places: Uint32Array;
}

export const lineBreak = 10;

/** The number of exactly this id. */
export const indexOfId = (table: IdTable, id: string): number | undefined => {
  const wanted = Buffer.from(id);
  const number = table.places[placeOf(table, wanted, 0, wanted.length)]!;
  return number === 0 ? undefined : number - 1;
};

/** The slot of an id, or the empty one where it belongs. */
const placeOf = (table: IdTable, bytes: Uint8Array, start: number, end: number): number => {
  const { places } = table;
  const mask = places.length - 1;
  let place = hashOf(bytes, start, end) & mask;
  while (
    places[place] !== 0 &&
    !hasIdAt(table.bytes, table.offsets[places[place]! - 1]! + 1, bytes, start, end)
  )
    place = (place + 1) & mask;
  return place;
};

const hasIdAt = (known: Uint8Array, from: number, bytes: Uint8Array, start: number, end: number): boolean => {
  let at = from;
  for (let next = start; next < end; next++) if (known[at++] !== bytes[next]) return false;
  return known[at] === lineBreak;
};

/** FNV-1a, 32 bits. */
const hashOf = (bytes: Uint8Array, start: number, end: number): number => {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  return hash >>> 0;
};

/** Numbers ids in the order in which they are first mentioned. */
export class IdNumbers implements IdTable {
  bytes = Buffer.of(lineBreak);
  places = new Uint32Array(64);
  size = 0;
  /** One more entry than there are ids. */
  readonly #ends = new Numbers();

  get offsets(): Uint32Array {
    return this.#ends.array;
  }

  /** The number of an id; a new id gets the next number. */
  numberOf(bytes: Uint8Array, start: number, end: number): number {
    const place = placeOf(this, bytes, start, end);
    if (this.places[place] !== 0) return this.places[place]! - 1;
    const from = this.offsets[this.size]!;
    const to = from + 1 + end - start;
    this.bytes = withRoom(this.bytes, from + 1, to + 1);
    for (let next = start, at = from + 1; next < end; next++) this.bytes[at++] = bytes[next]!;
    this.bytes[to] = lineBreak;
    this.#ends.set(++this.size, to);
    this.places[place] = this.size;
    if (2 * this.size > this.places.length) this.#spread();
    return this.size - 1;
  }

  id(number: number): string {
    return this.bytes.toString('utf8', this.offsets[number]! + 1, this.offsets[number + 1]);
  }

  /** Orders two numbers by the bytes of their ids. */
  compare(a: number, b: number): number {
    const { bytes, offsets } = this;
    const [first, second] = [offsets[a]! + 1, offsets[b]! + 1];
    const [length, otherLength] = [offsets[a + 1]! - first, offsets[b + 1]! - second];
    for (let at = 0; at < length && at < otherLength; at++)
      if (bytes[first + at] !== bytes[second + at]) return bytes[first + at]! - bytes[second + at]!;
    return length - otherLength;
  }

  #spread(): void {
    this.places = new Uint32Array(2 * this.places.length);
    for (let number = 0; number < this.size; number++)
      this.places[placeOf(this, this.bytes, this.offsets[number]! + 1, this.offsets[number + 1]!)] =
        number + 1;
  }
}

/** The buffer, or a larger one with the same bytes up to `used` if this one is smaller than needed. */
export const withRoom = (buffer: Buffer<ArrayBuffer>, used: number, needed: number): Buffer<ArrayBuffer> => {
  if (needed <= buffer.length) return buffer;
  const grown = Buffer.allocUnsafeSlow(Math.ceil(needed * 1.5) + 64);
  buffer.copy(grown, 0, 0, used);
  return grown;
};
