import test from 'ava';
import type { Catalogue } from '../../../portal/src/api/catalogue.ts';
import { lackedFields } from '../../../portal/src/look/honest.ts';

const fields = new Map([
  ['gender', { name: 'Gender', nodes: ['tate'] }],
  ['title', { name: 'Title', nodes: ['tate', 'carnegie'] }],
  ['own', { name: 'Own', nodes: null }],
]);
const catalogue = { fields } as unknown as Catalogue;
const on = (fieldName: string) => ({ op: 'in', content: { fieldName, value: ['x'] } }) as const;

test('a condition on a field that an institution does not record makes its zero say nothing', (t) => {
  const filters = [on('title'), { op: 'or', content: [on('gender'), on('gender')] }] as const;
  t.deepEqual(lackedFields(catalogue, filters, 'carnegie'), ['Gender']);
  t.deepEqual(lackedFields(catalogue, filters, 'tate'), []);
});

test('a search, the only institution, and fields that are gone lack nothing', (t) => {
  const search = { op: 'search', content: { fieldNames: ['gender'], value: 'x' } } as const;
  t.deepEqual(lackedFields(catalogue, [search, on('own'), on('gone')], 'carnegie'), []);
});
