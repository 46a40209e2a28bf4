import { TributaryError } from '../errors.ts';
import type { Field, Fields } from './field.ts';

/**
 * One segment of a dotted path as a GraphQL name: characters outside [_A-Za-z0-9] become `_`, a leading digit gets
 * one in front, and a leading `__`, which GraphQL keeps for itself, is shortened to `_`.
 */
export const graphqlSegment = (segment: string): string => {
  const name = segment.replace(/[^_A-Za-z0-9]/g, '_').replace(/^__+/, '_');
  return name === '' || /^[0-9]/.test(name) ? `_${name}` : name;
};

/** The name of a dotted path in `aggregations`: its segments joined by `__`, which never begins the name. */
export const aggregationName = (path: string): string =>
  path.split('.').map(graphqlSegment).join('__').replace(/^__+/, '_');

/** The place of a dotted path in `node`: its segments as GraphQL names. */
const nodePath = (path: string): string => path.split('.').map(graphqlSegment).join('.');

/**
 * Checks that no two fields share a GraphQL name, neither in `node` nor in `aggregations`.
 * @throws TributaryError schema_build_error naming both paths and the cure
 */
export const assertUniqueNames = (fields: Fields): void => {
  assertUnique([...fields.values()], nodePath);
  assertUnique([...fields.values()].filter(hasAggregation), aggregationName);
};

const assertUnique = (fields: readonly Field[], nameOf: (path: string) => string): void => {
  const first = new Map<string, string>();
  for (const { path } of fields) {
    const name = nameOf(path);
    const other = first.get(name);
    if (other !== undefined) throw collision(name, other, path);
    first.set(name, path);
  }
};

const collision = (name: string, first: string, second: string): TributaryError =>
  new TributaryError(
    'schema_build_error',
    `fields "${first}" and "${second}" share the GraphQL name ${name}; rename one of them in the index's mapping`,
    { details: { name, paths: [first, second] } },
  );

/** Nested paths are no facets themselves; what they hold is. */
const hasAggregation = (field: Field): boolean => field.kind !== 'nested';

/** Fields by their name in `aggregations`, nested paths themselves left out. Names must be unique. */
export const fieldByAggregationName = (fields: Fields): ReadonlyMap<string, Field> =>
  new Map(
    [...fields.values()].filter(hasAggregation).map((field) => [aggregationName(field.path), field] as const),
  );
