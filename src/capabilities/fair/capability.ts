import type { Capability } from '../../server/http/capability.ts';

export const fair: Capability = {
  name: 'fair',
  door: {
    ...{ name: 'fdp', segment: 'fdp', of: 'server' },
    load: () => import('./fdp.ts'),
    embed: async () => (await import('./schema-org.ts')).describeForSearchEngines,
  },
};
