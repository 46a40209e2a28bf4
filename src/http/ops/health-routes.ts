import type { Network } from '../../federation/network.ts';
import type { Registry } from '../../local/registry.ts';
import type { RequestContext } from '../koa/request-context.ts';

export interface HealthParts {
  readonly registry: Registry;
  readonly networks: readonly Network[];
}

/** Liveness: the process responds, whatever the state of its engines and nodes. */
export const ping = (context: RequestContext): void => {
  context.body = { message: 'tributary is up' };
};

/** Readiness: whether to send traffic here. 503 while nothing can be searched or nodes are still being discovered. */
export const ready = async (context: RequestContext, parts: HealthParts): Promise<void> => {
  const discovering = parts.networks.some((network) => !network.state().ready);
  const status = await parts.registry.status();
  context.status = discovering || status === 'unhealthy' ? 503 : 200;
  if (discovering) context.set('retry-after', '1');
  context.body = discovering
    ? { status: 'unhealthy', reason: 'nodes are still being discovered' }
    : { status };
};
