import type { Checkpoint } from './checkpoint.ts';

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
