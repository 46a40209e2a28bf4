import type { Sqon, SqonLeaf, SqonScalar } from './ast.ts';
import { SET_PREFIX } from './ast.ts';
import { operators } from './operators/table.ts';

/** The distinct ids of the saved sets that a filter's values refer to (`set_id:<id>`). */
export const setIdsIn = (sqon: Sqon | null): readonly string[] => {
  if (sqon === null || sqon.kind === 'multi' || sqon.kind === 'constant') return [];
  if (sqon.kind === 'group') return [...new Set(sqon.content.flatMap(setIdsIn))];
  if (!operators[sqon.op].takesSpecialValues) return [];
  return [...new Set(partsOf(sqon).special.flatMap((value) => setIdOf(value) ?? []))];
};

/**
 * Replaces every `set_id:<id>` in a filter by the values of that set, after the leaf's own values. They are taken
 * literally: a `*` in one is not a pattern, a `set_id:` not another set. An empty set shortens the list, so `in` finds
 * nothing through it.
 * @param valuesOf the values of a set, called each time the filter refers to it; throws when there is no such set
 */
export const expandSets = (sqon: Sqon, valuesOf: (setId: string) => readonly SqonScalar[]): Sqon => {
  switch (sqon.kind) {
    case 'multi':
    case 'constant':
      return sqon;
    case 'group': {
      const content = sqon.content.map((node) => expandSets(node, valuesOf));
      return content.every((node, position) => node === sqon.content[position]) ? sqon : { ...sqon, content };
    }
    case 'leaf': {
      const { special, exact } = partsOf(sqon);
      if (!operators[sqon.op].takesSpecialValues || !special.some((value) => setIdOf(value) !== null))
        return sqon;
      const own = special.filter((value) => setIdOf(value) === null);
      const ofSets = special.flatMap((value) => {
        const setId = setIdOf(value);
        return setId === null ? [] : valuesOf(setId);
      });
      return { ...sqon, values: [...own, ...exact, ...ofSets], exactFrom: own.length };
    }
  }
};

/** The values with possible special meanings, and those compared literally. */
const partsOf = ({ values, exactFrom = values.length }: SqonLeaf) => ({
  special: values.slice(0, exactFrom),
  exact: values.slice(exactFrom),
});

const setIdOf = (value: SqonScalar): string | null =>
  typeof value === 'string' && value.startsWith(SET_PREFIX) ? value.slice(SET_PREFIX.length) : null;
