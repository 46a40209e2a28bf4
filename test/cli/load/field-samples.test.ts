import test from 'ava';
import { fieldSamples } from '../../../src/cli/load/starter-folder.ts';

test('values are counted by path through objects and lists', (t) => {
  const samples = fieldSamples([
    { a: 1, tags: ['x', 'y'], people: [{ name: 'Ann' }, { name: 'Bo', pets: ['cat'] }] },
    { a: 1, tags: 'x', people: { name: 'Cy' }, none: null, empty: [] },
  ]);
  t.deepEqual(Object.fromEntries(samples), {
    a: { distinct: 1, documents: 2 },
    tags: { distinct: 2, documents: 2 },
    'people.name': { distinct: 3, documents: 2 },
    'people.pets': { distinct: 1, documents: 1 },
  });
});
