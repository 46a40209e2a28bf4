import { allocate, chunkBits, chunkMask, chunkSize, withRoom, ValueChunk } from './chunked.ts';

/** How far a chunk has been scanned, and the result so far. */
interface Seen {
  readonly offsets: boolean;
  readonly end: number;
  readonly least: number;
  readonly greatest: number;
}

/**
 * Numbers and dates (epoch milliseconds) of documents or nested objects, as doubles; NaN means missing. If a chunk
 * contains an integer past 2^53, `exact` holds every value of that chunk again without rounding.
 */
export class NumberColumn {
  readonly kind = 'number';
  readonly chunks: ValueChunk<Float64Array>[] = [];
  readonly exact: (BigInt64Array | BigUint64Array | null)[] = [];
  /** By chunk. Values are only ever appended, so each is scanned once. */
  readonly #seen: Seen[] = [];
  readonly #exactKind: typeof BigInt64Array | typeof BigUint64Array;

  constructor(unsigned: boolean) {
    this.#exactKind = unsigned ? BigUint64Array : BigInt64Array;
  }

  /** Sets the value or values of the next object, bigints past 2^53; skipped objects have none. */
  append(ordinal: number, values: number | bigint | readonly (number | bigint)[]): void {
    const number = ordinal >>> chunkBits;
    // a chunk does its own padding
    if (number >= this.chunks.length) this.padTo(ordinal);
    const chunk = this.chunkAt(number);
    if (typeof values === 'number' && this.exact[number] === null) {
      chunk.putOne(ordinal & chunkMask, values);
      return;
    }
    const list = typeof values === 'object' ? values : [values];
    if (list.length > 1 && chunk.offsets === null) this.#closeGaps(number);
    const start = chunk.put(ordinal & chunkMask, list.map(Number));
    if (this.exact[number] !== null || list.some((value) => typeof value === 'bigint')) {
      this.#keepExact(number, start, list);
    }
  }

  /** Pads to `count` objects; the new ones have no value. */
  padTo(count: number): void {
    const last = (count - 1) >>> chunkBits;
    for (let number = Math.max(0, this.chunks.length - 1); count > 0 && number <= last; number++) {
      this.chunkAt(number).padTo(Math.min(chunkSize, count - (number << chunkBits)));
    }
  }

  /** Restores a chunk's exact values from a snapshot. */
  restoreExact(number: number, words: Float64Array | null): void {
    this.exact[number] =
      words && new this.#exactKind(words.buffer as ArrayBuffer, words.byteOffset, words.length);
  }

  /** A chunk, created if missing. */
  chunkAt(number: number): ValueChunk<Float64Array> {
    this.exact[number] ??= null;
    return (this.chunks[number] ??= new ValueChunk(Float64Array, NaN));
  }

  /** The difference between the largest and the smallest number; 0 if there are none. */
  span(): number {
    let least = Infinity;
    let greatest = -Infinity;
    for (const [number, chunk] of this.chunks.entries()) {
      const seen = (this.#seen[number] = scanned(chunk, this.#seen[number]));
      least = Math.min(least, seen.least);
      greatest = Math.max(greatest, seen.greatest);
    }
    return greatest >= least ? greatest - least : 0;
  }

  #keepExact(number: number, start: number, values: readonly (number | bigint)[]): void {
    const chunk = this.chunks[number]!;
    const exact = withRoom(
      this.exact[number] ?? this.#exactCopy(chunk, start),
      Math.max(chunk.values.length, start + values.length),
    );
    values.forEach((value, i) => (exact[start + i] = BigInt(value)));
    this.exact[number] = exact;
  }

  /** Moves the exact values to their positions after the chunk switches to lists. */
  #closeGaps(number: number): void {
    const exact = this.exact[number];
    if (!exact) return;
    const { values, count } = this.chunks[number]!;
    // readers in other threads may still be using the old array
    const closed = allocate<BigInt64Array | BigUint64Array>(this.#exactKind, exact.length);
    let used = 0;
    for (let local = 0; local < count; local++) {
      if (!Number.isNaN(values[local]!)) closed[used++] = exact[local]!;
    }
    this.exact[number] = closed;
  }

  #exactCopy(chunk: ValueChunk<Float64Array>, length: number): BigInt64Array | BigUint64Array {
    const exact = allocate<BigInt64Array | BigUint64Array>(this.#exactKind, chunk.values.length);
    for (let i = 0; i < length; i++) {
      const value = chunk.values[i]!;
      if (!Number.isNaN(value)) exact[i] = BigInt(value);
    }
    return exact;
  }
}

/** One object's numbers, exact where the column has exact values. */
export const numbersOf = (data: NumberColumn, ordinal: number): readonly (number | bigint)[] => {
  const number = ordinal >>> chunkBits;
  const local = ordinal & chunkMask;
  const { values, offsets } = data.chunks[number]!;
  const exact = data.exact[number];
  const start = offsets === null ? local : offsets[local]!;
  const end = offsets === null ? local + (Number.isNaN(values[local]) ? 0 : 1) : offsets[local + 1]!;
  return Array.from({ length: end - start }, (_, i) => exact?.[start + i] ?? values[start + i]!);
};

/** Continues where the last scan ended. */
const scanned = (chunk: ValueChunk<Float64Array>, before: Seen | undefined): Seen => {
  const offsets = chunk.offsets !== null;
  // values move when the first list is added
  const known = before?.offsets === offsets ? before : undefined;
  const end = offsets ? chunk.used : chunk.count;
  let least = known?.least ?? Infinity;
  let greatest = known?.greatest ?? -Infinity;
  for (let i = known?.end ?? 0; i < end; i++) {
    const value = chunk.values[i]!;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  return { offsets, end, least, greatest };
};

/** Distinct numbers, each with a code from 0 in order of first occurrence; an open-addressing hash table. */
export class NumberCodes {
  size = 0;
  #numbers = new Float64Array(512);
  /** Codes plus one; 0 means free. */
  #slots = new Int32Array(1024);

  /** The code of a number, adding it if it is new. */
  add(value: number): number {
    // turns -0 into 0
    const number = value + 0;
    const mask = this.#slots.length - 1;
    let slot = hashOf(number) & mask;
    for (let code = this.#slots[slot]! - 1; code >= 0; code = this.#slots[slot]! - 1) {
      if (this.#numbers[code] === number) return code;
      slot = (slot + 1) & mask;
    }
    const code = this.size++;
    if (this.size > this.#numbers.length) this.#grow();
    this.#numbers[code] = number;
    this.#put(code, number);
    return code;
  }

  /** The number of a code. */
  number(code: number): number {
    return this.#numbers[code]!;
  }

  #grow(): void {
    const numbers = new Float64Array(this.#numbers.length * 2);
    numbers.set(this.#numbers);
    this.#numbers = numbers;
    this.#slots = new Int32Array(this.#slots.length * 2);
    for (let code = 0; code < this.size - 1; code++) this.#put(code, numbers[code]!);
  }

  #put(code: number, number: number): void {
    const mask = this.#slots.length - 1;
    let slot = hashOf(number) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = code + 1;
  }
}

const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);

/** Mixes both halves of the double (the finalizer of MurmurHash3). */
const hashOf = (number: number): number => {
  double[0] = number;
  let hash = words[0]! ^ Math.imul(words[1]!, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};
