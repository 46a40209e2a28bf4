import test from 'ava';
import { eventTable, timesOf } from '../../../src/engines/semantics/event-table.ts';
import { survival } from '../../../src/search/facets/survival.ts';
import { buildCatalogueSchema } from '../../../src/local/schema/schema.ts';
import { graphql } from 'graphql';
import { contextOf } from '../../federation/node-fixtures.ts';
import { testCatalogue } from '../../builders.ts';

const of = { path: 'days', type: 'integer', nestedIn: [] };
const everybody = { kind: 'all' } as const;
const facet = {
  ...{ field: of, filter: everybody, objects: {} },
  measure: { kind: 'survival', filters: [everybody, everybody] },
} as const;

const listOf = (times: number) => ({
  ...{ kind: 'terms' as const, distinct: times, missing: 0 },
  buckets: Array.from({ length: times }, (_, at) => ({ key: String(at), count: 1, filtered: [1, 1] })),
});

test('10 000 distinct times are counted, and more are an error that says what to do', (t) => {
  t.is(timesOf(facet).measure.size, 10_001);
  t.is(eventTable(facet, listOf(10_000)).times.length, 10_000);
  const error = t.throws(() => eventTable(facet, listOf(10_001)), {
    message: /more than 10000 distinct times; round/,
  });
  t.like(error, { code: 'BAD_USER_INPUT', details: { fieldName: 'days' } });
});

test('the times of two nodes are added up, and too many together are the same error', (t) => {
  const part = (nodeId: string, from: number, count: number) => ({
    ...{ nodeId, values: null, documentOf: (one: object) => one as never, requested: null, matches: 0 },
    result: {
      ...{ kind: 'survival' as const, noTime: 1, negativeTime: 2, noEvent: 3 },
      times: Array.from({ length: count }, (_, at) => ({ time: from + at, events: 1, censored: 0 })),
    },
  });
  const merging = {
    measure: { kind: 'survival', filters: [] },
    field: { path: 'days', type: 'integer' },
    isWhole: () => true,
    list: () => null,
  } as const;
  t.deepEqual(survival.merge([part('a', 0, 2), part('b', 1, 2)], merging), {
    ...{ kind: 'survival', noTime: 2, negativeTime: 4, noEvent: 6 },
    times: [
      { time: 0, events: 1, censored: 0 },
      { time: 1, events: 2, censored: 0 },
      { time: 2, events: 1, censored: 0 },
    ],
  });
  t.throws(() => survival.merge([part('a', 0, 6_000), part('b', 6_000, 6_000)], merging), {
    message: /more than 10000 distinct times/,
  });
});

test("a node's answer is not trusted", (t) => {
  const reading = {
    measure: { kind: 'survival', filters: [] },
    field: 'days',
    includeMissing: false,
    list: () => null,
    facet: {},
  } as const;
  const none = { times: [], no_time: 0, negative_time: 0, no_event: 0 };
  const time = { time: 1, events: 1, censored: 1 };
  t.notThrows(() => survival.read({ ...none, times: [time] }, reading));
  for (const wrong of [
    null,
    {},
    { ...none, no_time: -1 },
    { ...none, times: null },
    { ...none, times: [{ ...time, time: -1 }] },
    { ...none, times: [{ ...time, time: '1' }] },
    { ...none, times: [{ ...time, events: 1.5 }] },
    { ...none, times: Array.from({ length: 10_001 }, (_, at) => ({ ...time, time: at })) },
  ])
    t.throws(
      () => survival.read(wrong, reading),
      { code: 'NODE_BAD_RESPONSE' },
      JSON.stringify(wrong)?.slice(0, 80),
    );
});

/** What a catalogue of four patients answers to a selection below `aggregations`. */
const runQuery = async (selection: string, filters = 'null') => {
  const properties = {
    days: { type: 'integer' },
    status: { type: 'keyword' },
    visits: { type: 'nested', properties: { day: { type: 'integer' } } },
  };
  const documents = [
    { days: 10, status: 'dead' },
    { days: 10, status: 'alive' },
    { days: 20, status: 'dead' },
    { days: 30, visits: [{ day: 1 }] },
  ];
  const catalogue = await testCatalogue({ documentType: 'patient', properties, documents });
  const source = `{ patient { aggregations(filters: ${filters}) { ${selection} } } }`;
  const result = await graphql({
    schema: buildCatalogueSchema(catalogue),
    source,
    contextValue: contextOf(),
  });
  return {
    data: JSON.parse(JSON.stringify(result.data ?? null)) as unknown,
    messages: result.errors?.map(({ message }) => message),
  };
};

const dead = '{ op: "in", content: { fieldName: "status", value: ["dead"] } }';
const known = '{ op: "in", content: { fieldName: "status", value: ["dead", "alive"] } }';

test('a catalogue answers with the event table of the records that match, conditions on the time included', async (t) => {
  const table = `survival(dead: ${dead}, known: ${known}) { times { time events censored } no_event }`;
  const from20 = '{ op: "gte", content: { fieldName: "days", value: 20 } }';
  const all = [
    { time: 10, events: 1, censored: 1 },
    { time: 20, events: 1, censored: 0 },
  ];
  const answer = (times: readonly unknown[]) => ({
    data: { patient: { aggregations: { days: { survival: { times, no_event: 1 } } } } },
    messages: undefined,
  });
  t.deepEqual(await runQuery(`days { ${table} }`), answer(all));
  t.deepEqual(await runQuery(`days { ${table} }`, from20), answer(all.slice(1)));
  // what else is counted of the field leaves its own conditions out, as everywhere
  const beside = await runQuery(`days { ${table} stats { count } }`, from20);
  t.like(beside.data, {
    patient: { aggregations: { days: { survival: { times: all.slice(1) }, stats: { count: 4 } } } },
  });
});

test('what has no survival is refused with the reason', async (t) => {
  const refusals = [
    [`visits__day { survival(dead: ${dead}) { no_time } }`, /one time for each document.*visits/],
    [
      'days { survival(dead: { op: "in", content: { fieldName: "stauts", value: ["x"] } }) { no_time } }',
      /"stauts"/,
    ],
    ['days { survival { no_time } }', /dead/],
    ['days { survival(dead: { op: "nope", content: {} }) { no_time } }', /\$\.op/],
    [`status { survival(dead: ${dead}) { no_time } }`, /Cannot query field/],
  ] as const;
  for (const [selection, message] of refusals)
    t.regex((await runQuery(selection)).messages?.join() ?? '', message);
});
