import type { Server } from 'node:http';
import type { ExecutionContext } from 'ava';
import { pino } from 'pino';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import type { AppParts } from '../../../src/server/http/app.ts';
import { createApp } from '../../../src/server/http/app.ts';
import { connectionLimits, httpServer } from '../../../src/server/http/koa/http-server.ts';
import type { LinksStore } from '../../../src/capabilities/portal/links-routes.ts';
import { addPortal } from '../../../src/capabilities/portal/portal-routes.ts';
import type { HttpSettings } from '../../../src/server/http/koa/settings.ts';
import type { CatalogueConfig } from '../../../src/introspection/fields/catalogue-config.ts';
import { maxAnswerBytes } from '../../../src/lib/net/bodies.ts';
import { noSwitches } from '../../../src/introspection/fields/catalogue-config.ts';
import type { Network } from '../../../src/federation/network.ts';
import { openSpoolStorage } from '../../../src/local/download/spool.ts';
import { openRegistry } from '../../../src/local/registry.ts';
import { bookConfig, bookProperties } from '../../local/catalogue-fixture.ts';
import type { ScriptedEngine } from '../../local/scripted-engine.ts';
import { scriptedEngine } from '../../local/scripted-engine.ts';
import { listening } from '../../listening.ts';

/** A catalogue whose index is not there. */
export const missing = (changes: Partial<CatalogueConfig> = {}): CatalogueConfig =>
  bookConfig({ catalogueId: 'lost', documentType: 'scroll', esIndex: 'missing', ...changes });

/** Three hits in all; the index `missing` does not exist. */
export const libraryEngine = (): ScriptedEngine =>
  scriptedEngine({
    describe: (index) => {
      if (index === 'missing')
        throw new TributaryError('index_not_found', 'the configured search index does not exist');
      return { properties: bookProperties, documents: 3 };
    },
    search: ({ hits }) => (hits === undefined ? {} : { hits: { total: 3, hits: [] } }),
  });

export const defaultSettings: HttpSettings = {
  allowedOrigins: null,
  publicOrigin: null,
  bodyLimitBytes: 2000,
  maxResponseBytes: maxAnswerBytes,
  searchTimeoutMs: 30_000,
  cost: { maxQueryCost: 0, trustedProxies: 0 },
  pingPath: '/ping',
  readyPath: '/ready',
  metricsToken: undefined,
  portal: null,
  doors: {},
  network: {
    ...{ maxAliases: 15, maxDepth: 7, introspectionDisabled: false, switches: noSwitches },
    downloadBufferRows: 200,
  },
};

/** For nodes that send no archive. */
export const noSpools = openSpoolStorage('none', 0);

export interface RunningApp {
  readonly url: string;
  readonly log: () => string;
  readonly engine: ScriptedEngine;
  readonly server: Server;
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Response>;
  /** Sends a GraphQL operation as JSON. */
  readonly query: (path: string, query: string, variables?: unknown) => Promise<Response>;
}

export interface AppOptions extends Partial<
  Pick<
    AppParts,
    'accessFilter' | 'networkAccess' | 'metrics' | 'degradations' | 'memory' | 'gate' | 'nameCaller' | 'doors'
  >
> {
  readonly catalogues?: readonly CatalogueConfig[];
  /** The network of nodes.json. */
  readonly network?: Network | null;
  /** The networks of catalogues, by catalogue id. */
  readonly catalogueNetworks?: ReadonlyMap<string, Network>;
  readonly settings?: Partial<HttpSettings>;
  readonly engine?: ScriptedEngine;
  /** Stores the portal's long links; unset: they are not stored. */
  readonly links?: LinksStore;
}

/** Serves the application on a free port until the test is over. */
export const runApp = async (t: ExecutionContext, options: AppOptions = {}): Promise<RunningApp> => {
  const {
    catalogues = [bookConfig()],
    settings,
    network = null,
    catalogueNetworks = new Map<string, Network>(),
    engine = libraryEngine(),
    links,
    ...parts
  } = options;
  const registry = await openRegistry(catalogues, engine, {});
  let logged = '';
  const log = pino({ level: 'info' }, { write: (line: string) => void (logged += line) });
  const app = createApp({
    registry,
    networks: new Map([
      ...(network === null ? [] : [['network', network] as const]),
      ...[...catalogueNetworks].map(([id, own]) => [`${id}/network`, own] as const),
    ]),
    settings: { ...defaultSettings, ...settings },
    spools: noSpools,
    routes: [(router, shared) => addPortal(router, { ...shared, links })],
    log,
    ...parts,
  });
  const { server, serve } = httpServer(connectionLimits);
  serve(app.callback());
  t.teardown(registry.close);
  const { url } = await listening(t, server);
  return {
    url,
    log: () => logged,
    engine,
    server,
    get: (path, headers = {}) => fetch(url + path, { headers }),
    query: (path, query, variables) =>
      fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables }),
      }),
  };
};

/** Reads the status and the body of a JSON response. */
export const read = async (
  answer: Promise<Response>,
): Promise<{ status: number; body: Record<string, unknown> }> => {
  const response = await answer;
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
