import type { ExecutionContext } from 'ava';
import test from 'ava';
import { GraphQLError, buildSchema, graphql, parse, validate, visit } from 'graphql';
import { asTributaryError } from '../../../src/lib/errors/errors.ts';
import { networkField, networkSchema } from '../../../src/federation/schema/schema.ts';
import { buildSupergraph } from '../../../src/federation/supergraph/supergraph.ts';
import { contextOf, nodeView } from '../node-fixtures.ts';
import type { RemoteServer } from '../remote-server.ts';
import { serveSchema } from '../remote-server.ts';
import { testNetwork } from '../../builders.ts';

const twenty = Array.from({ length: 20 }, (_, at) => `f${at}`);

/** A node of another make: twenty root fields, some that lead back, and everything else a schema can have. */
const schemaText = `
  enum Colour { RED GREEN }
  input Wanted { colour: Colour = RED, tags: [String!] }
  interface Named { name: String }
  type Tree implements Named { name: String colour(of: Wanted): Colour hits: Hits aggregations: Facets }
  type Facets { id: Facet }
  type Facet { bucket_count: Int }
  type Hits { total: Int edges: [Edge] }
  type Edge { node: Leaf }
  type Leaf { id: ID }
  union Found = Tree
  type Root {
    tree: Tree
    sure: Tree!
    named: Named
    found(wanted: Wanted, times: Int): [Found]
    query: Root
    ${twenty.map((name) => `${name}: String`).join(' ')}
  }
  type Change { cut: Boolean }
  schema { query: Root mutation: Change }`;

const rootValue = {
  ...Object.fromEntries(twenty.map((name) => [name, () => `value of ${name}`])),
  tree: () => ({
    __typename: 'Tree',
    name: 'Acer',
    colour: ({ of }: { of?: { colour: string } }) => of?.colour,
  }),
  sure: () => ({ name: 'sure' }),
  named: () => ({ __typename: 'Tree', name: 'named' }),
  found: ({ times }: { times?: number }) =>
    Array.from({ length: times ?? 1 }, () => ({ __typename: 'Tree', name: 'found' })),
};

const aliasesIn = (query: string): number => {
  let found = 0;
  visit(parse(query), { Field: ({ alias }) => void (found += alias ? 1 : 0) });
  return found;
};

/** Its requests, after discovery's; refused with more than 15 aliases, as the established server does. */
const openGrove = async (t: ExecutionContext, more: object = {}) => {
  const schema = buildSchema(schemaText);
  const remote = await serveSchema(schema);
  const queries: string[] = [];
  let codes: readonly unknown[] = [];
  let discovered = false;
  remote.fault = ({ query, variables }, response) => {
    response.setHeader('content-type', 'application/json');
    if (!discovered) return false;
    queries.push(query);
    const errors = [
      ...validate(schema, parse(query)),
      ...(aliasesIn(query) > 15 ? [new GraphQLError('too many aliases')] : []),
    ];
    if (errors.length > 0) {
      response.end(JSON.stringify({ errors }));
      return true;
    }
    void graphql({ schema, source: query, rootValue, variableValues: variables }).then((result) =>
      response.end(JSON.stringify(result)),
    );
    return true;
  };
  const nodes = [
    { nodeId: 'grove', remote, documentType: 'tree', ...more },
    { nodeId: 'wood', graphqlUrl: remote.url, documentType: 'tree', ...more },
  ];
  const network = await testNetwork(t, nodes);
  discovered = true;
  const send = async (source: string, variableValues: Record<string, unknown> = {}) => {
    const result = await graphql({
      schema: network.schema(),
      source,
      variableValues,
      contextValue: contextOf(),
    });
    codes = (result.errors ?? []).map(codeIn);
    return JSON.parse(JSON.stringify(result)) as {
      data: Record<string, unknown> | null;
      errors?: readonly { message: string; path?: readonly (string | number)[] }[];
    };
  };
  return { network, remote, queries, send, codes: () => codes };
};

/** Of what an error came from, however often the library wrapped it. */
const codeIn = (error: Error): unknown =>
  error instanceof GraphQLError && error.originalError
    ? codeIn(error.originalError)
    : asTributaryError(error).code;

const valuesOf = (names: readonly string[]): object =>
  Object.fromEntries(names.map((name) => [name, `value of ${name}`]));

test('a node field is one request, whatever is selected below it', async (t) => {
  const { send, queries } = await openGrove(t);
  t.deepEqual(await send('{ grove { f0 f1 tree { name } again: tree { name } } }'), {
    data: {
      grove: { f0: 'value of f0', f1: 'value of f1', tree: { name: 'Acer' }, again: { name: 'Acer' } },
    },
  });
  t.is(queries.length, 1);
});

test('a node field used twice under aliases is one request too', async (t) => {
  const { send, queries } = await openGrove(t);
  t.deepEqual(await send('{ a: grove { f0 } b: grove { f0 f1 } }'), {
    data: { a: { f0: 'value of f0' }, b: { f0: 'value of f0', f1: 'value of f1' } },
  });
  t.is(queries.length, 1);
});

test('no request has more aliases than the node allows', async (t) => {
  const { send, queries } = await openGrove(t, { maxAliases: 15 });
  t.deepEqual(await send(`{ grove { ${twenty.join(' ')} } }`), { data: { grove: valuesOf(twenty) } });
  t.deepEqual(queries.map(aliasesIn), [15, 5]);
});

test('aliases of fragments and of one node field count, and each part has the variables it uses', async (t) => {
  const { send, queries } = await openGrove(t);
  const { errors, data } = await send(
    `query ($times: Int, $wanted: grove_Wanted) {
      a: grove { ${twenty.slice(0, 12).join(' ')} found(times: $times) { ...Names } }
      b: grove { ${twenty.slice(12).join(' ')} tree { colour(of: $wanted) ...Names } }
    }
    fragment Names on grove_Tree { n: name m: name }`,
    { times: 2, wanted: { colour: 'GREEN' } },
  );
  t.is(errors, undefined);
  t.deepEqual(data, {
    a: {
      ...valuesOf(twenty.slice(0, 12)),
      found: [
        { n: 'found', m: 'found' },
        { n: 'found', m: 'found' },
      ],
    },
    b: { ...valuesOf(twenty.slice(12)), tree: { colour: 'GREEN', n: 'Acer', m: 'Acer' } },
  });
  t.true(queries.every((query) => aliasesIn(query) <= 15));
});

test('a node’s type name is known without a query', async (t) => {
  const { send, queries } = await openGrove(t);
  t.deepEqual(await send('{ grove { __typename } }'), { data: { grove: { __typename: 'grove_Root' } } });
  t.deepEqual(await send('{ grove { kind: __typename f0 named { __typename name } } }'), {
    data: {
      grove: { kind: 'grove_Root', f0: 'value of f0', named: { __typename: 'grove_Tree', name: 'named' } },
    },
  });
  t.deepEqual(queries.map(aliasesIn), [2]);
});

test('mutations and fields that lead to the root again are left out', async (t) => {
  const { network } = await openGrove(t);
  const schema = network.schema();
  // the network's own, which refuses
  t.deepEqual(Object.keys(schema.getMutationType()!.getFields()), ['saveSet']);
  const root = Object.keys((schema.getType('grove_Root') as never as { getFields(): object }).getFields());
  t.deepEqual(root, ['tree', 'sure', 'named', 'found', ...twenty]);
  t.is(schema.getType('grove_Change'), undefined);
});

const failing: Readonly<Record<string, readonly [string, (remote: RemoteServer) => unknown]>> = {
  'answers nonsense': [
    'NODE_BAD_RESPONSE',
    (remote) => {
      remote.fault = (_request, response) => response.end('{"data":{}}') !== undefined;
    },
  ],
  'is gone': ['NODE_UNREACHABLE', (remote) => void remote.close()],
};
for (const [how, [code, fail]] of Object.entries(failing))
  test(`a node that ${how} nulls none of its siblings, non-null fields or not`, async (t) => {
    const { send, remote, codes } = await openGrove(t);
    fail(remote);
    const { data, errors } = await send('{ grove { sure { name } f0 } wood { f0 f1 } network { total } }');
    t.like(data, { grove: null, wood: { f0: null, f1: null } });
    t.true(errors!.every(({ path }) => path![0] === 'grove' || path![0] === 'wood'));
    t.deepEqual(codes(), Array(3).fill(code));
  });

test('a partial answer comes beside the error of the other part, in our own words', async (t) => {
  const { send, remote } = await openGrove(t);
  remote.fault = ({ query }, response) => {
    const [first, second] = [...query.matchAll(/__\w+__/g)].map(([alias]) => alias);
    const message = 'at /srv/secret.ts';
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        data: { [first!]: 'there', [second!]: null },
        errors: [{ message, path: [second], extensions: { secret: message } }],
        extensions: { secret: message },
      }),
    );
    return true;
  };
  t.deepEqual(await send('{ grove { f0 f1 } }'), {
    data: { grove: { f0: 'there', f1: null } },
    errors: [{ message: 'answered with GraphQL errors', path: ['grove', 'f1'] }],
  });
});

test('at most 100 nodes have a root field; the others are named', (t) => {
  const schema = buildSchema('type Query { title: String }');
  let made = 0;
  const nodes = Array.from({ length: 103 }, (_, at) => {
    const view = nodeView(`n${at}`, new Map());
    const make = () => {
      made += 1;
      return schema;
    };
    return { ...view, status: { ...view.status, schema: { schema: make, execute: null } } } as typeof view;
  });
  const own = networkSchema(networkField(new Map(), () => null));
  const { schema: whole, warnings } = buildSupergraph(own, nodes, { displayName: 'network', key: 'own' });
  t.is(Object.keys(whole.getQueryType()!.getFields()).length, 101);
  t.is(made, 100);
  t.deepEqual(warnings, [
    '3 nodes have no root field of their own here (the first is "n100"): only 100 nodes can have one',
  ]);
});
