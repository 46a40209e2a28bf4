/** For each term an ascending list of numbers, end to end in one array. */
export interface Lists {
  /** One more than there are terms: list i ends where list i + 1 begins. */
  readonly offsets: Uint32Array;
  readonly numbers: Uint32Array;
}

/** A view into the array. */
export const listOf = ({ offsets, numbers }: Lists, at: number): Uint32Array =>
  numbers.subarray(offsets[at]!, offsets[at + 1]!);

/** From each number to the lists that it was in: children from parents, ancestors from descendants. Ascending. */
export const transposed = (lists: Lists): Lists => {
  const counts = new Uint32Array(lists.offsets.length - 1);
  for (const number of lists.numbers) counts[number]!++;
  const { offsets, numbers, ends } = emptyLists(counts);
  for (let at = 0; at < counts.length; at++)
    for (let next = lists.offsets[at]!; next < lists.offsets[at + 1]!; next++)
      numbers[ends[lists.numbers[next]!]!++] = at;
  return { offsets, numbers };
};

/**
 * For each term itself and all that stand under it.
 * @param parents whose terms have smaller numbers than the terms themselves
 * @param maxNumbers throws the number of the term at which all lists together would be longer
 */
export const closureOf = (parents: Lists, maxNumbers: number, onTooMany: (term: number) => Error): Lists => {
  const size = parents.offsets.length - 1;
  const walk = ancestorWalk(parents);
  const counts = new Uint32Array(size);
  let total = 0;
  for (let term = 0; term < size; term++) {
    walk(term, (ancestor) => {
      counts[ancestor]!++;
      total++;
    });
    if (total > maxNumbers) throw onTooMany(term);
  }
  const { offsets, numbers, ends } = emptyLists(counts);
  for (let term = 0; term < size; term++) walk(term, (ancestor) => (numbers[ends[ancestor]!++] = term));
  return { offsets, numbers };
};

/**
 * For each term the length of the longest path from a root.
 * @returns `open`: null, or where there are cycles, for each term how many of its parents stand on one or under one
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

type Walk = (term: number, visit: (ancestor: number) => void) => void;

/** Visits a term and each of its ancestors once, in no order. */
const ancestorWalk = ({ offsets, numbers }: Lists): Walk => {
  const seen = new Uint32Array(offsets.length);
  const open: number[] = [];
  let walks = 0;
  return (term, visit) => {
    walks++;
    open.push(term);
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (seen[at] === walks) continue;
      seen[at] = walks;
      visit(at);
      for (let next = offsets[at]!; next < offsets[at + 1]!; next++) open.push(numbers[next]!);
    }
  };
};

const emptyLists = (counts: Uint32Array): Lists & { readonly ends: Uint32Array } => {
  const offsets = offsetsOf(counts);
  return { offsets, numbers: new Uint32Array(offsets.at(-1)!), ends: offsets.slice(0, -1) };
};

/** Where lists of these lengths begin, and where the last one ends. */
export const offsetsOf = (counts: Uint32Array): Uint32Array => {
  const offsets = new Uint32Array(counts.length + 1);
  counts.forEach((count, at) => (offsets[at + 1] = offsets[at]! + count));
  return offsets;
};
