import test from 'ava';
import { badUserInput } from '../../../src/lib/errors/errors.ts';
import { establishedSearch, FailingFacets } from '../../../src/federation/remote/established.ts';
import { plainQuery, type CatalogueQuery, type CatalogueResult } from '../../../src/search/query.ts';
import { leaf } from '../../../src/sqon/ast.ts';
import { fieldsOf } from '../collection.ts';

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

/** Counts 40 sets of a value at a server that accepts 15 aliases, and returns what each request has. */
const groupsUnder = async (ids: readonly string[]) => {
  const remote = { fields: fieldsOf({ id: 'keyword', genus: 'keyword' }) };
  const answer = establishedSearch(remote, { documentType: 'tree', maxAliases: 15 });
  const sets = Array.from({ length: 40 }, (_, at) => ({ key: `k${at}`, values: [`v${at}`] }));
  const query = {
    ...{ ...plainQuery, hits: null, filters: leaf('in', 'id', ids) },
    facets: [{ field: 'genus', measure: { kind: 'groups' as const, sets } }],
  };
  const sent: { readonly aliases: number; readonly characters: number }[] = [];
  const { facets } = await answer(query, search, (_, variables) => {
    const names = Object.keys(variables);
    sent.push({ aliases: names.length, characters: JSON.stringify(variables).length });
    return Promise.resolve({ data: { tree: Object.fromEntries(names.map((name) => [name, { total: 3 }])) } });
  });
  const counts = facets[0]?.kind === 'groups' ? facets[0].buckets.map(({ count }) => count) : [];
  return { sent, counts };
};

test('groups are counted in requests of the aliases that the server accepts', async (t) => {
  const { sent, counts } = await groupsUnder(['one']);
  t.deepEqual(
    sent.map(({ aliases }) => aliases),
    [15, 15, 10],
  );
  t.deepEqual(counts, Array<number>(40).fill(3));
});

test('groups under a large filter are counted in requests of a bounded size', async (t) => {
  const ids = Array.from({ length: 10_000 }, (_, at) => `donor-${at}`);
  const { sent, counts } = await groupsUnder(ids);
  t.true(sent.every(({ characters }) => characters < 2 ** 20));
  t.true(sent.length < 40);
  t.deepEqual(counts, Array<number>(40).fill(3));
});
