import type { IndexField } from '../../introspection/fields/field.ts';
import type { Filter } from '../../sqon/filter.ts';

/** Some value of the field begins with one of these texts. */
export interface Prefixes {
  readonly kind: 'prefixes';
  readonly field: IndexField;
  readonly prefixes: readonly string[];
  readonly caseInsensitive: boolean;
}

/** Fewer are searched for one by one, each in the bytes of all strings. */
const manyPrefixes = 16;

/** Alternatives, where many prefixes of one field are one condition: they are found in one pass over its strings. */
export const prefixesJoined = (of: readonly Filter[]): readonly (Filter | Prefixes)[] => {
  if (of.length < manyPrefixes) return of;
  const groups = new Map<string, Prefixes & { readonly filters: Filter[]; readonly prefixes: string[] }>();
  const others: Filter[] = [];
  for (const filter of of) {
    const prefix = prefixOf(filter);
    if (prefix === null) {
      others.push(filter);
      continue;
    }
    const { field, caseInsensitive } = filter as Pattern;
    const key = `${caseInsensitive} ${field.path}`;
    const group = groups.get(key) ?? { kind: 'prefixes', field, prefixes: [], caseInsensitive, filters: [] };
    groups.set(key, group);
    group.prefixes.push(prefix);
    group.filters.push(filter);
  }
  const joined = [...groups.values()].flatMap<Filter | Prefixes>(({ filters, ...condition }) =>
    filters.length < manyPrefixes ? filters : [condition],
  );
  return [...others, ...joined];
};

type Pattern = Extract<Filter, { kind: 'pattern' }>;

/** The text that a pattern is followed by anything; null: it is no such pattern. */
const prefixOf = (filter: Filter): string | null => {
  if (filter.kind !== 'pattern' || filter.except !== undefined) return null;
  const [first, rest, ...more] = filter.pattern;
  const isOpen = rest !== undefined && 'wildcard' in rest && rest.wildcard === 'any' && more.length === 0;
  return isOpen && first !== undefined && 'literal' in first && first.literal !== '' ? first.literal : null;
};
