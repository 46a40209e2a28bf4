import { chunkBits, chunkMask, chunkSize, type ArrayKind, type Codes } from './chunked.ts';
import { TermDictionary } from './term-dictionary.ts';
import { ValueChunk } from './value-chunk.ts';

/**
 * Strings of documents or nested objects: a table of the distinct strings and, for each object, the codes of its
 * strings, each once. Text fields hold their tokens, booleans "0" and "1".
 */
export class KeywordColumn {
  readonly kind = 'keyword';
  readonly table = new TermDictionary();
  readonly chunks: ValueChunk<Codes>[] = [];

  /** Sets the value or values of the next object; skipped objects have none. */
  append(ordinal: number, values: string | readonly string[]): void {
    const codes =
      typeof values === 'string'
        ? this.table.add(values)
        : [...new Set(values.map((value) => this.table.add(value)))];
    const number = ordinal >>> chunkBits;
    // a chunk does its own padding
    if (number >= this.chunks.length) this.padTo(ordinal);
    const chunk = this.chunkAt(number);
    const kind = kindFor(this.table.size);
    if (kind.BYTES_PER_ELEMENT > chunk.values.BYTES_PER_ELEMENT) chunk.widen(kind);
    if (typeof codes === 'number') chunk.putOne(ordinal & chunkMask, codes);
    else chunk.put(ordinal & chunkMask, codes);
  }

  /** Pads to `count` objects; the new ones have no value. */
  padTo(count: number): void {
    const last = (count - 1) >>> chunkBits;
    for (let number = Math.max(0, this.chunks.length - 1); count > 0 && number <= last; number++) {
      this.chunkAt(number).padTo(Math.min(chunkSize, count - (number << chunkBits)));
    }
  }

  /** The codes of one object, none for a missing value. */
  codesOf(ordinal: number): readonly number[] {
    const chunk = this.chunks[ordinal >>> chunkBits]!;
    const local = ordinal & chunkMask;
    if (chunk.offsets !== null) {
      return Array.from(chunk.values.subarray(chunk.offsets[local]!, chunk.offsets[local + 1]!));
    }
    return chunk.values[local] === 0 ? [] : [chunk.values[local]!];
  }

  /** A chunk, created if missing. */
  chunkAt(number: number): ValueChunk<Codes> {
    return (this.chunks[number] ??= new ValueChunk<Codes>(kindFor(this.table.size), 0));
  }
}

/** The narrowest array whose elements can hold `code`. */
const kindFor = (code: number): ArrayKind<Codes> =>
  code < 0x100 ? Uint8Array : code < 0x10000 ? Uint16Array : Uint32Array;
