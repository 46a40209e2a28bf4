import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, request as httpRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen, type Listening } from '../../listening.ts';

/** Answers in the node's place. `forward` gives the node's own answer, read whole. */
export type Fault = (response: ServerResponse, forward: () => Promise<NodeResponse>) => void | Promise<void>;

export interface NodeResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/** Stands between a network and one of its nodes; what goes wrong is chosen while it runs. */
export interface FaultProxy {
  /** The address to give as the node's; for a free port, once it is open. */
  readonly url: string;
  /** null: everything is passed on as it is. */
  fault: Fault | null;
  /** Requests that reached the proxy. */
  readonly seen: number;
  /** Requests whose connection ended before a whole answer: cut here, or left by their sender. */
  readonly unanswered: number;
  /** Nothing listens before. */
  readonly open: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * @param port 0 for one that is free, which it keeps when it is opened again
 * @param target the node's own base URL
 */
export const faultProxy = (port: number, target: string): FaultProxy => {
  let server: Listening | null = null;
  const state = { fault: null as Fault | null, seen: 0, unanswered: 0 };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    state.seen += 1;
    response.on('close', () => {
      if (!response.writableEnded) state.unanswered += 1;
    });
    const body = await buffer(request);
    const forward = (): Promise<NodeResponse> => passOn(request, body, target);
    if (state.fault) return state.fault(response, forward);
    const { status, headers, body: answered } = await forward();
    response.writeHead(status, headers).end(answered);
  };
  const proxied = Object.assign(state, {
    url: `http://127.0.0.1:${port}`,
    open: async () => {
      const proxy = createServer((request, response) => {
        // the sender is gone, or so is the node: both end the connection
        answer(request, response).catch((error: unknown) => response.destroy(error as Error));
      });
      server = await listen(proxy, Number(new URL(proxied.url).port));
      proxied.url = server.url;
    },
    close: async () => {
      await server?.stop();
      server = null;
    },
  });
  return proxied;
};

const passOn = (request: IncomingMessage, body: Buffer, target: string): Promise<NodeResponse> =>
  new Promise((resolve, reject) => {
    // the node is queried on a connection of this proxy's own, and answers as it is
    const own = new Set(['host', 'connection', 'accept-encoding']);
    const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !own.has(name)));
    const onward = httpRequest(new URL(request.url ?? '/', target), { method: request.method!, headers });
    onward.on('error', reject);
    onward.on('response', (answer) => {
      buffer(answer).then(
        (read) =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: { 'content-type': answer.headers['content-type'] ?? '' },
            body: read,
          }),
        reject,
      );
    });
    onward.end(body);
  });
