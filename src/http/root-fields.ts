import { parse, Kind, type DocumentNode, type SelectionSetNode } from 'graphql';

/**
 * The names of all fields that the operations of a document select at its root, through fragments too; aliases do not
 * count. None of a document that does not parse: it is refused later, and says why.
 */
export const rootFieldNames = (query: string): ReadonlySet<string> => {
  const names = new Set<string>();
  const document = parsed(query);
  if (document === null) return names;
  const fragments = new Map(
    document.definitions.flatMap((one) =>
      one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one.selectionSet] as const] : [],
    ),
  );
  const seen = new Set<string>();
  const visit = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) names.add(selection.name.value);
      else if (selection.kind === Kind.INLINE_FRAGMENT) visit(selection.selectionSet);
      else if (!seen.has(selection.name.value)) {
        // fragments may spread each other in a circle, which validation refuses later
        seen.add(selection.name.value);
        const fragment = fragments.get(selection.name.value);
        if (fragment) visit(fragment);
      }
    }
  };
  for (const one of document.definitions) if (one.kind === Kind.OPERATION_DEFINITION) visit(one.selectionSet);
  return names;
};

const parsed = (query: string): DocumentNode | null => {
  try {
    return parse(query, { noLocation: true });
  } catch {
    return null;
  }
};
