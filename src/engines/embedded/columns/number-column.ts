import { nanosInMs } from '../../../introspection/dates/dates.ts';
import { allocate, chunkBits, chunkMask, withRoom, ValueChunk, ValueColumn } from './chunked.ts';

/**
 * Numbers and dates (epoch milliseconds) of documents or nested objects, as doubles; NaN means missing. If a chunk
 * contains an integer past 2^53, `exact` holds every value of that chunk again without rounding.
 */
export class NumberColumn extends ValueColumn<Float64Array> {
  readonly kind = 'number';
  /** Whether the exact values are nanoseconds, and the values of `chunks` milliseconds. */
  readonly isNanos: boolean;
  readonly exact: (BigInt64Array | BigUint64Array | null)[] = [];
  /** The extremes of the values so far; null until they are first needed. */
  #extent: { least: number; greatest: number } | null = null;
  readonly #exactKind: typeof BigInt64Array | typeof BigUint64Array;

  constructor(unsigned: boolean, isNanos = false) {
    super();
    this.isNanos = isNanos;
    this.#exactKind = unsigned ? BigUint64Array : BigInt64Array;
  }

  /** Sets the value or values of the next object, bigints past 2^53; skipped objects have none. */
  append(ordinal: number, values: number | bigint | readonly (number | bigint)[]): void {
    const number = ordinal >>> chunkBits;
    const chunk = this.nextChunk(ordinal);
    if (typeof values === 'number' && this.exact[number] === null) {
      chunk.putOne(ordinal & chunkMask, values);
      return this.#widen(values);
    }
    const list = typeof values === 'object' ? values : [values];
    if (list.length > 1 && chunk.offsets === null) this.#closeGaps(number);
    const numbers = list.map((value) => this.asNumber(value));
    numbers.forEach((number) => this.#widen(number));
    const start = chunk.put(ordinal & chunkMask, numbers);
    if (this.exact[number] !== null || list.some((value) => typeof value === 'bigint')) {
      this.#keepExact(number, start, list);
    }
  }

  /** An exact value as a number of the column. */
  asNumber(value: number | bigint): number {
    if (!this.isNanos || !Number.isFinite(Number(value))) return Number(value);
    return Number(BigInt(typeof value === 'number' ? Math.trunc(value) : value) / nanosInMs);
  }

  /** Restores a chunk's exact values from a snapshot. */
  restoreExact(number: number, words: Float64Array | null): void {
    this.exact[number] =
      words && new this.#exactKind(words.buffer as ArrayBuffer, words.byteOffset, words.length);
  }

  chunkAt(number: number): ValueChunk<Float64Array> {
    this.exact[number] ??= null;
    return (this.chunks[number] ??= new ValueChunk(Float64Array, NaN));
  }

  /** The difference between the largest and the smallest number; 0 if there are none. */
  span(): number {
    if (this.#extent === null) {
      this.#extent = { least: Infinity, greatest: -Infinity };
      for (const { values, used } of this.chunks) for (let i = 0; i < used; i++) this.#widen(values[i]!);
    }
    const { least, greatest } = this.#extent;
    return greatest >= least ? greatest - least : 0;
  }

  #widen(value: number): void {
    const extent = this.#extent;
    if (extent === null) return;
    if (value < extent.least) extent.least = value;
    if (value > extent.greatest) extent.greatest = value;
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
