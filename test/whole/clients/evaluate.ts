import { donors, type Donor } from './donors.ts';

/** A filter as the clients send it. */
export type Filter =
  | { readonly op: string; readonly content: readonly Filter[]; readonly pivot?: string }
  | { readonly op: string; readonly content: Condition };

interface Condition {
  readonly fieldName?: string;
  readonly fieldNames?: readonly string[];
  readonly value: unknown;
}

type Part = Readonly<Record<string, unknown>>;

/** The parts of a donor that one object of a nested list belongs to, outermost first; the donor itself is `""`. */
type Chain = ReadonlyMap<string, Part>;

const nestedPaths = ['specimens', 'specimens.samples'];
const missing = '__missing__';

/** The donors a filter lets through, found by looking at every one of them. */
export const matching = (filter: Filter | null): readonly Donor[] =>
  donors.filter((donor) => filter === null || holds(filter, root(donor)));

/** How many donors have each value of a field, among the objects that the conditions on their own lists let through. */
export const counts = (
  path: string,
  conditions: readonly Filter[] = [],
): Readonly<Record<string, number>> => {
  const found = new Map<string, number>();
  for (const donor of donors.filter((each) =>
    conditions.every((condition) => holds(condition, root(each))),
  )) {
    const chains = chainsTo(homeOf(path), root(donor)).filter((chain) => withinAll(conditions, chain));
    const keys = new Set(chains.flatMap((chain) => keysOf(chain, path)));
    keys.forEach((key) => found.set(key, (found.get(key) ?? 0) + 1));
  }
  return Object.fromEntries(found);
};

/** The smallest and the largest value of a number or date field. */
export const extremes = (path: string): { readonly min: number; readonly max: number } => {
  const all = donors
    .flatMap((donor) => chainsTo(homeOf(path), root(donor)))
    .flatMap((chain) => values(chain, path));
  const numbers = all.map(toNumber);
  return { min: Math.min(...numbers), max: Math.max(...numbers) };
};

const holds = (filter: Filter, within: Chain): boolean => {
  if (!isGroup(filter)) return conditionHolds(filter.op, filter.content as Condition, within);
  const { content, op, pivot } = filter;
  if (pivot !== undefined && !within.has(pivot)) return pivoted(op, content, chainsTo(pivot, within));
  if (op === 'not') return !content.some((each) => holds(each, within));
  return op === 'or'
    ? content.some((each) => holds(each, within))
    : content.every((each) => holds(each, within));
};

/** All conditions of a pivot group are about one and the same object. */
const pivoted = (op: string, content: readonly Filter[], chains: readonly Chain[]): boolean => {
  if (op === 'or') return chains.some((chain) => content.some((each) => holds(each, chain)));
  const one = chains.some((chain) => content.every((each) => holds(each, chain)));
  return op === 'not' ? !one : one;
};

const conditionHolds = (op: string, { fieldName, fieldNames, value }: Condition, within: Chain): boolean => {
  if (op === 'filter')
    return fieldNames!.some((path) => someValue(path, within, (found) => like(found, String(value))));
  const accepted = [value].flat();
  const path = fieldName!;
  switch (op) {
    case 'in':
      return chainsTo(homeOf(path), within).some((chain) =>
        keysOf(chain, path).some((key) =>
          accepted.some((each) => (isPattern(each) ? like(key, each, '') : String(each) === key)),
        ),
      );
    case 'gt':
    case '>':
      return someValue(path, within, (found) => toNumber(found) > toNumber(value));
    case '>=':
      return someValue(path, within, (found) => toNumber(found) >= toNumber(value));
    case 'lt':
    case '<':
      return someValue(path, within, (found) => toNumber(found) < toNumber(value));
    case '<=':
      return someValue(path, within, (found) => toNumber(found) <= toNumber(value));
    default:
      throw new Error(`the evaluator does not know the operator ${op}`);
  }
};

const isGroup = (filter: Filter): filter is Extract<Filter, { content: readonly Filter[] }> =>
  Array.isArray(filter.content);

const isPattern = (value: unknown): value is string => typeof value === 'string' && value.includes('*');

const someValue = (path: string, within: Chain, accepts: (value: unknown) => boolean): boolean =>
  chainsTo(homeOf(path), within).some((chain) => values(chain, path).some(accepts));

const like = (value: unknown, pattern: string, flags = 'i'): boolean =>
  new RegExp(`^${pattern.replaceAll('*', '.*')}$`, flags).test(String(value));

const toNumber = (value: unknown): number =>
  typeof value === 'string' && value.includes('-') ? Date.parse(value) : Number(value);

const root = (donor: Donor): Chain => new Map([['', donor as unknown as Part]]);

/** The nested list that holds the field, `""` for fields of the donor itself. */
const homeOf = (path: string): string =>
  nestedPaths.findLast((nested) => path.startsWith(`${nested}.`)) ?? '';

/** One chain for each object of a nested list, below what is given already. */
const chainsTo = (home: string, from: Chain): readonly Chain[] => {
  let chains: readonly Chain[] = [from];
  for (const nested of nestedPaths.filter((each) => home === each || home.startsWith(`${each}.`))) {
    if (from.has(nested)) continue;
    chains = chains.flatMap((chain) => {
      const parent = chain.get(homeOf(nested))!;
      const objects = parent[nested.split('.').at(-1)!] as readonly Part[];
      return objects.map((object) => new Map([...chain, [nested, object]]));
    });
  }
  return chains;
};

const values = (chain: Chain, path: string): readonly unknown[] => {
  const home = homeOf(path);
  const inside = home === '' ? path : path.slice(home.length + 1);
  const found = inside
    .split('.')
    .reduce<unknown>((part, name) => (part as Part | undefined)?.[name], chain.get(home));
  return [found].flat().filter((value) => value !== undefined);
};

/** The values as the keys of buckets; `__missing__` when there are none. */
const keysOf = (chain: Chain, path: string): readonly string[] => {
  const found = values(chain, path).map(String);
  return found.length === 0 ? [missing] : found;
};

/** Conditions on the lists the chain leads through are about the chain's own objects. */
const withinAll = (conditions: readonly Filter[], chain: Chain): boolean =>
  conditions.every((condition) => {
    const home = isGroup(condition) ? '' : homeOf((condition.content as Condition).fieldName ?? '');
    return home === '' || !chain.has(home) || holds(condition, chain);
  });
