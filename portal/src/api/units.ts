import { MISSING } from '../../../src/sqon/ast.ts';
import type { Facet, ValuesFacet } from './answer.ts';
import type { Catalogue } from './catalogue.ts';
import type { Counted } from './counts.ts';
import type { Field } from './fields.ts';
import { nestedAbove, type Filter } from './filter.ts';
import { objectOf } from './nouns.ts';

/** What a number counts: records, or the objects of a nested list, by its path. */
export type Unit = string;
export const ofRecords: Unit = '';

type Described = Pick<Catalogue, 'fields'>;
type Kind = Pick<Field, 'path' | 'kind'>;

/** What the server counts in a facet: records for values; for numbers and dates, the objects that contain them. */
export const ownUnit = ({ kind, path }: Kind, catalogue: Described): Unit =>
  kind === 'values' ? ofRecords : (objectOf(path, catalogue) ?? ofRecords);

/** What a facet can count: records, and the objects of each list around its field, as far as the API counts them. */
export const unitsOf = (field: Field, catalogue: Described): readonly Unit[] => {
  const own = ownUnit(field, catalogue);
  if (field.hierarchy !== undefined) return [own];
  const lists = nestedAbove(field.path, catalogue.fields);
  return [ofRecords, ...lists.filter((list) => list === own || counterOf(list, field, catalogue) !== null)];
};

/** A number or date that the objects of a list have: its histogram counts them. null: there is none. */
export const counterOf = (
  list: Unit,
  { nodes }: Pick<Field, 'nodes'>,
  catalogue: Described,
): Field | null => {
  const isWhereAsked = (counter: Field): boolean =>
    counter.nodes === null || (nodes?.every((node) => counter.nodes!.includes(node)) ?? false);
  const counters = [...catalogue.fields.values()].filter(
    (field) => objectOf(field.path, catalogue) === list && isWhereAsked(field),
  );
  return (
    counters.find(({ kind }) => kind === 'numbers') ?? counters.find(({ kind }) => kind === 'dates') ?? null
  );
};

/** Finds the records with objects that a counter does not count. */
export const uncounted = ({ path }: Field): Filter => ({
  op: 'in',
  content: { fieldName: path, value: [MISSING] },
});

/** A facet with other counts of its values or intervals, in their order; values by the new counts. */
export const withCounts = (facet: Facet, counts: readonly (Counted | null)[]): Facet => {
  const nothingKnown = { count: 0, upper: Infinity };
  const recounted = <Part extends object>(part: Part, at: number) => ({
    ...part,
    nodes: null,
    ...(counts[at] ?? nothingKnown),
    estimate: null,
  });
  if (facet.kind !== 'values') return { ...facet, bins: facet.bins.map(recounted) };
  const buckets = facet.buckets.map(recounted).sort((one, other) => other.count - one.count);
  // the most frequent values of records, not of objects
  return { ...facet, buckets, also: [], missing: null, unlistedUpper: Infinity } satisfies ValuesFacet;
};
