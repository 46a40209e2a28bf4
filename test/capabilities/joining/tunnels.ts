import { generateKeyPairSync } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';
import {
  connectionLimits,
  keepTunnel,
  httpServer,
  type ConnectionLimits,
} from '../../../src/server/http/koa/http-server.ts';
import {
  identityOf,
  type Identity,
  type KnownMember,
  type ProvenMember,
} from '../../../src/capabilities/joining/handshake.ts';
import { Hub } from '../../../src/capabilities/joining/hub.ts';
import { dialHub, type Dialling, type DialSettings } from '../../../src/capabilities/joining/member.ts';

export const silent = { info: () => undefined, warn: () => undefined };

export const newIdentity = () => identityOf(generateKeyPairSync('ed25519').privateKey);

const defaultMaxBytes = 1_000_000;

/** A hub that listens on loopback, and the members that it knows. */
export const openHub = async (
  t: ExecutionContext,
  {
    known = new Map<string, KnownMember>(),
    former = null as Identity | null,
    limits = {} as Partial<ConnectionLimits>,
    addressOf = ({ socket }: IncomingMessage) => socket.remoteAddress ?? '',
  } = {},
) => {
  const identity = newIdentity();
  const { server } = httpServer({ ...connectionLimits, ...limits });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const invited: ProvenMember[] = [];
  const left: string[] = [];
  const hub = new Hub({
    ...{ identity, former },
    audience: () => url,
    network: () => 'Libraries',
    memberOf: (nodeId) => known.get(nodeId),
    about: () => ({ displayName: 'Libraries', documentType: 'book', fields: [] }),
    addressOf,
    onLeft: (nodeId) => void left.push(nodeId),
    onInvited: (member) => void invited.push(member),
    onOpened: keepTunnel,
    maxResponseBytes: defaultMaxBytes,
    log: silent,
  });
  server.on('upgrade', (request, socket, head) => hub.upgrade(request, socket, head));
  t.teardown(() => {
    hub.close();
    server.closeAllConnections();
    server.close();
  });
  return { hub, url, identity, server, known, invited, left };
};

export type OpenHub = Awaited<ReturnType<typeof openHub>>;

/** A node by the key that the hub has accepted. */
export const nodeIn = ({ hub, known }: OpenHub, nodeId = 'oslo') =>
  hub.node(nodeId, known.get(nodeId)?.key ?? '');

type Serve = (request: Http2ServerRequest, response: Http2ServerResponse) => void;

/** A member whose key the hub has accepted, and its tunnel once it is there. */
export const openMember = async (
  t: ExecutionContext,
  { hub, url, identity, known }: OpenHub,
  serve: Serve,
  {
    nodeId = 'oslo',
    own = newIdentity(),
    log = silent as DialSettings['log'],
    maxResponseBytes = defaultMaxBytes,
  } = {},
): Promise<Dialling> => {
  known.set(nodeId, { key: own.thumbprint, secretHashed: null });
  const connected = new Promise<void>((resolve) => {
    const remove = hub.node(nodeId, own.thumbprint).onChange((is) => {
      if (!is) return;
      remove();
      resolve();
    });
  });
  const membership = { nodeId, audience: url, hubKey: identity.thumbprint };
  const dialling = dialHub({ membership, identity: own, serve, maxResponseBytes, env: {}, log });
  t.teardown(() => dialling.close());
  await connected;
  return dialling;
};
