import test from 'ava';
import { badUserInput } from '../../../src/lib/errors/errors.ts';
import { FailingFacets } from '../../../src/federation/remote/established.ts';
import { plainQuery, type CatalogueQuery, type CatalogueResult } from '../../../src/search/query.ts';

const histogramsBy = (...intervals: readonly number[]): CatalogueQuery => ({
  ...plainQuery,
  facets: intervals.map((interval) => ({ field: 'age', measure: { kind: 'histogram', interval } })),
});

const failed = { kind: 'failed', error: badUserInput('it cannot compute this facet') } as const;

/** The answer of a node that computes all facets or none. */
const answered = ({ facets, hits }: CatalogueQuery, areComputed: boolean): CatalogueResult => ({
  ...{ total: hits === null ? null : 3, hits: [], warnings: [] },
  facets: facets.map(() => (areComputed ? { kind: 'histogram', buckets: [{ key: '0', count: 3 }] } : failed)),
});

/** A node whose search server refuses histograms of too many buckets. */
const search = async (query: CatalogueQuery): Promise<CatalogueResult> =>
  answered(
    query,
    query.facets.every(({ measure }) => measure.kind === 'histogram' && measure.interval >= 1),
  );

test('a facet that fails costs no other facet and no total, and is left out for a while', async (t) => {
  const failing = new FailingFacets();
  const sent: CatalogueQuery[] = [];
  const ask = async (...intervals: readonly number[]) => {
    sent.length = 0;
    const { facets, total } = await failing.search(histogramsBy(...intervals), (part) => {
      sent.push(part);
      return search(part);
    });
    return { kinds: facets.map(({ kind }) => kind), total };
  };
  t.deepEqual(await ask(10, 0.001, 20), { kinds: ['histogram', 'failed', 'histogram'], total: null });
  t.is(sent.length, 4);
  t.deepEqual(
    sent.slice(1).map(({ hits }) => hits?.trackTotal),
    [true, true, true],
  );
  t.deepEqual(await ask(10), { kinds: ['histogram'], total: null });
  t.deepEqual(await ask(0.001, 10), { kinds: ['failed', 'histogram'], total: null });
  t.deepEqual(
    sent.map(({ facets }) => facets.length),
    [1],
  );
});

test('a query without facets is sent once', async (t) => {
  let sent = 0;
  const answer = await new FailingFacets().search(plainQuery, (part) => {
    sent += 1;
    return search(part);
  });
  t.deepEqual(answer.facets, []);
  t.is(sent, 1);
});

test('a facet that fails once is no failing facet', async (t) => {
  const failing = new FailingFacets();
  let sent = 0;
  const once = async (part: CatalogueQuery): Promise<CatalogueResult> => answered(part, (sent += 1) > 1);
  t.is((await failing.search(histogramsBy(10), once)).facets[0]?.kind, 'histogram');
  t.is(sent, 2);
  t.is((await failing.search(histogramsBy(10), once)).facets[0]?.kind, 'histogram');
  t.is(sent, 3);
});

test('a server that fails at the matches too fails as a whole, and no facet is left out for it', async (t) => {
  const failing = new FailingFacets();
  let isDown = true;
  const node = async (part: CatalogueQuery): Promise<CatalogueResult> => {
    if (isDown && part.hits !== null) throw new Error('down');
    return answered(part, !isDown);
  };
  await t.throwsAsync(failing.search(histogramsBy(10), node), { message: 'down' });
  isDown = false;
  t.is((await failing.search(histogramsBy(10), node)).facets[0]?.kind, 'histogram');
});
