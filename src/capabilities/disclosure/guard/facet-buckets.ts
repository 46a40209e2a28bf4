import { booleanLabel, numberKey, isWhole } from '../../../engines/semantics/bucket-key.ts';
import { keyContains } from '../../../lib/text/text-comparison.ts';
import { utcMs } from '../../../introspection/dates/date-pattern.ts';
import type { Field } from '../../../introspection/fields/field.ts';
import type { FacetMeasure } from '../../../search/query.ts';
import { MISSING } from '../../../sqon/ast.ts';
import { rangeAtNow } from '../../../engines/measure.ts';
import { and, none, not, or, prefixPattern, type Filter } from '../../../sqon/filter.ts';
import { always } from '../bounds/formula.ts';
import { cellLabel } from '../cells/cell.ts';
import { notDisclosed } from '../../../search/catalogue.ts';
import type { UnitFormulas, Translation } from '../question/filter-question.ts';
import { groupFormulas, sharedValues, someObject } from '../question/filter-question.ts';
import { leafCells, type Leaf, type LeafCells } from '../question/leaf-cells.ts';
import { textsInSet } from '../../../introspection/hierarchies/terms-under.ts';
import { valuesNamed } from '../../../sqon/field-values.ts';
import type { DimensionCell } from '../table/released-table.ts';

/** A bucket that the release can answer. */
export interface QueriedBucket {
  readonly formulas: UnitFormulas;
}

export interface ReleasedBucket {
  readonly shown: { readonly key: string; readonly keyAsString?: string };
  /**
   * What the bucket counts.
   * @param filter the filter of the documents
   * @param objects the filter of the nested objects counted, if any
   */
  readonly question: (
    filter: UnitFormulas,
    objects: readonly Filter[],
    translation: Translation,
  ) => UnitFormulas;
}

/**
 * The buckets of a measure, as fixed by the release: all cells of the dimension in their declared order, or the requested
 * ranges.
 * @throws TributaryError NOT_DISCLOSED for measures of values, and for intervals other than the released ones
 */
export const facetBuckets = (
  measure: FacetMeasure,
  field: Field,
  cells: readonly DimensionCell[],
  includeMissing: boolean,
): readonly ReleasedBucket[] => {
  switch (measure.kind) {
    case 'terms':
      return termsBuckets(measure, field, cells, includeMissing);
    case 'range':
      return measure.ranges
        .map(rangeAtNow)
        .map(({ key, from, to }) => rangeBucket(key, field, cells, from, to));
    case 'histogram':
      return intervals(cells, (start) => nextMultiple(start, measure.interval)).map(([start, end]) =>
        rangeBucket(numberKey(start, true), field, cells, start, end),
      );
    case 'date_histogram': {
      const { interval, timeZone } = measure;
      if (!universal.has(timeZone ?? 'UTC')) throw notDisclosed('intervals of other time zones are');
      return intervals(cells, (start) => endOf(start, interval)).map(([start, end]) => ({
        ...rangeBucket(String(start), field, cells, start, end),
        shown: { key: String(start), keyAsString: new Date(start).toISOString() },
      }));
    }
    case 'groups':
      return measure.sets.map((set) =>
        leafBucket(
          { key: set.key },
          { kind: 'terms', field: field.indexField, values: valuesNamed(textsInSet(set, field), field) },
          field,
          cells,
        ),
      );
    case 'percentiles':
      return edgesBuckets(measure, field, cells);
    case 'stats':
    case 'cardinality':
    case 'survival':
      throw notDisclosed('statistics of values are');
  }
};

const universal: ReadonlySet<string> = new Set(['UTC', 'Z', 'Etc/UTC', 'GMT']);

const termsBuckets = (
  measure: FacetMeasure<'terms'>,
  field: Field,
  cells: readonly DimensionCell[],
  includeMissing: boolean,
): readonly ReleasedBucket[] => {
  const { max, matching, topHits, filters } = measure;
  if (topHits !== undefined) throw notDisclosed('records are');
  if (filters !== undefined && filters.length > 0) throw notDisclosed('counts of further filters are');
  const listed = listedCells(measure, field, cells).slice(0, max ?? undefined);
  const missing = cells.findIndex(({ kind }) => kind === 'missing');
  const last = includeMissing && matching === undefined && missing >= 0;
  return [
    ...listed.map((index) =>
      cellBucket(shownCell(cells[index]!, field), cellsOf(cells[index]!, index, field, cells), field),
    ),
    ...(last ? [missingBucket(missing, field)] : []),
  ];
};

/** The cells that a list of values is of, whatever its max cuts off. */
export const listedCells = (
  { matching }: FacetMeasure<'terms'>,
  field: Field,
  cells: readonly DimensionCell[],
): readonly number[] => {
  const fits = matching === undefined ? () => true : keyContains(matching);
  return cells.flatMap((cell, index) => {
    if (cell.kind === 'missing') return [];
    const { key, keyAsString = key } = shownCell(cell, field);
    return fits(keyAsString) ? [index] : [];
  });
};

const missingBucket = (missing: number, field: Field): ReleasedBucket =>
  field.nestedIn.length === 0
    ? cellBucket({ key: MISSING }, exactly([missing]), field)
    : { shown: { key: MISSING }, question: withoutValue(field, missing) };

/**
 * For a nested field, the units with an object that has no value, as engines count them. The release knows which units
 * have no value at all: those among them with a value of another field in the same objects have such an object.
 */
const withoutValue =
  ({ path, indexField, nestedIn }: Field, missing: number): ReleasedBucket['question'] =>
  (filter, objects, translation) => {
    const { dimensions, fields, formulas } = translation;
    const inObject = nestedIn.at(-1)!;
    const ofObject = dimensions.flatMap(({ fieldName, cells }, position) =>
      fieldName !== path && fields.get(fieldName)?.nestedIn.includes(inObject) === true
        ? [
            formulas.isIn(
              position,
              [...cells.keys()].filter((index) => cells[index]!.kind !== 'missing'),
            ),
          ]
        : [],
    );
    const condition = assumingNone(and(objects), indexField.path);
    const some =
      condition.kind === 'all'
        ? { surely: formulas.or(ofObject), maybe: always }
        : someObject(condition, translation);
    const empty = formulas.isIn(
      dimensions.findIndex(({ fieldName }) => fieldName === path),
      [missing],
    );
    return {
      surely: formulas.and([empty, some.surely, filter.surely]),
      maybe: formulas.and([some.maybe, filter.maybe]),
    };
  };

/** What a condition on one object means for an object without a value of a field. */
const assumingNone = (filter: Filter, path: string): Filter => {
  const inside = (one: Filter): Filter => assumingNone(one, path);
  switch (filter.kind) {
    case 'and':
      return and(filter.of.map(inside));
    case 'or':
      return or(filter.of.map(inside));
    case 'not':
      return not(inside(filter.of));
    case 'terms':
    case 'range':
    case 'exists':
    case 'pattern':
    case 'word':
      return filter.field.path === path ? none : filter;
    case 'all':
    case 'none':
    case 'nested':
      return filter;
  }
};

const shownCell = (cell: DimensionCell, field: Field): ReleasedBucket['shown'] => {
  if (cell.kind !== 'value') return { key: cellLabel(cell) };
  if (field.kind === 'boolean') {
    const key = String(cell.value) === 'true' ? '1' : '0';
    return { key, keyAsString: booleanLabel(key) };
  }
  return {
    key: typeof cell.value === 'number' ? numberKey(cell.value, isWhole(field.type)) : cellLabel(cell),
  };
};

/** A pattern counts all values that it matches, as a filter does, even if values listed before it are cells of their own. */
const cellsOf = (
  cell: DimensionCell,
  index: number,
  field: Field,
  cells: readonly DimensionCell[],
): LeafCells => {
  if (cell.kind !== 'pattern') return exactly([index]);
  const pattern = prefixPattern(cell.pattern);
  const leaf = { kind: 'pattern', field: field.indexField, pattern, caseInsensitive: false } as const;
  return exactly(leafCells(leaf, field, cells).within);
};

const cellBucket = (
  shown: ReleasedBucket['shown'],
  { within, may }: LeafCells,
  { path }: Field,
): ReleasedBucket => ({
  shown,
  question: (filter, objects, translation) => {
    const { dimensions, formulas } = translation;
    const position = dimensions.findIndex(({ fieldName }) => fieldName === path);
    const own = { surely: formulas.isIn(position, within), maybe: formulas.isIn(position, may) };
    return counted(own, filter, objects, translation);
  },
});

const exactly = (cells: readonly number[]): LeafCells => ({ within: cells, may: cells });

/** from <= value < to */
const rangeBucket = (
  key: string,
  field: Field,
  cells: readonly DimensionCell[],
  from?: number | string,
  to?: number | string,
): ReleasedBucket => {
  const range = {
    kind: 'range',
    field: field.indexField,
    ...(from === undefined ? {} : { gte: from }),
    ...(to === undefined ? {} : { lt: to }),
  } as const;
  return leafBucket({ key }, range, field, cells);
};

/** The values that satisfy a condition on the field. */
const leafBucket = (
  shown: ReleasedBucket['shown'],
  leaf: Leaf,
  field: Field,
  cells: readonly DimensionCell[],
): ReleasedBucket => cellBucket(shown, leafCells(leaf, field, cells), field);

/** A value and the filter; for nested objects, in an object that satisfies its own part of the filter. */
const counted = (
  own: UnitFormulas,
  filter: UnitFormulas,
  objects: readonly Filter[],
  translation: Translation,
): UnitFormulas => {
  const { formulas } = translation;
  if (objects.length === 0) return groupFormulas('and', [own, filter], formulas);
  const inObjects = someObject(and(objects), translation);
  const both = groupFormulas('and', [own, inObjects, filter], formulas);
  if (own.surely.kind !== 'in') return both;
  const surely = sharedValues([own, inObjects], formulas);
  return { surely: formulas.and([surely, filter.surely]), maybe: both.maybe };
};

/** All intervals between the edges of numbers, including the open ones: percentiles are computed from them. */
const edgesBuckets = (
  { orReleased }: FacetMeasure<'percentiles'>,
  field: Field,
  cells: readonly DimensionCell[],
): readonly ReleasedBucket[] => {
  const ranges = cells.flatMap((cell) => (cell.kind === 'range' ? [cell] : []));
  if (orReleased !== true || field.kind !== 'number' || ranges.length === 0)
    throw notDisclosed('statistics of values are');
  return ranges.map(({ from, to }) =>
    rangeBucket(cellLabel({ kind: 'range', from, to }), field, cells, from ?? undefined, to ?? undefined),
  );
};

/**
 * The wanted intervals from a dimension's first edge to its last, each composed of released ones.
 * @param endOf the end of the wanted interval that begins there; null if none begins there
 * @throws TributaryError NOT_DISCLOSED with the released edges, unless all intervals can be composed: only some of them
 *   would look as if there were nothing in between
 */
const intervals = (
  cells: readonly DimensionCell[],
  endOf: (start: number) => number | null,
): readonly (readonly [number, number])[] => {
  const edges = cells.flatMap((cell) => (cell.kind === 'range' && cell.from !== null ? [cell.from] : []));
  const found: (readonly [number, number])[] = [];
  const last = edges.at(-1) ?? -Infinity;
  for (let start = edges[0] ?? Infinity; start < last;) {
    const end = endOf(start);
    if (end === null || !edges.includes(end)) throw notDisclosed('these intervals are', { edges });
    found.push([start, end]);
    start = end;
  }
  if (found.length === 0) throw notDisclosed('these intervals are', { edges });
  return found;
};

const nextMultiple = (start: number, interval: number): number | null => {
  const steps = Math.round(start / interval);
  return steps * interval === start ? (steps + 1) * interval : null;
};

const months = { year: 12, quarter: 3, month: 1 } as const;

/** The end of a calendar interval that begins there; null if none does. */
const endOf = (startMs: number, interval: string): number | null => {
  if (!Object.hasOwn(months, interval)) return null;
  const step = months[interval as keyof typeof months];
  const start = new Date(startMs);
  return start.getUTCMonth() % step === 0
    ? utcMs(start.getUTCFullYear(), start.getUTCMonth() + step + 1, 1)
    : null;
};
