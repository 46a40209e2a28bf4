import { allocate, chunkSize, withRoom, type ArrayKind, type Codes } from './chunked.ts';

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
