import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { Config } from '../../server/config/config.ts';
import { editJson } from '../../server/config/edit-json.ts';
import { asTributaryError } from '../../lib/errors/errors.ts';
import type { Network } from '../../federation/network.ts';
import { addressOf, networkOf } from '../../server/http/callers/caller-name.ts';
import { keepTunnel } from '../../server/http/koa/http-server.ts';
import { noteHub } from '../../server/http/koa/http-context.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts';
import { formerKey, serverKey, type ServerKey } from '../../lib/runtime/server-key.ts';
import { maxAnswerBytes } from '../../lib/net/bodies.ts';
import type { Caller } from '../../search/request-context.ts';
import { identityOf, type Identity } from './handshake.ts';
import type { DialledNode } from './dialled-node.ts';
import { Hub } from './hub.ts';
import { hubsIn, isSameMembership, type HubEntry } from './hubs-file.ts';
import { acceptsAlone, openInvitations } from './invitations.ts';
import { dialHub, type Dialling, type ServeTunnelled } from './member.ts';
import { keptAbout } from './about-network.ts';
import { acceptMember, refuseMember } from './accept-member.ts';
import type { ReloadReport } from '../../server/http/capability.ts';

/** The label for deriving the key that identifies a server in tunnels. */
const keyLabel = 'tunnels';

/** The identity of a configuration's server, for commands that run next to it. */
export const identityIn = ({
  serverKeyPath,
  dataPath,
}: Pick<Config, 'serverKeyPath' | 'dataPath'>): Identity => {
  const warn = (_: object, message: string): void => void process.stderr.write(`warning: ${message}\n`);
  return identityOf(serverKey(serverKeyPath, dataPath, { warn }).signingKey(keyLabel));
};

/** The former identity of a hub whose key was changed. */
const formerOf = ({ serverKeyPath }: Config): Identity | null => {
  const former = formerKey(serverKeyPath);
  return former && identityOf(former.signingKey(keyLabel));
};

export interface TunnelParts {
  readonly config: Config;
  readonly key: ServerKey;
  readonly log: Logger;
  /** A caller without a token; null: what such callers see is not known. */
  readonly anonymous: () => Caller | null;
  /** @throws TributaryError CONFIG_INVALID for a catalogue that withholds its records without rules for those who reach it */
  readonly requireDisclosureRules: (config: Config) => void;
}

/**
 * The hub end of the tunnels of members of the network of nodes.json.
 * @param network null until it is joined
 * @param ownUrl this server's address unless PUBLIC_URL is set
 */
const openHub = (
  { config, key, log, anonymous }: TunnelParts,
  network: () => Network | null,
  ownUrl: () => string,
): Hub => {
  const invitations = openInvitations(config.dataPath);
  return new Hub({
    identity: identityOf(key.signingKey(keyLabel)),
    former: formerOf(config),
    audience: () => config.server.publicUrl ?? ownUrl(),
    network: () => network()?.config.displayName ?? '',
    memberOf: (nodeId) => {
      const source = network()?.config.nodes.find((node) => node.nodeId === nodeId)?.source;
      if (source?.kind !== 'remote' || source.dialsIn === undefined) return undefined;
      const accepted = source.dialsIn.key;
      const invitation = accepted === null ? invitations.find(nodeId) : null;
      const isValid = invitation !== null && (invitation.key !== null || Date.now() < invitation.expiresMs);
      return {
        key: accepted,
        secretHashed: isValid ? invitation.secretHashed : null,
        invitedKey: invitation?.key ?? null,
      };
    },
    about: keptAbout(network, anonymous),
    addressOf: (req) => networkOf(addressOf({ req, headers: req.headers }, config.http.cost.trustedProxies)),
    onInvited: ({ nodeId, thumbprint, proposal }) => {
      const invitation = invitations.find(nodeId);
      if (invitation === null) return;
      const isFirst = invitation.key === null;
      const dialled = new Date().toISOString();
      const waiting = { ...invitation, key: thumbprint, dialled, proposal: proposal ?? invitation.proposal };
      invitations.write(waiting);
      if (isFirst) log.info({ node: nodeId, key: thumbprint }, 'a node has used its invitation, and waits');
      if (acceptsAlone(invitation, Date.now()) && proposal !== null && config.nodes !== null)
        acceptMember(config.nodes.file, invitations, nodeId).then(
          // only once: an operator who removes the key from nodes.json does not want it back
          () => invitations.write({ ...waiting, accept: false }),
          (error: unknown) => log.error({ node: nodeId, err: error }, 'an invited node cannot be accepted'),
        );
    },
    onLeft: (nodeId) => {
      if (config.nodes === null) return;
      // including its key: it does not wait to be accepted
      invitations.remove(nodeId);
      refuseMember(config.nodes.file, nodeId, new Date().toISOString().slice(0, 10)).catch((error: unknown) =>
        log.error({ node: nodeId, err: error }, 'nodes.json cannot say that a node has left'),
      );
    },
    onOpened: keepTunnel,
    maxResponseBytes: maxAnswerBytes,
    log,
  });
};

/** The tunnels of a server: those dialled by members of its network, and those that it dials to hubs. */
export interface LoadedTunnels {
  /** The tunnel of a node that dials in, identified by its key. */
  readonly tunnelTo: (nodeId: string, key: string) => DialledNode;
  /** Takes over a connection that a member has opened. */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /**
   * Dials the hubs of hubs.json.
   * @param url where this server is reached, unless PUBLIC_URL is set
   * @param serve the application, of which a hub can reach one catalogue
   * @param env contains the proxies
   */
  readonly open: (url: string, serve: Serve, env: Readonly<Record<string, string | undefined>>) => void;
  /** Dials the hubs that were added to hubs.json, keeps the others, and drops members that nodes.json no longer accepts. */
  readonly reload: (config: Config) => ReloadReport;
  /** Stops new requests in both directions. */
  readonly retire: () => void;
  readonly close: () => Promise<void>;
}

/** How long a changed entry of hubs.json may take to dial before the old tunnel is closed. */
const takeOverMs = 10_000;

/** Answers a request as Koa does. */
type Serve = (request: IncomingMessage, response: ServerResponse) => unknown;

/** @param network the network of nodes.json; null until it is joined */
export const openTunnels = (parts: TunnelParts, network: () => Network | null): LoadedTunnels => {
  const { config, log } = parts;
  let dial: ((entry: HubEntry, catalogues: Config['catalogues']) => Dialling) | null = null;
  let ownUrl = '';
  const hub = openHub(parts, network, () => ownUrl);
  const dialled = new Map<string, { readonly entry: HubEntry; readonly dialling: Dialling }>();
  const follow = (wanted: readonly HubEntry[], open: (entry: HubEntry) => Dialling): readonly string[] => {
    const gone = [...dialled.values()].filter(
      ({ entry }) => !wanted.some((one) => isDeepStrictEqual(one, entry)),
    );
    for (const { entry } of gone) dialled.delete(entry.name);
    const fresh = wanted.filter(({ name }) => !dialled.has(name));
    for (const entry of fresh) dialled.set(entry.name, { entry, dialling: open(entry) });
    for (const { entry, dialling } of gone) {
      const next = [...dialled.values()].find((one) => isSameMembership(one.entry, entry));
      const takenOver = next && [next.dialling.connected, sleep(takeOverMs, undefined, { ref: false })];
      void Promise.race(takenOver ?? [null]).then(() => dialling.close());
    }
    return [
      ...gone.map(({ entry }) => `hub "${entry.name}": the connection is closed`),
      ...fresh.map(({ name, url }) => `hub "${name}": dialling ${url}`),
    ];
  };
  const reload: LoadedTunnels['reload'] = (changed) => {
    hub.dropRefused();
    if (dial === null) return { changes: [], problems: [] };
    try {
      parts.requireDisclosureRules(changed);
      const open = dial;
      const changes = follow(hubsIn(changed.hubs), (entry) => open(entry, changed.catalogues));
      return { changes, problems: [] };
    } catch (error) {
      return { changes: [], problems: [asTributaryError(error).message] };
    }
  };
  return {
    tunnelTo: (nodeId, key) => hub.node(nodeId, key),
    upgrade: (request, socket, head) => hub.upgrade(request, socket, head),
    open: (url, serve, env) => {
      ownUrl = url;
      dial = (entry, catalogues) => dialFor(entry, { ...parts, catalogues }, serve, env);
      for (const problem of reload(config).problems) log.error(problem);
    },
    reload,
    retire: () => {
      hub.retire();
      for (const { dialling } of dialled.values()) dialling.retire();
    },
    close: async () => {
      dial = null;
      hub.close();
      await Promise.all([...dialled.values()].map(({ dialling }) => dialling.close()));
      dialled.clear();
    },
  };
};

const dialFor = (
  entry: HubEntry,
  { config, catalogues, key, log }: TunnelParts & Pick<Config, 'catalogues'>,
  serve: Serve,
  env: Readonly<Record<string, string | undefined>>,
): Dialling =>
  dialHub({
    membership: membershipOf(entry, catalogues),
    identity: identityOf(key.signingKey(keyLabel)),
    serve: serveHub(entry, serve),
    onHubKey: (thumbprint) => keepHubKey(entry, thumbprint, { config, log }),
    maxResponseBytes: maxAnswerBytes,
    ...{ env, log },
  });

/** Pins a new key that a hub has announced with the former one. */
const keepHubKey = (
  { name, key }: HubEntry,
  thumbprint: string,
  { config: { hubs }, log }: Pick<TunnelParts, 'config' | 'log'>,
): void => {
  if (hubs === null) return;
  const isSame = (one: JsonValue): one is JsonObject =>
    isJsonObject(one) && one['name'] === name && one['key'] === key;
  editJson(hubs.file, (content) => {
    const listed = Array.isArray(content['hubs']) ? content['hubs'] : [];
    return { ...content, hubs: listed.map((one) => (isSame(one) ? { ...one, key: thumbprint } : one)) };
  }).then(
    () => log.info({ hub: name, key: thumbprint }, 'the hub has a new key, which hubs.json now names'),
    (err: unknown) =>
      log.warn(
        { hub: name, key: thumbprint, err },
        'the hub has a new key: hubs.json must name it, and cannot be written',
      ),
  );
};

/** This server's membership at a hub. */
export const membershipOf = (
  { nodeId, url, key, invitation, fields, values, catalogue }: HubEntry,
  catalogues: Config['catalogues'],
) => {
  const documentType = catalogues.find(({ catalogueId }) => catalogueId === catalogue)?.documentType;
  return {
    nodeId,
    audience: url.replace(/\/+$/, ''),
    hubKey: key,
    secret: invitation,
    proposal: { ...(documentType !== undefined && { documentType }), fields, values },
  };
};

/** What a hub may request: method and path as it knows them, and the path in the application. */
const routes = [
  { method: 'POST', path: '/graphql', within: true },
  { method: 'GET', path: '/introspection', within: true },
  { method: 'GET', path: '/service-info', within: false },
] as const;

/** Headers that describe a connection, and have no meaning in a tunnel. */
const ofConnections = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'forwarded',
  'origin',
  'cookie',
];

/** Serves what a hub may request from the catalogue that joined it, and refuses all other requests. */
export const serveHub =
  ({ name, catalogue }: HubEntry, serve: Serve): ServeTunnelled =>
  (request, response) => {
    const route = routes.find(({ method, path }) => method === request.method && path === request.url);
    if (route === undefined) {
      const error = {
        code: 'FORBIDDEN',
        message: 'a hub may query the catalogue that joined it, and nothing else',
      };
      response.writeHead(403, { 'content-type': 'application/json; charset=utf-8' });
      return void response.end(JSON.stringify({ error }));
    }
    for (const header of ofConnections) Reflect.deleteProperty(request.headers, header);
    request.url = route.within ? `/${encodeURIComponent(catalogue)}${request.url}` : request.url;
    noteHub(request, name);
    // the application uses only what requests of both HTTP versions have
    serve(request as unknown as IncomingMessage, response as unknown as ServerResponse);
  };
