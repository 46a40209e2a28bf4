/** Distinct numbers, each with a code from 0 in order of first occurrence; an open-addressing hash table. */
export class NumberCodes {
  size = 0;
  #numbers = new Float64Array(512);
  /** Codes plus one; 0 means free. */
  #slots = new Int32Array(1024);

  /** The code of a number, adding it if it is new. */
  add(given: number): number {
    // turns -0 into 0
    const number = given + 0;
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
