import type { Network } from '../../federation/network.ts';
import { isJsonObject } from '../../lib/json/json.ts';
import type { Config } from '../../server/config/config.ts';
import type { Capability, Members } from '../../server/http/capability.ts';
import { hubsIn } from './hubs-file.ts';
import { openInvitations } from './invitations.ts';
import type { LoadedTunnels, TunnelParts } from './open-tunnels.ts';

export const joining: Capability = {
  name: 'joining',
  check: ({ hubs }) => void hubsIn(hubs),
  open: async (parts) => {
    const { prepare, tunnelTo, upgrade, open, reload, retire, close } = await tunnelsOnDemand(
      parts,
      parts.network,
    );
    return {
      members: { prepare, tunnelTo, waiting: waitingMembers(parts.config) },
      ...{ upgrade, listening: open, reload, retire, disconnect: close },
    };
  },
};

/** Members that have used their invitations, read from the current files. */
const waitingMembers = ({ dataPath }: Config): Members['waiting'] => {
  const invitations = openInvitations(dataPath);
  return (nodeId) => {
    const { dialled = null, proposal } = invitations.find(nodeId) ?? {};
    if (dialled === null) return null;
    const { fields = {}, values = {} } = proposal ?? {};
    const maps = Object.values(values).map((map) => Object.keys(map).length);
    return { dialled, fields: Object.keys(fields).length, values: maps.reduce((sum, one) => sum + one, 0) };
  };
};

/** The tunnels of a server, whose modules are loaded once they are needed. */
interface Tunnels extends LoadedTunnels {
  /** Loads them if a configuration needs them: must be awaited before its network is opened. */
  readonly prepare: (config: Config) => Promise<void>;
}

/**
 * WebSocket, HTTP/2 and the proxy client take a tenth of a second to load, and most servers need none of them: they are
 * loaded with the first member in nodes.json, the first hub in hubs.json, or the first member that dials.
 * @param network the network of nodes.json; null until it is joined
 */
const tunnelsOnDemand = async (parts: TunnelParts, network: () => Network | null): Promise<Tunnels> => {
  let loaded: LoadedTunnels | null = null;
  let opened: Parameters<LoadedTunnels['open']> | null = null;
  let loading: Promise<LoadedTunnels> | null = null;
  const load = (): Promise<LoadedTunnels> =>
    (loading ??= import('./open-tunnels.ts').then(({ openTunnels }) => {
      loaded = openTunnels(parts, network);
      if (opened !== null) loaded.open(...opened);
      return loaded;
    }));
  const prepare: Tunnels['prepare'] = async (config) => {
    if (hasTunnels(config)) await load();
  };
  await prepare(parts.config);
  return {
    prepare,
    // its node is in a configuration that was prepared
    tunnelTo: (nodeId, key) => loaded!.tunnelTo(nodeId, key),
    upgrade: (request, socket, head) => {
      if (loaded !== null) return loaded.upgrade(request, socket, head);
      const onError = (): void => undefined;
      socket.on('error', onError);
      void load().then((tunnels) => {
        tunnels.upgrade(request, socket, head);
        socket.off('error', onError);
      });
    },
    open: (...options) => {
      opened = options;
      loaded?.open(...options);
    },
    reload: (config) => loaded?.reload(config) ?? { changes: [], problems: [] },
    retire: () => loaded?.retire(),
    close: async () => loaded?.close(),
  };
};

/** Whether members dial in, or hubs are dialled. */
const hasTunnels = ({ nodes, hubs }: Config): boolean =>
  listOf(nodes?.content, 'nodes').some((node) => isJsonObject(node) && 'dialsIn' in node) ||
  listOf(hubs?.content, 'hubs').length > 0;

/** @returns a nonempty list for an invalid value: its error is reported when the value is read */
const listOf = (content: unknown, key: string): readonly unknown[] => {
  if (!isJsonObject(content)) return [];
  const list = content[key];
  return Array.isArray(list) ? list : [list];
};
