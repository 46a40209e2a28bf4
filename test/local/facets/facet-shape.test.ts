import test from 'ava';
import type { TermsResult } from '../../../src/engines/engine.ts';
import type { FacetPlan } from '../../../src/local/facets/facet-plan.ts';
import { shapeFacets } from '../../../src/local/facets/facet-shape.ts';

const terms: TermsResult = {
  kind: 'terms',
  buckets: [
    { key: 'oak', count: 3 },
    { key: 'elm', count: 1 },
  ],
  distinct: 2,
  missing: 4,
};

const planOf = (as: string): FacetPlan => ({
  requests: [{ field: 'tree', measure: { kind: 'terms', max: 1 } }],
  parts: [
    {
      kind: 'facet',
      as,
      measures: [
        { kind: 'bucketCount', as: 'n', request: 0 },
        { kind: 'buckets', as: 'b', request: 0, max: 1, bucket: [{ kind: 'key', as }, { kind: 'docCount', as: 'c' }] }, // prettier-ignore
      ],
    },
  ],
});

test('each answer stands under its response name, missing values last and on top of max', (t) => {
  t.deepEqual(shapeFacets(planOf('tree'), [terms]), {
    tree: {
      n: 3,
      b: [
        { tree: 'oak', c: 3 },
        { tree: '__missing__', c: 4 },
      ],
    },
  });
});

test('an alias called __proto__ is a name like others', (t) => {
  const shaped = shapeFacets(planOf('__proto__'), [terms]);
  t.deepEqual(Object.keys(shaped), ['__proto__']);
  const facet = Object.getOwnPropertyDescriptor(shaped, '__proto__')!.value as { b: object[] };
  t.deepEqual(Object.getOwnPropertyNames(facet.b[0]), ['__proto__', 'c']);
  t.is(Object.getPrototypeOf(shaped), Object.prototype);
});

test('the sum of no values is 0, their other statistics are nothing', (t) => {
  const names = ['min', 'max', 'count', 'avg', 'sum'] as const;
  const plan: FacetPlan = {
    requests: [{ field: 'height', measure: { kind: 'stats' } }],
    parts: [
      {
        kind: 'facet',
        as: 'height',
        measures: [
          { kind: 'stats', as: 'stats', request: 0, stats: names.map((kind) => ({ kind, as: kind })) },
        ],
      },
    ],
  };
  t.deepEqual(shapeFacets(plan, [{ kind: 'stats', count: 0, min: null, max: null, avg: null, sum: null }]), {
    height: { stats: { min: null, max: null, count: 0, avg: null, sum: 0 } },
  });
});

test('an answer of another kind than was asked is an error', (t) => {
  t.throws(() => shapeFacets(planOf('tree'), [{ kind: 'cardinality', value: 2, exact: true }]), {
    code: 'INTERNAL_SERVER_ERROR',
  });
});
