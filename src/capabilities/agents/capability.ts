import type { Capability } from '../../server/http/capability.ts';

export const agents: Capability = {
  name: 'agents',
  door: { name: 'mcp', segment: 'mcp', of: 'server', guardsOrigin: true, load: () => import('./mcp.ts') },
};
