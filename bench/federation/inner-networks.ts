/**
 * A separate process: networks whose nodes are stubs, to be the nodes of another network.
 *
 *   node bench/federation/inner-networks.ts TIMEOUT_MS PORT,PORT,... PORT,...     a network for each list of ports
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { execute, parse, type DocumentNode } from 'graphql';
import { readNodes } from '../../src/federation/config/read-nodes.ts';
import { openNetwork, type Network } from '../../src/federation/network.ts';
import { DeferredValues } from '../../src/graphql/execution.ts';
import type { RequestContext } from '../../src/search/request-context.ts';
import { contextFor } from '../../test/search/request-context.ts';
import { documentType } from './answers.ts';
import { manyFields } from './many-answers.ts';

interface Question {
  readonly query: string;
  readonly variables?: Record<string, unknown>;
}

/** Parsed once, as the server does. */
const documents = new Map<string, DocumentNode>();

const answer = async (
  network: Network,
  { query, variables }: Question,
  context: RequestContext,
): Promise<string> => {
  const document = documents.get(query) ?? parse(query);
  documents.set(query, document);
  const finished = new DeferredValues();
  const result = await execute({
    schema: network.ownSchema(),
    document,
    variableValues: variables ?? {},
    contextValue: context,
    rootValue: finished,
  });
  finished.insertInto(result.data);
  return JSON.stringify(result);
};

const serve = async (network: Network): Promise<number> => {
  const server = createServer((request, response) => {
    void text(request).then(async (sent) => {
      const headers = request.headers as Readonly<Record<string, string>>;
      const context = contextFor({ headers });
      const body = await answer(network, JSON.parse(sent) as Question, context);
      response.setHeader('content-type', 'application/json').end(body);
    });
  });
  server.keepAliveTimeout = 120_000;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
};

const [timeoutMs, ...groups] = process.argv.slice(2);
const networks = groups.map((group, at) => {
  const nodes = group
    .split(',')
    .map((port) => ({ nodeId: `leaf${port}`, documentType, graphqlUrl: `http://127.0.0.1:${port}/graphql` }));
  const config = {
    network: { documentType, fields: manyFields },
    defaults: { timeoutMs: Number(timeoutMs) },
    nodes,
  };
  return openNetwork(readNodes(config, `group ${at}`), () => undefined);
});
await Promise.all(networks.map(({ ready }) => ready));
process.send!(await Promise.all(networks.map(serve)));
process.on('disconnect', () => process.exit());
