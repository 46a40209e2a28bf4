import type { Random } from '../../engines/random-documents.ts';
import { queriedDates, fractions, nestedAround, paths, types, wholeNumbers, words } from './consortium.ts';
import type { FilterJson, SortKey } from './oracle.ts';

const values = (random: Random, path: string, most: number): readonly unknown[] =>
  Array.from({ length: random.below(most + 1) }, () => {
    if (random.chance(0.12)) return '__missing__';
    switch (types[path]) {
      case 'keyword':
        return random.chance(0.25)
          ? random.pick(['*t', 'R*', '*', '*o*', 'a*b', 'a**', 'Vio*'])
          : random.pick(words);
      case 'long':
        return random.pick(wholeNumbers);
      case 'integer':
        return random.pick([0, 1, 2, 5]);
      case 'double':
        return random.pick(fractions);
      case 'boolean':
        return random.chance(0.5);
      case 'date':
        return random.pick(queriedDates);
      default:
        return 'any';
    }
  });

const ordered = (path: string): boolean => ['long', 'integer', 'double', 'date'].includes(types[path]!);

const randomLeaf = (random: Random, among: readonly string[]): FilterJson => {
  if (random.chance(0.15)) {
    const fieldNames = Array.from({ length: 1 + random.below(3) }, () => random.pick(among));
    const value = random.pick(['*t', '*T', 'r?t', '?', '*', 'q', '*E*', 'v*', '']);
    return { op: 'wildcard', content: { fieldNames, value } };
  }
  const fieldName = random.pick(among);
  if (ordered(fieldName) && random.chance(0.5)) {
    const ends = values(random, fieldName, 3).filter((value) => value !== '__missing__');
    // two ends of between must stand in their order
    if (ends.length > 0 && random.chance(0.2))
      return { op: 'between', content: { fieldName, value: ends.slice(0, 1) } };
    if (ends.length > 0)
      return { op: random.pick(['gt', 'gte', 'lt', 'lte']), content: { fieldName, value: ends } };
  }
  const op = random.pick(['in', 'in', 'in', 'not-in', 'some-not-in', 'all', 'is']);
  const value = values(random, fieldName, 3);
  // `is` takes "__missing__" as a word, which a field of numbers, dates or booleans refuses
  const isWord = ['keyword', 'nested'].includes(types[fieldName]!);
  const fitting = op === 'is' && !isWord ? value.filter((one) => one !== '__missing__') : value;
  return { op, content: { fieldName, value: fitting } };
};

/** Groups to some depth; what stands under a pivot stands below that path. */
export const randomFilter = (
  random: Random,
  depth: number,
  among: readonly string[] = paths,
  above: string | null = null,
): FilterJson => {
  if (depth === 0 || random.chance(0.35)) return randomLeaf(random, among);
  const op = random.pick(['and', 'and', 'or', 'not']);
  const inside = above === 'items.subs' ? ['items.subs'] : ['items', 'items.subs'];
  const pivot = random.chance(0.3) ? random.pick(inside) : null;
  const below = pivot === null ? among : paths.filter((one) => nestedAround(one).includes(pivot));
  const least = pivot === null ? 0 : 1;
  const content = Array.from({ length: least + random.below(3) }, () =>
    randomFilter(random, depth - 1, below, pivot ?? above),
  );
  return { op, content, ...(pivot !== null && { pivot }) };
};

/** By any fields, those of which nodes have values of their own and by which no sort is possible too. */
export const randomSort = (random: Random): readonly SortKey[] =>
  Array.from({ length: random.below(3) }, () => ({
    fieldName: random.pick([
      'k',
      'n',
      'n',
      'x',
      'd',
      'b',
      'items.n',
      'items.k',
      'items.subs.k',
      'c',
      'c',
      'items.c',
      '_id',
    ]),
    order: random.pick(['asc', 'desc'] as const),
    ...(random.chance(0.5) && { missing: random.pick(['first', 'last'] as const) }),
    ...(random.chance(0.3) && { mode: random.pick(['min', 'max'] as const) }),
  })).map((key) =>
    averaged.has(key.fieldName) && random.chance(0.4)
      ? { ...key, mode: random.pick(['avg', 'sum'] as const) }
      : key,
  );

const averaged: ReadonlySet<string> = new Set(['x', 'd', 'items.n']);
