import { mkdtemp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ExecutionContext } from 'ava';
import { pino } from 'pino';
import type { Engine } from '../../../src/engines/engine.ts';
import type { Manifest, PlannedManifest } from '../../../src/local/download/manifest.ts';
import { readNodes } from '../../../src/federation/config/read-nodes.ts';
import { openNetwork, type Network } from '../../../src/federation/network.ts';
import { createApp, type AppParts } from '../../../src/server/http/app.ts';
import type { Hierarchy } from '../../../src/introspection/hierarchies/hierarchy.ts';
import type { CatalogueConfig } from '../../../src/introspection/fields/catalogue-config.ts';
import type { JsonObject } from '../../../src/lib/json/json.ts';
import { openSpoolStorage } from '../../../src/local/download/spool.ts';
import { openRegistry, type Registry } from '../../../src/local/registry.ts';
import { openNaiveEngine } from '../../engines/naive.ts';
import { tarEntries } from '../../local/download/tar-entries.ts';
import { defaultSettings, noSpools } from '../../server/http/running-app.ts';
import { bookConfig } from '../../local/catalogue-fixture.ts';

/** A gallery's catalogue: an index, and a name for its state that a test may change. */
export interface Gallery {
  readonly documentType: string;
  readonly engine: Engine;
  readonly registry: Registry;
  readonly state: { generation: string | undefined; readonly lastWriteMs: number };
}

export interface GallerySetup {
  readonly documentType: string;
  readonly properties: JsonObject;
  readonly documents: readonly JsonObject[];
  readonly config?: Partial<CatalogueConfig>;
  /** The naive one without. */
  readonly engine?: Engine;
  /** Settings of the index. */
  readonly settings?: JsonObject;
}

/** A catalogue over documents with ids of their own, until the test is over. */
export const openGallery = async (t: ExecutionContext, setup: GallerySetup): Promise<Gallery> => {
  const { documentType, properties, documents, config = {}, settings } = setup;
  const naive = setup.engine ?? openNaiveEngine();
  const state: Gallery['state'] = { generation: 'first', lastWriteMs: Date.UTC(2026, 10, 3) };
  await naive.manage({
    kind: 'create',
    index: documentType,
    mapping: { properties },
    ...(settings && { settings }),
  });
  await naive.write(
    documentType,
    documents.map((document) => ({ kind: 'upsert', id: String(document['id']), document })),
  );
  const engine: Engine = {
    ...naive,
    search: async (index, query, options) => {
      const { generation, lastWriteMs } = state;
      const result = await naive.search(index, query, options);
      return generation === undefined ? result : { ...result, generation, lastWriteMs };
    },
  };
  const named = { catalogueId: documentType, documentType, esIndex: documentType, extended: [], ...config };
  const registry = await openRegistry([bookConfig(named)], engine, {});
  t.teardown(() => registry.close());
  return { documentType, engine, registry, state };
};

const serve = async (t: ExecutionContext, parts: Omit<AppParts, 'log'>): Promise<string> => {
  const app = createApp({ ...parts, log: pino({ level: 'silent' }) });
  const server = createServer(app.callback()).listen(0, '127.0.0.1');
  // on a busy machine a request would otherwise meet the end of an idle connection
  server.keepAliveTimeout = 0;
  await once(server, 'listening');
  t.teardown(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** A gallery on a separate server: its base URL. */
export const serveGallery = (t: ExecutionContext, { registry }: Gallery): Promise<string> =>
  serve(t, { registry, networks: new Map(), settings: defaultSettings, spools: noSpools });

export interface PortalOptions extends Partial<Pick<AppParts, 'accessFilter'>> {
  /** The content of nodes.json. */
  readonly nodes: object;
  readonly local: Gallery;
  /** Of the network's fields. */
  readonly hierarchies?: ReadonlyMap<string, Hierarchy>;
  readonly settings?: Partial<AppParts['settings']>;
  readonly pageRows?: number;
  readonly downloads?: CatalogueConfig['downloads'];
  readonly maxResultsWindow?: number;
}

/** A server with a network over its own gallery and others. */
export interface Portal {
  readonly url: string;
  readonly network: Network;
  readonly download: (params: object, path?: string) => Promise<Response>;
  /** Downloads a file in an archive with its manifest. */
  readonly archived: (params: object) => Promise<{
    readonly headers: Headers;
    readonly text: string;
    readonly manifest: Manifest;
  }>;
  /** The manifest that is known before the file. */
  readonly planned: (params: object) => Promise<PlannedManifest>;
}

const json = { 'content-type': 'application/json' };

const ok = async (response: Response): Promise<Response> => {
  if (response.status !== 200) throw new Error(`HTTP ${response.status}: ${await response.text()}`);
  return response;
};

export const openPortal = async (t: ExecutionContext, options: PortalOptions): Promise<Portal> => {
  const {
    nodes,
    local,
    pageRows = 10,
    accessFilter,
    settings = {},
    downloads,
    maxResultsWindow,
    hierarchies,
  } = options;
  const folder = await mkdtemp(join(tmpdir(), 'tributary-downloads-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const network = openNetwork(
    { ...readNodes(nodes, 'nodes.json'), ...(hierarchies && { hierarchies }) },
    local.registry.byId,
    {
      ...(downloads && { downloads }),
      ...(maxResultsWindow !== undefined && { maxResultsWindow }),
      ...(settings.network && { switches: settings.network.switches }),
    },
  );
  t.teardown(() => network.close());
  await network.ready;
  const url = await serve(t, {
    registry: local.registry,
    networks: new Map([['network', network]]),
    settings: {
      ...defaultSettings,
      network: { ...defaultSettings.network, downloadBufferRows: pageRows },
      ...settings,
    },
    spools: openSpoolStorage(join(folder, 'spool'), 10_000_000),
    ...(accessFilter && { accessFilter }),
  });
  const download: Portal['download'] = (params, path = '/network/download') =>
    fetch(url + path, { method: 'POST', headers: json, body: JSON.stringify(params) });
  return {
    url,
    network,
    download,
    archived: async (params) => {
      const { headers, body } = await ok(await download({ ...params, manifest: true }));
      const [[, text], [, manifest]] = (await tarEntries(Readable.fromWeb(body as never))) as [
        [string, string],
        [string, string],
      ];
      return { headers, text, manifest: JSON.parse(manifest) as Manifest };
    },
    planned: async (params) =>
      (await (await ok(await download(params, '/network/download?manifest'))).json()) as PlannedManifest,
  };
};

/** A network of a gallery of its own, the node `near`, and one over HTTP, `far`. */
export const openNearAndFar = async (t: ExecutionContext, near: GallerySetup, far: GallerySetup) => {
  const local = await openGallery(t, near);
  const graphqlUrl = `${await serveGallery(t, await openGallery(t, far))}/graphql`;
  const nodes = [
    { nodeId: 'near', catalogue: near.documentType },
    { nodeId: 'far', graphqlUrl, documentType: far.documentType },
  ];
  const defaults = { timeoutMs: 60_000, discoveryTimeoutMs: 60_000 };
  return openPortal(t, { local, nodes: { defaults, nodes } });
};
