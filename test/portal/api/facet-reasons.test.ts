import test from 'ava';
import { dataOf } from '../../../portal/src/api/server.ts';

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
