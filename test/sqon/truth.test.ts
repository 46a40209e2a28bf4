import test from 'ava';
import { readFields } from '../../src/introspection/mapping/mapping.ts';
import type { Sqon } from '../../src/sqon/ast.ts';
import { constant, group, leaf, wildcard } from '../../src/sqon/ast.ts';
import { compileSqon, facetFilter } from '../../src/sqon/compile.ts';
import { truthOf } from '../../src/sqon/rewrite.ts';
import { library } from './fixture.ts';

const never = constant(false);
const ever = constant(true);
const title = leaf('in', 'title', ['a']);

test('a filter is what its constants make of it', (t) => {
  const truths: readonly (readonly [Sqon, boolean | null])[] = [
    [title, null],
    [group('and', []), true],
    [group('and', [title, never]), false],
    [group('and', [title, ever]), null],
    [group('or', [title, ever]), true],
    [group('or', [never, never]), false],
    [group('or', [title, never]), null],
    [group('not', [title, ever]), false],
    [group('not', [never]), true],
    [group('not', [title, never]), null],
    // under a pivot some object must be there, whatever else is true of it
    [group('and', [ever], 'press'), null],
    [group('or', [ever, title], 'press'), null],
    [group('not', [ever], 'press'), null],
    [group('and', [ever, never], 'press'), false],
    [group('or', [ever, never], 'press'), null],
    [group('not', [title, never], 'press'), true],
  ];
  for (const [sqon, truth] of truths) t.is(truthOf(sqon), truth, JSON.stringify(sqon));
});

test('a constant outlives the selection that a facet drops beside it', (t) => {
  const other = leaf('in', '_id', ['b']);
  const facet = (sqon: Sqon) => facetFilter(sqon, library.get('title')!, library, false).filter;
  t.deepEqual(facet(group('or', [other, group('and', [title, ever])])), compileSqon(null, library));
  t.deepEqual(facet(group('or', [title, never])), { kind: 'none' });
});

test('a search with a field that is not there restricts no nested objects', (t) => {
  const shelf = wildcard(['copies.shelf'], 'a*');
  const objects = (sqon: Sqon) => facetFilter(sqon, library.get('copies.shelf')!, library, false).objects;
  t.deepEqual(Object.keys(objects(shelf)), ['copies']);
  t.deepEqual(objects(group('or', [shelf, never])), {});
  t.deepEqual(objects(wildcard(['copies.shelf', 'unheard.of'], 'a*')), {}, 'as at a catalogue');
});

test('dates reach an engine in milliseconds, whatever the format of the stored ones', (t) => {
  const { fields } = readFields({
    d: { type: 'date' },
    s: { type: 'date', format: 'epoch_second' },
    y: { type: 'date', format: 'dd/MM/yyyy||yyyyMMdd' },
  });
  const compiled = (op: 'in' | 'between' | 'lte' | 'gt', values: readonly (string | number)[]) =>
    [...fields.values()].map(({ path, indexField }) => {
      const filter = compileSqon(leaf(op, path, values), fields);
      const { kind, field, ...bounds } = filter as Extract<typeof filter, { kind: 'range' }>;
      t.deepEqual({ kind, field }, { kind: 'range', field: indexField });
      return bounds;
    });
  const alike = (...args: Parameters<typeof compiled>) => {
    const [first, ...others] = compiled(...args);
    for (const other of others) t.deepEqual(other, first!);
    return first;
  };
  const day = { gte: 1_714_521_600_000, lte: 1_714_607_999_999 };
  t.deepEqual(alike('in', ['2024-05-01']), day);
  t.deepEqual(alike('in', [1_714_521_600_000]), { gte: day.gte, lte: day.gte });
  t.deepEqual(alike('in', ['1714521600000']), { gte: day.gte, lte: day.gte });
  t.deepEqual(alike('between', [1_714_521_600_000, '2024-05-01']), day);
  t.deepEqual(alike('in', [-86_400_000]), { gte: -86_400_000, lte: -86_400_000 });
  t.deepEqual(alike('lte', ['-2208988800000']), { lte: -2_208_988_800_000 });
  t.deepEqual(alike('gt', ['2024-04-30||+1d']), { gt: day.gte });
  t.deepEqual(alike('lte', ['-0044']), { lte: Date.UTC(-43, 0, 1) - 1 }, 'a year as text');
  const own = (value: string) => compileSqon(leaf('in', 'y', [value]), fields);
  t.like(own('01/05/2024'), day);
  t.like(own('20240501'), day);
});

test('the end of a month is taken to its last day, February of every year too', (t) => {
  const { fields } = readFields({ d: { type: 'date' } });
  for (const [written, next] of [
    ['2021-02', '2021-03-01'],
    ['2020-02', '2020-03-01'],
    ['2021-04', '2021-05-01'],
    ['2021', '2022-01-01'],
    ['2021-02-28', '2021-03-01'],
  ] as const)
    t.like(compileSqon(leaf('lte', 'd', [written]), fields), { lte: Date.parse(next) - 1 });
});
