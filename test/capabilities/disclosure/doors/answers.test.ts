import test from 'ava';
import { folderWithRelease, serveRelease, throwingEngine } from '../served-release.ts';
import { documents, get, graphql, records, send, type Door } from './doors.ts';

const questions = [
  '{ donor { hits { total } } }',
  records,
  '{ donor { aggregations { sex { buckets { key doc_count } } } } }',
  '{ donor { hits(filters: {op: "in", content: {fieldName: "surname", value: ["Name 1"]}}) { total } } }',
  '{ donor { hits(filters: {op: "in", content: {fieldName: "sex", value: ["female"]}}) { total } } }',
  '{ donor { hits(filters: {op: "between", content: {fieldName: "age", value: [20, 39]}}) { total } } }',
  '{ donor { configs { disclosure extended } mapping } }',
  '{ nothing }',
];

test('two servers over different records with one release answer alike, headers and errors included', async (t) => {
  const folder = await folderWithRelease(t, documents);
  const disclosure = { lowerBoundsToOldClients: true };
  const one = await serveRelease(t, folder, throwingEngine(400), { disclosure });
  const other = await serveRelease(t, folder, throwingEngine(90_000), { disclosure });
  const answer = async ({ url }: { readonly url: string }, door: Door) => {
    const response = await fetch(`${url}${door.path}`, {
      method: door.method,
      headers: { 'x-request-id': 'same', 'content-type': 'application/json', 'tributary-node': '1' },
      ...(door.body === undefined ? {} : { body: JSON.stringify(door.body) }),
    });
    const headers = [...response.headers].filter(([name]) => name !== 'date');
    return { status: response.status, headers, body: await response.text() };
  };
  for (const query of questions) {
    const door = graphql('/graphql', query, 'open');
    const first = await answer(one, door);
    t.deepEqual(await answer(other, door), first);
  }
  const introspection = get('/introspection/cohort', 'open');
  t.deepEqual(await answer(other, introspection), await answer(one, introspection));
});

test('clients that select upper_bound get intervals with an estimate, and what they are of', async (t) => {
  const { url } = await serveRelease(t, await folderWithRelease(t, documents), throwingEngine());
  const query = `{ donor { configs { disclosure } hits { total upper_bound exact estimate }
    aggregations { consent { buckets { key key_as_string doc_count upper_bound exact estimate } } } } }`;
  const { data, extensions } = (await (await send(url, graphql('/graphql', query, 'open'))).json()) as {
    readonly data: {
      readonly donor: {
        readonly hits: unknown;
        readonly configs: unknown;
        readonly aggregations: { readonly consent: { readonly buckets: readonly Record<string, unknown>[] } };
      };
    };
    readonly extensions: unknown;
  };
  const disclosure = { tier: 'counts', threshold: 10, counted: 'donor_id', date: '2026-11-01' };
  t.deepEqual(extensions, { disclosure });
  t.deepEqual(data.donor.configs, { disclosure });
  t.like(data.donor.hits, { total: 400, upper_bound: 409, exact: false });
  const { buckets } = data.donor.aggregations.consent;
  t.deepEqual(
    buckets.map(({ key, key_as_string: label }) => [key, label]),
    [
      ['0', 'false'],
      ['1', 'true'],
      ['__missing__', null],
    ],
  );
  for (const { doc_count: count, upper_bound: upper, estimate, exact } of buckets) {
    t.true(Number(upper) <= Number(count) + 9);
    t.true(Number(estimate) >= Number(count) && Number(estimate) <= Number(upper));
    t.false(exact);
  }
});

interface Percentile {
  readonly percent: number;
  readonly value: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
}

test('percentiles are intervals between released edges, in which the true ones lie', async (t) => {
  const { url } = await serveRelease(t, await folderWithRelease(t, documents), throwingEngine());
  const percents = [0, 10, 25, 50, 75, 90, 100];
  const runQuery = async (filters: string, of: (age: number, sex: unknown) => boolean): Promise<void> => {
    const query = `{ donor { aggregations${filters} { age { percentiles(percents: [${percents.join()}]) { percent value lower upper } } } } }`;
    const { data } = (await (await send(url, graphql('/graphql', query, 'open'))).json()) as {
      data: { donor: { aggregations: { age: { percentiles: readonly Percentile[] } } } };
    };
    const ages = documents
      .filter(({ age, sex }) => typeof age === 'number' && of(age, sex))
      .map(({ age }) => Number(age))
      .sort((left, right) => left - right);
    for (const { percent, value, lower, upper } of data.donor.aggregations.age.percentiles) {
      const truth = ages[Math.max(1, Math.ceil((percent * ages.length) / 100)) - 1]!;
      t.is(value, null);
      t.true((lower ?? -Infinity) <= truth && truth <= (upper ?? Infinity), `${percent}: ${lower} ${upper}`);
      t.true([null, 20, 40, 60].includes(lower) && [null, 20, 40, 60].includes(upper));
    }
    const [middle] = data.donor.aggregations.age.percentiles.filter(({ percent }) => percent === 50);
    t.true(middle!.lower !== null && middle!.upper !== null);
    t.not(data.donor.aggregations.age.percentiles.at(-1)!.lower, null);
  };
  await runQuery('', () => true);
  await runQuery(
    '(filters: { op: "in", content: { fieldName: "sex", value: ["female"] } })',
    (_age, sex) => sex === 'female',
  );
});

test('what percentiles of several nodes are made of is not shown, nor any percentile in the boolean tier', async (t) => {
  const folder = await folderWithRelease(t, documents);
  const { url } = await serveRelease(t, folder, throwingEngine());
  const boolean = await serveRelease(t, folder, throwingEngine(), { tierOf: () => 'boolean' });
  const runQuery = async (at: string, field: string): Promise<string> =>
    (await send(at, graphql('/graphql', `{ donor { aggregations { age { ${field} } } } }`, 'open'))).text();
  t.regex(await runQuery(url, 'log_counts'), /NOT_DISCLOSED/);
  t.regex(await runQuery(boolean.url, 'percentiles { lower }'), /NOT_DISCLOSED/);
});

for (const tier of ['counts', 'boolean'] as const)
  test(`${tier}: whether there are any is answered with yes or unknown, without a number`, async (t) => {
    const folder = await folderWithRelease(t, documents);
    const { url } = await serveRelease(t, folder, throwingEngine(), { tierOf: () => tier });
    const runQuery = async (value: string): Promise<unknown> => {
      const query = `query($filters: JSON) { donor { hits(filters: $filters) { exists }
        aggregations(filters: $filters) { sex { buckets { key exists } } } } }`;
      const variables = { filters: { op: 'in', content: { fieldName: 'site', value: [value] } } };
      const body = { ...graphql('/graphql', query, 'open'), body: { query, variables } };
      return ((await (await send(url, body)).json()) as { readonly data: unknown }).data;
    };
    const buckets = (exists: boolean | null) =>
      ['female', 'male', '__other__', '__missing__'].map((key) => ({ key, exists }));
    t.deepEqual(await runQuery('C50.1'), {
      donor: { hits: { exists: true }, aggregations: { sex: { buckets: buckets(true) } } },
    });
    // a value of no cell of its own: it may be one of the others
    t.deepEqual(await runQuery('X99'), {
      donor: { hits: { exists: null }, aggregations: { sex: { buckets: buckets(null) } } },
    });
    const network =
      '{ network { exists nodes { nodeId } hits { exists } aggregations { sex { buckets { key exists } } } } }';
    const answer = (await (await send(url, graphql('/network/graphql', network, 'open'))).json()) as {
      readonly data: { readonly network: { readonly exists: unknown; readonly hits: unknown } };
    };
    t.like(answer.data.network, { exists: true, hits: { exists: true } });
  });

test('buckets without counts are answered to clients that know no bounds', async (t) => {
  const { url } = await serveRelease(t, await folderWithRelease(t, documents), throwingEngine());
  const runQuery = async (selected: string) =>
    (
      await send(url, graphql('/graphql', `{ donor { aggregations { sex { ${selected} } } } }`, 'open'))
    ).text();
  t.regex(await runQuery('buckets { key }'), /\{"key":"female"\},\{"key":"male"\}/);
  t.regex(await runQuery('buckets { key } bucket_count'), /"bucket_count":/);
  t.regex(await runQuery('buckets { key doc_count }'), /NOT_DISCLOSED/);
});
