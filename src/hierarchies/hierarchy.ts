/**
 * A directed acyclic graph of terms. Terms are numbered from 0, parents before their children: those of one level by id.
 * The numbers are equal wherever the fingerprint is. Lists are ascending views into shared arrays: do not change them.
 */
export interface Hierarchy {
  readonly name: string;
  /** As its file states it; null if it does not. */
  readonly version: string | null;
  /** SHA-256 of ids and edges, in hexadecimal: equal for equal graphs, whatever the format and order of their files. */
  readonly fingerprint: string;
  /** The number of terms. */
  readonly size: number;
  /** Terms without parents; obsolete ones only if others stand under them. */
  readonly roots: Uint32Array;
  /** The number of levels: 1 if no term has a parent, 0 without terms. */
  readonly depth: number;
  /** The number of the term with exactly this id. */
  indexOf(id: string): number | undefined;
  id(term: number): string;
  /** The ids of many terms, in their order. */
  ids(terms: Uint32Array): readonly string[];
  /** The label; the id of a term without one. */
  label(term: number): string;
  synonyms(term: number): readonly string[];
  parents(term: number): Uint32Array;
  children(term: number): Uint32Array;
  /** The term itself and all that stand under it. */
  descendants(term: number): Uint32Array;
  isObsolete(term: number): boolean;
  /** The term that replaces an obsolete one; undefined if its file names none. */
  replacedBy(term: number): number | undefined;
  /**
   * Terms whose id, label or a synonym contains a text, in any case and with or without accents: equal texts first, then
   * those that begin with it, then the others, each in the order of the terms.
   * @param limit the most terms to find
   * @param among only these terms, ascending; defaults to all
   */
  search(text: string, limit: number, among?: Uint32Array): readonly number[];
  /**
   * The terms that someone may have meant by an unknown id: those with this label or synonym, else those whose id or label
   * is a slip of the keyboard away.
   * @param limit the most terms to find; defaults to 3
   */
  suggest(word: string, limit?: number): readonly { readonly id: string; readonly label: string }[];
}
