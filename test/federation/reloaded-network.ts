import { networkChanges, openNetwork, type Network } from '../../src/federation/network.ts';
import type { NetworkConfig } from '../../src/federation/config/nodes.ts';

/** A network whose place others take. */
export interface ReloadedNetwork extends Network {
  /** @param again nodes to be discovered again @returns what has changed */
  readonly reload: (config: NetworkConfig, again?: ReadonlySet<string>) => Promise<readonly string[]>;
}

/** The network that is in use now, whichever it is. */
export const openReloaded = (
  first: NetworkConfig,
  local: Parameters<typeof openNetwork>[1],
  settings: Parameters<typeof openNetwork>[2] = {},
): ReloadedNetwork => {
  let now = openNetwork(first, local, settings);
  const reload: ReloadedNetwork['reload'] = async (config, again = new Set()) => {
    const before = now;
    const next = openNetwork(config, local, settings, { network: before, again });
    await next.opened;
    before.retire(next);
    now = next;
    return networkChanges(before, next, again);
  };
  return new Proxy(now as ReloadedNetwork, {
    get: (_, name) => (name === 'reload' ? reload : Reflect.get(now, name)),
  });
};
