import test from 'ava';
import { openTrees } from './trees.ts';

const total = 'query ($filters: JSON) { network(filters: $filters) { total } }';
const leaf = (op: string, fieldName: string, value: unknown) => ({ op, content: { fieldName, value } });

test('a misspelt field of the network is named with the one that was probably meant', async (t) => {
  const { send, warnings } = await openTrees(t);
  const { data, errors } = await send(total, { filters: leaf('in', 'genous', ['Acer']) });
  t.is(errors, undefined);
  t.is(data?.network['total'], 0);
  t.deepEqual(warnings, [
    'filter at $: unknown field "genous" (did you mean "genus"?), the condition matches nothing',
  ]);
});

test('strict filters hold for the network: an unknown field is an error', async (t) => {
  const { send, remote } = await openTrees(t, {}, {}, { strictFilters: true });
  const requests = remote.queries.length;
  const { data, errors } = await send(total, { filters: leaf('in', 'genous', ['Acer']) });
  t.is(data?.network, null as never);
  t.is(
    errors?.[0]?.message,
    'filter at $.content.fieldName: expected a field of this catalogue, found "genous" (did you mean "genus"?)',
  );
  t.is(remote.queries.length, requests);
  // `planted` is at one node only, which is enough
  t.is((await send(total, { filters: leaf('gte', 'planted', '2000-01-01') })).errors, undefined);
});

for (const value of [
  [80, 60],
  [1, 2, 3],
])
  test(`between ${JSON.stringify(value)} is refused before any node is queried`, async (t) => {
    const { send, remote } = await openTrees(t);
    const requests = remote.queries.length;
    const { errors } = await send(total, { filters: leaf('between', 'height', value) });
    t.regex(errors?.[0]?.message ?? '', /filter at \$\.content\.value: expected/);
    t.is(remote.queries.length, requests);
  });

test('the sum of no values of a network is 0', async (t) => {
  const { send } = await openTrees(t);
  const { data } = await send(
    'query ($filters: JSON) { network(filters: $filters) { aggregations { height { stats { count min max avg sum } } } } }',
    { filters: leaf('gt', 'height', 1_000) },
  );
  t.deepEqual(data?.network['aggregations'], {
    height: { stats: { count: 0, min: null, max: null, avg: null, sum: 0 } },
  });
});
