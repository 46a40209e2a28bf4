import test from 'ava';
import { linkNested, type Filter } from '../../../portal/src/api/filter.ts';
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
  field('files.runs.kit', 'values'),
]);

const on = (
  op: 'in' | 'is' | 'all' | 'under' | 'not-in' | 'gte',
  fieldName: string,
  value: string | number | readonly string[],
): Filter => ({
  op,
  content: { fieldName, value },
});
const bam = on('in', 'files.type', ['BAM']);
const large = on('gte', 'files.size', 5);
const centre = on('in', 'files.runs.centre', ['A']);
const female = on('in', 'sex', ['Female']);
const and = (...content: readonly Filter[]): Filter => ({ op: 'and', content });
const or = (...content: readonly Filter[]): Filter => ({ op: 'or', content });
const none = and(on('all', 'files.type', ['__missing__']), {
  op: 'not',
  content: [on('not-in', 'files.type', ['__missing__'])],
});

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
  ['no value in a list: no object has one', on('in', 'files.type', ['__missing__']), none],
  ['a value, or none', on('in', 'files.type', ['BAM', '__missing__']), or(bam, none)],
  ['one alone stays', and(bam, female), and(bam, female)],
  ['either of two stays', or(bam, large), or(bam, large)],
  [
    'an exclusion stays',
    and(on('not-in', 'files.type', ['BAM']), large),
    and(on('not-in', 'files.type', ['BAM']), large),
  ],
  ['no value is not of one object', and(on('in', 'files.type', ['__missing__']), large), and(none, large)],
  [
    'lists inside lists share the outer one',
    and(bam, centre),
    and({ op: 'and', content: [bam, centre], pivot: 'files' }),
  ],
  [
    'the innermost list that conditions share',
    and(centre, female, on('in', 'files.runs.kit', ['K'])),
    and({ op: 'and', content: [centre, on('in', 'files.runs.kit', ['K'])], pivot: 'files.runs' }, female),
  ],
  [
    'each level of lists',
    and(centre, bam, on('in', 'files.runs.kit', ['K'])),
    and({
      op: 'and',
      content: [
        { op: 'and', content: [centre, on('in', 'files.runs.kit', ['K'])], pivot: 'files.runs' },
        bam,
      ],
      pivot: 'files',
    }),
  ],
  [
    'what any object may meet stays',
    and({ op: 'and', content: [bam], pivot: 'files' }, large),
    and({ op: 'and', content: [bam], pivot: 'files' }, large),
  ],
  [
    'branches of a hierarchy too',
    and(on('under', 'files.type', ['BAM']), large),
    and({ op: 'and', content: [on('under', 'files.type', ['BAM']), large], pivot: 'files' }),
  ],
  [
    'inside brackets',
    or(and(bam, large), female),
    or(and({ op: 'and', content: [bam, large], pivot: 'files' }), female),
  ],
];

for (const [name, filter, expected] of cases)
  test(`nested conditions: ${name}`, (t) => {
    t.deepEqual(linkNested(filter, fields), expected);
    t.deepEqual(linkNested(expected, fields), expected);
  });
