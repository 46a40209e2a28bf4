import { createHash } from 'node:crypto';
import { TributaryError } from '../errors/errors.ts';
import { Hierarchy } from './hierarchy.ts';
import type { Lists } from './lists.ts';
import { closureOf, listOf, offsetsOf, transposed } from './lists.ts';
import { packTexts } from './term-texts.ts';

/** A term as its file has it. */
export interface Term {
  readonly id: string;
  /** Empty if there is none. */
  readonly label: string;
  readonly synonyms: readonly string[];
  /** The ids of the terms that it stands under. */
  readonly parents: readonly string[];
  readonly obsolete: boolean;
  /** The id of the term to use in place of an obsolete one. */
  readonly replacedBy: string | null;
  /** Where it stands in its file, from 1. */
  readonly line?: number;
}

/** Where terms come from. */
export interface TermSource {
  /** As messages name it. */
  readonly file: string;
  /** As the file states it. */
  readonly version?: string | null;
}

/** The most terms of a hierarchy. */
export const maxTerms = 5_000_000;

/** The most pairs of a term and one that it stands under: 512 MiB for each direction. */
const maxPairs = 2 ** 27;

/**
 * A hierarchy from its terms.
 * @throws TributaryError CONFIG_INVALID with file, line and term: a term twice, an unknown parent, a cycle, too many
 */
export const buildHierarchy = (name: string, terms: readonly Term[], source: TermSource): Hierarchy => {
  if (terms.length > maxTerms) throw problem(source, terms[maxTerms], `is term ${maxTerms + 1}: at most ${maxTerms} are read`); // prettier-ignore
  const positions = positionsOf(terms, source);
  const parentsByPosition = parentsOf(terms, positions, source);
  const levels = levelsOf(terms, parentsByPosition, source);
  const order = orderOf(terms, levels);
  const numbers = inverseOf(order);
  const parents = renumbered(parentsByPosition, order, numbers);
  const descendants = closureOf(parents, maxPairs, (term) =>
    problem(source, terms[order[term]!], `makes the hierarchy too deep: at most ${maxPairs} pairs of a term and one that it stands under are kept`),
  ); // prettier-ignore
  const children = transposed(parents);
  const obsolete = Uint8Array.from(order, (at) => Number(terms[at]!.obsolete));
  return new Hierarchy({
    name,
    version: source.version ?? null,
    fingerprint: fingerprintOf(terms, order, parents),
    texts: packTexts(order.length, (term) => {
      const { id, label, synonyms } = terms[order[term]!]!;
      return [id, label, ...synonyms];
    }),
    parents,
    children,
    ancestors: transposed(descendants),
    descendants,
    roots: rootsOf(parents, children, obsolete),
    depth: levels.reduce((deepest, level) => Math.max(deepest, level + 1), 0),
    obsolete,
    replacements: Uint32Array.from(order, (at) => {
      const position = positions.get(terms[at]!.replacedBy ?? '');
      return position === undefined ? 0 : numbers[position]! + 1;
    }),
  });
};

/** What is wrong, with file, line and term. */
export const problem = (
  { file }: TermSource,
  term: Pick<Term, 'id' | 'line'> | undefined,
  what: string,
): TributaryError => {
  const line = term?.line === undefined ? '' : ` line ${term.line}`;
  return new TributaryError('CONFIG_INVALID', `${file}${line}: ${term === undefined ? '' : `${JSON.stringify(term.id)} `}${what}`); // prettier-ignore
};

const positionsOf = (terms: readonly Term[], source: TermSource): ReadonlyMap<string, number> => {
  const positions = new Map<string, number>();
  terms.forEach((term, at) => {
    const first = positions.get(term.id);
    if (first !== undefined) throw problem(source, term, `is there twice${lineOf(terms[first]!)}: keep one`);
    positions.set(term.id, at);
  });
  return positions;
};

const lineOf = ({ line }: Term): string => (line === undefined ? '' : `, first in line ${line}`);

/** For each term, by its position in the file, the positions of its parents, each once. */
const parentsOf = (
  terms: readonly Term[],
  positions: ReadonlyMap<string, number>,
  source: TermSource,
): Lists => {
  const numbers: number[] = [];
  const counts = new Uint32Array(terms.length);
  terms.forEach((term, at) => {
    const parents = new Set(term.parents);
    for (const parent of parents) {
      const position = positions.get(parent);
      if (position === undefined) throw problem(source, term, `stands under ${JSON.stringify(parent)}, which is not in the file`); // prettier-ignore
      numbers.push(position);
    }
    counts[at] = parents.size;
  });
  return { offsets: offsetsOf(counts), numbers: Uint32Array.from(numbers) };
};

/** For each term the length of the longest path from a root. */
const levelsOf = (terms: readonly Term[], parents: Lists, source: TermSource): Uint32Array => {
  const children = transposed(parents);
  const open = Uint32Array.from(terms, (_, at) => parents.offsets[at + 1]! - parents.offsets[at]!);
  const levels = new Uint32Array(terms.length);
  const ready = new Uint32Array(terms.length);
  let end = 0;
  for (let at = 0; at < terms.length; at++) if (open[at] === 0) ready[end++] = at;
  for (let next = 0; next < end; next++)
    for (const child of listOf(children, ready[next]!)) {
      levels[child] = Math.max(levels[child]!, levels[ready[next]!]! + 1);
      if (--open[child]! === 0) ready[end++] = child;
    }
  if (end < terms.length) throw cycleAt(terms, parents, open, source);
  return levels;
};

/** @param open for each term how many of its parents stand on a cycle or under one */
const cycleAt = (
  terms: readonly Term[],
  parents: Lists,
  open: Uint32Array,
  source: TermSource,
): TributaryError => {
  const seen = new Set<number>();
  let at = open.findIndex((count) => count > 0);
  while (!seen.has(at)) {
    seen.add(at);
    at = listOf(parents, at).find((parent) => open[parent]! > 0)!;
  }
  const path = [...seen];
  const cycle = [...path.slice(path.indexOf(at)), at].map((position) => JSON.stringify(terms[position]!.id));
  const shown = cycle.length > 8 ? [...cycle.slice(0, 4), '…', ...cycle.slice(-3)] : cycle;
  return problem(source, terms[at], `stands under itself: ${shown.join(' under ')}`);
};

/** The positions of terms, by level and then by id. */
const orderOf = (terms: readonly Term[], levels: Uint32Array): Uint32Array =>
  Uint32Array.from(terms.keys()).sort(
    (left, right) => levels[left]! - levels[right]! || (terms[left]!.id < terms[right]!.id ? -1 : 1),
  );

const inverseOf = (order: Uint32Array): Uint32Array => {
  const numbers = new Uint32Array(order.length);
  order.forEach((position, number) => (numbers[position] = number));
  return numbers;
};

/** For each term, by number, the numbers of its parents. */
const renumbered = (lists: Lists, order: Uint32Array, numbers: Uint32Array): Lists => {
  const offsets = offsetsOf(order.map((at) => lists.offsets[at + 1]! - lists.offsets[at]!));
  const parents = new Uint32Array(lists.numbers.length);
  order.forEach((at, term) =>
    parents.set(
      listOf(lists, at).map((position) => numbers[position]!),
      offsets[term],
    ),
  );
  // from the children again, so that each list ascends
  return transposed(transposed({ offsets, numbers: parents }));
};

const rootsOf = (parents: Lists, children: Lists, obsolete: Uint8Array): Uint32Array =>
  Uint32Array.from(obsolete.keys()).filter(
    (term) =>
      listOf(parents, term).length === 0 && (obsolete[term] === 0 || listOf(children, term).length > 0),
  );

const fingerprintOf = (terms: readonly Term[], order: Uint32Array, parents: Lists): string => {
  const hash = createHash('sha256');
  order.forEach((at, term) => hash.update(`${terms[at]!.id}\n${listOf(parents, term).join(' ')}\n`));
  return hash.digest('hex');
};
