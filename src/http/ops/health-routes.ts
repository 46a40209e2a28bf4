import type { Network } from '../../federation/network.ts';
import type { Registry } from '../../local/registry.ts';
import type { HttpContext } from '../koa/http-context.ts';

export interface HealthParts {
  readonly registry: Registry;
  readonly networks: readonly Network[];
}

/** Liveness: the process responds, whatever the state of its engines and nodes. */
export const ping = (context: HttpContext): void => {
  context.body = { message: 'tributary is up' };
};

/**
 * Readiness: whether to send traffic here. 503 while nothing can be searched, or in the first moments of discovery.
 * Nodes whose discovery takes longer are listed: the others answer without them.
 */
export const ready = async (context: HttpContext, parts: HealthParts): Promise<void> => {
  const states = parts.networks.map((network) => network.state());
  const discovering = states.some((state) => !state.ready);
  const late = states.flatMap(({ nodes }) =>
    nodes.filter(({ state }) => state === 'discovering').map(({ nodeId }) => nodeId),
  );
  const status = await parts.registry.status();
  context.status = discovering || status === 'unhealthy' ? 503 : 200;
  if (discovering) context.set('retry-after', '1');
  context.body = discovering
    ? { status: 'unhealthy', reason: 'nodes are still being discovered' }
    : { status, ...(late.length > 0 && { discovering: late }) };
};
