import { createServer as createPlain } from 'node:http';
import { createServer } from 'node:https';
import type { ExecutionContext } from 'ava';
import test from 'ava';
import { probeNode } from '../../../src/federation/remote/probe-node.ts';
import { openTransport } from '../../../src/federation/remote/http-executor.ts';
import { deadUrl } from '../remote-server.ts';
import { notYetValid, selfSigned } from '../self-signed.ts';
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
  t.deepEqual(found, { reachable: true, status: 403, reason: null, tls: null });
});

test('a node that does not answer has a reason of ours', async (t) => {
  t.like(await probe(t, await deadUrl()), {
    reachable: false,
    status: null,
    reason: 'connection refused',
    tls: null,
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

test('a certificate of an unknown authority is inspected, and reported', async (t) => {
  const { port } = await listening(
    t,
    createServer(selfSigned, (_request, response) => response.end('{}')),
  );
  const { reachable, reason, tls } = await probe(t, `https://localhost:${port}/graphql`);
  t.false(reachable);
  t.is(reason, 'certificate is self-signed');
  t.like(tls, { valid: false, validUntil: '2126-10-28T12:26:47.000Z' });
  t.regex(tls!.protocol!, /^TLSv1\.[23]$/);
  t.regex(tls!.reason!, /CERT/);
});

test('what speaks no TLS has no protocol', async (t) => {
  const { port } = await listening(
    t,
    createPlain((_request, response) => response.end()),
  );
  t.like(await probe(t, `https://127.0.0.1:${port}/`), {
    reachable: false,
    reason: 'no TLS spoken there',
    tls: { valid: false, protocol: null },
  });
});

for (const [what, options, reason] of [
  ['a certificate of later', notYetValid, 'certificate is not valid yet: is a clock wrong?'],
  [
    'old versions of TLS only',
    { ...selfSigned, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
    'no version of TLS in common',
  ],
  [
    'no cipher for its certificate',
    { ...selfSigned, maxVersion: 'TLSv1.2', ciphers: 'ECDHE-RSA-AES256-GCM-SHA384' },
    'TLS handshake refused: no cipher in common, or a client certificate is wanted',
  ],
] as const)
  test(`what is wrong with the TLS of a node is the reason: ${what}`, async (t) => {
    const { port } = await listening(
      t,
      createServer(options, (_request, response) => response.end('{}')),
    );
    t.like(await probe(t, `https://localhost:${port}/`), { reachable: false, reason });
  });
