import test from 'ava';
import type { Fields } from '../../../src/introspection/fields/field.ts';
import { likelyField } from '../../../src/introspection/fields/unknown-fields.ts';
import { readFields } from '../../../src/introspection/mapping/mapping.ts';

const { fields } = readFields({
  sex: { type: 'keyword' },
  vital_status: { type: 'keyword' },
  'ca19-9': { type: 'long' },
  donors: {
    type: 'nested',
    properties: { age: { type: 'integer' }, gender: { type: 'keyword' }, state: { type: 'keyword' } },
  },
  files: { properties: { size: { type: 'long' }, state: { type: 'keyword' } } },
});

for (const [name, meant] of [
  ['vital_staus', 'vital_status'],
  ['vitalstatus', 'vital_status'],
  ['vital-status', 'vital_status'],
  ['Sex', 'sex'],
  ['donors__gender', 'donors.gender'],
  ['donor.gender', 'donors.gender'],
  ['gender', 'donors.gender'],
  ['ca19_9', 'ca19-9'],
  ['files.sise', 'files.size'],
] as const)
  test(`${name} was probably meant to be ${meant}`, (t) => {
    t.is(likelyField(name, fields), meant);
  });

for (const name of ['country', 'x', '', 'state', 'a'.repeat(500)])
  test(`nothing is guessed for ${JSON.stringify(name.slice(0, 20))}`, (t) => {
    t.is(likelyField(name, fields), undefined);
  });

test('nothing is guessed of two fields that are equally close', (t) => {
  const twins = readFields({ code_a: { type: 'keyword' }, code_b: { type: 'keyword' } }).fields;
  t.is(likelyField('code_c', twins), undefined);
});

test('nothing is guessed among so many fields that looking would be dear', (t) => {
  const field = fields.get('sex')!;
  const many: Fields = new Map(Array.from({ length: 50_000 }, (_, number) => [`field_${number}`, field]));
  t.is(likelyField('feild_17', many), undefined);
});
