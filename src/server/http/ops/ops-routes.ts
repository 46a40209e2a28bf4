import type { Registry } from '../../../local/registry.ts';
import type { HttpContext } from '../koa/http-context.ts';
import {
  packageVersion,
  programName,
  serverCommit,
  serverVersion,
} from '../../../lib/runtime/server-version.ts';
import { TributaryError } from '../../../lib/errors/errors.ts';
import { hasBearerToken } from '../../../lib/net/bearer-token.ts';
import { networksIn, serverNetworkId, type Served } from '../callers/served.ts';
import type { Metrics } from './metrics.ts';

export interface HealthParts {
  readonly registry: Registry;
  readonly served: () => readonly Served[];
  /** Whether this server is about to stop; unset: never. */
  readonly isStopping?: (() => boolean) | undefined;
  /** Problems that exist although this server answers; unset: none. */
  readonly degradations?: (() => readonly string[]) | undefined;
}

/** Liveness: the process responds, whatever the state of its engines and nodes. */
export const ping = (context: HttpContext): void => {
  context.body = { message: 'tributary is up' };
};

/**
 * Readiness: whether to send traffic here. 503 while nothing can be searched, in the first moments of discovery, and after
 * SIGTERM. Nodes whose discovery takes longer are listed: the others answer without them. Degradations such as a full disk
 * are listed too: another server would not answer better.
 */
export const ready = async (context: HttpContext, parts: HealthParts): Promise<void> => {
  if (parts.isStopping?.() === true) {
    context.status = 503;
    context.body = { status: 'unhealthy', reason: 'this server is stopping' };
    return;
  }
  const networks = networksIn(parts.served()).map(({ network }) => network);
  const discovering = networks.some((network) => !network.isOpen());
  const late = networks
    .flatMap((network) => network.state().nodes)
    .flatMap(({ nodeId, state }) => (state === 'discovering' ? [nodeId] : []));
  const problems = parts.degradations?.() ?? [];
  const catalogues = await parts.registry.status();
  const status = catalogues === 'healthy' && problems.length > 0 ? 'degraded' : catalogues;
  context.status = discovering || status === 'unhealthy' ? 503 : 200;
  if (discovering) context.set('retry-after', '1');
  context.body = discovering
    ? { status: 'unhealthy', reason: 'nodes are still being discovered' }
    : {
        status,
        ...(late.length > 0 && { discovering: late }),
        ...(problems.length > 0 && { problems }),
      };
};

export interface ServiceInfoParts {
  readonly served: () => readonly Served[];
  readonly serverKey?: string | undefined;
  readonly capabilities?: readonly string[];
}

/** GET /service-info: describes this server in the form of GA4GH service-info 1.0, and none of its data. */
export const showServiceInfo = (
  context: HttpContext,
  { served, serverKey, capabilities = [] }: ServiceInfoParts,
): void => {
  const network = served().find(({ id }) => id === serverNetworkId);
  const { origin } = context.URL;
  const [name, version] = [programName, packageVersion()];
  const commit = serverCommit();
  const organization = network?.title ?? name;
  context.set('cache-control', 'no-cache');
  context.body = {
    id: serverKey ?? context.URL.host,
    name,
    type: { group: 'org.tributary', artifact: network === undefined ? 'node' : 'network', version },
    organization: { name: organization, url: origin },
    version,
    ...(commit !== null && { commit }),
    ...(serverKey !== undefined && { key: serverKey }),
    capabilities: [
      'graphql',
      'introspection',
      ...(network === undefined ? [] : ['network']),
      ...capabilities,
    ],
  };
};

/** What this server is and where to go, for programs and people who ask for its root and see no portal there. */
const paths = {
  introspection: 'what can be searched',
  graphql: 'the API of the only catalogue, else of /{catalogue}/graphql',
  'service-info': 'this server, in the form of GA4GH',
} as const;

/** GET /: JSON, or text for those who prefer it. */
export const showRoot = (context: HttpContext): void => {
  context.vary('accept');
  const { origin } = context.URL;
  const links = Object.entries(paths).map(([path, meaning]) => ({ url: `${origin}/${path}`, meaning }));
  if (context.accepts('application/json', 'text/plain') === 'text/plain') {
    context.type = 'text/plain; charset=utf-8';
    const lines = links.map(({ url, meaning }) => `  ${url}   ${meaning}`);
    context.body = `${serverVersion()}, a federated search server\n${lines.join('\n')}\n`;
  } else context.body = { server: serverVersion(), description: 'a federated search server', links };
};

/**
 * GET /metrics, for the operator's collector only, as it reveals traffic.
 * @param token the required bearer token; undefined: no caller has it
 * @throws TributaryError UNAUTHENTICATED
 */
export const showMetrics = async (
  context: HttpContext,
  metrics: Metrics,
  token: string | undefined,
): Promise<void> => {
  if (token === undefined || !hasBearerToken(context.get('authorization'), token))
    throw new TributaryError('UNAUTHENTICATED', 'the bearer token of METRICS_TOKEN is needed');
  context.set('cache-control', 'no-store');
  context.set('content-type', metrics.contentType);
  context.body = await metrics.text();
};
