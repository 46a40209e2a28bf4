import type { ExecutionContext } from 'ava';
import type { DocumentNode } from 'graphql';
import { execute, parse } from 'graphql';
import { usesOnly } from '../../src/server/http/graphql/graphql-endpoint.ts';
import type { NetworkSettings } from '../../src/federation/open-nodes.ts';
import type { CatalogueState } from '../../src/search/catalogue.ts';
import { DeferredValues } from '../../src/lib/graphql/execution.ts';
import type { Row } from './collection.ts';
import { fieldsOf, searchOf } from './collection.ts';
import { contextOf } from './node-fixtures.ts';
import { catalogueOf, deadUrl, serveCatalogue } from './remote-server.ts';
import { available, testNetwork } from '../builders.ts';

const parkFields = fieldsOf({
  id: 'keyword',
  genus: 'keyword',
  height: 'long',
  planted: 'date',
  gone: 'boolean',
});
const parkTrees: readonly Row[] = [
  { id: 'p1', genus: 'Acer', height: 12, planted: '2001-01-01', gone: false },
  { id: 'p2', genus: 'Acer', height: 7 },
  { id: 'p3', genus: 'Tilia', height: 21 },
  { id: 'p4', height: 3 },
];
const cityFields = fieldsOf({ id: 'keyword', 'taxon-name': 'keyword', height: 'double', gone: 'boolean' });
const cityTrees: readonly Row[] = [
  { id: 'c1', 'taxon-name': 'maple', height: 9.5 },
  { id: 'c2', 'taxon-name': 'Tilia', height: 30 },
];

/** A local park, a city next door with names of its own, and a node that is not there. */
export const openTrees = async (
  t: ExecutionContext,
  city: object = {},
  network: object = {},
  settings: Partial<NetworkSettings> = {},
) => {
  const remote = await serveCatalogue('tree', cityFields, searchOf(cityTrees));
  const catalogue = catalogueOf('park', parkFields, searchOf(parkTrees));
  const states = new Map<string, CatalogueState>([['park', available(catalogue)]]);
  const nodes = [
    { nodeId: 'park', displayName: 'Park', catalogue: 'park' },
    {
      nodeId: 'city',
      displayName: 'City',
      documentType: 'tree',
      remote,
      discoveryTimeoutMs: 60_000,
      fields: { genus: 'taxon-name' },
      values: { genus: { maple: 'Acer' } },
      ...city,
    },
    { nodeId: 'gone', displayName: 'Gone', documentType: 'tree', graphqlUrl: await deadUrl() },
  ];
  const opened = await testNetwork(t, nodes, {
    network,
    defaults: { discoveryTimeoutMs: 800, timeoutMs: 60_000 },
    byId: (id) => states.get(id),
    secret: () => 'token-1',
    ...settings,
  });
  const warnings: string[] = [];
  // parsed once, as the server does, so that what is kept of a document is met again
  const documents = new Map<string, DocumentNode>();
  type Variables = Record<string, unknown>;
  const run = async (
    source: string,
    variableValues: Variables,
    headers: object,
    finished?: DeferredValues,
  ) => {
    const contextValue = contextOf(warnings, { ...headers });
    const document = documents.get(source) ?? parse(source);
    documents.set(source, document);
    const own = opened.ownSchema();
    // as the endpoint does
    const schema = usesOnly(own, document) ? own : opened.schema();
    const result = await execute({ schema, document, variableValues, contextValue, rootValue: finished });
    finished?.insertInto(result.data);
    return JSON.stringify(result);
  };
  const send = async (source: string, variables: Variables = {}, headers: object = {}) => {
    // plain objects, as they go over the wire
    const plain: unknown = JSON.parse(await run(source, variables, headers, new DeferredValues()));
    return plain as { data: { network: Record<string, unknown> } | null; errors?: { message: string }[] };
  };
  return { opened, remote, states, send, run, warnings };
};
