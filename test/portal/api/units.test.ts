import test from 'ava';
import type { Catalogue } from '../../../portal/src/api/catalogue.ts';
import type { Field, FieldKind } from '../../../portal/src/api/fields.ts';
import { counterOf, ofRecords, ownUnit, unitsOf, withCounts } from '../../../portal/src/api/units.ts';
import { valuesFacet } from '../values-facet.ts';

const field = (path: string, kind: FieldKind, nodes: readonly string[] | null = null): Field => ({
  ...{ path, name: path, type: 'keyword', kind, unit: null, description: null, displayValues: {}, nodes },
});

const fields = [
  field('sex', 'values'),
  field('specimens', 'nested'),
  field('specimens.type', 'values'),
  field('specimens.taken', 'dates'),
  field('specimens.files', 'nested'),
  field('specimens.files.strategy', 'values', ['lyon', 'toronto']),
  field('specimens.files.size', 'numbers', ['lyon', 'toronto', 'singapore']),
  field('tests', 'nested'),
  field('tests.result', 'values', ['lyon', 'toronto']),
  field('tests.score', 'numbers', ['lyon']),
];
const catalogue = {
  fields: new Map(fields.map((one) => [one.path, one])),
} as unknown as Catalogue;
const at = (path: string): Field => catalogue.fields.get(path)!;

test('values are counted by records, numbers and dates by the objects that contain them', (t) => {
  t.is(ownUnit(at('specimens.files.strategy'), catalogue), ofRecords);
  t.is(ownUnit(at('specimens.files.size'), catalogue), 'specimens.files');
});

test('a facet counts records, and the objects of each list around it that have a number or date', (t) => {
  t.deepEqual(unitsOf(at('sex'), catalogue), [ofRecords]);
  const units = [ofRecords, 'specimens', 'specimens.files'];
  t.deepEqual(unitsOf(at('specimens.files.strategy'), catalogue), units);
  t.deepEqual(unitsOf(at('specimens.files.size'), catalogue), units);
  t.is(counterOf('specimens', at('specimens.type'), catalogue)?.path, 'specimens.taken');
  // no number that each institution with results has
  t.deepEqual(unitsOf(at('tests.result'), catalogue), [ofRecords]);
  t.deepEqual(unitsOf({ ...at('specimens.type'), hierarchy: 'types' }, catalogue), [ofRecords]);
});

test('a facet with other counts is ordered by them; one that is not known is no zero', (t) => {
  const facet = withCounts(valuesFacet({ a: 5, b: 3, c: 1 }), [
    { count: 6, upper: 6 },
    { count: 9, upper: 9 },
    null,
  ]);
  if (facet.kind !== 'values') return t.fail();
  t.deepEqual(
    facet.buckets.map(({ key, count, upper }) => [key, count, upper]),
    [
      ['b', 9, 9],
      ['a', 6, 6],
      ['c', 0, Infinity],
    ],
  );
  t.like(facet, { missing: null, unlistedUpper: Infinity });
});
