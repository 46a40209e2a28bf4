import test from 'ava';
import { readFields } from '../../src/introspection/mapping/mapping.ts';
import { compileSqon, facetFilter } from '../../src/sqon/compile.ts';
import { library, sqon } from './fixture.ts';

const leaf = (op: string, fieldName: string, value: unknown) => ({
  op,
  content: { fieldName, value },
});
const shelfA = leaf('in', 'copies.shelf', ['a']);
const wornOut = leaf('gte', 'copies.worn', 3);
const read = leaf('in', 'copies.loans.reader', ['r']);

const facet = (input: unknown, path: string, filterThemselves = false) =>
  facetFilter(sqon(input), library.get(path)!, library, filterThemselves);
const terms = (path: string, values: string[]) => ({
  kind: 'terms',
  field: library.get(path)!.indexField,
  values,
});

test('a facet’s own selection is left out unless the facet filters itself', (t) => {
  const input = { op: 'and', content: [leaf('in', 'title', ['x']), shelfA] };
  t.deepEqual(facet(input, 'title'), {
    filter: compileSqon(sqon(shelfA), library),
    objects: {},
  });
  t.deepEqual(facet(input, 'title', true).filter, compileSqon(sqon(input), library));
});

test('conditions on the facet’s own objects restrict them, with a pivot or without', (t) => {
  for (const pivot of [null, 'copies']) {
    const { objects } = facet({ op: 'and', content: [shelfA, wornOut], pivot }, 'copies.worn');
    t.deepEqual(objects, { copies: terms('copies.shelf', ['a']) });
  }
});

test('several conditions without a pivot count the objects that meet any of them, with one those that meet all', (t) => {
  const [a, worn] = [facet(shelfA, 'copies.loans.days').objects, facet(wornOut, 'copies.loans.days').objects];
  const both = {
    op: 'and',
    content: [shelfA, { op: 'and', content: [wornOut] }],
  };
  t.deepEqual(facet(both, 'copies.loans.days').objects, {
    copies: { kind: 'or', of: [a['copies'], worn['copies']] },
  });
  t.deepEqual(facet({ ...both, pivot: 'copies' }, 'copies.loans.days').objects, {
    copies: { kind: 'and', of: [a['copies'], worn['copies']] },
  });
  const own = leaf('in', 'copies.shelf', ['a', 'b']);
  const field = library.get('copies.loans.days')!;
  t.deepEqual(
    facetFilter(sqon(both), field, library, false, sqon({ op: 'and', content: [own, shelfA] })).objects,
    {
      copies: {
        kind: 'and',
        of: [
          { kind: 'or', of: [a['copies'], worn['copies']] },
          terms('copies.shelf', ['a', 'b']),
          a['copies'],
        ],
      },
    },
  );
});

test('conditions on the objects above restrict the counted ones below', (t) => {
  const { objects } = facet({ op: 'and', content: [shelfA, read] }, 'copies.loans.days');
  t.deepEqual(objects, {
    copies: terms('copies.shelf', ['a']),
    'copies.loans': terms('copies.loans.reader', ['r']),
  });
});

test('a condition deeper than the facet requires a deeper object in the facet’s object', (t) => {
  const { objects } = facet(read, 'copies.shelf');
  t.deepEqual(objects, {
    copies: {
      kind: 'nested',
      path: 'copies.loans',
      of: terms('copies.loans.reader', ['r']),
    },
  });
});

test('an or over several paths restricts documents only', (t) => {
  t.deepEqual(facet({ op: 'or', content: [shelfA, leaf('in', 'title', ['x'])] }, 'copies.worn').objects, {});
  t.deepEqual(facet(leaf('in', 'reviews.by', ['x']), 'copies.worn').objects, {});
});

test('a not restricts the objects to those it leaves, a pivoted one to those that are not all of it', (t) => {
  const a = terms('copies.shelf', ['a']);
  const b = terms('copies.shelf', ['b']);
  const content = [shelfA, leaf('in', 'copies.shelf', ['b'])];
  t.deepEqual(facet({ op: 'not', content }, 'copies.worn').objects, {
    copies: { kind: 'not', of: terms('copies.shelf', ['a', 'b']) },
  });
  t.deepEqual(facet({ op: 'not', content, pivot: 'copies' }, 'copies.worn').objects, {
    copies: { kind: 'not', of: { kind: 'and', of: [a, b] } },
  });
});

test('an access filter is never dropped', (t) => {
  const own = leaf('in', 'copies.shelf', ['a', 'b']);
  const found = facetFilter(sqon(shelfA), library.get('copies.shelf')!, library, false, sqon(own));
  t.deepEqual(found.filter, compileSqon(sqon(own), library));
  t.deepEqual(found.objects, { copies: terms('copies.shelf', ['a', 'b']) });
});

test('objects go by their path in the index', (t) => {
  const { fields } = readFields(
    {
      box: {
        properties: {
          parts: { type: 'nested', properties: { size: { type: 'keyword' } } },
        },
      },
    },
    { nestingPrefix: 'box' },
  );
  const filter = sqon(leaf('in', 'parts.size', ['s']));
  t.deepEqual(Object.keys(facetFilter(filter, fields.get('parts.size')!, fields, true).objects), [
    'box.parts',
  ]);
});
