import type { Hierarchy } from './hierarchy.ts';
import { listOf, type Lists } from './lists.ts';
import { indexOfId } from './spans.ts';
import { equalText, findText, idsOf, nearText, textsOf, type TermTexts } from './term-texts.ts';

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
