import test from 'ava';
import { facetGroups } from '../../../portal/src/explore/facets/facet-groups.ts';

const person = { name: { en: 'Person' }, facets: ['age', 'sex', 'gone'] };
const tumour = { name: 'Tumour', facets: ['site', 'sex'] };
const open = new Set(['sex', 'site', 'other']);
const isOpen = (path: string): boolean => open.has(path);

test('facets stand in the first group that names them, the others follow', (t) => {
  t.deepEqual(facetGroups([person, tumour], ['sex', 'other', 'site', 'age', 'last'], isOpen), [
    { name: { en: 'Person' }, open: ['sex'], closed: ['age'] },
    { name: 'Tumour', open: ['site'], closed: [] },
    { name: null, open: ['other'], closed: ['last'] },
  ]);
});

test('a group without a facet here is left out; without groups all are together', (t) => {
  t.deepEqual(facetGroups([tumour], ['age'], isOpen), [{ name: null, open: [], closed: ['age'] }]);
  t.deepEqual(facetGroups([], ['sex', 'age'], isOpen), [{ name: null, open: ['sex'], closed: ['age'] }]);
  t.deepEqual(facetGroups([person], [], isOpen), []);
});
