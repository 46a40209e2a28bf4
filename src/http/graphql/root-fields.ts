import { parse, Kind, type DocumentNode } from 'graphql';
import { maxTokens } from './document-size.ts';

/**
 * The names (not aliases) of all root fields that a document's operations select, including through fragments. Empty
 * for a document that does not parse; it is refused later with the reason.
 */
export const rootFieldNames = (query: string): ReadonlySet<string> => {
  const document = parsed(query);
  return document === null ? new Set() : rootFieldsOf(document);
};

/** The same of a document that was parsed. */
export const rootFieldsOf = (document: DocumentNode): ReadonlySet<string> => {
  const names = new Set<string>();
  const fragments = new Map(
    document.definitions.flatMap((one) =>
      one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one.selectionSet] as const] : [],
    ),
  );
  // an explicit stack, and each fragment once: thousands may spread each other, in a chain or a cycle
  const seen = new Set<string>();
  const open = document.definitions.flatMap((one) =>
    one.kind === Kind.OPERATION_DEFINITION ? [one.selectionSet] : [],
  );
  for (let set = open.pop(); set !== undefined; set = open.pop())
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) names.add(selection.name.value);
      else if (selection.kind === Kind.INLINE_FRAGMENT) open.push(selection.selectionSet);
      else if (!seen.has(selection.name.value)) {
        seen.add(selection.name.value);
        const fragment = fragments.get(selection.name.value);
        if (fragment) open.push(fragment);
      }
    }
  return names;
};

const parsed = (query: string): DocumentNode | null => {
  try {
    return parse(query, { noLocation: true, maxTokens });
  } catch {
    return null;
  }
};
