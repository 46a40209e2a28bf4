import type { Door } from '../http/doors/door.ts';

/** All doors, with the usual segments of their paths. */
const doors: readonly Door[] = [
  { name: 'beacon', segment: 'beacon', of: 'catalogue', load: () => import('./beacon/beacon.ts') },
  {
    ...{ name: 'mcp', segment: 'mcp', of: 'server', guardsOrigin: true },
    load: () => import('./mcp/mcp.ts'),
  },
  {
    ...{ name: 'fdp', segment: 'fdp', of: 'server' },
    load: () => import('./fdp/fdp.ts'),
    embed: async () => (await import('./fdp/schema-org.ts')).describeForSearchEngines,
  },
];

/** The doors of a server. @param segments their path segments, by name; null: left out; unset: the usual segment */
export const openDoors = (segments: Readonly<Record<string, string | null>> = {}): readonly Door[] =>
  doors.flatMap((door) => {
    const { [door.name]: segment = door.segment } = segments;
    return segment === null ? [] : [{ ...door, segment }];
  });
