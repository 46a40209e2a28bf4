import { GraphQLInputObjectType, GraphQLList, GraphQLScalarType, GraphQLString } from 'graphql';
import { endAtNow, rangeAtNow, type RangeBucketQuery } from '../../engines/measure.ts';
import { badUserInput } from '../../lib/errors/errors.ts';
import type { SelectedField } from '../../lib/graphql/execution.ts';
import { jsonScalar } from '../../lib/graphql/scalars.ts';
import { dependsOnNow, parseDate } from '../../introspection/dates/dates.ts';
import type { FieldKind } from '../../introspection/fields/field.ts';
import { compareNumbers, isWholeText, shownWhole } from '../../lib/json/json.ts';
import { lowerOf } from '../count.ts';
import type { FacetMeasure } from '../query.ts';
import { isInt, resultsOf } from './row/answer-shape.ts';
import { countedSelection, withNodeCounts, type Counts } from './row/counted-buckets.ts';
import { key, maxListed, countsReader, numeral } from './row/wire.ts';
import { sent, type FacetField, type MeasureRow, type SelectionContext } from './row/measure-row.ts';

/** The GraphQL input of an end. */
export const rangeEnd = new GraphQLScalarType({
  name: 'RangeEnd',
  description:
    'An end of a range: a number, of dates in milliseconds since 1970, whole ones beyond 2^53 as a string of their digits; or a date, ISO 8601 or as date math such as now-30d/d.',
  parseValue: (value) => endValue(value),
  parseLiteral: (node) => endValue(jsonScalar.parseLiteral(node)),
});

const endValue = (value: unknown): number | string => {
  if (typeof value === 'number' || typeof value === 'string') return value;
  throw badUserInput(`the end of a range is a number or a date, not ${JSON.stringify(value)}`);
};

/** The GraphQL input of one range. */
export const rangesInput = new GraphQLInputObjectType({
  name: 'RangesArg',
  description: 'One range. It may overlap others; an end that is left out is open.',
  fields: {
    to: { type: rangeEnd, description: 'The upper end, not included.' },
    from: { type: rangeEnd, description: 'The lower end, included.' },
    key: { type: GraphQLString, description: 'The name of its bucket; "from-to" by default.' },
  },
});

const field: FacetField = {
  type: 'buckets',
  description: 'Values by ranges of your own.',
  args: {
    ranges: { type: new GraphQLList(rangesInput), description: 'By default one range from 0 upwards.' },
  },
};

interface RangeArg {
  readonly from?: number | string | null;
  readonly to?: number | string | null;
  readonly key?: string | null;
}

const measureOf = (
  { args }: SelectedField,
  { field: { path, kind } }: Pick<SelectionContext, 'field'>,
): FacetMeasure<'range'> => {
  const listed = (args['ranges'] as readonly (RangeArg | null)[] | null | undefined) ?? [{ from: 0 }];
  const ranges = listed
    .filter((range) => range !== null)
    .map(({ from, to, key }) => ({
      key: key == null ? `${edge(from)}-${edge(to)}` : nameOf(key, path),
      ...(from == null ? {} : { from: endOf(from, path, kind) }),
      ...(to == null ? {} : { to: endOf(to, path, kind) }),
    }));
  return { kind: 'range', ranges: ranges.toSorted(inOrder) };
};

/** Nodes echo it, as text in UTF-8. */
const nameOf = (key: string, path: string): string => {
  if (key.isWellFormed()) return key;
  throw badUserInput(`range of ${path} has a key with half of a surrogate pair`, {
    details: { field: path },
  });
};

/** Clients expect the order in which search clusters return ranges, as requested or not: lower ends, then upper. */
const inOrder = (left: RangeBucketQuery, right: RangeBucketQuery): number =>
  compareNumbers(endAtNow(left.from ?? -Infinity), endAtNow(right.from ?? -Infinity)) ||
  compareNumbers(endAtNow(left.to ?? Infinity), endAtNow(right.to ?? Infinity));

/**
 * An end as nodes take it: a number, or a text: digits beyond 2^53, or an end that depends on the clock.
 * @throws TributaryError BAD_USER_INPUT for any other text, and for a number that is not finite, which JSON cannot write
 */
const endOf = (value: number | string, path: string, kind: FieldKind): number | string => {
  if (Number.isFinite(value)) return value;
  const read = typeof value === 'number' ? null : kind === 'date' ? dateEnd(value) : numberEnd(value);
  if (read !== null) return read;
  const expected = kind === 'date' ? 'a date, date math such as now-30d/d or a number' : 'a number';
  throw badUserInput(
    `range of ${path} has the end ${typeof value === 'number' ? value : JSON.stringify(value)}: ${expected} expected`,
    {
      details: { field: path },
    },
  );
};

const dateEnd = (text: string): number | string | null => {
  const ms = parseDate(text, undefined, 'down');
  return ms !== null && dependsOnNow(text) ? text : ms;
};

const numberEnd = (text: string): number | string | null => {
  if (isWholeText(text)) return shownWhole(BigInt(text));
  return numeral.safeParse(text).success ? Number(text) : null;
};

/** In the engines' format, which clients know: at least one decimal, `*` for an open end. */
const edge = (value: number | string | null | undefined): string => {
  if (value == null) return '*';
  return typeof value === 'number' && Number.isInteger(value) ? value.toFixed(1) : String(value);
};

/** Every value is compared with every range. */
const maxRanges = 1_000;

const readCounts = countsReader(key, maxListed);

/** Numbers or dates by caller-defined ranges. */
export const range: MeasureRow<'range'> = {
  fields: { numbers: { range: field } },
  ...countedSelection('range', measureOf),
  toEngine: (measure, { field: { path } }) => {
    const { length } = measure.ranges;
    if (length === 0) throw badUserInput(`range of ${path} needs at least one range`);
    if (length > maxRanges)
      throw badUserInput(`range of ${path} takes at most ${maxRanges} ranges, not ${length}`);
    return { ...measure, ranges: measure.ranges.map(rangeAtNow) };
  },
  toNode: ({ kind, ranges }, { dialect }) => {
    const fits = ({ from = 0, to = 0 }: RangeBucketQuery): boolean =>
      [from, to].every((end) => isInt(Number(endAtNow(end))));
    // the established server takes 32-bit ends
    if (dialect === 'established' && !ranges.every(fits)) return { kind: 'notCovered' };
    return sent({ kind, ranges: ranges.map(rangeAtNow) });
  },
  isOfCells: () => true,
  remoteField: 'range',
  print: ({ ranges }, counts) =>
    `range(ranges: [${ranges.map(printRange).join(', ')}]) { buckets { key ${counts} } }`,
  read: (value, { field: name }) => ({ kind: 'range', buckets: readCounts(value, name) }),
  merge: (parts, { measure }) => {
    const lists = resultsOf(parts).map(({ buckets }) => buckets);
    const keys = measure.ranges.map(({ key }) => key);
    return { kind: 'range', buckets: withNodeCounts(mergeRanges(lists, keys), parts, (key) => key) };
  },
};

const printRange = ({ key, from, to }: RangeBucketQuery): string => {
  const ends = [from === undefined ? '' : `from: ${from}, `, to === undefined ? '' : `to: ${to}, `].join('');
  return `{ ${ends}key: ${JSON.stringify(key)} }`;
};

/**
 * Merges the range buckets of several nodes, in the requested order; a key missing from a node counts 0 there. Where
 * several ranges share a key, the first is each node's first.
 */
export const mergeRanges = (parts: readonly Counts[], keys: readonly string[]): Counts => {
  const counts = new Map<string, number[]>();
  for (const part of parts) {
    const seen = new Map<string, number>();
    for (const { key, count } of part) {
      const index = seen.get(key) ?? 0;
      seen.set(key, index + 1);
      const known = counts.get(key) ?? [];
      known[index] = (known[index] ?? 0) + lowerOf(count);
      counts.set(key, known);
    }
  }
  const byKey = new Map<string, number>();
  return keys.map((key) => {
    const index = byKey.get(key) ?? 0;
    byKey.set(key, index + 1);
    return { key, count: counts.get(key)?.[index] ?? 0 };
  });
};
