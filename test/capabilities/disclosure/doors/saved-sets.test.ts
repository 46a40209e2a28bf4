import test, { type ExecutionContext } from 'ava';
import type { Tier } from '../../../../src/introspection/fields/catalogue-config.ts';
import type { JsonObject } from '../../../../src/lib/json/json.ts';
import { openSets } from '../../../../src/local/sets/open-sets.ts';
import { openNaiveEngine } from '../../../engines/naive.ts';
import { cohort, cohortProperties } from '../cohort.ts';
import { folderWithRelease, serveRelease } from '../served-release.ts';
import { documents, secret } from './doors.ts';

/** What only callers with records see. */
const live = cohort(417, 99).map((one) => JSON.parse(JSON.stringify(one)) as JsonObject);

/** A server with saved sets, whose callers say their tier. */
const opened = async (t: ExecutionContext) => {
  const engine = openNaiveEngine();
  await engine.manage({ kind: 'create', index: 'donors', mapping: { properties: cohortProperties } });
  await engine.write(
    'donors',
    live.map((document, number) => ({ kind: 'upsert', id: `K${number}`, document })),
  );
  const { url } = await serveRelease(t, await folderWithRelease(t, documents), engine, {
    tierOf: ({ headers }) => (headers['x-tier'] ?? null) as Tier | null,
    sets: openSets(engine, 'kept-sets'),
  });
  const runQuery = async (tier: Tier, query: string, path = '/graphql', variables = {}) => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-tier': tier },
      body: JSON.stringify({ query, variables }),
    });
    return response.text();
  };
  const save = async (tier: Tier, path: string): Promise<string> =>
    runQuery(
      tier,
      'mutation($path: String!, $sqon: JSON!) { saveSet(type: donor, userId: "a", path: $path, sqon: $sqon, refresh: WAIT_FOR) { setId size ids } }',
      '/graphql',
      { path, sqon: { op: 'in', content: { fieldName: 'surname', value: ['Name 1', 'Name 2', 'Name 3'] } } },
    );
  return { runQuery, save };
};

const idIn = (text: string): string =>
  (JSON.parse(text) as { data: { saveSet: { setId: string } } }).data.saveSet.setId;

const within = (fieldName: string, setId: string) => ({
  sqon: { op: 'in', content: { fieldName, value: [`set_id:${setId}`] } },
});

const counting = `query($sqon: JSON) { donor { hits(first: 0, filters: $sqon) { total upper_bound }
  aggregations(filters: $sqon, aggregations_filter_themselves: true) { sex { buckets { key doc_count upper_bound } } } } }`;

test('a set that a caller with records saved counts nothing for a caller without, of whatever path it is', async (t) => {
  const { runQuery, save } = await opened(t);
  for (const path of ['donor_id', 'sex', '_id']) {
    const setId = idIn(await save('records', path));
    const requested = within(path, setId);
    if (path === 'donor_id')
      t.regex(await runQuery('records', counting, '/graphql', requested), /"total":3,/, 'the set is there');
    for (const tier of ['counts', 'boolean', 'none'] as const) {
      const [known, unknown] = [
        await runQuery(tier, counting, '/graphql', requested),
        await runQuery(tier, counting, '/graphql', within(path, 'b7a3e0a2-0000-4000-8000-000000000000')),
      ];
      t.regex(known, tier === 'none' ? /FORBIDDEN/ : /NOT_DISCLOSED/);
      t.notRegex(known, /"total":\d|"doc_count":\d/);
      // nor does it tell that there is such a set
      t.is(withoutRequestId(known), withoutRequestId(unknown), `${tier} ${path}`);
    }
  }
});

const withoutRequestId = (text: string): string => text.replaceAll(/"requestId":"[^"]*"/g, '');

test('the list of saved sets is not shown to a caller without records', async (t) => {
  const { runQuery, save } = await opened(t);
  const setId = idIn(await save('records', 'donor_id'));
  const list = '{ sets { hits { total upper_bound edges { node { setId ids size } } } } }';
  t.true((await runQuery('records', list)).includes(setId));
  for (const tier of ['counts', 'boolean', 'none'] as const) {
    const text = await runQuery(tier, list);
    t.false(text.includes(setId), text);
    t.notRegex(text, /"total":\d/);
    t.notRegex(text, secret);
  }
});

test('a caller without records saves no set, from which a caller with records could learn nothing either', async (t) => {
  const { runQuery, save } = await opened(t);
  for (const tier of ['counts', 'boolean', 'none'] as const) {
    const text = await save(tier, 'donor_id');
    t.notRegex(text, /setId":"|"size":\d|"D\d/, text);
    t.regex(text, /"errors":/);
  }
  t.notRegex(await runQuery('records', '{ sets { hits { total } } }'), /"total":[1-9]/);
});

test('through a network, a set that a caller with records saved is refused in every tier', async (t) => {
  const { runQuery, save } = await opened(t);
  const requested = within('donor_id', idIn(await save('records', 'donor_id')));
  const query =
    'query($sqon: JSON) { network(filters: $sqon) { total upper_bound nodes { nodeId state hits errors } } }';
  for (const path of ['/network/graphql', '/cohort/network/graphql'])
    for (const tier of ['records', 'counts', 'boolean', 'none'] as const)
      t.notRegex(await runQuery(tier, query, path, requested), /"(total|hits)":[1-9]/, `${path} ${tier}`);
});
