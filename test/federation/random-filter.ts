import fc from '../fast-check.ts';
import { dates, kinds, names, tags } from './split-collection.ts';

/** Filters as clients write them, in the names and values of the split collection. */
type Filter = Readonly<Record<string, unknown>>;

const membership = fc.constantFrom('in', 'in', 'not-in', 'some-not-in', 'all');
const range = fc.constantFrom('gt', 'gte', 'lt', 'lte');

const memberOf = (fieldName: string, values: readonly (string | boolean)[]): fc.Arbitrary<Filter> =>
  fc
    .record({ op: membership, value: fc.array(fc.constantFrom(...values), { minLength: 1, maxLength: 3 }) })
    .map(({ op, value }) => ({ op, content: { fieldName, value } }));

const within = (fieldName: string, value: fc.Arbitrary<number | string>): fc.Arbitrary<Filter> =>
  fc.oneof(
    fc.record({ op: range, value }).map((one) => ({ op: one.op, content: { fieldName, value: one.value } })),
    fc
      .tuple(value, value)
      .map((ends) => ({ op: 'between', content: { fieldName, value: [...ends].sort(ascending) } })),
  );

const ascending = (a: number | string, b: number | string): number => (a < b ? -1 : a > b ? 1 : 0);

/** A leaf on one part; `__missing__` among the values that may be chosen. */
const partLeaf = fc.oneof(
  memberOf('parts.kind', [...kinds, '*e*', '__missing__']),
  within('parts.count', fc.nat(5)),
);

// a node that lacks a field has no record "without a value" in it: planted is never queried for __missing__
const leaf = fc.oneof(
  memberOf('name', [...names, '__missing__', '*e*', 'f*']),
  memberOf('tags', [...tags, '__missing__', 'gr*', '*e*']),
  memberOf('open', [true, false, '__missing__']),
  within('size', fc.integer({ min: -20, max: 20 })),
  within(
    'weight',
    fc.integer({ min: -8, max: 8 }).map((quarters) => quarters / 4),
  ),
  within('planted', fc.constantFrom(...dates)),
  memberOf('planted', dates),
  fc
    .constantFrom('*E*', 'g?ee*', '*')
    .map((value) => ({ op: 'wildcard', content: { fieldNames: ['name', 'tags'], value } })),
  fc
    .tuple(
      fc.constantFrom('eder', 'RE', 'x', 'gre fir', 'oak red', 'Stém', 'el', ''),
      fc.subarray(['name', 'tags', 'parts.kind'], { minLength: 1 }),
      fc.boolean(),
    )
    .map(([value, fieldNames, wholeWords]) => ({ op: 'search', content: { fieldNames, value, wholeWords } })),
  fc
    .tuple(fc.constantFrom('name', 'tags', 'parts.kind'), fc.subarray(['gre', 'x:', 'É', 's', '*']))
    .map(([fieldName, value]) => ({ op: 'starts-with', content: { fieldName, value } })),
  partLeaf,
  fc
    .record({
      op: fc.constantFrom('and', 'or', 'not'),
      content: fc.array(partLeaf, { minLength: 1, maxLength: 2 }),
    })
    .map((pivoted) => ({ ...pivoted, pivot: 'parts' })),
);

/** Conditions on fields that a node may lack, `__missing__` and other operators among them. */
export const pivoted: fc.Arbitrary<Filter> = fc.oneof(
  { weight: 2, arbitrary: partLeaf },
  memberOf('tags', [...tags, '__missing__', 'gr*', '*e*']),
  memberOf('name', [...names, '__missing__', '*e*', 'f*']),
  memberOf('open', [true, false, '__missing__']),
  within('parts.count', fc.nat(5)),
  fc
    .record({ op: membership, value: fc.subarray([...kinds, '*e*', '__missing__'], { minLength: 1 }) })
    .map(({ op, value }) => ({ op, content: { fieldName: 'parts.kind', value }, pivot: 'parts' })),
  fc
    .tuple(
      fc.constantFrom('wildcard', 'search'),
      fc.subarray(['name', 'tags', 'parts.kind'], { minLength: 1 }),
    )
    .map(([op, fieldNames]) => ({ op, content: { fieldNames, value: op === 'search' ? 'gre' : '*e*' } })),
  fc
    .record({
      op: fc.constantFrom('and', 'or', 'not'),
      content: fc.array(partLeaf, { minLength: 1, maxLength: 2 }),
    })
    .map((group) => ({ ...group, pivot: 'parts' })),
);

/** Conditions, and groups of them at any depth; null for none. */
export const filtersOf = (leaf: fc.Arbitrary<Filter>): fc.Arbitrary<Filter | null> =>
  fc.option(
    fc.letrec<{ filter: Filter }>((tie) => ({
      filter: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        leaf,
        fc.record({
          op: fc.constantFrom('and', 'or', 'not'),
          content: fc.array(tie('filter'), { maxLength: 3 }),
        }),
      ),
    })).filter,
  );

export const filters = filtersOf(leaf);

/** Filters that established servers read as ours do. */
export const simpleFilters: fc.Arbitrary<Filter | null> = filtersOf(
  fc
    .record({
      fieldName: fc.constant('name'),
      value: fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 }),
    })
    .map((content) => ({ op: 'in', content })),
);
