/**
 * A separate process: very many nodes, each on its own port, which answer as `many-answers.ts` configures. Faults and
 * delays begin when the parent signals it.
 *
 *   node bench/federation/many-stubs.ts COUNT FROM TO     of so many nodes those of these places; their ports go to the parent
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { graphql } from 'graphql';
import { manyBody, manyFields, tempers, type Temper } from './many-answers.ts';
import { extendedAnswer, stubSchema } from './stub-schema.ts';

const schema = stubSchema(manyFields);
const extended = extendedAnswer(manyFields);

/** Discovery sends every node the same requests. */
const discovered = new Map<string, Promise<string>>();
const discovery = (query: string): Promise<string> => {
  const known =
    discovered.get(query) ?? graphql({ schema, source: query }).then((found) => JSON.stringify(found));
  discovered.set(query, known);
  return known;
};

let isFaulty = false;
process.on('message', (message: { readonly isFaulty: boolean }) => ({ isFaulty } = message));

const startStub = async ({ delayMs, fault }: Temper, index: number): Promise<number> => {
  const [plain, labelled] = [manyBody(index + 1, false), manyBody(index + 1, true)];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const sent = await text(request);
    const send = (content: string): void =>
      void response.setHeader('content-type', 'application/json').end(content);
    // no question is worth parsing: all of them have one of two answers
    if (sent.startsWith('{"query":"query nodeQuery')) {
      const body = sent.includes('key_as_string') ? labelled : plain;
      if (isFaulty && fault === 'down') request.socket.destroy();
      else if (!isFaulty || fault === null) setTimeout(() => send(body), delayMs);
      return;
    }
    const { query } = JSON.parse(sent) as { readonly query: string };
    send(query.includes('extended') ? extended : await discovery(query));
  };
  const server = createServer((request, response) => void answer(request, response).catch(() => undefined));
  server.keepAliveTimeout = 120_000;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
};

const [count, from, to] = process.argv.slice(2).map(Number) as [number, number, number];
const all = tempers(count);
process.send!(await Promise.all(all.slice(from, to).map((temper, index) => startStub(temper, from + index))));
process.on('disconnect', () => process.exit());
