import { createServer as createPlain } from 'node:http';
import { createServer } from 'node:https';
import type { ExecutionContext } from 'ava';
import test from 'ava';
import { probeNode } from '../../../src/federation/remote/probe-node.ts';
import { openTransport } from '../../../src/federation/remote/http-executor.ts';
import { deadUrl } from '../remote-server.ts';
import { selfSigned } from '../self-signed.ts';
import { listening } from '../../listening.ts';

const probe = async (t: ExecutionContext, url: string, timeoutMs = 5_000) => {
  const transport = openTransport(0);
  t.teardown(() => transport.close());
  return probeNode(transport, url, timeoutMs);
};

test('a node that answers HTTP is reachable, whatever it says', async (t) => {
  const { port } = await listening(
    t,
    createPlain((_request, response) => response.writeHead(403).end('no')),
  );
  const { tookMs, ...found } = await probe(t, `http://127.0.0.1:${port}/graphql`);
  t.true(tookMs >= 0);
  t.deepEqual(found, { reachable: true, status: 403, reason: null });
});

test('a node that does not answer has a reason of ours', async (t) => {
  t.like(await probe(t, await deadUrl()), {
    reachable: false,
    status: null,
    reason: 'connection refused',
  });
  const { port } = await listening(
    t,
    createPlain(() => undefined),
  );
  t.like(await probe(t, `http://127.0.0.1:${port}/`, 100), {
    reachable: false,
    reason: 'timed out',
  });
});

test('a certificate of an unknown authority is the reason, and so is that no TLS is spoken', async (t) => {
  const secure = createServer(selfSigned, (_request, response) => response.end('{}'));
  const { port } = await listening(t, secure);
  t.like(await probe(t, `https://localhost:${port}/graphql`), {
    reachable: false,
    reason: 'certificate is self-signed',
  });
  const plain = await listening(
    t,
    createPlain((_request, response) => response.end()),
  );
  t.like(await probe(t, `https://127.0.0.1:${plain.port}/`), {
    reachable: false,
    reason: 'no TLS spoken there',
  });
});
