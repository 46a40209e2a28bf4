/**
 * A separate process: nodes that answer fixed bodies after fixed delays, so that what is left of a federated query's
 * time is the portal's.
 *
 *   node bench/federation/stub-nodes.ts whole|cut DELAY_MS...     one node for each delay; their ports go to the parent
 *
 * Nodes that cut their lists are asked a second time. To any message they tell the parent what they were sent and sent.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { graphql } from 'graphql';
import { bucketList, documentType, fieldTypes, hitList, seeded } from './answers.ts';
import { extendedAnswer, stubSchema } from './stub-schema.ts';

const schema = stubSchema(fieldTypes);
const [lists, ...delays] = process.argv.slice(2);
/** The portal requests 25 for its 10: a list of as many was cut. */
const sites = lists === 'cut' ? 25 : 24;
const sent: Sent = { requests: 0, bytesIn: 0, bytesOut: 0 };

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
    site: { buckets: terms(sites) },
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

/** Counts of the values asked for by name. */
const countsBody = (query: string): string => {
  const [, text] = /site \{ groups\(sets: ("(?:[^"\\]|\\.)*")/.exec(query)!;
  const sets = JSON.parse(JSON.parse(text!) as string) as readonly { readonly key: string }[];
  const buckets = sets.map(({ key }) => ({ key, doc_count: 7 }));
  return JSON.stringify({ data: { [documentType]: { aggregations: { site: { groups: { buckets } } } } } });
};

/** What all nodes together were sent and sent since the start. */
export interface Sent {
  requests: number;
  bytesIn: number;
  bytesOut: number;
}

interface Question {
  readonly query: string;
  readonly variables?: { readonly searchAfter?: readonly number[] | null };
}

const startStub = async (delayMs: number, index: number): Promise<number> => {
  const body = bodyOf(`n${index}`, index + 1);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = await text(request);
    const { query, variables } = JSON.parse(asked) as Question;
    const send = (content: string): void => {
      sent.requests += 1;
      sent.bytesIn += asked.length;
      sent.bytesOut += content.length;
      response.setHeader('content-type', 'application/json').end(content);
    };
    const isDownload = query.startsWith('query nodeQuery') && !query.includes('aggregations');
    if (isDownload && query.includes('hits('))
      send(downloadPage(`n${index}`, query, variables?.searchAfter ?? null));
    else if (query.startsWith('query nodeQuery'))
      setTimeout(() => send(query.includes('groups(') ? countsBody(query) : body), delayMs);
    else if (query.includes('extended')) send(extended);
    else send(JSON.stringify(await graphql({ schema, source: query })));
  };
  const server = createServer((request, response) => void answer(request, response));
  // the portal keeps its connections between rounds
  server.keepAliveTimeout = 120_000;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
};

const ports = await Promise.all(delays.map((delayMs, index) => startStub(Number(delayMs), index)));
process.send!(ports);
process.on('message', () => process.send!(sent));
process.on('disconnect', () => process.exit());
