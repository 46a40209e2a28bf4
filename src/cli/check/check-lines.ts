import { escapedText, firstOf } from '../../lib/text/escaped-text.ts';
import type { FieldCoverage, FieldReport } from '../../federation/nodes/network-fields.ts';
import { textTables } from '../terminal/text-table.ts';
import type { CheckedNetwork, CheckedNode } from './check-network.ts';
import { countOf, plural } from '../../lib/text/plural.ts';

/**
 * A checked network for a terminal: its nodes, then the matrix of fields and nodes, in several tables if not all
 * nodes fit side by side. A large network is summarised.
 * @param width of the terminal, in characters
 */
export const networkLines = (network: ShownNetwork, width: number): readonly string[] =>
  checkedLines(network, width).map((line) => escapedText(line));

type ShownNetwork = Omit<CheckedNetwork, 'portal'>;

const checkedLines = (
  { name, where, nodes, fields, warnings, problems }: ShownNetwork,
  width: number,
): readonly string[] => {
  const isLarge = nodes.length > maxShownNodes;
  const notes = [...problems, ...warnings].map((line) => `    ${line}`);
  return [
    `  network ${name} (${where})`,
    ...(isLarge ? manyNodeLines(nodes, nodeLines) : nodes.flatMap(nodeLines)),
    // each problem needs an action, so all are listed
    ...(isLarge
      ? [...notes.slice(0, problems.length), ...firstWarnings(notes.slice(problems.length))]
      : notes),
    '',
    ...textTables(isLarge ? fieldCounts(fields) : fieldRows(nodes, fields), width - indent.length, heads, {
      indent,
      rule: true,
      maxLength,
      ...(isLarge && { alignedRight: [2, 3, 4, 5, 6] }),
    }),
    isLarge
      ? '    how many nodes have each field; --json says which'
      : '    = under the same name, - missing, ? not known',
  ];
};

const fieldRows = (
  nodes: ShownNetwork['nodes'],
  fields: ShownNetwork['fields'],
): readonly (readonly string[])[] => [
  ['field', 'type', ...nodes.map(({ nodeId }) => nodeId)],
  ...fields.map((field) => [
    field.path,
    field.isArray ? `[${field.type}]` : field.type,
    ...field.nodes.map((node) => cell(node, field.path)),
  ]),
];

const nodeLines = (node: CheckedNode): readonly string[] => {
  const {
    nodeId,
    graphqlName,
    state,
    reason,
    address,
    reachability,
    discoveryMs,
    inferred,
    version,
    institutions,
    warnings,
  } = node;
  const name = graphqlName === nodeId ? '' : ` (${graphqlName} in GraphQL)`;
  const behind = institutions === null ? '' : `, a network of ${countOf(institutions, 'institution')}`;
  const lines = [`    node ${nodeId}${name}: ${state}${behind}${reason === null ? '' : `, ${reason}`}`];
  if (reachability !== null) {
    const { reachable, status, tookMs, tls } = reachability;
    const reached = reachable
      ? `answers HTTP ${status} in ${tookMs} ms`
      : `not reachable: ${reachability.reason}`;
    lines.push(`      ${address}: ${reached}`);
    if (tls !== null) lines.push(`      ${tlsText(tls)}`);
    const how =
      inferred === null ? 'nothing found' : inferred ? 'fields inferred' : 'fields as declared there';
    const server = version === null ? 'server version unknown' : `server ${version}`;
    lines.push(`      discovery: ${how} in ${discoveryMs} ms, ${server}`);
  }
  return [...lines, ...warnings.map((warning) => `      ${warning}`)];
};

const tlsText = ({ valid, protocol, validUntil, reason }: TlsProbe): string =>
  protocol === null
    ? `TLS: no connection (${reason})`
    : `TLS: ${protocol}, certificate ${valid ? 'valid' : `not valid (${reason})`}, until ${validUntil}`;

type TlsProbe = NonNullable<NonNullable<CheckedNode['reachability']>['tls']>;

const cell = ({ state, path, type, constant }: FieldCoverage, networkPath: string): string => {
  if (constant !== undefined) return JSON.stringify(constant);
  switch (state) {
    case 'covered':
      return path === networkPath ? '=' : path!;
    case 'missing':
      return '-';
    case 'conflict':
      return `conflict: ${type}`;
    case 'unknown':
      return '?';
  }
};

/** Field names of other nodes may be of any length. */
const maxLength = 60;

const indent = '    ';
/** Every table begins with the field's path and type. */
const heads = 2;

/** Networks with more nodes are summarised: their lines and columns would fill thousands of screens. */
const maxShownNodes = 32;

/** How many nodes, and how many names of nodes that share a warning, are listed. */
const maxListed = 20;
const maxNames = 5;

/**
 * The nodes of a large network: how many are in each state, those with problems, and each warning once.
 * @param linesOf the lines of one node as in a small network, including its warnings
 */
const manyNodeLines = (
  nodes: readonly CheckedNode[],
  linesOf: (node: CheckedNode) => readonly string[],
): readonly string[] => {
  const inTrouble = nodes.filter(isInTrouble);
  const others = nodes.filter((node) => !isInTrouble(node));
  const states = [...Map.groupBy(nodes, ({ state }) => state)].map(
    ([state, { length }]) => `${length} ${state}`,
  );
  return [
    `    ${nodes.length} ${plural(nodes.length, 'node')}: ${states.join(', ')}`,
    ...slowestLines(nodes),
    ...inTrouble.slice(0, maxListed).flatMap(linesOf),
    ...more(inTrouble.length - maxListed, 'nodes in trouble'),
    ...warningLines(others),
  ];
};

const fieldCounts = (fields: readonly FieldReport[]): readonly (readonly string[])[] => [
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

/** The first lines of a list that grows with the nodes, and how many more there are. */
const firstWarnings = (lines: readonly string[]): readonly string[] => [
  ...lines.slice(0, maxListed),
  ...more(lines.length - maxListed, 'warnings'),
];

const more = (count: number, what: string): readonly string[] =>
  count > 0 ? [`    and ${count} more ${what}: --json lists all`] : [];

const isInTrouble = ({ state, dialsIn, reachability }: CheckedNode): boolean =>
  (state !== 'ok' && !dialsIn) || reachability?.reachable === false || reachability?.tls?.valid === false;

const slowestLines = (nodes: readonly CheckedNode[]): readonly string[] => {
  const reached = nodes
    .flatMap(({ nodeId, reachability }) =>
      reachability?.reachable === true ? [{ nodeId, tookMs: reachability.tookMs }] : [],
    )
    .sort((one, other) => one.tookMs - other.tookMs);
  const slowest = reached.at(-1);
  if (slowest === undefined) return [];
  const { tookMs: median } = reached[Math.floor((reached.length - 1) / 2)]!;
  return [
    `      ${reached.length} answer HTTP, half of them within ${median} ms, ${slowest.nodeId} last in ${slowest.tookMs} ms`,
  ];
};

const warningLines = (nodes: readonly CheckedNode[]): readonly string[] => {
  const all = nodes.flatMap(({ nodeId, warnings }) => warnings.map((text) => ({ nodeId, text })));
  const lines = [...Map.groupBy(all, ({ text }) => text)].map(
    ([text, having]) =>
      `      ${firstOf(
        having.map(({ nodeId }) => nodeId),
        maxNames,
      )}: ${text}`,
  );
  return firstWarnings(lines);
};
