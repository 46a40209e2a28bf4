import { maxConditions, type Condition } from './condition.ts';

/** Something of every cell of some dimensions, ascending, for the units that satisfy conditions on others. */
export type MarginsOf<Values> = (kept: readonly number[], conditions: readonly Condition[]) => Values;

/** What is kept in memory of a table's margins, in cells. */
const maxKept = 1_000_000;

/** What remembering one takes besides its cells. */
const cellsOfEntry = 32;

/**
 * Margins that are computed once, as long as not too many are asked for.
 * @param cleared is called when all are forgotten, also by `forget`
 */
export const keptMargins = <Values>(
  make: MarginsOf<Values>,
  sizeOf: (values: Values) => number,
  cleared: () => void = () => undefined,
): { readonly of: MarginsOf<Values>; readonly forget: () => void } => {
  const known = new Map<number, Values>();
  let size = 0;
  const forget = (): void => {
    known.clear();
    size = 0;
    cleared();
  };
  const of: MarginsOf<Values> = (kept, conditions) => {
    const name = nameOf(kept, conditions);
    const before = known.get(name);
    if (before !== undefined) return before;
    const made = make(kept, conditions);
    const cells = sizeOf(made) + cellsOfEntry;
    if (size + cells > maxKept) forget();
    size += cells;
    known.set(name, made);
    return made;
  };
  return { of, forget };
};

/** At most three dimensions, of at most twelve, and conditions together: within what a number holds exactly. */
const nameOf = (kept: readonly number[], conditions: readonly Condition[]): number => {
  let name = 0;
  for (const dimension of kept) name = name * 16 + dimension + 1;
  const ids = conditions.length < 2 ? conditions : conditions.toSorted((left, right) => left.id - right.id);
  for (const { id } of ids) name = name * maxConditions + id;
  return name * 4 + conditions.length;
};
