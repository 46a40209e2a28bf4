import { useQueries } from '@tanstack/react-query';
import type { Catalogue } from '../../api/catalogue.ts';
import type { Field } from '../../api/fields.ts';
import { isGroup, isSearch, type Filter } from '../../api/filter.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { useRecords } from '../../look/counted.ts';
import { termQuery, type Term } from '../../api/terms.ts';

/** The maximum number of terms looked up for one text. */
const maxLookedUp = 20;

/** The terms that filters name, once they have been looked up. */
export const useTermsOf = (
  filters: readonly Filter[],
  catalogue: Catalogue | undefined,
): ((path: string, id: string) => Term | undefined) => {
  const named = catalogue === undefined ? [] : filters.flatMap((filter) => termsNamed(filter, catalogue));
  const shown = named.slice(0, maxLookedUp);
  const found = useQueries({ queries: shown.map(({ field, id }) => termQuery(catalogue!, field, id)) });
  return (path, id) =>
    found[shown.findIndex((one) => one.field.path === path && one.id === id)]?.data ?? undefined;
};

/** The texts and terms needed to describe records with these filters. */
export const useWords = (filters: readonly Filter[], catalogue: Catalogue | undefined) => ({
  ...useLocale(),
  records: useRecords(catalogue),
  termOf: useTermsOf(filters, catalogue),
});

interface NamedTerm {
  readonly field: Field;
  readonly id: string;
}

const termsNamed = (filter: Filter, catalogue: Catalogue): readonly NamedTerm[] => {
  if (isSearch(filter)) return [];
  if (isGroup(filter)) return filter.content.flatMap((part) => termsNamed(part, catalogue));
  const { fieldName, value, except = [] } = filter.content;
  const field = catalogue.fields.get(fieldName);
  if (field?.hierarchy === undefined) return [];
  return [value, except].flat().map((id) => ({ field, id: String(id) }));
};
