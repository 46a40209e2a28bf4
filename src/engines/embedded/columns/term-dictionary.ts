import { neverStopped, pieceMask, type Checkpoint } from './search-run.ts';
import { allocate, withRoom } from './chunked.ts';

/** Bytes folded between two checkpoints. */
const foldedMask = (1 << 16) - 1;

/** The first strings are found without hashing; more entries would only cost memory. */
const recentLimit = 2048;
/** In tables larger than this most strings are not among the first ones. */
const smallTable = 16 * recentLimit;

/**
 * Distinct strings as UTF-8 bytes, each with a code starting at 1; 0 means no value. All data is in typed arrays:
 * string c is bytes[offsets[c - 1]] up to offsets[c], found through an open-addressing hash table of codes.
 */
export class TermDictionary {
  size = 0;
  offsets = allocate(Uint32Array, 64);
  bytes = allocate(Uint8Array, 1024);
  slots = allocate(Uint32Array, 64);
  /** The bytes with A-Z lowercased, filled lazily by searches; `length` is the part filled. */
  #folded: { readonly bytes: Uint8Array; readonly length: number } = {
    bytes: allocate(Uint8Array, 0),
    length: 0,
  };
  /**
   * The position of each code in sorted order, from 1, once a search has sorted by it: 4 bytes for each string. Strings
   * are only ever added, so it is outdated exactly when its length is not `size + 1`.
   */
  ranks: Uint32Array | null = null;
  /** The length in bytes of the prefix common to all strings up to a code; Infinity before the first. */
  prefix: { readonly length: number; readonly code: number } = { length: Infinity, code: 0 };
  /** Filled lazily by searches; `upTo` is the last code looked at. */
  #beyondAscii: { readonly codes: readonly number[]; readonly upTo: number } = { codes: [], upTo: 0 };
  readonly #recent = new Map<string, number>();

  /** The code of a string, or 0 if it is not in the table. */
  find(value: string): number {
    const length = encode(value);
    return this.slots[this.#slotOf(length)]!;
  }

  /** The code of a string, adding it if it is not in the table. */
  add(value: string): number {
    if (this.size < smallTable) {
      const recent = this.#recent.get(value);
      if (recent !== undefined) return recent;
    }
    const length = encode(value);
    const slot = this.#slotOf(length);
    const code = this.slots[slot]! || this.#insert(slot, length);
    if (this.#recent.size < recentLimit) this.#recent.set(value, code);
    return code;
  }

  /** The string of a code, starting at 1. */
  value(code: number): string {
    const start = this.bytes.byteOffset + this.offsets[code - 1]!;
    return Buffer.from(this.bytes.buffer, start, this.length(code)).toString();
  }

  /** The concatenated bytes of all strings. */
  usedBytes(): Buffer {
    return asBuffer(this.bytes, this.offsets[this.size]!);
  }

  /** The used bytes with A-Z lowercased. Tables only grow, so folded bytes stay valid. */
  foldedBytes(checkpoint: Checkpoint = neverStopped): Buffer {
    const used = this.offsets[this.size]!;
    const { length: start } = this.#folded;
    const bytes = withRoom(this.#folded.bytes, used);
    for (let i = start; i < used; i++) {
      if ((i & foldedMask) === 0) checkpoint();
      const byte = this.bytes[i]!;
      bytes[i] = byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
    }
    this.#folded = { bytes, length: used };
    return asBuffer(bytes, used);
  }

  /** The bytes folded so far, null before a search needed them. */
  get folded(): Uint8Array | null {
    const { bytes, length } = this.#folded;
    return length === 0 ? null : bytes.subarray(0, length);
  }

  /** Adopts the folded bytes another thread made of the same strings. */
  restoreFolded(bytes: Uint8Array): void {
    this.#folded = { bytes, length: bytes.length };
  }

  /** The codes of the strings with characters beyond ASCII, which folding may change beyond their bytes. */
  beyondAscii(checkpoint: Checkpoint = neverStopped): readonly number[] {
    const { codes, upTo } = this.#beyondAscii;
    if (upTo === this.size) return codes;
    // a search that a checkpoint lets in may look for the same ones
    const all = codes.slice();
    for (let code = upTo + 1; code <= this.size; code++) {
      if ((code & pieceMask) === 0) checkpoint();
      if (this.goesBeyondAscii(code)) all.push(code);
    }
    this.#beyondAscii = { codes: all, upTo: this.size };
    return all;
  }

  /** Whether a string has characters beyond ASCII. */
  goesBeyondAscii(code: number): boolean {
    const end = this.offsets[code]!;
    for (let at = this.offsets[code - 1]!; at < end; at++) if (this.bytes[at]! >= 0x80) return true;
    return false;
  }

  /** The length of a string in bytes. */
  length(code: number): number {
    return this.offsets[code]! - this.offsets[code - 1]!;
  }

  /** Compares two codes by the bytes of their strings: negative, 0 or positive. */
  compare(left: number, right: number): number {
    if (left === right) return 0;
    return compareBytes(
      this.bytes,
      this.offsets[left - 1]!,
      this.offsets[left]!,
      this.bytes,
      this.offsets[right - 1]!,
      this.offsets[right]!,
    );
  }

  /** Compares a code's string with UTF-8 bytes: negative, 0 or positive. */
  compareTo(code: number, other: Uint8Array): number {
    return compareBytes(this.bytes, this.offsets[code - 1]!, this.offsets[code]!, other, 0, other.length);
  }

  /** The slot of the string in the scratch buffer, or the free slot where it belongs. */
  #slotOf(length: number): number {
    const mask = this.slots.length - 1;
    let slot = hashOf(scratch, 0, length) & mask;
    for (let code = this.slots[slot]!; code !== 0; code = this.slots[slot]!) {
      if (this.#holdsScratch(code, length)) return slot;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #holdsScratch(code: number, length: number): boolean {
    const start = this.offsets[code - 1]!;
    if (this.offsets[code]! - start !== length) return false;
    for (let i = 0; i < length; i++) if (this.bytes[start + i] !== scratch[i]) return false;
    return true;
  }

  #insert(slot: number, length: number): number {
    const code = ++this.size;
    this.offsets = withRoom(this.offsets, code + 1);
    const start = this.offsets[code - 1]!;
    this.bytes = withRoom(this.bytes, start + length);
    for (let i = 0; i < length; i++) this.bytes[start + i] = scratch[i]!;
    this.offsets[code] = start + length;
    this.slots[slot] = code;
    if (code * 2 > this.slots.length) this.#rehash();
    return code;
  }

  #rehash(): void {
    this.slots = allocate(Uint32Array, this.slots.length * 2);
    const mask = this.slots.length - 1;
    for (let code = 1; code <= this.size; code++) {
      let slot = hashOf(this.bytes, this.offsets[code - 1]!, this.offsets[code]!) & mask;
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
      this.slots[slot] = code;
    }
  }
}

const asBuffer = ({ buffer, byteOffset }: Uint8Array, length: number): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, length);

/** Compares two byte strings as unsigned bytes, which for UTF-8 is code point order. */
const compareBytes = (
  left: Uint8Array,
  leftStart: number,
  leftEnd: number,
  right: Uint8Array,
  rightStart: number,
  rightEnd: number,
): number => {
  let i = leftStart;
  let j = rightStart;
  while (i < leftEnd && j < rightEnd) {
    const difference = left[i++]! - right[j++]!;
    if (difference !== 0) return difference;
  }
  return leftEnd - i - (rightEnd - j);
};

/** Scratch buffer for encoding the string looked up; grows to the longest one. */
let scratch = Buffer.allocUnsafe(1 << 16);

/** Up to this length copying characters is faster than a native call. */
const shortString = 64;

/** Writes a string as UTF-8 into the scratch buffer and returns its length in bytes. */
const encode = (value: string): number => {
  const { length } = value;
  // at most three bytes per UTF-16 unit
  if (length * 3 > scratch.length) scratch = Buffer.allocUnsafe(length * 3);
  if (length > shortString) return scratch.write(value, 0);
  for (let i = 0; i < length; i++) {
    const unit = value.charCodeAt(i);
    if (unit >= 0x80) return scratch.write(value, 0);
    scratch[i] = unit;
  }
  return length;
};

/** FNV-1a with a final mix, as an unsigned word. */
const hashOf = (bytes: Uint8Array, start: number, end: number): number => {
  let hash = 0x811c9dc5;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
};
