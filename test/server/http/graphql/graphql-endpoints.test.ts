import test from 'ava';
import { buildSchema } from 'graphql';
import { pino } from 'pino';
import type { Network } from '../../../../src/federation/network.ts';
import type { GraphQLRequest } from '../../../../src/server/http/graphql/graphql-request.ts';
import { graphqlEndpoints } from '../../../../src/server/http/graphql/graphql-endpoint.ts';
import { contextOf } from '../../../federation/node-fixtures.ts';

/** A network whose nodes take a schema that is counted. */
const openEndpoint = () => {
  let made = 0;
  const own = buildSchema('type Root { network: String } schema { query: Root }');
  const whole = buildSchema('type Root { network: String park: String } schema { query: Root }');
  const network = {
    ownSchema: () => own,
    schema: () => {
      made += 1;
      return whole;
    },
  } as Partial<Network> as Network;
  const limits = { maxAliases: 15, maxDepth: 7, introspectionDisabled: false };
  const endpoints = graphqlEndpoints(pino({ enabled: false }));
  const send = async (query: string) => {
    const request = { params: { query }, method: 'POST', simple: false } as unknown as GraphQLRequest;
    const { body } = await endpoints.ofNetwork(network, limits)(request, contextOf(), '');
    return JSON.parse(JSON.stringify(body)) as { data?: unknown; errors?: readonly { message: string }[] };
  };
  return { send, made: () => made };
};

const own = [
  '{ network }',
  '{ a: network b: network __typename }',
  'query a { ...F } fragment F on Root { network ... on Root { network } }',
];
for (const query of own)
  test(`the schema of the nodes is not made for ${query}`, async (t) => {
    const { send, made } = openEndpoint();
    t.is((await send(query)).errors, undefined);
    t.is(made(), 0);
  });

const ofNodes = [
  '{ park }',
  '{ network ...F } fragment F on Root { park }',
  'query a { network } query b { park }',
  '{ __type(name: "Root") { fields { name } } }',
];
for (const query of ofNodes)
  test(`the schema of the nodes is there for ${query}`, async (t) => {
    const { send, made } = openEndpoint();
    const { errors = [] } = await send(query);
    t.false(errors.some(({ message }) => /cannot query|fragment/i.test(message)));
    t.is(made(), 1);
  });

test('an unknown field is looked up in the whole schema', async (t) => {
  const { send } = openEndpoint();
  const { errors } = await send('{ parks }');
  t.deepEqual(
    errors?.map(({ message }) => message),
    ['Cannot query field "parks" on type "Root". Did you mean "park"?'],
  );
});
