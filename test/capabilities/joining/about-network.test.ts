import test, { type ExecutionContext } from 'ava';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import { readNodes } from '../../../src/federation/config/read-nodes.ts';
import { openNetwork, type Network } from '../../../src/federation/network.ts';
import { aboutNetwork, keptAbout } from '../../../src/capabilities/joining/about-network.ts';
import { thisServer, type Caller } from '../../../src/search/request-context.ts';
import type { SearchFn } from '../../../src/search/query.ts';
import { fieldsOf, searchOf, type Row } from '../../federation/collection.ts';
import { catalogueOf } from '../../federation/remote-server.ts';
import { testNetwork } from '../../builders.ts';

const fields = fieldsOf({ id: 'keyword', sex: 'keyword', age: 'long' });

const rows = (sex: string): readonly Row[] =>
  [30, 40, 50]
    .map((age) => ({ id: `${sex}${age}`, sex, age }))
    .concat({ id: 'x', sex: `only ${sex}`, age: 60 });

const opened = (t: ExecutionContext, searches: Readonly<Record<string, SearchFn>>): Promise<Network> =>
  testNetwork(
    t,
    Object.entries(searches).map(([nodeId, search]) => ({
      ...{ nodeId, catalogue: catalogueOf(nodeId, fields, search) },
      ...(nodeId === 'north' && { values: { sex: { F: 'Female' } } }),
    })),
    { network: { displayName: 'Two', documentType: 'person', fields: { sex: 'keyword' } } },
  );

/** What is shown of each field. */
const shownOf = async (network: Network, caller: Caller | null) =>
  Object.fromEntries(
    (await aboutNetwork(network, caller)).fields.map(({ name, values, range }) => [name, { values, range }]),
  );

test('an invited member sees frequent values in the names of the network, and no value of one record', async (t) => {
  const network = await opened(t, { north: searchOf(rows('F')), south: searchOf(rows('Male')) });
  t.deepEqual(await shownOf(network, thisServer), {
    sex: { values: ['Female', 'Male'], range: undefined },
    id: { values: ['x'], range: undefined },
    age: { values: undefined, range: [30, 60] },
  });
});

test('without knowing what callers without a token may see, only names of nodes.json are shown', async (t) => {
  const network = await opened(t, { north: searchOf(rows('F')), south: searchOf(rows('Male')) });
  t.deepEqual((await shownOf(network, null))['sex'], { values: ['Female'], range: undefined });
});

test('a network that callers without a token may not query shows no values', async (t) => {
  const network = await opened(t, { north: searchOf(rows('F')), south: searchOf(rows('Male')) });
  const refused = (): never => {
    throw new TributaryError('UNAUTHENTICATED', 'the network needs a bearer token');
  };
  t.deepEqual((await shownOf(network, { ...thisServer, networkAccess: refused }))['sex'], {
    values: ['Female'],
    range: undefined,
  });
});

test('a node that withholds its records from callers without a token is not queried', async (t) => {
  const search = searchOf(rows('Male'));
  let queries = 0;
  const network = await opened(t, {
    north: searchOf(rows('F')),
    south: (query, context) => {
      queries += 1;
      return search(query, context);
    },
  });
  const state = network.state();
  const statement = { tier: 'counts', threshold: 10, counted: 'record', date: null } as const;
  const nodes = state.nodes.map((node) =>
    node.nodeId === 'south' ? { ...node, disclosure: statement } : node,
  );
  const guarded = { ...network, state: () => ({ ...state, nodes }) };
  t.deepEqual(await shownOf(guarded, thisServer), {
    sex: { values: ['Female'], range: undefined },
    id: { values: undefined, range: undefined },
    age: { values: undefined, range: [30, 60] },
  });
  t.is(queries, 0);
});

test('however many fields and values a network names, what it shows fits a message of a handshake', async (t) => {
  const paths = Array.from({ length: 1_990 }, (_, at) => `Krankheit_größer_als_erwartet_${at}`);
  const codes = Array.from({ length: 14_000 }, (_, at) => [`own ${at}`, `ICD10:${at}`]);
  const content = {
    network: {
      displayName: 'One',
      fields: {
        sex: 'keyword',
        icd: 'keyword',
        ...Object.fromEntries(paths.map((path) => [path, 'keyword'])),
      },
    },
    nodes: [
      {
        nodeId: 'north',
        catalogue: 'north',
        values: { icd: Object.fromEntries(codes), sex: { F: 'Female' } },
      },
    ],
  };
  const network = openNetwork(readNodes(content, 'nodes.json'), () => undefined);
  t.teardown(() => network.close());
  const about = await aboutNetwork(network, null);
  t.true(Buffer.from(JSON.stringify(about)).toString('base64url').length < 200_000);
  t.true(about.fields.length > 1_000);
  const valuesOf = (path: string) => about.fields.find(({ name }) => name === path)?.values;
  t.deepEqual(valuesOf('sex'), ['Female']);
  t.is(valuesOf('icd')?.length, 1_000);
});

test('what a network shows is looked up again once its nodes change', async (t) => {
  const networks = [
    await opened(t, { north: searchOf(rows('F')) }),
    await opened(t, { north: searchOf(rows('F')), south: searchOf(rows('Male')) }),
  ];
  let at = 0;
  const about = keptAbout(
    () => networks[at]!,
    () => thisServer,
  );
  const values = async () => (await about()).fields.find(({ name }) => name === 'sex')?.values;
  t.deepEqual(await values(), ['Female']);
  t.is(about(), about());
  at = 1;
  t.deepEqual(await values(), ['Female', 'Male']);
});
