import { escapedText } from '../../text/escaped-text.ts';
import type { FieldCoverage } from '../../federation/nodes/network-fields.ts';
import { textTables } from '../terminal/text-table.ts';
import type { CheckedNetwork, CheckedNode } from './check-network.ts';
import { fieldCounts, firstLines, manyNodeLines, maxShownNodes } from './many-node-lines.ts';

/**
 * A checked network for a terminal: its nodes, then the matrix of fields and nodes, in several tables when there are
 * more nodes than fit side by side. A large network is summed up.
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
    // each problem is a line to act on
    ...(isLarge
      ? [...notes.slice(0, problems.length), ...firstLines(notes.slice(problems.length), 'warnings')]
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
  const { nodeId, graphqlName, state, reason, address, reachability, discoveryMs, inferred, version, warnings } = node;
  const name = graphqlName === nodeId ? '' : ` (${graphqlName} in GraphQL)`;
  const lines = [`    node ${nodeId}${name}: ${state}${reason === null ? '' : `, ${reason}`}`];
  if (reachability !== null) {
    const { reachable, status, tookMs, tls } = reachability;
    const reached = reachable ? `answers HTTP ${status} in ${tookMs} ms` : `not reachable: ${reachability.reason}`;
    lines.push(`      ${address}: ${reached}`);
    if (tls !== null) lines.push(`      ${tlsText(tls)}`);
    const how = inferred === null ? 'nothing found' : inferred ? 'fields inferred' : 'fields as declared there';
    const server = version === null ? 'server version unknown' : `server ${version}`;
    lines.push(`      discovery: ${how} in ${discoveryMs} ms, ${server}`);
  }
  return [...lines, ...warnings.map((warning) => `      ${warning}`)];
}; // prettier-ignore

const tlsText = ({ valid, protocol, validUntil, reason }: TlsProbe): string =>
  protocol === null
    ? `TLS: no connection (${reason})`
    : `TLS: ${protocol}, certificate ${valid ? 'valid' : `not valid (${reason})`}, until ${validUntil}`;

type TlsProbe = NonNullable<NonNullable<CheckedNode['reachability']>['tls']>;

const cell = ({ state, path, type }: FieldCoverage, networkPath: string): string => {
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
