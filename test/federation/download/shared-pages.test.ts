import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { ExecutionContext } from 'ava';
import test from 'ava';
import { listening } from '../../listening.ts';
import { openGallery, openPortal, serveGallery } from './galleries.ts';

const properties = { id: { type: 'keyword' }, title: { type: 'keyword' } };
const near = { documentType: 'painting', properties, documents: [{ id: 'p1', title: 'Dawn' }] };
const far = {
  documentType: 'work',
  properties,
  documents: [
    { id: 'w1', title: 'Eel' },
    { id: 'w2', title: 'Fog' },
  ],
};

/** A server in front of a node that passes on what is no query, and queries when they are released. */
const holding = async (t: ExecutionContext, target: string) => {
  const held: (() => void)[] = [];
  let sent = 0;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const relay = async (): Promise<void> => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(target, { method: 'POST', headers, body });
      response.setHeader('content-type', 'application/json').end(await answer.text());
    };
    if (!body.includes('nodeQuery')) return relay();
    sent += 1;
    held.push(() => void relay());
  });
  const { url } = await listening(t, server);
  return { url: `${url}/graphql`, held, sent: () => sent };
};

test('two downloads share the pages of a node, and the second is whole when the first hangs up', async (t) => {
  const local = await openGallery(t, near);
  const proxy = await holding(t, `${await serveGallery(t, await openGallery(t, far))}/graphql`);
  const nodes = {
    defaults: { timeoutMs: 60_000, discoveryTimeoutMs: 60_000 },
    nodes: [
      { nodeId: 'near', catalogue: 'painting' },
      { nodeId: 'far', graphqlUrl: proxy.url, documentType: 'work' },
    ],
  };
  const { url } = await openPortal(t, { local, nodes });
  const params = {
    files: [{ columns: [{ fieldName: 'title' }], sort: [{ fieldName: 'title', order: 'asc' }] }],
  };
  const download = (signal: AbortSignal): Promise<string> =>
    fetch(`${url}/network/download`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(params),
      signal,
    }).then((response) => response.text());
  const leaving = new AbortController();
  const left = download(leaving.signal);
  const leaves = t.throwsAsync(left, { name: 'AbortError' });
  const whole = download(new AbortController().signal);
  while (proxy.held.length < 1) await new Promise(setImmediate);
  // both wait for the page
  await new Promise((resolve) => void setTimeout(resolve, 300));
  t.is(proxy.sent(), 1);
  leaving.abort();
  await leaves;
  const releasing = setInterval(() => proxy.held.splice(0).forEach((release) => release()), 10);
  t.teardown(() => clearInterval(releasing));
  t.is(await whole, 'Title\nDawn\nEel\nFog\n');
});
