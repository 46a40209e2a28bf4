/** For each term an ascending list of numbers, concatenated in one array. */
export interface Lists {
  /** One more entry than there are terms: list i ends where list i + 1 begins. */
  readonly offsets: Uint32Array;
  readonly numbers: Uint32Array;
}

/** A view into the array. */
export const listOf = ({ offsets, numbers }: Lists, at: number): Uint32Array =>
  numbers.subarray(offsets[at]!, offsets[at + 1]!);

/** Maps each number to the lists that contained it: such as children from parents. Ascending. */
export const transposed = (lists: Lists): Lists => {
  const counts = new Uint32Array(lists.offsets.length - 1);
  for (const number of lists.numbers) counts[number]!++;
  const offsets = offsetsOf(counts);
  const ends = offsets.slice();
  const numbers = new Uint32Array(lists.numbers.length);
  for (let at = 0; at < counts.length; at++)
    for (let next = lists.offsets[at]!; next < lists.offsets[at + 1]!; next++)
      numbers[ends[lists.numbers[next]!]!++] = at;
  return { offsets, numbers };
};

/**
 * For each term itself and all its descendants.
 * @param parents lists of terms with smaller numbers than the terms themselves
 * @param maxNumbers the limit for all lists together; `onTooMany` gets the number of the term that exceeds it
 */
export const closureOf = (parents: Lists, maxNumbers: number, onTooMany: (term: number) => Error): Lists => {
  const size = parents.offsets.length - 1;
  // for each term itself and all its ancestors, in no order
  const offsets = new Uint32Array(size + 1);
  let numbers = new Uint32Array(16 * size);
  const seen = new Uint32Array(size);
  for (let term = 0, end = 0; term < size; term++) {
    if (end + term >= numbers.length)
      numbers = new Uint32Array(numbers.buffer.transfer(8 * (end + term + 1)));
    for (let parent = parents.offsets[term]!; parent < parents.offsets[term + 1]!; parent++) {
      const last = offsets[parents.numbers[parent]! + 1]!;
      for (let at = offsets[parents.numbers[parent]!]!; at < last; at++) {
        const ancestor = numbers[at]!;
        if (seen[ancestor] === term) continue;
        seen[ancestor] = term;
        numbers[end++] = ancestor;
      }
    }
    numbers[end++] = term;
    if (end > maxNumbers) throw onTooMany(term);
    offsets[term + 1] = end;
  }
  return transposed({ offsets, numbers: numbers.subarray(0, offsets[size]) });
};

/**
 * For each term the length of the longest path from a root.
 * @returns `open`: null or, if there are cycles, for each term how many of its parents are on one or below one
 */
export const levelsOf = (
  parents: Lists,
): { readonly levels: Uint32Array; readonly open: Uint32Array | null } => {
  const { offsets, numbers } = transposed(parents);
  const size = offsets.length - 1;
  const open = new Uint32Array(size).map((_, at) => parents.offsets[at + 1]! - parents.offsets[at]!);
  const levels = new Uint32Array(size);
  const ready = new Uint32Array(size);
  let end = 0;
  for (let at = 0; at < size; at++) if (open[at] === 0) ready[end++] = at;
  for (let next = 0; next < end; next++) {
    const parent = ready[next]!;
    for (let at = offsets[parent]!; at < offsets[parent + 1]!; at++) {
      const child = numbers[at]!;
      levels[child] = Math.max(levels[child]!, levels[parent]! + 1);
      if (--open[child]! === 0) ready[end++] = child;
    }
  }
  return { levels, open: end < size ? open : null };
};

/** The offsets of lists with these lengths, and the end of the last one. */
export const offsetsOf = (counts: Uint32Array): Uint32Array => {
  const offsets = new Uint32Array(counts.length + 1);
  counts.forEach((count, at) => (offsets[at + 1] = offsets[at]! + count));
  return offsets;
};

/** The position of each number in a list of all numbers. */
export const inverseOf = (order: Uint32Array): Uint32Array => {
  const ranks = new Uint32Array(order.length);
  order.forEach((number, rank) => (ranks[number] = rank));
  return ranks;
};

/** The lists in another order, with their numbers mapped too. @param ranks the inverse of the order */
export const renumbered = ({ offsets, numbers }: Lists, order: Uint32Array, ranks: Uint32Array): Lists => {
  const starts = offsetsOf(order.map((number) => offsets[number + 1]! - offsets[number]!));
  const parents = new Uint32Array(numbers.length);
  order.forEach((number, term) => {
    for (let at = offsets[number]!; at < offsets[number + 1]!; at++)
      parents[starts[term]! + at - offsets[number]!] = ranks[numbers[at]!]!;
  });
  return { offsets: starts, numbers: parents };
};

/** Terms without parents; obsolete ones only if they have children. */
export const rootsOf = (parents: Lists, children: Lists, obsolete: Uint8Array): Uint32Array => {
  const isEmpty = ({ offsets }: Lists, term: number): boolean => offsets[term] === offsets[term + 1];
  return Uint32Array.from(obsolete.keys()).filter(
    (term) => isEmpty(parents, term) && (obsolete[term] === 0 || !isEmpty(children, term)),
  );
};

/** A growing list of numbers in an array with spare room: 0 where none was set. */
export class Numbers {
  array = new Uint32Array(1 << 10);
  length = 0;

  push(number: number): void {
    this.set(this.length, number);
  }

  set(at: number, number: number): void {
    const { array } = this;
    if (at >= array.length) this.array = new Uint32Array(array.buffer.transfer(8 * (at + 1)));
    this.array[at] = number;
    if (at >= this.length) this.length = at + 1;
  }
}
