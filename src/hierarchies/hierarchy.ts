import type { Lists } from './lists.ts';
import { listOf } from './lists.ts';
import type { TermTexts } from './term-texts.ts';
import { findText, foldedText, idsOf, indexOfId, nearestText, textsOf } from './term-texts.ts';

/** A hierarchy as plain data, all of it in typed arrays: threads pass it on without copies. */
export interface HierarchyData {
  readonly name: string;
  /** As its file states it; null if it does not. */
  readonly version: string | null;
  /** SHA-256 of ids and edges, in hexadecimal: equal for equal graphs, whatever the format and order of their files. */
  readonly fingerprint: string;
  readonly texts: TermTexts;
  readonly parents: Lists;
  readonly children: Lists;
  readonly ancestors: Lists;
  readonly descendants: Lists;
  readonly roots: Uint32Array;
  readonly depth: number;
  /** 1 where a term is obsolete. */
  readonly obsolete: Uint8Array;
  /** For each term the number of its replacement plus 1; 0 for none. */
  readonly replacements: Uint32Array;
}

/**
 * A directed acyclic graph of terms. Terms are numbered from 0, parents before their children: those of one level by id.
 * The numbers are equal wherever the fingerprint is. Lists are ascending views into shared arrays: do not change them.
 */
export class Hierarchy {
  readonly data: HierarchyData;

  constructor(data: HierarchyData) {
    this.data = data;
  }

  get name(): string {
    return this.data.name;
  }

  get version(): string | null {
    return this.data.version;
  }

  get fingerprint(): string {
    return this.data.fingerprint;
  }

  /** The number of terms. */
  get size(): number {
    return this.data.obsolete.length;
  }

  /** Terms without parents; obsolete ones only if others stand under them. */
  get roots(): Uint32Array {
    return this.data.roots;
  }

  /** The number of levels: 1 if no term has a parent, 0 without terms. */
  get depth(): number {
    return this.data.depth;
  }

  /** The number of the term with exactly this id. */
  indexOf(id: string): number | undefined {
    return indexOfId(this.data.texts, id);
  }

  id(term: number): string {
    return textsOf(this.data.texts, term)[0]!;
  }

  /** The ids of many terms, in their order. */
  ids(terms: Uint32Array): readonly string[] {
    return idsOf(this.data.texts, terms);
  }

  /** The label; the id of a term without one. */
  label(term: number): string {
    const [id, label] = textsOf(this.data.texts, term);
    return label === '' ? id! : label!;
  }

  synonyms(term: number): readonly string[] {
    return textsOf(this.data.texts, term).slice(2);
  }

  parents(term: number): Uint32Array {
    return listOf(this.data.parents, term);
  }

  children(term: number): Uint32Array {
    return listOf(this.data.children, term);
  }

  /** The term itself and all that it stands under. */
  ancestors(term: number): Uint32Array {
    return listOf(this.data.ancestors, term);
  }

  /** The term itself and all that stand under it. */
  descendants(term: number): Uint32Array {
    return listOf(this.data.descendants, term);
  }

  isObsolete(term: number): boolean {
    return this.data.obsolete[term] === 1;
  }

  /** The term that replaces an obsolete one; undefined if its file names none. */
  replacedBy(term: number): number | undefined {
    const replacement = this.data.replacements[term]!;
    return replacement === 0 ? undefined : replacement - 1;
  }

  /**
   * Terms whose id, label or a synonym contains a text, in any case and with or without accents: equal texts first, then
   * those that begin with it, then the others, each in the order of the terms.
   * @param limit the most terms to find
   * @param among only these terms, ascending; defaults to all
   */
  search(text: string, limit: number, among?: Uint32Array): readonly number[] {
    return findText(this.data.texts, text, limit, among);
  }

  /**
   * The terms that someone may have meant by an unknown id: those with this label or synonym, else those whose id or label
   * is a slip of the keyboard away. At most `limit`.
   */
  suggest(word: string, limit = 3): readonly { readonly id: string; readonly label: string }[] {
    const folded = foldedText(word);
    const equal = this.search(word, limit).filter((term) =>
      textsOf(this.data.texts, term).some((text) => foldedText(text) === folded),
    );
    const terms = equal.length > 0 ? equal : nearestText(this.data.texts, word, limit);
    return terms.map((term) => ({ id: this.id(term), label: this.label(term) }));
  }
}
