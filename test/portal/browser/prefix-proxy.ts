import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '../../listening.ts';

export interface PrefixProxy {
  readonly url: string;
  /** Paths that were requested outside the prefix. */
  readonly strays: readonly string[];
  readonly stop: () => Promise<void>;
}

/** A proxy that serves another server under a prefix and takes the prefix away, as many institutions have one. */
export const openPrefixProxy = async (target: string, prefix: string): Promise<PrefixProxy> => {
  const strays: string[] = [];
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '/';
    if (!path.startsWith(`${prefix}/`)) {
      strays.push(path);
      response.writeHead(404).end();
      return;
    }
    const body = request.method === 'POST' ? await buffer(request) : undefined;
    const answer = await fetch(target + path.slice(prefix.length), {
      method: request.method ?? 'GET',
      headers: {
        accept: request.headers.accept ?? '*/*',
        'content-type': request.headers['content-type'] ?? '',
      },
      ...(body === undefined ? {} : { body: new Uint8Array(body) }),
    });
    const kept = ['content-type', 'content-security-policy', 'cache-control'];
    const headers = kept.flatMap((name) =>
      answer.headers.has(name) ? [[name, answer.headers.get(name)!]] : [],
    );
    response.writeHead(answer.status, Object.fromEntries(headers) as Record<string, string>);
    response.end(Buffer.from(await answer.arrayBuffer()));
  };
  const server = createServer((request, response) => void pass(request, response));
  const { url, stop } = await listen(server);
  return { url: url + prefix, strays, stop };
};
