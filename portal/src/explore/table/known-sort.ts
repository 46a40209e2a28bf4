import type { Catalogue, Sort } from '../../api/catalogue.ts';

/** The order that a view wants, as far as its fields are still there; else that of the owners. */
export const knownSort = (
  { fields, sort }: Catalogue,
  wanted: readonly Sort[] | undefined,
): readonly Sort[] => {
  const known = wanted?.filter(({ fieldName }) => fields.has(fieldName)) ?? [];
  return wanted === undefined || (known.length === 0 && wanted.length > 0) ? sort : known;
};
