import { TributaryError } from '../../errors/errors.ts';
import type { Field, Fields } from './field.ts';

const isName = /^[A-Za-z][_A-Za-z0-9]*$/;

/**
 * One segment of a dotted path as a GraphQL name: characters outside [_A-Za-z0-9] become `_`, a leading digit is
 * prefixed with one, and a leading `__`, which GraphQL reserves, is shortened to `_`.
 */
export const graphqlSegment = (segment: string): string => {
  if (isName.test(segment)) return segment;
  const name = segment.replace(/[^_A-Za-z0-9]/g, '_').replace(/^__+/, '_');
  return name === '' || /^[0-9]/.test(name) ? `_${name}` : name;
};

/** The name of a dotted path in `aggregations`: its segments joined by `__`, never at the beginning of the name. */
export const aggregationName = (path: string): string =>
  // most paths, and names are made for every node and facet of a query
  isName.test(path) ? path : path.split('.').map(graphqlSegment).join('__').replace(/^__+/, '_');

/** The location of a dotted path in `node`: its segments as GraphQL names. */
const nodePath = (path: string): string => path.split('.').map(graphqlSegment).join('.');

/**
 * Checks that no two fields share a GraphQL name, either in `node` or in `aggregations`.
 * @throws TributaryError schema_build_error naming both paths and a remedy
 */
export const assertUniqueNames = (fields: Fields): void => {
  assertUnique([...fields.values()], nodePath);
  assertUnique([...fields.values()].filter(hasAggregation), aggregationName);
};

const assertUnique = (fields: readonly Field[], nameOf: (path: string) => string): void => {
  const found = sharedName(fields.map(({ path }) => path), nameOf); // prettier-ignore
  if (found !== null) throw collision(found.name, found.first, found.second);
};

/** Two paths with the same GraphQL name. */
export interface NameCollision {
  readonly name: string;
  readonly first: string;
  readonly second: string;
}

/**
 * The first two dotted paths that share a GraphQL name, in `node` or in `aggregations`; null when none do.
 * @param settled paths that may share names with each other
 */
export const nameCollision = (
  paths: readonly string[],
  settled: ReadonlySet<string> = new Set(),
): NameCollision | null =>
  sharedName(paths, nodePath, settled) ?? sharedName(paths, aggregationName, settled);

const sharedName = (
  paths: readonly string[],
  nameOf: (path: string) => string,
  settled: ReadonlySet<string> = new Set(),
): NameCollision | null => {
  const firstOf = new Map<string, string>();
  for (const second of paths) {
    const name = nameOf(second);
    const first = firstOf.get(name);
    const isSettled = first !== undefined && settled.has(first) && settled.has(second);
    if (first !== undefined && first !== second && !isSettled) return { name, first, second };
    firstOf.set(name, second);
  }
  return null;
};

const spelledOut: ReadonlyMap<string, string> = new Map(
  Object.entries({ ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue', ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', '%': 'percent', '&': 'and', '#': 'number' }), // prettier-ignore
);

/** Two names that GraphQL can distinguish, for paths that it cannot: letters spelled out, else a number appended. */
export const fieldNameOffers = (first: string, second: string): readonly [string, string] => {
  const [one, other] = [offeredName(first), offeredName(second)];
  return aggregationName(one) === aggregationName(other) ? [one, `${other}_2`] : [one, other];
};

const offeredName = (path: string): string =>
  path
    .split('.')
    .map((segment) =>
      [...segment]
        .map((letter) => spelledOut.get(letter) ?? letter.normalize('NFD').replace(/\p{M}/gu, ''))
        .join('')
        .replace(/[^A-Za-z0-9]+/g, '_')
        .replace(/^_+|_+$/g, ''),
    )
    .map((segment) => (/^[A-Za-z]/.test(segment) ? segment : `field_${segment}`))
    .join('.');

const collision = (name: string, first: string, second: string): TributaryError =>
  new TributaryError(
    'schema_build_error',
    `fields "${first}" and "${second}" share the GraphQL name ${name}; rename one of them in the index's mapping`,
    { details: { name, paths: [first, second] } },
  );

/** Nested paths are not facets themselves, but their contents are. */
const hasAggregation = (field: Field): boolean => field.kind !== 'nested';

/** Fields by their name in `aggregations`, without the nested paths themselves. Names must be unique. */
export const fieldByAggregationName = (fields: Fields): ReadonlyMap<string, Field> =>
  new Map(
    [...fields.values()].filter(hasAggregation).map((field) => [aggregationName(field.path), field] as const),
  );

/** The paths that others are below: for `a.b.c` both `a` and `a.b`. */
export const parentPaths = (fields: Fields): ReadonlySet<string> => {
  const parents = new Set<string>();
  for (const path of fields.keys())
    for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1))
      parents.add(path.slice(0, dot));
  return parents;
};

/** The paths above one: `a.b.c` -> `a`, `a.b`. */
export const pathsAbove = (path: string): readonly string[] => {
  const segments = path.split('.');
  return segments.slice(1).map((_, length) => segments.slice(0, length + 1).join('.'));
};

/** Splits names into words as people would: ordinals, runs of capitals, capitalised words, numbers, other letters. */
const words =
  /\d*(?:1st|2nd|3rd|(?![123])\dth)(?![a-z0-9])|\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\d+|[\p{Lo}\p{Lt}\p{Lm}]+/gu;

/** The default display name of a field: the words of its dotted path, capitalised. `ca19-9_level`: "Ca 19 9 Level". */
export const displayNameOf = (path: string): string => {
  const found = path.match(words) ?? [path];
  return found.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
};
