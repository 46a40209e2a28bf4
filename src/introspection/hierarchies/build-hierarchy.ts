import { createHash } from 'node:crypto';
import { invalidConfig, type TributaryError } from '../../lib/errors/errors.ts';
import { unpackHierarchy, type Hierarchy, type HierarchyData } from './hierarchy.ts';
import type { Lists } from './lists.ts';
import {
  closureOf,
  inverseOf,
  levelsOf,
  listOf,
  Numbers,
  offsetsOf,
  renumbered,
  rootsOf,
  transposed,
} from './lists.ts';
import { indexOfId, IdNumbers, Spans, withRoom } from './spans.ts';
import { TextCollector } from './term-texts.ts';

/** A term as defined in its file. */
export interface Term {
  readonly id: string;
  /** Empty if it has none. */
  readonly label: string;
  readonly synonyms: readonly string[];
  /** The ids of its parents. */
  readonly parents: readonly string[];
  readonly obsolete: boolean;
  /** The id of the term that replaces an obsolete one. */
  readonly replacedBy: string | null;
  /** Its line in the file, from 1. */
  readonly line?: number;
}

/** A term whose texts are in a buffer. */
export interface TermPlaces extends Pick<Term, 'obsolete' | 'replacedBy' | 'line'> {
  readonly bytes: Uint8Array;
  /** Its id, label and synonyms. */
  readonly texts: Spans;
  /** The ids of its parents. */
  readonly parents: Spans;
}

/** A term, as named in messages. */
interface Place {
  readonly id: string;
  readonly line?: number | undefined;
}

/** One of its texts. */
const textIn = ({ bytes, texts: { starts, ends } }: TermPlaces, at: number): string =>
  Buffer.from(bytes.subarray(starts[at], ends[at])).toString();

/** The line, from 1, where a term is defined for the first time (0) or again (1). */
export type LineOf = (id: string, time: number) => number | undefined;

/** The maximum number of terms of a hierarchy. */
const maxTerms = 5_000_000;

/** The maximum number of pairs of a term and an ancestor: 512 MiB for each direction. */
const maxPairs = 2 ** 27;

/**
 * A hierarchy from its terms.
 * @param file the source file, for messages
 * @throws TributaryError CONFIG_INVALID with file, line and term: a term twice, an unknown parent, a cycle, too many
 */
export const buildHierarchy = (name: string, terms: Iterable<Term>, file: string): Hierarchy => {
  const builder = new HierarchyBuilder(file);
  for (const term of terms) builder.add(term);
  return unpackHierarchy(builder.build(name, null));
};

/** Takes terms one by one, in any order, and retains only what the hierarchy needs. */
export class HierarchyBuilder {
  readonly #file: string;
  /** Terms are numbered as they are first mentioned, even if only as parents. */
  readonly #ids = new IdNumbers();
  readonly #texts: TextCollector;
  /** For each term its line plus 1, or 1 if that is not known; 0 for a term that was only mentioned. */
  readonly #lines = new Numbers();
  /** For each term the index of its last parent in `parents`; 0 for none. */
  readonly #last = new Numbers();
  readonly #parents = new Numbers();
  /** For each index in `parents` the previous one of the same term; 0 for none. */
  readonly #before = new Numbers();
  readonly #obsolete = new Set<number>();
  readonly #replacements = new Map<number, string>();
  readonly #lineOf: LineOf;
  readonly #written = new WrittenTerm();
  #size = 0;

  /**
   * @param bytes the approximate size of all texts
   * @param lineOf the lines of terms that are added without one
   */
  constructor(file: string, bytes = 0, lineOf: LineOf = () => undefined) {
    this.#file = file;
    this.#texts = new TextCollector(bytes);
    this.#lineOf = lineOf;
  }

  /** Whether a term with this id was added. */
  has(id: string): boolean {
    return this.#isDefined(indexOfId(this.#ids, id) ?? -1);
  }

  /** @throws TributaryError CONFIG_INVALID */
  add(term: Term): void {
    const places = this.#written.places(term);
    const number = this.#numberOf(places, places.texts, 0);
    if (!this.#isDefined(number)) return this.#define(number, places);
    const { id, line = this.#lineOf(id, 1) } = term;
    throw this.#problem({ id, line }, `is there twice${this.#firstLine(number, id)}`);
  }

  /**
   * Adds a term, or another parent of a term added before: with its label or without one.
   * @throws TributaryError CONFIG_INVALID
   */
  addLine(term: TermPlaces): void {
    const number = this.#numberOf(term, term.texts, 0);
    if (!this.#isDefined(number)) return this.#define(number, term);
    if (!this.#texts.hasLabel(number, term.bytes, term.texts))
      throw this.#again(number, term, 'has another label');
    const isOther = this.#lastParent(number) > 0 && term.parents.count > 0;
    if (!isOther || !this.#addParents(number, term))
      throw this.#again(number, term, 'is there twice', ': another line is for another parent');
  }

  #again(number: number, term: TermPlaces, what: string, hint = ''): TributaryError {
    const id = textIn(term, 0);
    return this.#problem({ id, line: term.line }, `${what}${this.#firstLine(number, id)}${hint}`);
  }

  #define(number: number, term: TermPlaces): void {
    const { bytes, texts, line, obsolete, replacedBy } = term;
    const where = (): Place => ({ id: textIn(term, 0), line });
    if (texts.starts[0] === texts.ends[0]) throw this.#problem(where(), 'is not an id: it is empty');
    if (++this.#size > maxTerms)
      throw this.#problem(where(), `is one too many: at most ${maxTerms} terms are read`);
    this.#lines.set(number, 1 + (line ?? 0));
    this.#addParents(number, term);
    if (obsolete) this.#obsolete.add(number);
    if (replacedBy !== null) this.#replacements.set(number, replacedBy);
    this.#texts.add(number, bytes, texts);
  }

  /** @returns whether any of the parents is new to the term */
  #addParents(number: number, term: TermPlaces): boolean {
    let isAnyNew = false;
    for (let at = 0; at < term.parents.count; at++) {
      const parent = this.#numberOf(term, term.parents, at);
      if (this.#hasParent(number, parent)) continue;
      isAnyNew = true;
      const place = Math.max(1, this.#parents.length);
      this.#parents.set(place, parent);
      this.#before.set(place, this.#lastParent(number));
      this.#last.set(number, place);
    }
    return isAnyNew;
  }

  #hasParent(number: number, parent: number): boolean {
    for (let at = this.#lastParent(number); at > 0; at = this.#before.array[at]!)
      if (this.#parents.array[at] === parent) return true;
    return false;
  }

  #lastParent(number: number): number {
    return this.#last.array[number] ?? 0;
  }

  #isDefined(number: number): boolean {
    return (this.#lines.array[number] ?? 0) > 0;
  }

  #lineIn(number: number): number | undefined {
    return this.#lines.array[number]! - 1 || undefined;
  }

  /** @param version the version that the file states */
  build(name: string, version: string | null): HierarchyData {
    const lists = this.#parentLists();
    this.#assertKnownParents(lists);
    const { levels, open } = levelsOf(lists);
    if (open !== null) throw this.#cycle(lists, open);
    const order = this.#order(levels);
    const ranks = inverseOf(order);
    const children = transposed(renumbered(lists, order, ranks));
    // from the children again, so that each list ascends
    const parents = transposed(children);
    const places = this.#ids.places.map((number) => (number === 0 ? 0 : ranks[number - 1]! + 1));
    const texts = this.#texts.packed(order, places);
    const descendants = closureOf(parents, maxPairs, (term) =>
      this.#problem(
        this.#place(order[term]!),
        `makes the hierarchy too deep: at most ${maxPairs} pairs of a term and one that it stands under are kept`,
      ),
    );
    const obsolete = Uint8Array.from(order, (number) => Number(this.#obsolete.has(number)));
    return {
      ...{ name, version, texts, parents, children, descendants, obsolete },
      fingerprint: this.#fingerprint(order, parents),
      roots: rootsOf(parents, children, obsolete),
      depth: levels.reduce((deepest, level) => Math.max(deepest, level + 1), 0),
      replacements: Uint32Array.from(order, (number) => {
        const id = this.#replacements.get(number);
        return id === undefined ? 0 : 1 + (indexOfId(texts, id) ?? -1);
      }),
    };
  }

  #numberOf({ bytes }: TermPlaces, { starts, ends }: Spans, at: number): number {
    return this.#ids.numberOf(bytes, starts[at]!, ends[at]!);
  }

  /** An error with file, line and term. */
  #problem({ id, line = this.#lineOf(id, 0) }: Place, what: string): TributaryError {
    const place = line === undefined ? '' : ` line ${line}`;
    return invalidConfig(`${this.#file}${place}: ${JSON.stringify(id)} ${what}`);
  }

  #place(number: number): Place {
    return { id: this.#ids.id(number), line: this.#lineIn(number) };
  }

  #firstLine(number: number, id: string): string {
    const line = this.#lineIn(number) ?? this.#lineOf(id, 0);
    return line === undefined ? '' : `, first in line ${line}`;
  }

  #assertKnownParents(lists: Lists): void {
    if (this.#size === this.#ids.size) return;
    for (let number = 0; number < this.#ids.size; number++) {
      const unknown = listOf(lists, number).find((parent) => !this.#isDefined(parent));
      if (unknown !== undefined)
        throw this.#problem(
          this.#place(number),
          `stands under ${JSON.stringify(this.#ids.id(unknown))}, which is not in the file`,
        );
    }
  }

  #parentLists(): Lists {
    const counts = new Uint32Array(this.#ids.size);
    const each = (visit: (number: number, parent: number) => void): void => {
      for (let number = 0; number < counts.length; number++)
        for (let at = this.#lastParent(number); at > 0; at = this.#before.array[at]!)
          visit(number, this.#parents.array[at]!);
    };
    each((number) => counts[number]!++);
    const offsets = offsetsOf(counts);
    const numbers = new Uint32Array(offsets.at(-1)!);
    each((number, parent) => (numbers[offsets[number]! + --counts[number]!] = parent));
    return { offsets, numbers };
  }

  /** Numbers of terms, ordered by level and then by id. */
  #order(levels: Uint32Array): Uint32Array {
    const order = [...levels.keys()];
    return Uint32Array.from(order.sort((a, b) => levels[a]! - levels[b]! || this.#ids.compare(a, b)));
  }

  #fingerprint(order: Uint32Array, parents: Lists): string {
    const hash = createHash('sha256');
    for (let from = 0; from < order.length || from === 0; from += 10_000) {
      const ids = Array.from(order.subarray(from, from + 10_000), (number) => this.#ids.id(number));
      hash.update(`${from === 0 ? '[' : ','}${JSON.stringify(ids).slice(1, -1)}`);
    }
    return hash.update(']').update(parents.offsets).update(parents.numbers).digest('hex');
  }

  /** @param open for each term, how many of its parents are on a cycle or below one */
  #cycle(parents: Lists, open: Uint32Array): TributaryError {
    const seen = new Set<number>();
    let at = open.findIndex((count) => count > 0);
    while (!seen.has(at)) {
      seen.add(at);
      at = listOf(parents, at).find((parent) => open[parent]! > 0)!;
    }
    const path = [...seen];
    const cycle = [...path.slice(path.indexOf(at)), at].map((number) => JSON.stringify(this.#ids.id(number)));
    const shortened = cycle.length > 8 ? [...cycle.slice(0, 4), '…', ...cycle.slice(-3)] : cycle;
    return this.#problem(this.#place(at), `stands under itself: ${shortened.join(' under ')}`);
  }
}

/** Writes the texts of a term into a buffer that is reused for the next one. */
class WrittenTerm {
  #bytes = Buffer.allocUnsafeSlow(1 << 10);
  #length = 0;

  places({ id, label, synonyms, parents, ...rest }: Term): TermPlaces {
    this.#length = 0;
    const texts = this.#spans([id, label, ...synonyms]);
    const above = this.#spans(parents);
    return { ...rest, bytes: this.#bytes, texts, parents: above };
  }

  #spans(texts: readonly string[]): Spans {
    const spans = new Spans();
    for (const text of texts) {
      // a UTF-16 unit takes at most three bytes
      this.#bytes = withRoom(this.#bytes, this.#length, this.#length + 3 * text.length);
      const start = this.#length;
      this.#length += this.#bytes.write(text, start);
      spans.add(start, this.#length);
    }
    return spans;
  }
}
