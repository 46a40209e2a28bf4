import type { ExecutionContext } from 'ava';
import test from 'ava';
import type { Fields } from '../../src/introspection/fields/field.ts';
import type { SearchFn } from '../../src/search/query.ts';
import { TributaryError } from '../../src/lib/errors/errors.ts';
import type { Row } from './collection.ts';
import { fieldsOf, searchOf } from './collection.ts';
import type { RemoteServer } from './remote-server.ts';
import { catalogueOf, serveCatalogue } from './remote-server.ts';
import { ask, testNetwork } from '../builders.ts';

interface Half {
  readonly types: Readonly<Record<string, string>>;
  readonly search: SearchFn;
}

/** As a mapping gives them: objects without properties are JSON. */
const servedFields = (types: Half['types']): Fields =>
  new Map(
    [...fieldsOf(types)].map(([path, field]) => [
      path,
      field.type === 'object' ? { ...field, kind: 'json' } : field,
    ]),
  );

/** A catalogue here and one next door, with fields of their own types. */
const openHalves = async (
  t: ExecutionContext,
  here: Half,
  there: Half,
  network: object = {},
  ofLocal: object = {},
) => {
  const remote = await serveCatalogue('stone', servedFields(there.types), there.search);
  const catalogue = catalogueOf('here', servedFields(here.types), here.search);
  const nodes = [
    { nodeId: 'here', catalogue, ...ofLocal },
    { nodeId: 'there', documentType: 'stone', remote },
  ];
  const opened = await testNetwork(t, nodes, { network });
  type Data = { readonly network: Record<string, unknown> | null };
  return { runQuery: (source: string) => ask<Data>(opened, source), opened, remote };
};

const rows: readonly Row[] = [{ id: 's1', note: 'grey', size: 3 }];
const half = (types: Readonly<Record<string, string>>, of = rows): Half => ({
  types: { id: 'keyword', ...types },
  search: searchOf(of),
});
const noteFacet =
  '{ network { aggregations { note { buckets { key doc_count } coverage { nodeId state } } } } }';

const thrown = async (answer: Promise<{ errors?: readonly { message: string }[] }>) =>
  (await answer).errors?.map(({ message }) => message);

test('a facet on a text field is the error that a catalogue gives', async (t) => {
  const { runQuery, remote } = await openHalves(t, half({ note: 'text' }), half({ note: 'text' }));
  const message = 'field note of type text has no terms; use a keyword field';
  t.deepEqual(await thrown(runQuery(noteFacet)), [message]);
  const number = '{ network { aggregations { note { cardinality } } } }';
  t.deepEqual(await thrown(runQuery(number)), [
    'field note of type text has no cardinality; use a keyword field',
  ]);
  // its matches are still counted, for the coverage
  for (const { query } of remote.queries) t.notRegex(query, /note/);
});

test('so it is when the network calls it a keyword and every node that has it a text', async (t) => {
  const fields = { note: 'keyword' };
  const { runQuery } = await openHalves(t, half({ note: 'text' }), half({ size: 'long' }), { fields });
  t.deepEqual(await thrown(runQuery(noteFacet)), [
    'field note of type text has no terms; use a keyword field',
  ]);
});

test('a node whose field is text is not sent the facet that others answer', async (t) => {
  const { runQuery, remote } = await openHalves(t, half({ note: 'keyword' }), half({ note: 'text' }));
  const { data } = await runQuery(noteFacet.replace('network {', 'network { total'));
  t.deepEqual(data.network?.['aggregations'], {
    note: {
      buckets: [{ key: 'grey', doc_count: 1 }],
      coverage: [
        { nodeId: 'here', state: 'answered' },
        { nodeId: 'there', state: 'notCovered' },
      ],
    },
  });
  t.is(remote.queries.length, 1);
  t.notRegex(remote.queries[0]!.query, /note/);
});

/** Half a network whose engine cannot count notes. */
const withoutNotes = (reason: string): Half => {
  const { types, search } = half({ note: 'keyword', size: 'long' });
  const error = new TributaryError('BAD_USER_INPUT', reason);
  return {
    types,
    search: async (query, context) => {
      const answer = await search(query, context);
      const facets = answer.facets.map((facet, at) =>
        query.facets[at]!.field === 'note' ? ({ kind: 'failed', error } as const) : facet,
      );
      return { ...answer, facets };
    },
  };
};

const both = `{ network { total partial nodes { nodeId state errors uncoveredFields } hits { edges { node { id } } } aggregations {
  size { stats { count } } note { buckets { key doc_count } coverage { nodeId state reason } } } } }`;

for (const failing of ['here', 'there'])
  test(`a facet that the node ${failing} cannot compute is not covered there, and nothing else`, async (t) => {
    const able = half({ note: 'keyword', size: 'long' });
    // what another server says of its own accord is not shown
    const reason = failing === 'here' ? 'values of note cannot be counted' : 'it cannot compute this facet';
    const unable = withoutNotes('values of note cannot be counted');
    const { runQuery } = await (failing === 'here'
      ? openHalves(t, unable, able)
      : openHalves(t, able, unable));
    const { data, errors } = await runQuery(both);
    t.is(errors, undefined);
    t.like(data.network, { total: 2, partial: false });
    t.deepEqual(data.network?.['aggregations'], {
      size: { stats: { count: 2 } },
      note: {
        buckets: [{ key: 'grey', doc_count: 1 }],
        coverage: ['here', 'there'].map((nodeId) =>
          nodeId === failing
            ? { nodeId, state: 'notCovered', reason }
            : { nodeId, state: 'answered', reason: null },
        ),
      },
    });
    t.deepEqual(
      data.network?.['nodes'],
      ['here', 'there'].map((nodeId) => ({
        ...{ nodeId, state: 'ok', errors: '' },
        uncoveredFields: nodeId === failing ? ['note'] : [],
      })),
    );
  });

test('a facet that no node can compute is an error with the reason of one', async (t) => {
  const { runQuery } = await openHalves(t, withoutNotes('no values'), withoutNotes('none'));
  const { data, errors } = await runQuery(both.replace('coverage { nodeId state reason }', ''));
  t.like(data.network, { total: 2, aggregations: { size: { stats: { count: 2 } }, note: null } });
  t.like(errors, [{ message: 'no node has a facet of "note": node "here": no values' }]);
});

test('an object without properties is one at every node, whoever says more of it', async (t) => {
  const one = half({ extra: 'object' }, [{ id: 's1', extra: { any: [1, { deep: true }] } }]);
  const { runQuery } = await openHalves(t, one, one);
  const { data, errors } = await runQuery('{ network { hits { edges { nodeId node { id extra } } } } }');
  t.is(errors, undefined);
  t.deepEqual(data.network, {
    hits: {
      edges: ['here', 'there'].map((nodeId) => ({
        nodeId,
        node: { id: 's1', extra: { any: [1, { deep: true }] } },
      })),
    },
  });
});

const histograms = `{ network { nodes { nodeId state } aggregations {
  size { histogram(interval: 1) { buckets { key } } } made { histogram(interval: 1) { buckets { key } } } } } }`;
const sizes = { size: 'long', made: 'long' };
const wide: readonly Row[] = [
  { id: 's1', size: 0, made: 0 },
  { id: 's2', size: 1_000_000, made: 2 },
];

test('a histogram that is too fine over all nodes is the error of a catalogue', async (t) => {
  const { runQuery } = await openHalves(t, half(sizes, wide.slice(0, 1)), half(sizes, wide.slice(1)));
  const { errors } = await runQuery(histograms);
  t.deepEqual(
    errors?.map(({ message, extensions }) => ({ message, extensions })),
    [
      {
        message: 'histogram of size has more than 65536 buckets, its interval must be at least 16',
        extensions: errors![0]!.extensions,
      },
    ],
  );
  t.true(errors?.length === 1);
});

/** Refuses every query, the one for the extremes of its values too. */
const refusing: SearchFn = () => {
  const details = { field: 'made', smallestInterval: 40 };
  const message = 'histogram of made has more than 65536 buckets, its interval must be at least 40';
  return Promise.reject(new TributaryError('BAD_USER_INPUT', message, { details }));
};
const fails: Half = { types: { id: 'keyword', ...sizes }, search: refusing };
const tellsRemote = (remote: RemoteServer): void => {
  const details = { field: 'made', smallestInterval: 40 };
  const errors = [{ message: 'x', extensions: { code: 'BAD_USER_INPUT', details } }];
  remote.fault = (_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ errors }));
    return true;
  };
};

for (const [which, here, there, message] of [
  [
    'the local one',
    fails,
    half(sizes),
    'node "here" histogram of made has more than 65536 buckets, its interval must be at least 40',
  ],
  [
    'the remote one',
    half(sizes),
    half(sizes),
    'node "there" refused the histogram: its interval must be at least 40 there',
  ],
] as const)
  test(`so is one that is too fine for a node that does not tell its extremes: ${which}`, async (t) => {
    const { runQuery, remote } = await openHalves(t, here, there);
    if (which !== 'the local one') tellsRemote(remote);
    t.deepEqual(await thrown(runQuery(histograms)), [message]);
  });

const spread = (first: number, last: number): Half =>
  half(sizes, [
    { id: 's1', size: first, made: 0 },
    { id: 's2', size: last, made: 0 },
  ]);

for (const [what, here, there, factor] of [
  ['no node alone', spread(0, 60_000), spread(60_001, 120_000), 1],
  ['one node', spread(50, 150_000), spread(0, 10), 1],
  ['every node', spread(0, 100_000), spread(50_000, 150_000), 1],
  ['a node with another unit', spread(50, 150), spread(0, 10), 1000],
] as const)
  test(`the interval that is named fits all nodes together: too fine for ${what}`, async (t) => {
    const units = factor === 1 ? {} : { units: { size: { factor, offset: 0 } } };
    const { runQuery } = await openHalves(t, here, there, {}, units);
    const histogramBy = (interval: number) =>
      runQuery(
        `{ network { aggregations { size { histogram(interval: ${interval}) { buckets { doc_count } } } } } }`,
      );
    const [refusal] = (await thrown(histogramBy(1))) ?? [];
    const smallest = Number(/^histogram of size .* at least (\S+)$/.exec(refusal ?? '')?.[1]);
    t.is((await histogramBy(smallest)).errors, undefined, refusal);
  });

test("a client's bad question is not a failure of a node: neither counted nor shown as its last error", async (t) => {
  const { runQuery, opened, remote } = await openHalves(t, fails, half(sizes));
  tellsRemote(remote);
  for (let round = 0; round < 4; round += 1) await runQuery(histograms);
  for (const report of opened.state().nodes)
    // each question asks for the extremes too
    t.like(report, { state: 'ok', requests: 8, failures: 0, lastError: null, lastErrorCode: null });
  t.is(opened.state().nodes[1]!.circuit, 'closed');
});

test('whole numbers past 32 bits and past 2^53 come through hits', async (t) => {
  const types = { bricks: 'unsigned_long', stones: 'long', few: 'byte' };
  const big = { bricks: '18446744073709551615', stones: '-9007199254740993', few: 300 };
  const row = [{ id: 's1', ...big }];
  const { runQuery } = await openHalves(t, half(types, row), half(types, row));
  const { data } = await runQuery('{ network { hits { edges { node { bricks stones few } } } } }');
  t.deepEqual(data.network?.['hits'], { edges: [{ node: big }, { node: big }] });
});

const matched = `{ network { aggregations { note { bucket_count bucket_count_exact cardinality
  buckets(max: 2, matching: "GRE") { key doc_count exact } coverage { nodeId state } } } } }`;
const notes = (...texts: readonly (string | null)[]): readonly Row[] =>
  texts.map((note, at) => ({ id: `n${at}`, note }));

test('values that contain a text are listed over all nodes, and only these are counted', async (t) => {
  const { runQuery, remote } = await openHalves(
    t,
    half({ note: 'keyword' }, notes('grey', 'Gré', 'blue', null)),
    half({ note: 'keyword' }, notes('grey', 'green', 'red')),
  );
  const { data, errors } = await runQuery(matched);
  t.is(errors, undefined);
  t.deepEqual(data.network?.['aggregations'], {
    note: {
      bucket_count: 3,
      bucket_count_exact: true,
      cardinality: 5,
      buckets: [
        { key: 'grey', doc_count: 2, exact: true },
        { key: 'Gré', doc_count: 1, exact: true },
      ],
      coverage: [
        { nodeId: 'here', state: 'answered' },
        { nodeId: 'there', state: 'answered' },
      ],
    },
  });
  t.regex(remote.queries[0]!.query, /buckets\(max: 13, matching: "gre"\)/);
});
