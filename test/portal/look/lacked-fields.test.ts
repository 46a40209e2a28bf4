import test from 'ava';
import type { NodePart } from '../../../portal/src/api/answer.ts';
import type { Catalogue } from '../../../portal/src/api/catalogue.ts';
import { lackedFields, lackingNodes } from '../../../portal/src/look/honest.ts';

const fields = new Map([
  ['gender', { name: 'Gender', nodes: ['tate'] }],
  ['title', { name: 'Title', nodes: ['tate', 'carnegie'] }],
  ['own', { name: 'Own', nodes: null }],
]);
const catalogue = { fields } as unknown as Catalogue;
const on = (fieldName: string) => ({ op: 'in', content: { fieldName, value: ['x'] } }) as const;

test('a condition on a field that an institution does not record makes its zero meaningless', (t) => {
  const filters = [on('title'), { op: 'or', content: [on('gender'), on('gender')] }] as const;
  t.deepEqual(lackedFields(catalogue, filters, 'carnegie'), ['Gender']);
  t.deepEqual(lackedFields(catalogue, filters, 'tate'), []);
});

test('a search, the only institution, and fields that are gone lack nothing', (t) => {
  const search = { op: 'search', content: { fieldNames: ['gender'], value: 'x' } } as const;
  t.deepEqual(lackedFields(catalogue, [search, on('own'), on('gone')], 'carnegie'), []);
});

test('of those who answered, some may lack the field', (t) => {
  const node = (nodeId: string, hits: number | null) =>
    ({ nodeId, name: nodeId, hits, state: hits === null ? 'timeout' : 'ok' }) as unknown as NodePart;
  const nodes = [node('tate', 0), node('carnegie', 0), node('moma', null)];
  t.deepEqual(lackingNodes(catalogue, [on('gender')], { nodes }), ['carnegie']);
  t.deepEqual(lackingNodes(catalogue, [on('title')], { nodes }), []);
});
