import test from 'ava';
import { readFields } from '../../src/introspection/mapping/mapping.ts';
import type { Sqon } from '../../src/sqon/ast.ts';
import { constant, group, leaf, wildcard } from '../../src/sqon/ast.ts';
import { compileSqon } from '../../src/sqon/compile.ts';
import { facetFilter } from '../../src/sqon/facet-filter.ts';
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

test('a number before the epoch is milliseconds, and so is the other end beside it', (t) => {
  const fields = readFields({ d: { type: 'date' }, y: { type: 'date', format: 'uuuu' } }).fields;
  const field = fields.get('d')!.indexField;
  const range = (op: 'in' | 'between' | 'lte', values: readonly (string | number)[]) =>
    compileSqon(leaf(op, 'd', values), fields);
  t.deepEqual(range('in', [-86_400_000]), { kind: 'range', field, gte: -86_400_000, lte: -86_400_000 });
  t.deepEqual(range('lte', ['-2208988800000']), { kind: 'range', field, lte: -2_208_988_800_000 });
  t.deepEqual(range('between', [-1, '1970-01-01']), { kind: 'range', field, gte: -1, lte: 86_399_999 });
  t.deepEqual(range('lte', ['-0044']), { kind: 'range', field, lte: '-0044||/y' }, 'a year as text');
  t.deepEqual(compileSqon(leaf('gte', 'y', [-1000]), fields), {
    kind: 'range',
    field: fields.get('y')!.indexField,
    gte: '-1000',
  });
});

test('the end of a month is taken to its last day, February of every year too', (t) => {
  const fields = readFields({ d: { type: 'date' } }).fields;
  const field = fields.get('d')!.indexField;
  for (const [written, end] of [
    ['2021-02', '2021-02||/M'],
    ['2020-02', '2020-02||/M'],
    ['2021-04', '2021-04||/M'],
    ['2021', '2021||/y'],
    ['2021-02-28', '2021-02-28'],
  ])
    t.deepEqual(compileSqon(leaf('lte', 'd', [written!]), fields), { kind: 'range', field, lte: end });
});
