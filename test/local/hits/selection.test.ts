import test from 'ava';
import { noSwitches } from '../../../src/introspection/fields/catalogue-config.ts';
import { hitsArgs } from '../../../src/local/schema/connection-type.ts';
import { bookProperties } from '../catalogue-fixture.ts';
import { runOperation } from '../run-operation.ts';
import type { Operation } from '../run-operation.ts';
import { scriptedEngine } from '../scripted-engine.ts';

const runQuery = async (source: string, operation: Partial<Operation> = {}) => {
  const engine = scriptedEngine({
    describe: () => ({ properties: bookProperties }),
    search: ({ hits }) => ({ hits: { total: hits?.trackTotal === true ? 4 : null, hits: [] } }),
  });
  const outcome = await runOperation(engine, { source, ...operation });
  return { ...outcome, hits: engine.searches[0]?.hits };
};

test('a page has ten hits unless it says otherwise', async (t) => {
  const { hits } = await runQuery('{ book { hits { total edges { node { id } } } } }');
  t.is(hits?.size, 10);
  t.is(hits?.offset, 0);
  t.is(hits?.trackTotal, true);
});

test('a total alone fetches no rows, rows alone count no total', async (t) => {
  const total = await runQuery('{ book { hits { total } } }');
  t.is(total.hits?.size, 0);
  const rows = await runQuery('{ book { hits { edges { node { id } } } } }');
  t.is(rows.hits?.trackTotal, false);
});

test('the total is null when it is not to be tracked, and tracked for null', async (t) => {
  const source = 'query($track: Boolean) { book { hits(trackTotalHits: $track) { total } } }';
  const off = await runQuery(source, { variables: { track: false } });
  t.deepEqual([off.data, off.errors], [{ book: { hits: { total: null } } }, []]);
  const none = await runQuery(source, { variables: { track: null } });
  t.deepEqual(none.data, { book: { hits: { total: 4 } } });
});

test('sort keys and the cursor come from arguments or variables', async (t) => {
  const { hits } = await runQuery(
    'query($s: [Sort], $after: JSON) { book { hits(sort: $s, searchAfter: $after) { edges { searchAfter } } } }',
    {
      variables: {
        s: [{ fieldName: 'pages' }, { fieldName: 'title', order: 'desc' }],
        after: [12, null, 'k'],
      },
    },
  );
  t.deepEqual(
    hits?.sort.map(({ field, order, missing }) => [field.path, order, missing]),
    [
      ['pages', 'asc', 'first'],
      ['title', 'desc', 'last'],
    ],
  );
  t.deepEqual(hits?.searchAfter, [12, null, 'k']);
});

test('an empty cursor is the first page', async (t) => {
  t.is((await runQuery('{ book { hits(searchAfter: []) { total } } }')).hits?.searchAfter, null);
});

const refused = {
  'a negative first, even when no rows are selected': 'hits(first: -1) { total }',
  'a cursor that is not a list': 'hits(searchAfter: "x") { total }',
  'a cursor of objects': 'hits(searchAfter: [{a: 1}]) { total }',
  'a malformed filter': 'hits(filters: {op: "nope"}) { total }',
  'a sort by an unknown field': 'hits(sort: [{fieldName: "nope"}]) { total }',
};
for (const [what, field] of Object.entries(refused))
  test(`${what} nulls the hits with BAD_USER_INPUT`, async (t) => {
    const { data, codes, hits } = await runQuery(`{ book { ${field} } }`);
    t.deepEqual(data, { book: { hits: null } });
    t.deepEqual(codes, ['BAD_USER_INPUT']);
    t.is(hits, undefined);
  });

test('filters can be disabled, however they are passed', async (t) => {
  const filter = { op: 'in', content: { fieldName: 'title', value: ['x'] } };
  const config = { switches: { ...noSwitches, disableFilters: true } };
  const hits = await runQuery('query($any: JSON) { book { hits(filters: $any) { total } } }', {
    variables: { any: filter },
    config,
  });
  t.deepEqual(hits.codes, ['FORBIDDEN']);
  const facets = await runQuery(
    '{ book { aggregations(filters: {op: "and", content: []}) { title { bucket_count } } } }',
    {
      config,
    },
  );
  t.deepEqual(facets.codes, ['FORBIDDEN']);
});

test('warnings of the search reach the caller', async (t) => {
  const { warnings } = await runQuery(
    '{ book { hits(filters: {op: "in", content: {fieldName: "gone", value: ["x"]}}) { total } } }',
  );
  t.is(warnings.length, 1);
});

test('the arguments of Relay are deprecated, null is ignored, and a value warns', async (t) => {
  const engine = scriptedEngine({
    describe: () => ({ properties: bookProperties }),
    search: () => ({ hits: { total: 0, hits: [] } }),
  });
  const asked = (args: string) => runOperation(engine, { source: `{ book { hits(${args}) { total } } }` });
  for (const args of ['first: 1', 'first: 1, after: null, before: null, last: null'])
    t.deepEqual((await asked(args)).warnings, []);
  for (const [name, value] of [
    ['after', '"a"'],
    ['before', '"b"'],
    ['last', '5'],
  ] as const) {
    const { warnings, errors } = await asked(`${name}: ${value}`);
    t.deepEqual(errors, []);
    t.deepEqual(warnings, [
      `the argument ${name} of hits has no effect: page with searchAfter, or with first and offset`,
    ]);
    t.regex(hitsArgs[name].deprecationReason, /searchAfter/);
  }
});
