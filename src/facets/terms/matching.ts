import { GraphQLString } from 'graphql';
import { foldedMatching } from '../../engines/semantics/folding.ts';
import type { SelectedField } from '../../graphql/selected-fields.ts';

/** The `matching` argument of a list of values. */
export const matchingArgument = {
  type: GraphQLString,
  description:
    'Only values whose key contains this text, case and accents ignored; `__missing__` is left out then. An empty text restricts nothing.',
};

/** @throws TributaryError BAD_USER_INPUT for a text that is too long */
const matchingOf = ({ args }: Pick<SelectedField, 'args'>): string | null =>
  foldedMatching(args['matching'] as string | null | undefined);

/**
 * Groups the fields of a facet's values by the text that keys must contain. Fields that describe a list belong to the
 * lists beside them if those are of one kind, else to the list of all values.
 */
export const byMatching = (
  selected: readonly SelectedField[],
): ReadonlyMap<string | null, readonly SelectedField[]> => {
  const groups = new Map<string | null, SelectedField[]>();
  const add = (matching: string | null, field: SelectedField): void => {
    groups.set(matching, [...(groups.get(matching) ?? []), field]);
  };
  const lists = selected.filter(({ name }) => name === 'buckets');
  for (const list of lists) add(matchingOf(list), list);
  const common = groups.size === 1 ? [...groups.keys()][0]! : null;
  for (const field of selected) if (field.name !== 'buckets') add(common, field);
  return groups;
};
