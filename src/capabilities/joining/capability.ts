import type { Config } from '../../server/config/config.ts';
import type { Capability, Members } from '../../server/http/capability.ts';
import { hubsIn } from './hubs-file.ts';
import { openInvitations } from './invitations.ts';
import { tunnelsOnDemand } from './tunnels.ts';

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
