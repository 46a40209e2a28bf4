import test from 'ava';
import type { Catalogue } from '../../../portal/src/api/catalogue.ts';
import type { Field } from '../../../portal/src/api/fields.ts';
import { dataOf, facetError, type FacetFailure } from '../../../portal/src/api/server.ts';
import { fetchLevel, findTerms } from '../../../portal/src/api/terms.ts';

test('an error of one facet is its reason, and the rest of the answer stays', (t) => {
  const data = { rec: { hits: { total: 3 }, aggregations: { name: { bucket_count: 1 }, wc: null } } };
  const errors = [{ message: 'no doc_values', path: ['rec', 'aggregations', 'wc'] }];
  t.deepEqual(dataOf<unknown>({ data, errors }), {
    rec: {
      hits: { total: 3 },
      aggregations: { name: { bucket_count: 1 }, wc: { reason: 'no doc_values' } },
    },
  });
});

test('any other error is that of the answer', (t) => {
  const data = { rec: { hits: null, aggregations: null } };
  for (const path of [['rec', 'hits'], ['rec', 'aggregations'], undefined])
    t.throws(() => dataOf({ data, errors: [{ message: 'gone', ...(path && { path }) }] }), {
      message: 'gone',
    });
});

test('terms that could not be counted have a reason, and are not 0', async (t) => {
  const { fetch } = globalThis;
  t.teardown(() => void (globalThis.fetch = fetch));
  const found = [{ id: 'C1', label: 'One', synonyms: [], path: [], narrower: 0 }];
  const data = { rec: { aggregations: { code: null } } };
  const errors = [{ message: 'too many terms', path: ['rec', 'aggregations', 'code', 'tree'] }];
  globalThis.fetch = async (url) =>
    new Response(JSON.stringify(String(url).includes('/hierarchies/') ? { found } : { data, errors }));
  const source = { id: 'rec', kind: 'catalogue', path: 'rec', documentType: 'rec' };
  const catalogue = { source, documentType: 'rec' } as unknown as Catalogue;
  const field = { path: 'code', hierarchy: 'codes' } as Field;
  const everything = { filter: null, nodes: null };
  await t.throwsAsync(fetchLevel(catalogue, everything, 'code', null, 12), { message: 'too many terms' });
  await t.throwsAsync(findTerms(catalogue, everything, field, 'one', 30), { message: 'too many terms' });
});

test('a facet that is refused for its cost tells by how much', async (t) => {
  const data = { rec: { aggregations: { code: null } } };
  const details = { cost: 30, maxCost: 10 };
  const errors = [
    {
      message: 'too much',
      path: ['rec', 'aggregations', 'code'],
      extensions: { code: 'BAD_USER_INPUT', details },
    },
  ];
  const { rec } = dataOf<{ rec: { aggregations: { code: FacetFailure | null } } }>({ data, errors });
  t.like(facetError(rec.aggregations.code!), { kind: 'tooCostly', excess: 3, message: 'too much' });
  t.like(facetError({ reason: 'no doc_values' }), { kind: 'input', excess: null });
});
