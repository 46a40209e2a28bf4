import type { FacetQuery, HitsQuery, SortKey } from '../../src/engines/engine.ts';
import type { Measure } from '../../src/engines/measure.ts';
import { fold } from '../../src/lib/text/fold.ts';
import { parseFilterDate } from '../../src/introspection/dates/dates.ts';
import { kindOf, type IndexField } from '../../src/introspection/fields/field.ts';
import type { Filter, FilterValue, PatternPart, RangeBound } from '../../src/sqon/filter.ts';
import {
  bigNumbers,
  dates,
  fractions,
  hugeNumbers,
  mixedFields,
  wholeNumbers,
  words,
  type Random,
} from './random-documents.ts';

const nestedPaths = ['items', 'items.labels', 'items.labels.marks'];

/** A random filter to be judged on an object at `path`, '' for the document. */
const randomFilter = (random: Random, path: string, depth: number): Filter => {
  const below = nestedPaths.filter((nested) => nested !== path && nested.startsWith(path));
  const form = depth <= 0 ? 9 : random.below(14);
  const inner = (): Filter => randomFilter(random, path, depth - 1);
  if (form < 2) return { kind: 'and', of: Array.from({ length: random.below(4) }, inner) };
  if (form < 4) return { kind: 'or', of: Array.from({ length: random.below(4) }, inner) };
  if (form < 6) return { kind: 'not', of: inner() };
  if (form < 8 && below.length > 0) {
    const deeper = random.pick(below);
    return { kind: 'nested', path: deeper, of: randomFilter(random, deeper, depth - 1) };
  }
  if (form === 8) return random.chance(0.5) ? { kind: 'all' } : { kind: 'none' };
  return randomLeaf(random, path);
};

const randomLeaf = (random: Random, path: string): Filter => {
  const field = random.pick(mixedFields.filter(({ nestedIn }) => (nestedIn.at(-1) ?? '') === path));
  const form = random.below(4);
  if (form === 0 || field.type === 'object') return { kind: 'exists', field };
  if (form === 1 && isText(field)) {
    return { kind: 'pattern', field, pattern: randomPattern(random), caseInsensitive: random.chance(0.5) };
  }
  if (form === 2 && field.type !== 'boolean') return { kind: 'range', field, ...randomBounds(random, field) };
  const values = Array.from({ length: random.below(random.chance(0.2) ? 9 : 4) }, () =>
    randomValue(random, field),
  );
  return { kind: 'terms', field, values };
};

const isText = (field: IndexField): boolean =>
  ['keyword', 'text'].includes(kindOf(field.type)) || field.path === '_id';

const randomPattern = (random: Random): readonly PatternPart[] =>
  Array.from({ length: 1 + random.below(3) }, (): PatternPart => {
    const form = random.below(3);
    if (form === 0) return { wildcard: 'any' };
    return form === 1 ? { wildcard: 'one' } : { literal: random.pick(words) };
  });

const randomBounds = (random: Random, field: IndexField) => {
  const bound = (): RangeBound => randomValue(random, field) as RangeBound;
  return {
    ...(random.chance(0.3) && { gt: bound() }),
    ...(random.chance(0.3) && { gte: bound() }),
    ...(random.chance(0.3) && { lt: bound() }),
    ...(random.chance(0.3) && { lte: bound() }),
  };
};

const randomValue = (random: Random, field: IndexField): FilterValue => {
  if (field.path === '_id') return `d${random.below(40)}`;
  switch (kindOf(field.type)) {
    case 'number':
      return random.pick(numbersFor(field));
    case 'date':
      return parseFilterDate(random.pick([...dates, '2020', '2020-01']), undefined, 'down')!;
    case 'boolean':
      return random.pick([true, false, 'true', 'false', 'maybe']);
    case 'text':
      return random.pick(words).toLowerCase();
    default:
      return random.pick(words);
  }
};

/** Values that documents have, and some between and beyond them. */
const numbersFor = (field: IndexField): readonly (string | number)[] => {
  switch (field.type) {
    case 'long':
      return [...bigNumbers, ...wholeNumbers];
    case 'unsigned_long':
      return hugeNumbers;
    case 'float':
    case 'half_float':
      return [0.1, 0.5, 2.25, 1025.1, 2049];
    case 'scaled_float':
      return [0.1, 19.99, 19.994, 20, -3];
    default:
      return [...wholeNumbers, ...fractions];
  }
};

/** A random facet; at times on a field that cannot have it, which every engine must refuse alike. */
export const randomFacet = (random: Random): FacetQuery => {
  const field = random.pick(mixedFields);
  const objects = Object.fromEntries(
    field.nestedIn.filter(() => random.chance(0.4)).map((path) => [path, randomFilter(random, path, 2)]),
  );
  return { field, filter: randomFilter(random, '', 3), objects, measure: randomMeasure(random, field) };
};

const randomMeasure = (random: Random, field: IndexField): Measure => {
  const kind = kindOf(field.type);
  const numeric = kind === 'number' || kind === 'date';
  if (!numeric && random.chance(0.1)) return { kind: 'cardinality' };
  if (kind !== 'date' && random.chance(0.15)) return randomGroups(random, field);
  if (!numeric || random.chance(0.3)) {
    return {
      kind: 'terms',
      size: random.pick([null, 1, 2, 5]),
      ...(random.chance(0.3) && {
        matching: fold([...random.pick(words)].slice(0, 1 + random.below(2)).join('')),
      }),
      ...(random.chance(0.4) && {
        topHits: { source: random.pick([null, ['color', 'o.k', 'tag'], []]), size: 1 },
      }),
      ...(random.chance(0.4) && { filters: [randomFilter(random, '', 2), randomFilter(random, '', 1)] }),
    };
  }
  return random.pick<Measure>([
    // sums of huge numbers that cancel out have no digits in common
    isWide(field) ? { kind: 'cardinality' } : { kind: 'stats' },
    {
      kind: 'histogram',
      interval: kind === 'date' ? 86_400_000 * random.pick([30, 3_000]) : random.pick([1e8, 2.5e8]),
      offset: random.pick([0, 3]),
    },
    {
      kind: 'range',
      ranges: [
        { key: 'all' },
        { key: 'low', to: 1 },
        { key: 'high', from: 1 },
        { key: 'middle', from: 0, to: 3 },
      ],
    },
    ...(kind === 'date' ? [randomDateHistogram(random)] : []),
    { kind: 'cardinality' },
    { kind: 'percentiles' },
    ...(kind === 'number' && !isWide(field) ? [randomSurvival(random)] : []),
  ]);
};

/** Who had the event is known to have had it. */
const randomSurvival = (random: Random): Measure => {
  const known = randomFilter(random, '', 1);
  return { kind: 'survival', filters: [{ kind: 'and', of: [randomFilter(random, '', 1), known] }, known] };
};

/** Sets that share values, have none, or some that no document has. */
const randomGroups = (random: Random, field: IndexField): Measure => {
  const pool = Array.from({ length: 1 + random.below(6) }, () => randomValue(random, field));
  const values = [...new Map(pool.map((value) => [String(value), value])).values()];
  const sets = Array.from({ length: random.below(5) }, (_, at) => ({
    key: `s${at}`,
    members: values.flatMap((_value, position) => (random.chance(0.5) ? [position] : [])),
  }));
  return { kind: 'groups', values, sets };
};

const randomDateHistogram = (random: Random): Measure => ({
  kind: 'date_histogram',
  interval: random.pick(['year', 'month', 'week', 'day', 'hour']),
  timeZone: random.pick(['UTC', 'Europe/Paris', 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Kolkata']),
});

/** Whether its numbers are too far apart for doubles to add them up. */
const isWide = (field: IndexField): boolean => field.type === 'long' || field.type === 'unsigned_long';

/** A random page: filter, up to three sort keys, offset. */
export const randomHits = (random: Random): HitsQuery => ({
  filter: randomFilter(random, '', 3),
  size: random.below(12),
  offset: random.pick([0, 0, 0, 1, 5]),
  sort: Array.from({ length: random.below(4) }, () => randomSort(random)),
  searchAfter: null,
  source: random.pick([null, [], ['tag', 'items.color'], ['o', 'items.labels.k', 'unmapped.any']]),
  trackTotal: random.chance(0.8),
});

const randomSort = (random: Random): SortKey => {
  const field = random.pick(mixedFields.filter(({ type }) => type !== 'text'));
  const kind = kindOf(field.type);
  const numeric = (kind === 'number' || kind === 'date') && !isWide(field);
  return {
    field,
    order: random.pick(['asc', 'desc']),
    missing: random.pick(['first', 'last']),
    mode: random.pick(numeric ? ['min', 'max', 'avg', 'sum', 'median'] : ['min', 'max']),
  };
};
