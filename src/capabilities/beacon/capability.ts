import type { Capability } from '../../server/http/capability.ts';

export const beacon: Capability = {
  name: 'beacon',
  door: { name: 'beacon', segment: 'beacon', of: 'catalogue', load: () => import('./beacon.ts') },
};
