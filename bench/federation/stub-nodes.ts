/**
 * A separate process: nodes that answer fixed bodies after fixed delays, so that what is left of a federated query's
 * time is the portal's.
 *
 *   node bench/federation/stub-nodes.ts DELAY_MS...     one node for each delay; their ports go to the parent
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { graphql } from 'graphql';
import { bucketList, documentType, fieldTypes, hitList, seeded } from './answers.ts';
import { extendedAnswer, stubSchema } from './stub-schema.ts';

const schema = stubSchema(fieldTypes);

const bodyOf = (node: string, seed: number): string => {
  const random = seeded(seed);
  const terms = (buckets: number) =>
    bucketList(random, buckets, 2 * buckets).map(({ key, count }) => ({
      key,
      key_as_string: null,
      doc_count: count,
    }));
  const edges = hitList(random, node, 20).map(({ id, source, cursor }) => ({
    searchAfter: cursor,
    node: { id, _source: source },
  }));
  const aggregations = {
    species: { buckets: terms(20) },
    // as many as the portal requests for its 10
    site: { buckets: terms(25) },
    weight: { stats: { count: 900, min: 0, max: 100, avg: 50, sum: 45_000 } },
  };
  return JSON.stringify({ data: { [documentType]: { hits: { total: 1_000, edges }, aggregations } } });
};

const extended = extendedAnswer(fieldTypes);

/** Records of each node for downloads, which request rows only. */
const recordsOfEach = 100_000;

/** A page of a download, in the order of weight, from the cursor of the question on. */
const downloadPage = (node: string, query: string, searchAfter: readonly number[] | null): string => {
  const first = Number(/first: (\d+)/.exec(query)![1]);
  const from = searchAfter === null ? 0 : searchAfter[0]! + 1;
  const length = Math.max(0, Math.min(first, recordsOfEach - from));
  const edges = Array.from({ length }, (_, index) => {
    const weight = from + index;
    const source = {
      id: `${node}-${weight}`,
      species: `species ${weight % 7}`,
      site: `site ${weight % 50}`,
      weight,
    };
    return { searchAfter: [weight, `tie ${weight}`], node: { id: source.id, _source: source } };
  });
  return JSON.stringify({ data: { [documentType]: { hits: { total: recordsOfEach, edges } } } });
};

interface Question {
  readonly query: string;
  readonly variables?: { readonly searchAfter?: readonly number[] | null };
}

const startStub = async (delayMs: number, index: number): Promise<number> => {
  const body = bodyOf(`n${index}`, index + 1);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { query, variables } = JSON.parse(await text(request)) as Question;
    const send = (content: string): void =>
      void response.setHeader('content-type', 'application/json').end(content);
    const isDownload = query.startsWith('query nodeQuery') && !query.includes('aggregations');
    if (isDownload && query.includes('hits('))
      send(downloadPage(`n${index}`, query, variables?.searchAfter ?? null));
    else if (query.startsWith('query nodeQuery')) setTimeout(() => send(body), delayMs);
    else if (query.includes('extended')) send(extended);
    else send(JSON.stringify(await graphql({ schema, source: query })));
  };
  const server = createServer((request, response) => void answer(request, response));
  // the portal keeps its connections between rounds
  server.keepAliveTimeout = 120_000;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
};

const ports = await Promise.all(
  process.argv.slice(2).map((delayMs, index) => startStub(Number(delayMs), index)),
);
process.send!(ports);
process.on('disconnect', () => process.exit());
