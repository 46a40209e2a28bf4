import type { Door } from '../http/doors/door.ts';

/** The tools offered to agents: those of this server, or those of the established server for agents. */
export type McpTools = 'own' | 'established';

const loadTools = {
  own: async () => (await import('./mcp/tools.ts')).createTools,
  established: async () => (await import('./mcp/established.ts')).createEstablishedTools,
};

/** All doors, with the usual segments of their paths. */
const doors = (tools: McpTools): readonly Door[] => [
  { name: 'beacon', segment: 'beacon', of: 'catalogue', load: () => import('./beacon/beacon.ts') },
  {
    ...{ name: 'mcp', segment: 'mcp', of: 'server', guardsOrigin: true },
    load: async () => (await import('./mcp/mcp.ts')).mcpDoor(await loadTools[tools]()),
  },
  {
    ...{ name: 'fdp', segment: 'fdp', of: 'server' },
    load: () => import('./fdp/fdp.ts'),
    embed: async () => (await import('./fdp/schema-org.ts')).describeForSearchEngines,
  },
];

/** The doors of a server. @param segments their path segments, by name; null: left out; unset: the usual segment */
export const openDoors = (
  segments: Readonly<Record<string, string | null>> = {},
  tools: McpTools = 'own',
): readonly Door[] =>
  doors(tools).flatMap((door) => {
    const { [door.name]: segment = door.segment } = segments;
    return segment === null ? [] : [{ ...door, segment }];
  });
