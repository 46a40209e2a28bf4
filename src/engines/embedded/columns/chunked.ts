import type { Checkpoint } from './search-run.ts';

/**
 * Log2 of the documents (or nested objects) per chunk: columns grow by whole chunks, so growth never copies a column.
 */
export const chunkBits = 16;
/** Documents (or nested objects) per chunk. */
export const chunkSize = 1 << chunkBits;
/** `position & chunkMask` is the position within its chunk. */
export const chunkMask = chunkSize - 1;

export type Codes = Uint8Array | Uint16Array | Uint32Array;
export type TypedArray = Codes | Int32Array | Float64Array | BigInt64Array | BigUint64Array;

/** A typed array constructor that accepts shared memory. */
export interface ArrayKind<A extends TypedArray> {
  new (buffer: SharedArrayBuffer, byteOffset?: number, length?: number): A;
  readonly BYTES_PER_ELEMENT: number;
}

/** A zeroed array on shared memory, so that other worker threads can read it without copying. */
export const allocate = <A extends TypedArray>(kind: ArrayKind<A>, length: number): A =>
  new kind(new SharedArrayBuffer(length * kind.BYTES_PER_ELEMENT));

/** `array` itself if it has room for `length` elements, else a copy half as large again; new elements are zero. */
export const withRoom = <A extends TypedArray>(array: A, length: number): A => {
  if (length <= array.length) return array;
  const larger = allocate(array.constructor as ArrayKind<A>, Math.max(64, length + (length >>> 1)));
  (larger as Uint8Array).set(array as Uint8Array);
  return larger;
};

/** One number for each document or object, in chunks. */
export class Chunked<A extends Uint32Array | Float64Array> {
  readonly kind: ArrayKind<A>;
  readonly chunks: A[] = [];
  length = 0;

  constructor(kind: ArrayKind<A>) {
    this.kind = kind;
  }

  /** The element at `position`, which must be below `length`. */
  at(position: number): number {
    return this.chunks[position >>> chunkBits]![position & chunkMask]!;
  }

  push(value: number): void {
    const position = this.length++;
    const number = position >>> chunkBits;
    const local = position & chunkMask;
    const chunk = this.chunks[number] ?? allocate(this.kind, number === 0 ? 64 : chunkSize);
    this.chunks[number] = local < chunk.length ? chunk : withRoom(chunk, local + 1);
    this.chunks[number]![local] = value;
  }
}

/** Calls `visit` with the chunk number and the start and end position of each run of `ids` within one chunk. */
export const forEachChunkRun = (
  ids: Uint32Array,
  checkpoint: Checkpoint,
  visit: (number: number, from: number, to: number) => void,
): void => {
  let from = 0;
  while (from < ids.length) {
    const number = ids[from]! >>> chunkBits;
    const to = endOfRun(ids, from, number);
    checkpoint();
    visit(number, from, to);
    from = to;
  }
};

/**
 * The first position after `from` whose id lies in a later chunk, by binary search.
 * @param end no later than this position
 */
export const endOfRun = (ids: Uint32Array, from: number, number: number, end = ids.length): number => {
  let low = from + 1;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ids[middle]! >>> chunkBits === number) low = middle + 1;
    else high = middle;
  }
  return low;
};

/**
 * The values of up to 64Ki consecutive documents or objects. While each has at most one, `values` holds one element per
 * object (`blank` for none); the first list switches the chunk to `offsets`: the values of `local` are then
 * values[offsets[local]] up to offsets[local + 1].
 */
export class ValueChunk<A extends Codes | Float64Array> {
  values: A;
  offsets: Uint32Array | null = null;
  /** The number of documents or objects covered. */
  count = 0;
  readonly #blank: number;

  constructor(kind: ArrayKind<A>, blank: number) {
    this.values = allocate(kind, 0);
    this.#blank = blank;
  }

  /** The number of elements of `values` in use. */
  get used(): number {
    return this.offsets === null ? this.count : this.offsets[this.count]!;
  }

  /** Sets the only value of the next object; skipped objects have none. */
  putOne(local: number, value: number): void {
    if (this.offsets === null) {
      this.padTo(local + 1);
      this.values[local] = value;
    } else {
      this.put(local, [value]);
    }
  }

  /** Sets the values of the next object; skipped objects have none. Returns the position of the first value. */
  put(local: number, values: readonly number[]): number {
    if (values.length > 1 && this.offsets === null) this.#spread();
    this.padTo(local + 1);
    if (this.offsets === null) {
      if (values.length === 1) this.values[local] = values[0]!;
      return local;
    }
    const start = this.offsets[local]!;
    this.values = withRoom(this.values, start + values.length);
    for (let i = 0; i < values.length; i++) this.values[start + i] = values[i]!;
    this.offsets[local + 1] = start + values.length;
    return start;
  }

  /** Pads to `count` objects; the new ones have no value. */
  padTo(count: number): void {
    if (count <= this.count) return;
    if (this.offsets === null) {
      this.#reserve(count);
    } else {
      this.offsets = withRoom(this.offsets, count + 1);
      this.offsets.fill(this.offsets[this.count]!, this.count + 1, count + 1);
    }
    this.count = count;
  }

  /** Switches to wider codes. */
  widen(kind: ArrayKind<A>): void {
    const wider = allocate(kind, this.values.length);
    wider.set(this.values);
    this.values = wider;
  }

  /** Restores arrays from a snapshot. */
  restore(count: number, values: A, offsets: Uint32Array | null): void {
    this.count = count;
    this.values = values;
    this.offsets = offsets;
  }

  #reserve(count: number): void {
    const before = this.values.length;
    if (count <= before) return;
    const room = Math.min(chunkSize, Math.max(64, count + (count >>> 1)));
    this.values = withRoom(this.values, room);
    if (this.#blank !== 0) this.values.fill(this.#blank, before);
  }

  /** Switches to lists, in new arrays: readers in other threads may still be using the old ones. */
  #spread(): void {
    const offsets = allocate(Uint32Array, Math.max(64, this.count + 1));
    const values = allocate(this.values.constructor as ArrayKind<A>, this.values.length);
    let used = 0;
    for (let local = 0; local < this.count; local++) {
      offsets[local] = used;
      const value = this.values[local]!;
      if (!Object.is(value, this.#blank)) values[used++] = value;
    }
    offsets[this.count] = used;
    this.offsets = offsets;
    this.values = values;
  }
}

/** Values of documents or nested objects. */
export abstract class ValueColumn<A extends Codes | Float64Array> {
  readonly chunks: ValueChunk<A>[] = [];

  /** A chunk, created if missing. */
  abstract chunkAt(number: number): ValueChunk<A>;

  /** Pads to `count` objects; the new ones have no value. */
  padTo(count: number): void {
    const last = (count - 1) >>> chunkBits;
    for (let number = Math.max(0, this.chunks.length - 1); count > 0 && number <= last; number++) {
      this.chunkAt(number).padTo(Math.min(chunkSize, count - (number << chunkBits)));
    }
  }

  /** The chunk of the next object. */
  protected nextChunk(ordinal: number): ValueChunk<A> {
    const number = ordinal >>> chunkBits;
    // a chunk does its own padding
    if (number >= this.chunks.length) this.padTo(ordinal);
    return this.chunkAt(number);
  }
}
