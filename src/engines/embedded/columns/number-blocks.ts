import type { Checkpoint } from './search-run.ts';
import { chunkBits, chunkMask, endOfRun } from './chunked.ts';
import type { NumberColumn } from './number-column.ts';

/** A few thousand values: they stay in the processor's first caches while a measure reads them. */
const blockSize = 1 << 12;

/**
 * The values of a list of objects, a block at a time: `while (blocks.next())` over plain arrays is several times as
 * fast as a callback per value, whose sums are kept on the heap.
 */
export class NumberBlocks {
  /** The block's values in the order of their objects; the first `length` are valid until the next block. */
  readonly values: Float64Array;
  /** The object of each value; an object with several values is repeated, and may continue in the next block. */
  readonly ids: Uint32Array;
  length = 0;
  readonly #data: NumberColumn | null;
  readonly #objects: Uint32Array;
  readonly #checkpoint: Checkpoint;
  /** The position in `#objects` of the next object, and how many of its values have been read. */
  #next = 0;
  #read = 0;

  /**
   * @param data null for a field without values
   * @param objects ascending
   */
  constructor(data: NumberColumn | null, objects: Uint32Array, checkpoint: Checkpoint) {
    this.#data = data;
    this.#objects = objects;
    this.#checkpoint = checkpoint;
    const size = data === null ? 0 : blockSize;
    this.values = new Float64Array(size);
    this.ids = new Uint32Array(size);
  }

  /** Moves to the next block, which may be empty; false after the last one. */
  next(): boolean {
    if (this.#data === null || this.#next >= this.#objects.length) return false;
    this.#checkpoint();
    const objects = this.#objects;
    const from = this.#next;
    const number = objects[from]! >>> chunkBits;
    const end = endOfRun(objects, from, number, Math.min(from + blockSize, objects.length));
    const { values, offsets } = this.#data.chunks[number]!;
    if (offsets === null) this.#readSingle(end, values);
    else this.#readLists(end, values, offsets);
    return true;
  }

  #readSingle(end: number, chunk: Float64Array): void {
    const { values, ids } = this;
    const objects = this.#objects;
    let length = 0;
    for (let at = this.#next; at < end; at++) {
      const id = objects[at]!;
      const value = chunk[id & chunkMask]!;
      if (Number.isNaN(value)) continue;
      values[length] = value;
      ids[length] = id;
      length++;
    }
    this.#next = end;
    this.length = length;
  }

  #readLists(end: number, chunk: Float64Array, offsets: Uint32Array): void {
    const { values, ids } = this;
    const objects = this.#objects;
    let length = 0;
    let at = this.#next;
    for (; at < end; at++) {
      const id = objects[at]!;
      const from = offsets[id & chunkMask]! + this.#read;
      const to = Math.min(offsets[(id & chunkMask) + 1]!, from + blockSize - length);
      for (let i = from; i < to; i++) {
        values[length] = chunk[i]!;
        ids[length] = id;
        length++;
      }
      if (to < offsets[(id & chunkMask) + 1]!) {
        this.#read += to - from;
        break;
      }
      this.#read = 0;
    }
    this.#next = at;
    this.length = length;
  }
}
