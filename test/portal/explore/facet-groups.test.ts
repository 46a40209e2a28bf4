import test from 'ava';
import { facetGroups } from '../../../portal/src/explore/facets/facet-groups.ts';

const person = { name: { en: 'Person' }, facets: ['age', 'sex', 'gone'] };
const tumour = { name: 'Tumour', facets: ['site', 'sex'] };
const open = new Set(['sex', 'site', 'other']);
const isOpen = (path: string): boolean => open.has(path);
const ofRecords = () => null;

test('facets stand in the first group that names them, the others follow', (t) => {
  t.deepEqual(facetGroups([person, tumour], ['sex', 'other', 'site', 'age', 'last'], isOpen, ofRecords), [
    { name: { en: 'Person' }, object: null, open: ['sex'], closed: ['age'] },
    { name: 'Tumour', object: null, open: ['site'], closed: [] },
    { name: null, object: null, open: ['other'], closed: [] },
    { name: null, object: null, open: [], closed: ['last'] },
  ]);
});

test('a group without a facet here is left out; without groups all are together', (t) => {
  t.deepEqual(facetGroups([tumour], ['age'], isOpen, ofRecords), [
    { name: null, object: null, open: [], closed: ['age'] },
  ]);
  t.deepEqual(facetGroups([], ['sex', 'age'], isOpen, ofRecords), [
    { name: null, object: null, open: ['sex'], closed: [] },
    { name: null, object: null, open: [], closed: ['age'] },
  ]);
  t.deepEqual(facetGroups([person], [], isOpen, ofRecords), []);
});

test('facets of nested lists stand under their objects, where their first one would; names without numbers come last', (t) => {
  const objectOf = (path: string): string | null =>
    path.includes('.') ? path.slice(0, path.lastIndexOf('.')) : null;
  const paths = ['files.type', 'sex', 'files.size', 'files.runs.centre', 'site', 'age'];
  const isShown = (path: string): boolean => !['files.size', 'age', 'files.runs.centre'].includes(path);
  t.deepEqual(facetGroups([], paths, isShown, objectOf), [
    { name: null, object: 'files', open: ['files.type'], closed: ['files.size'] },
    { name: null, object: null, open: ['sex', 'site'], closed: [] },
    { name: null, object: 'files.runs', open: [], closed: ['files.runs.centre'] },
    { name: null, object: null, open: [], closed: ['age'] },
  ]);
});
