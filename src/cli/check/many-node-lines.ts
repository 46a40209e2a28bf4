import type { FieldReport } from '../../federation/nodes/network-fields.ts';
import { firstOf } from '../terminal/first-of.ts';
import type { CheckedNode } from './check-network.ts';

/** Above this many nodes a network is summed up: their lines and columns would fill thousands of screens. */
export const maxShownNodes = 32;

/** How many nodes, and how many names of nodes that share a warning, are listed. */
const maxListed = 20;
const maxNames = 5;

/**
 * The nodes of a large network: how many are in which state, those that are in trouble, and each warning once.
 * @param linesOf one node as it is shown in a small network, its warnings included
 */
export const manyNodeLines = (
  nodes: readonly CheckedNode[],
  linesOf: (node: CheckedNode) => readonly string[],
): readonly string[] => {
  const told = nodes.filter(isInTrouble);
  const others = nodes.filter((node) => !isInTrouble(node));
  const states = counted(nodes.map(({ state }) => state)).map(([state, count]) => `${count} ${state}`);
  return [
    `    ${nodes.length} nodes: ${states.join(', ')}`,
    ...slowestLines(nodes),
    ...told.slice(0, maxListed).flatMap(linesOf),
    ...more(told.length - maxListed, 'nodes in trouble'),
    ...warningLines(others),
  ];
};

/** Rows in place of the matrix of fields and nodes. */
export const fieldCounts = (fields: readonly FieldReport[]): readonly (readonly string[])[] => [
  ['field', 'type', 'same name', 'another name', 'missing', 'conflict', 'not known'],
  ...fields.map(({ path, type, isArray, nodes }) => {
    const covered = nodes.filter(({ state }) => state === 'covered');
    const same = covered.filter((node) => node.path === path).length;
    const others = (['missing', 'conflict', 'unknown'] as const).map(
      (state) => nodes.filter((node) => node.state === state).length,
    );
    return [path, isArray ? `[${type}]` : type, ...[same, covered.length - same, ...others].map(String)];
  }),
];

/** The first lines of a list that grows with the nodes, and how many there are besides. */
export const firstLines = (lines: readonly string[], what: string): readonly string[] => [
  ...lines.slice(0, maxListed),
  ...more(lines.length - maxListed, what),
];

const more = (count: number, what: string): readonly string[] =>
  count > 0 ? [`    and ${count} more ${what}: --json lists all`] : [];

const isInTrouble = ({ state, reachability }: CheckedNode): boolean =>
  state !== 'ok' || reachability?.reachable === false || reachability?.tls?.valid === false;

const slowestLines = (nodes: readonly CheckedNode[]): readonly string[] => {
  const reached = nodes
    .flatMap(({ nodeId, reachability }) =>
      reachability?.reachable === true ? [{ nodeId, tookMs: reachability.tookMs }] : [],
    )
    .sort((one, other) => one.tookMs - other.tookMs);
  const slowest = reached.at(-1);
  if (slowest === undefined) return [];
  const { tookMs: median } = reached[Math.floor((reached.length - 1) / 2)]!;
  return [`      ${reached.length} answer HTTP, half of them within ${median} ms, ${slowest.nodeId} last in ${slowest.tookMs} ms`];
}; // prettier-ignore

const warningLines = (nodes: readonly CheckedNode[]): readonly string[] => {
  const byText = new Map<string, string[]>();
  for (const { nodeId, warnings } of nodes)
    for (const warning of warnings) {
      const ids = byText.get(warning) ?? [];
      ids.push(nodeId);
      byText.set(warning, ids);
    }
  const lines = [...byText].map(([text, ids]) => `      ${firstOf(ids, maxNames)}: ${text}`);
  return firstLines(lines, 'warnings');
};

const counted = (values: readonly string[]): readonly (readonly [string, number])[] => {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts];
};
