import test from 'ava';
import { FacetsFailed, FailingFacets, failsAtFacets } from '../../../src/federation/remote/failing-facets.ts';
import { plainQuery, type CatalogueQuery, type CatalogueResult } from '../../../src/search/query.ts';

const histogramBy = (interval: number): CatalogueQuery => ({
  ...plainQuery,
  facets: [{ field: 'age', measure: { kind: 'histogram', interval } }],
});

const answered: CatalogueResult = { total: 3, hits: [], facets: [], warnings: [] };

/** A node whose search server refuses histograms of too many buckets. */
const send = async ({ facets }: CatalogueQuery): Promise<CatalogueResult> => {
  if (facets.some(({ measure }) => measure.kind === 'histogram' && measure.interval < 1))
    throw new FacetsFailed('too many buckets');
  return {
    ...answered,
    facets: facets.map(() => ({ kind: 'histogram', buckets: [{ key: '0', count: 3 }] })),
  };
};

test('a facet that fails is left out for a while, others of its field and measure are not', async (t) => {
  const failing = new FailingFacets();
  const sent: CatalogueQuery[] = [];
  const kinds = async (interval: number) => {
    const { facets } = await failing.search(histogramBy(interval), (part) => {
      sent.push(part);
      return send(part);
    });
    return facets.map(({ kind }) => kind);
  };
  t.deepEqual(await kinds(0.001), ['failed']);
  t.deepEqual(await kinds(10), ['histogram']);
  sent.length = 0;
  t.deepEqual(await kinds(0.001), ['failed']);
  t.deepEqual(
    sent.map(({ facets }) => facets.length),
    [0],
  );
});

test('a node that fails at facets although none were requested is not queried over and over', async (t) => {
  let sent = 0;
  const search = new FailingFacets().search({ ...histogramBy(10), facets: [] }, async ({ hits }) => {
    sent += 1;
    if (hits === null && sent < 100) throw new FacetsFailed('its facets fail');
    return answered;
  });
  t.like(await search, { total: null, facets: [] });
  t.is(sent, 2);
});

test('a facet that fails once is no failing facet', async (t) => {
  const failing = new FailingFacets();
  let sent = 0;
  const once = async (part: CatalogueQuery): Promise<CatalogueResult> => {
    sent += 1;
    if (sent === 1) throw new FacetsFailed('its facets fail', { cause: new Error('for a moment') });
    return send(part);
  };
  t.is((await failing.search(histogramBy(10), once)).facets[0]?.kind, 'histogram');
  t.is(sent, 3);
  t.is((await failing.search(histogramBy(10), once)).facets[0]?.kind, 'histogram');
  t.is(sent, 4);
});

test('nodes that a network requires, and servers without memory, do not fail at facets', (t) => {
  const fails = (code?: string) =>
    failsAtFacets({ errors: [{ path: ['tree', 'aggregations'], extensions: { code } }] }, 'tree');
  for (const code of ['NODE_TIMEOUT', 'NODE_UNREACHABLE', 'NODE_BAD_RESPONSE', 'NOT_READY', 'FORBIDDEN'])
    t.false(fails(code), code);
  for (const code of ['INTERNAL_SERVER_ERROR', 'ENGINE_ERROR', 'BAD_USER_INPUT', undefined])
    t.true(fails(code), code);
});
