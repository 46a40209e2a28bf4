import test from 'ava';
import fc, { runs } from '../fast-check.ts';
import { normaliseSqon } from '../../src/sqon/rewrite.ts';
import { printSqon } from '../../src/sqon/parse.ts';
import { filters, sqon } from './fixture.ts';

const normal = (input: unknown) => printSqon(normaliseSqon(sqon(input)));
const a = { op: 'in', content: { fieldName: 'title', value: ['a'] } };
const b = { op: 'in', content: { fieldName: 'title', value: ['b'] } };

test('normalising twice changes nothing more', (t) => {
  const property = fc.property(filters, (filter) => {
    const once = normaliseSqon(filter);
    return JSON.stringify(normaliseSqon(once)) === JSON.stringify(once);
  });
  t.notThrows(() => fc.assert(property, { numRuns: runs(2_000) }));
});

test('groups with one operator merge, groups of one lose their shell', (t) => {
  t.deepEqual(normal({ op: 'and', content: [{ op: 'and', content: [a, b] }, a] }), {
    op: 'and',
    content: [a, b],
  });
  t.deepEqual(normal({ op: 'or', content: [{ op: 'and', content: [a] }] }), a);
});

test('an inner pivot is kept, equal pivots merge', (t) => {
  const pivoted = { op: 'and', content: [a, b], pivot: 'copies' };
  t.deepEqual(normal({ op: 'and', content: [pivoted, a] }), { op: 'and', content: [pivoted, a] });
  t.deepEqual(normal({ op: 'and', content: [pivoted], pivot: 'copies' }), pivoted);
  t.deepEqual(normal({ op: 'and', content: [{ op: 'and', content: [a, b] }], pivot: 'copies' }), pivoted);
});

test('what constrains nothing is nothing', (t) => {
  t.is(normaliseSqon(null), null);
  t.is(normal({ op: 'and', content: [{ op: 'and', content: [] }] }), null);
  t.is(normal({ op: 'or', content: [a, { op: 'not', content: [] }] }), null);
});

test('in a pivot, a condition that always holds still requires an object', (t) => {
  const always = { op: 'or', content: [a, { op: 'and', content: [] }] };
  const present = { op: 'and', content: [{ op: 'and', content: [] }], pivot: 'copies' };
  t.deepEqual(normal({ op: 'and', content: [always], pivot: 'copies' }), present);
});

test('the negation of what matches everything is not dropped', (t) => {
  const nothing = { op: 'not', content: [{ op: 'and', content: [] }] };
  t.deepEqual(normal(nothing), nothing);
});

test('repeated values go, 1 and "1" stay apart', (t) => {
  const values = (value: unknown[]) => ({ op: 'in', content: { fieldName: 'title', value } });
  t.deepEqual(normal(values(['x', 1, 'x', '1'])), values(['x', 1, '1']));
});

test('a filter in normal form is returned as it is', (t) => {
  const filter = sqon({ op: 'or', content: [a, { op: 'not', content: [b] }] });
  t.is(normaliseSqon(filter), filter);
});
