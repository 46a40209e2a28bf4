import type Router from '@koa/router';
import type { Logger } from 'pino';
import { pino } from 'pino';
import type { CatalogueObject, CatalogueObjects } from './server/config/catalogue/catalogues.ts';
import type { Config } from './server/config/config.ts';
import { secretIn, type Environment } from './server/config/environment.ts';
import { loadConfig } from './server/config/load.ts';
import { processEnvironment } from './server/config/process-environment.ts';
import type { ErrorCode, ErrorContext } from './lib/errors/errors.ts';
import { TributaryError } from './lib/errors/errors.ts';
import type { NodesConfig } from './federation/config/nodes-file.ts';
import { createAppRouter } from './server/http/app.ts';
import type { HttpContext, RequestState } from './server/http/koa/http-context.ts';
import type { GetServerSideFilter } from './server/http/callers/access-filters.ts';
import { serverSideFilter } from './server/http/callers/access-filters.ts';
import { openNode } from './server/node/open-node.ts';
import { standard } from './standard.ts';
import { problemText } from './lib/text/problem.ts';

export { TributaryError };
export type {
  CatalogueObject,
  CatalogueObjects,
  Environment,
  ErrorCode,
  ErrorContext,
  GetServerSideFilter,
  NodesConfig,
  HttpContext as RequestContext,
  RequestState,
};

/**
 * What a router serves, to whom, and with which settings. Everything has a default.
 * @example
 * import type { RouterOptions } from 'tributary';
 *
 * const options: RouterOptions = {
 *   configs: { documentType: 'book', esIndex: 'books' },
 *   env: { DATA_PATH: './data', ENABLE_SETS: 'true' },
 * };
 */
export interface RouterOptions {
  /** The catalogues: one, or several by their ids. Without it, those of CONFIGS_PATH. */
  readonly configs?: CatalogueObjects;
  /** @deprecated Use `configs`. The folder of the catalogues. */
  readonly configsSource?: string;
  /** The content of nodes.json: the network served at /network/graphql. */
  readonly nodes?: NodesConfig;
  /**
   * What the sender of a request may see of a catalogue: a filter as JSON, null for everything. It is joined to every
   * query: hits, totals, facets, downloads, saved sets. Anything else (undefined, `{}`, a failure) denies.
   */
  readonly getServerSideFilter?: GetServerSideFilter;
  /** Whether the pages for people are served too, at `/` of wherever the router is mounted. Default: false. */
  readonly portal?: boolean;
  /** Settings, by the names of the environment variables. Default: the environment of the process. */
  readonly env?: Environment;
  readonly logger?: Logger;
}

/**
 * A Koa router that serves catalogues.
 * @example
 * import type { Server } from 'node:http';
 * import type { CatalogueRouter } from 'tributary';
 *
 * const stop = (server: Server, router: CatalogueRouter): void =>
 *   void server.close(() => void router.close());
 */
export type CatalogueRouter = Router<RequestState> & {
  /** Closes the engine; to be called when the server has stopped. */
  readonly close: () => Promise<void>;
};

/**
 * A router that serves catalogues and their network: GraphQL, introspection, downloads, /ping and /ready.
 * Mount it before any body parser: `app.use((await createRouter(options)).routes())`.
 * @throws TributaryError CONFIG_INVALID naming what is wrong. A catalogue that cannot be loaded does not throw: it
 *   responds with the reason
 * @example
 * import Koa from 'koa';
 * import { createRouter } from 'tributary';
 *
 * const router = await createRouter({ configs: { documentType: 'book', esIndex: 'books' } });
 * new Koa().use(router.routes()).listen(5050);
 */
export const createRouter = async (options: RouterOptions = {}): Promise<CatalogueRouter> => {
  const env = options.env ?? processEnvironment();
  const config = configOf(options, env);
  const log = options.logger ?? pino({ level: config.logLevel });
  config.warnings.forEach((warning) => log.warn(problemText(warning)));
  if (options.configsSource !== undefined)
    log.warn('configsSource is deprecated: pass the catalogues in configs');
  const { getServerSideFilter } = options;
  // a failed import must not open what the filter was to protect
  if ('getServerSideFilter' in options && typeof getServerSideFilter !== 'function')
    throw new TributaryError('CONFIG_INVALID', 'getServerSideFilter is set but is not a function');
  const node = await openNode(config, {
    log,
    secret: (variable) => secretIn(env, variable),
    capabilities: standard,
    ...(getServerSideFilter && { accessFilter: serverSideFilter(getServerSideFilter, log) }),
  });
  try {
    return Object.assign(createAppRouter(node.join()), { close: node.close });
  } catch (error) {
    await node.close();
    throw error;
  }
};

export default createRouter;

/** A network is served only on request: a nodes.json that happens to be there is not read. */
const configOf = (options: RouterOptions, env: Environment): Config => {
  const { configs, configsSource, nodes } = options;
  return loadConfig(
    {
      NODES_PATH: 'off',
      ...env,
      ...(options.portal === true ? {} : { PORTAL_PATH: 'off' }),
      ...(configsSource === undefined ? {} : { CONFIGS_PATH: configsSource }),
    },
    { configs, nodes, hasAccessFilter: options.getServerSideFilter !== undefined },
  );
};
