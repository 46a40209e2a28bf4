import { listOf, type Lists } from './lists.ts';
import { indexOfId } from './spans.ts';
import { equalText, findText, idsOf, nearText, textsOf, type TermTexts } from './term-texts.ts';

/**
 * A directed acyclic graph of terms. Terms are numbered from 0, parents before their children, within a level by id. The
 * numbers are equal wherever the fingerprint is. Lists are ascending views into shared arrays: do not change them.
 */
export interface Hierarchy {
  readonly name: string;
  /** As stated in its file; null if not stated. */
  readonly version: string | null;
  /** SHA-256 of ids and edges, in hexadecimal: equal for equal graphs, whatever the format and order of their files. */
  readonly fingerprint: string;
  /** The number of terms. */
  readonly size: number;
  /** Terms without parents; obsolete ones only if they have children. */
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
  /** The term itself and all its descendants. */
  descendants(term: number): Uint32Array;
  isObsolete(term: number): boolean;
  /** The term that replaces an obsolete one; undefined if its file names none. */
  replacedBy(term: number): number | undefined;
  /**
   * Terms whose id, label or a synonym contains a text, ignoring case and accents: equal texts first, then those that
   * begin with it, then the others, each in the order of the terms.
   * @param limit the maximum number of terms
   * @param among only these terms, ascending; defaults to all
   */
  search(text: string, limit: number, among?: Uint32Array): readonly number[];
  /**
   * The likely intended terms for an unknown id: those with this label or synonym, else those whose id or label is one
   * typing error away.
   * @param limit the maximum number of terms; defaults to 3
   */
  suggest(word: string, limit?: number): readonly { readonly id: string; readonly label: string }[];
}

/** A hierarchy as plain data in typed arrays, which threads pass on without copying. */
export interface HierarchyData extends Pick<
  Hierarchy,
  'name' | 'version' | 'fingerprint' | 'roots' | 'depth'
> {
  readonly texts: TermTexts;
  readonly parents: Lists;
  readonly children: Lists;
  readonly descendants: Lists;
  /** 1 if a term is obsolete. */
  readonly obsolete: Uint8Array;
  /** For each term the number of its replacement plus 1; 0 for none. */
  readonly replacements: Uint32Array;
}

/** A hierarchy based on such data. */
export const unpackHierarchy = (data: HierarchyData): Hierarchy => {
  const { name, version, fingerprint, roots, depth, texts, obsolete, replacements } = data;
  const label = (term: number): string => {
    const [id, label] = textsOf(texts, term);
    return label === '' ? id! : label!;
  };
  return {
    ...{ name, version, fingerprint, roots, depth, label },
    size: obsolete.length,
    indexOf: (id) => indexOfId(texts, id),
    id: (term) => textsOf(texts, term)[0]!,
    ids: (terms) => idsOf(texts, terms),
    synonyms: (term) => textsOf(texts, term).slice(2),
    parents: (term) => listOf(data.parents, term),
    children: (term) => listOf(data.children, term),
    descendants: (term) => listOf(data.descendants, term),
    isObsolete: (term) => obsolete[term] === 1,
    replacedBy: (term) => (replacements[term] === 0 ? undefined : replacements[term]! - 1),
    search: (text, limit, among) => findText(texts, text, limit, among),
    suggest: (word, limit = 3) => {
      const equal = equalText(texts, word).slice(0, limit);
      const terms = equal.length > 0 ? equal : nearText(texts, word, limit);
      return terms.map((term) => ({ id: textsOf(texts, term)[0]!, label: label(term) }));
    },
  };
};
