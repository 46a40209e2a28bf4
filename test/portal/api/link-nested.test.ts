import test from 'ava';
import { linkNested, pivotsIn, type Filter } from '../../../portal/src/api/filter.ts';
import type { Field } from '../../../portal/src/api/fields.ts';

const field = (path: string, kind: Field['kind']): readonly [string, Field] => [
  path,
  { path, name: path, type: 'keyword', kind, unit: null, description: null, displayValues: {}, nodes: null },
];

const fields = new Map([
  field('sex', 'values'),
  field('files', 'nested'),
  field('files.type', 'values'),
  field('files.size', 'numbers'),
  field('files.runs', 'nested'),
  field('files.runs.centre', 'values'),
]);

const on = (op: 'in' | 'is' | 'not-in' | 'gte', fieldName: string, value: string | number | readonly string[]): Filter => ({
  op,
  content: { fieldName, value },
}); // prettier-ignore
const bam = on('in', 'files.type', ['BAM']);
const large = on('gte', 'files.size', 5);
const female = on('in', 'sex', ['Female']);
const and = (...content: readonly Filter[]): Filter => ({ op: 'and', content });
const or = (...content: readonly Filter[]): Filter => ({ op: 'or', content });

const cases: readonly (readonly [string, Filter, Filter])[] = [
  [
    'conditions on one list are of one object',
    and(bam, female, large),
    and({ op: 'and', content: [bam, large], pivot: 'files' }, female),
  ],
  [
    'values in two forms too',
    and(or(bam, on('is', 'files.type', ['a*'])), large),
    and({ op: 'and', content: [or(bam, on('is', 'files.type', ['a*'])), large], pivot: 'files' }),
  ],
  ['one alone stays', and(bam, female), and(bam, female)],
  ['either of two stays', or(bam, large), or(bam, large)],
  ['an exclusion stays', and(on('not-in', 'files.type', ['BAM']), large), and(on('not-in', 'files.type', ['BAM']), large)],
  ['a missing value stays', and(on('in', 'files.type', ['__missing__']), large), and(on('in', 'files.type', ['__missing__']), large)],
  ['lists inside lists are their own', and(bam, on('in', 'files.runs.centre', ['A'])), and(bam, on('in', 'files.runs.centre', ['A']))],
  ['inside brackets', or(and(bam, large), female), or(and({ op: 'and', content: [bam, large], pivot: 'files' }), female)],
]; // prettier-ignore

for (const [name, filter, expected] of cases)
  test(`nested conditions: ${name}`, (t) => {
    t.deepEqual(linkNested(filter, fields), expected);
    t.deepEqual(linkNested(expected, fields), expected);
  });

test('the lists whose objects must meet several conditions are named once', (t) => {
  t.deepEqual(pivotsIn(linkNested(and(bam, large, female), fields)), ['files']);
  t.deepEqual(pivotsIn(linkNested(and(bam, female), fields)), []);
  t.deepEqual(pivotsIn(null), []);
});
