import { createServer } from 'node:http';
import type { ExecutionContext } from 'ava';
import { pino } from 'pino';
import { serveCatalogue } from '../../../src/server/node/serve-catalogue.ts';
import { catalogueGuard } from '../../../src/capabilities/disclosure/guard/guard-catalogue.ts';
import { openReleaseStore } from '../../../src/capabilities/disclosure/release/release-store.ts';
import { doorsOf } from '../../../src/server/http/capability.ts';
import { addPortal } from '../../../src/capabilities/portal/portal-routes.ts';
import { standard } from '../../../src/standard.ts';
import type { Engine } from '../../../src/engines/engine.ts';
import { openNetwork } from '../../../src/federation/network.ts';
import { readNodes } from '../../../src/federation/config/read-nodes.ts';
import type { AppParts } from '../../../src/server/http/app.ts';
import { createApp } from '../../../src/server/http/app.ts';
import type { DisclosureConfig } from '../../../src/introspection/fields/catalogue-config.ts';
import type { JsonObject } from '../../../src/lib/json/json.ts';
import { openRegistry } from '../../../src/local/registry.ts';
import type { OpenSets } from '../../../src/local/sets/open-sets.ts';
import { serveHub } from '../../../src/capabilities/joining/open-tunnels.ts';
import type { DialledNode } from '../../../src/capabilities/joining/dialled-node.ts';
import { temporaryFolder } from '../../server/config/temporary-folder.ts';
import { defaultSettings, noSpools } from '../../server/http/running-app.ts';
import { listening } from '../../listening.ts';
import { bookConfig } from '../../local/catalogue-fixture.ts';
import { nodeIn, openHub, openMember } from '../joining/tunnels.ts';
import { cohortDisclosure, cohortProperties, drafted } from './cohort.ts';

/** The folder of a server whose cohort has a release of these documents. */
export const folderWithRelease = async (
  t: ExecutionContext,
  documents: readonly JsonObject[],
  disclosure: Partial<DisclosureConfig> = {},
): Promise<string> => {
  const folder = temporaryFolder(t, {});
  const { release, table } = await drafted(documents, disclosure);
  openReleaseStore(folder, 'cohort').publish(release, table, ['donors']);
  return folder;
};

/** An engine that knows the mapping, and throws on every other call. */
export const throwingEngine = (documents = 0): Engine & { readonly calls: () => number } => {
  let calls = 0;
  const refuse = (): never => {
    calls += 1;
    throw new Error('a guarded question reached the engine');
  };
  return {
    calls: () => calls,
    describe: async (index) => ({ indices: [index], aliases: [], properties: cohortProperties, documents }),
    search: async () => refuse(),
    write: async () => refuse(),
    manage: async () => refuse(),
    close: async () => undefined,
  };
};

const cohortConfig = (disclosure: Partial<DisclosureConfig> | null = {}) =>
  bookConfig({
    catalogueId: 'cohort',
    documentType: 'donor',
    esIndex: 'donors',
    ...(disclosure && { disclosure: { ...cohortDisclosure, ...disclosure } }),
  });

export interface ServedRelease {
  readonly url: string;
  readonly parts: AppParts;
  /** The catalogues as networks see them. */
  readonly releasedById: AppParts['registry']['byId'];
  /** What the network's hub has of the cohort; null: it is a catalogue of the same server. */
  readonly tunnel: DialledNode | null;
}

/** Where a network has its node: a catalogue of the same server, or a server that dials in. */
export const nodeKinds = ['is here', 'dials in'] as const;
export type NodeKind = (typeof nodeKinds)[number];

/** The tunnel to a server that dials in with the cohort. */
const dialledIn = async (t: ExecutionContext, parts: AppParts): Promise<DialledNode> => {
  const hub = await openHub(t);
  const entry = {
    name: 'Hub',
    url: hub.url,
    nodeId: 'home',
    key: hub.identity.thumbprint,
    catalogue: 'cohort',
  };
  const serve = createApp(parts).callback();
  await openMember(t, hub, serveHub({ ...entry, fields: {}, values: {} }, serve), {
    nodeId: 'home',
    maxResponseBytes: parts.settings.maxResponseBytes,
  });
  return nodeIn(hub, 'home');
};

export interface Sent {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** What a server that dials in answers a hub, whatever it asks. */
export const throughTunnel = async (tunnel: DialledNode, path: string, sent: Sent): Promise<Response> => {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const chunks: Buffer[] = [];
  let start: ResponseInit = {};
  tunnel.dispatcher.dispatch(
    { path, ...sent },
    {
      onResponseStart: (_, status, headers) =>
        (start = { status, headers: Object.entries(headers).map(([name, value]) => [name, String(value)]) }),
      onResponseData: (_, chunk) => void chunks.push(chunk),
      onResponseEnd: () => resolve(new Response(chunks.length === 0 ? null : Buffer.concat(chunks), start)),
      onResponseError: (_, error) => reject(error),
    },
  );
  return promise;
};

/** The cohort, alone and as a network of its own, over an engine and the release of a folder. */
export const serveRelease = async (
  t: ExecutionContext,
  folder: string,
  engine: Engine,
  options: Partial<Omit<AppParts, 'registry' | 'network'>> & {
    /** null: none. */
    readonly disclosure?: Partial<DisclosureConfig> | null;
    /** Saved sets, which callers with records have. */
    readonly sets?: OpenSets;
    readonly node?: NodeKind;
  } = {},
): Promise<ServedRelease> => {
  const { disclosure, sets, node = 'is here', ...access } = options;
  const guard = serveCatalogue(
    catalogueGuard({
      storeOf: (catalogueId) => openReleaseStore(folder, catalogueId),
      nameKey: Buffer.alloc(32),
    }),
  );
  const registry = await openRegistry([cohortConfig(disclosure)], engine, {
    guard,
    ...(sets && { sets }),
  });
  t.teardown(registry.close);
  const released = (id: string) => {
    const state = registry.byId(id);
    return state?.status === 'available' && state.catalogue.substitute
      ? { ...state, catalogue: state.catalogue.substitute }
      : state;
  };
  const alone: AppParts = {
    registry,
    networks: new Map(),
    settings: defaultSettings,
    ...{ doors: doorsOf(standard), routes: [addPortal] },
    spools: noSpools,
    log: pino({ level: 'silent' }),
    ...access,
  };
  const { metrics: _, ...member } = alone;
  const tunnel = node === 'is here' ? null : await dialledIn(t, member);
  const source = tunnel === null ? { catalogue: 'cohort' } : { dialsIn: true, key, documentType: 'donor' };
  const nodes = readNodes(
    { defaults: { timeoutMs: 60_000, discoveryTimeoutMs: 60_000 }, nodes: [{ nodeId: 'home', ...source }] },
    'nodes.json',
  );
  const network = openNetwork(nodes, released, { ...(tunnel && { tunnelTo: () => tunnel }) });
  t.teardown(network.close);
  await network.ready;
  const parts: AppParts = { ...alone, networks: new Map([['network', network]]) };
  const { url } = await listening(t, createServer(createApp(parts).callback()));
  return { url, parts, releasedById: released, tunnel };
};

/** Of the server that dials in; the network of these tests has the tunnel already. */
const key = 'k'.repeat(43);
