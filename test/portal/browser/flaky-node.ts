import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../../listening.ts';

/** How a node behaves for now; a slow one answers when it is slow no longer. */
export type Mood = 'well' | 'down' | 'slow';

/** A node behind a proxy that can be closed: requests go on to a catalogue, or nowhere. */
export interface FlakyNode {
  readonly graphqlUrl: string;
  mood: Mood;
  readonly stop: () => Promise<void>;
}

/** @param target the GraphQL address of the catalogue behind it */
export const openFlakyNode = async (target: string): Promise<FlakyNode> => {
  const node: { mood: Mood } = { mood: 'well' };
  const server = createServer((request, response) => {
    // the caller may leave before it has an answer
    passOn(request, response).catch(() => response.destroy());
  });
  const passOn = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (node.mood === 'down') return void request.socket.destroy();
    while (node.mood === 'slow') await new Promise((done) => setTimeout(done, 50));
    const answer = await fetch(target, {
      method: request.method ?? 'POST',
      headers: {
        'content-type': request.headers['content-type'] ?? 'application/json',
        accept: 'application/json',
      },
      ...(request.method === 'POST' ? { body: await text(request) } : {}),
    });
    response.writeHead(answer.status, {
      'content-type': answer.headers.get('content-type') ?? 'application/json',
    });
    response.end(await answer.text());
  };
  const { url, stop } = await listen(server);
  return Object.assign(node, { graphqlUrl: `${url}/graphql`, stop });
};
