import { createHash } from 'node:crypto';
import { TributaryError } from '../errors/errors.ts';
import type { Hierarchy } from './hierarchy.ts';
import { unpackHierarchy, type HierarchyData } from './packed-hierarchy.ts';
import type { Lists } from './lists.ts';
import { closureOf, levelsOf, listOf, offsetsOf, transposed } from './lists.ts';
import { TextCollector } from './term-texts.ts';

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

/** The line, from 1, in which a term is defined for the first time (0) or again (1). */
export type LineOf = (id: string, time: number) => number | undefined;

/** The most terms of a hierarchy. */
const maxTerms = 5_000_000;

/** The most pairs of a term and one that it stands under: 512 MiB for each direction. */
const maxPairs = 2 ** 27;

/**
 * A hierarchy from its terms.
 * @param file where they come from, for messages
 * @throws TributaryError CONFIG_INVALID with file, line and term: a term twice, an unknown parent, a cycle, too many
 */
export const buildHierarchy = (name: string, terms: Iterable<Term>, file: string): Hierarchy => {
  const builder = new HierarchyBuilder(file);
  for (const term of terms) builder.add(term);
  return unpackHierarchy(builder.build(name, null));
};

/** Takes terms one by one, in any order, and keeps no more of them than the hierarchy needs. */
export class HierarchyBuilder {
  readonly #file: string;
  /** Terms are numbered as they are first mentioned, be it as parents. */
  readonly #numbers = new Map<string, number>();
  readonly #texts = new TextCollector();
  /** For each term where its parents begin in `parents`; undefined for one that was only mentioned. */
  readonly #starts: (number | undefined)[] = [];
  readonly #counts: number[] = [];
  readonly #parents: number[] = [];
  /** All parents of terms that have some on several lines. */
  readonly #more = new Map<number, number[]>();
  readonly #lines: (number | undefined)[] = [];
  readonly #obsolete = new Set<number>();
  readonly #replacements = new Map<number, string>();
  readonly #lineOf: LineOf;
  #size = 0;

  /** @param lineOf where terms stand that are added without their lines */
  constructor(file: string, lineOf: LineOf = () => undefined) {
    this.#file = file;
    this.#lineOf = lineOf;
  }

  /** Whether a term with this id was added. */
  has(id: string): boolean {
    const number = this.#numbers.get(id);
    return number !== undefined && this.#starts[number] !== undefined;
  }

  /** @throws TributaryError CONFIG_INVALID */
  add(term: Term): void {
    const number = this.#numberOf(term.id);
    if (this.#starts[number] === undefined) return this.#define(number, term);
    const { id, line = this.#lineOf(id, 1) } = term;
    throw this.#problem({ id, line }, `is there twice${this.#firstLine(number, id)}`);
  }

  /**
   * Adds a term, or another parent of one that was added before: with its label or none.
   * @throws TributaryError CONFIG_INVALID
   */
  addLine(term: Term): void {
    const number = this.#numberOf(term.id);
    if (this.#starts[number] === undefined) return this.#define(number, term);
    const [, label] = this.#texts.textsOf(number);
    if (term.label !== '' && term.label !== label)
      throw this.#problem(term, `has another label${this.#firstLine(number, term.id)}`);
    const known = this.#parentsOf(number);
    const added = term.parents.map((parent) => this.#numberOf(parent));
    if (added.length === 0 || known.length === 0 || added.some((parent) => known.includes(parent)))
      throw this.#problem(term, `is there twice${this.#firstLine(number, term.id)}: another line is for another parent`);
    this.#more.set(number, [...known, ...added]);
  } // prettier-ignore

  #define(number: number, term: Term): void {
    const { id, label, synonyms, line, parents } = term;
    if (id === '') throw this.#problem(term, 'is not an id: it is empty');
    if (++this.#size > maxTerms) throw this.#problem(term, `is one too many: at most ${maxTerms} terms are read`);
    this.#starts[number] = this.#parents.length;
    this.#lines[number] = line;
    const distinct = parents.length < 2 ? parents : [...new Set(parents)];
    for (const parent of distinct) this.#parents.push(this.#numberOf(parent));
    this.#counts[number] = distinct.length;
    if (term.obsolete) this.#obsolete.add(number);
    if (term.replacedBy !== null) this.#replacements.set(number, term.replacedBy);
    this.#texts.add(number, [id, label, ...synonyms]);
  } // prettier-ignore

  /** @param version as the file states it */
  build(name: string, version: string | null): HierarchyData {
    const ids = [...this.#numbers.keys()];
    this.#assertKnownParents(ids);
    const lists = this.#parentLists();
    const { levels, open } = levelsOf(lists);
    if (open !== null) throw this.#cycle(lists, open, ids);
    const order = orderOf(levels, ids);
    const ranks = inverseOf(order);
    const parents = renumbered(lists, order, ranks);
    const texts = this.#texts.packed(order);
    const descendants = closureOf(parents, maxPairs, (term) =>
      this.#problem(this.#place(ids, order[term]!), `makes the hierarchy too deep: at most ${maxPairs} pairs of a term and one that it stands under are kept`),
    ); // prettier-ignore
    const children = transposed(parents);
    const obsolete = Uint8Array.from(order, (number) => Number(this.#obsolete.has(number)));
    return {
      ...{ name, version, texts, parents, children, descendants, obsolete },
      fingerprint: fingerprintOf(ids, order, parents),
      ancestors: transposed(descendants),
      roots: rootsOf(parents, children, obsolete),
      depth: levels.reduce((deepest, level) => Math.max(deepest, level + 1), 0),
      replacements: Uint32Array.from(order, (number) => {
        const replacement = this.#numbers.get(this.#replacements.get(number) ?? '');
        return replacement === undefined ? 0 : ranks[replacement]! + 1;
      }),
    };
  }

  #numberOf(id: string): number {
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    this.#numbers.set(id, this.#starts.length);
    return this.#starts.push(undefined) - 1;
  }

  #parentsOf(number: number): readonly number[] {
    const start = this.#starts[number]!;
    return this.#more.get(number) ?? this.#parents.slice(start, start + this.#counts[number]!);
  }

  /** What is wrong, with file, line and term. */
  #problem({ id, line = this.#lineOf(id, 0) }: { readonly id: string; readonly line?: number | undefined }, what: string): TributaryError {
    const place = line === undefined ? '' : ` line ${line}`;
    return new TributaryError('CONFIG_INVALID', `${this.#file}${place}: ${JSON.stringify(id)} ${what}`);
  } // prettier-ignore

  #place(ids: readonly string[], number: number): { readonly id: string; readonly line: number | undefined } {
    return { id: ids[number]!, line: this.#lines[number] };
  }

  #firstLine(number: number, id: string): string {
    const line = this.#lines[number] ?? this.#lineOf(id, 0);
    return line === undefined ? '' : `, first in line ${line}`;
  }

  #assertKnownParents(ids: readonly string[]): void {
    if (this.#size === ids.length) return;
    for (let number = 0; number < ids.length; number++) {
      if (this.#starts[number] === undefined) continue;
      const unknown = this.#parentsOf(number).find((parent) => this.#starts[parent] === undefined);
      if (unknown !== undefined)
        throw this.#problem(this.#place(ids, number), `stands under ${JSON.stringify(ids[unknown])}, which is not in the file`); // prettier-ignore
    }
  }

  #parentLists(): Lists {
    const counts = Uint32Array.from(this.#starts.keys(), (at) => this.#more.get(at)?.length ?? this.#counts[at]!);
    const lists = { offsets: offsetsOf(counts), numbers: new Uint32Array(counts.reduce((sum, count) => sum + count, 0)) };
    for (let number = 0; number < counts.length; number++) {
      const more = this.#more.get(number);
      const start = this.#starts[number]!;
      for (let at = 0; at < counts[number]!; at++)
        lists.numbers[lists.offsets[number]! + at] = more?.[at] ?? this.#parents[start + at]!;
    }
    return lists;
  } // prettier-ignore

  /** @param open for each term how many of its parents stand on a cycle or under one */
  #cycle(parents: Lists, open: Uint32Array, ids: readonly string[]): TributaryError {
    const seen = new Set<number>();
    let at = open.findIndex((count) => count > 0);
    while (!seen.has(at)) {
      seen.add(at);
      at = listOf(parents, at).find((parent) => open[parent]! > 0)!;
    }
    const path = [...seen];
    const cycle = [...path.slice(path.indexOf(at)), at].map((number) => JSON.stringify(ids[number]));
    const shown = cycle.length > 8 ? [...cycle.slice(0, 4), '…', ...cycle.slice(-3)] : cycle;
    return this.#problem(this.#place(ids, at), `stands under itself: ${shown.join(' under ')}`);
  }
}

/** Numbers of terms, by level and then by id. */
const orderOf = (levels: Uint32Array, ids: readonly string[]): Uint32Array =>
  Uint32Array.from(ids.keys()).sort(
    (left, right) => levels[left]! - levels[right]! || (ids[left]! < ids[right]! ? -1 : 1),
  );

const inverseOf = (order: Uint32Array): Uint32Array => {
  const ranks = new Uint32Array(order.length);
  order.forEach((number, rank) => (ranks[number] = rank));
  return ranks;
};

const renumbered = ({ offsets, numbers }: Lists, order: Uint32Array, ranks: Uint32Array): Lists => {
  const starts = offsetsOf(order.map((number) => offsets[number + 1]! - offsets[number]!));
  const parents = new Uint32Array(numbers.length);
  order.forEach((number, term) => {
    for (let at = offsets[number]!; at < offsets[number + 1]!; at++)
      parents[starts[term]! + at - offsets[number]!] = ranks[numbers[at]!]!;
  });
  // from the children again, so that each list ascends
  return transposed(transposed({ offsets: starts, numbers: parents }));
};

const rootsOf = (parents: Lists, children: Lists, obsolete: Uint8Array): Uint32Array => {
  const isEmpty = ({ offsets }: Lists, term: number): boolean => offsets[term] === offsets[term + 1];
  return Uint32Array.from(obsolete.keys()).filter(
    (term) => isEmpty(parents, term) && (obsolete[term] === 0 || !isEmpty(children, term)),
  );
};

const fingerprintOf = (ids: readonly string[], order: Uint32Array, parents: Lists): string =>
  createHash('sha256')
    .update(JSON.stringify(Array.from(order, (number) => ids[number])))
    .update(parents.offsets)
    .update(parents.numbers)
    .digest('hex');
