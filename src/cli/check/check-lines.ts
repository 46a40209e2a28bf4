import { escapedText } from '../../escaped-text.ts';
import type { FieldCoverage } from '../../federation/nodes/field-report.ts';
import type { CheckedNetwork, CheckedNode } from './check-network.ts';

/**
 * A checked network for a terminal: its nodes, then the matrix of fields and nodes, in several tables when there are
 * more nodes than fit side by side.
 * @param width of the terminal, in characters
 */
export const networkLines = (network: CheckedNetwork, width: number): readonly string[] =>
  checkedLines(network, width).map((line) => escapedText(line));

const checkedLines = (
  { name, where, nodes, fields, warnings, problems }: CheckedNetwork,
  width: number,
): readonly string[] => [
  `  network ${name} (${where})`,
  ...nodes.flatMap(nodeLines),
  ...[...problems, ...warnings].map((line) => `    ${line}`),
  '',
  ...tables(
    [
      ['field', 'type', ...nodes.map(({ nodeId }) => inTable(nodeId))],
      ...fields.map((field) => [
        inTable(field.path),
        inTable(field.isArray ? `[${field.type}]` : field.type),
        ...field.nodes.map((node) => inTable(cell(node, field.path))),
      ]),
    ],
    width - indent.length,
  ).map((line) => (line === '' ? '' : indent + line)),
  '    = under the same name, - missing, ? not known',
];

const nodeLines = (node: CheckedNode): readonly string[] => {
  const { nodeId, state, reason, address, reachability, discoveryMs, inferred, version, warnings } = node;
  const lines = [`    node ${nodeId}: ${state}${reason === null ? '' : `, ${reason}`}`];
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

/** What other nodes call their fields may be of any length. */
const longestCell = 60;
const inTable = (text: string): string => escapedText(text, longestCell);

const indent = '    ';
const gap = '  ';
/** Of the field's path and its type, which begin every table. */
const headColumns = 2;

/** Rows as tables of as many columns as fit, an empty line between them; the first row is the head. */
const tables = (rows: readonly (readonly string[])[], width: number): readonly string[] => {
  const widths = rows[0]!.map((_, column) =>
    rows.reduce((most, row) => Math.max(most, row[column]!.length), 0),
  );
  const blocks: number[][] = [];
  let room = 0;
  for (let column = headColumns; column < widths.length; column += 1) {
    const needed = gap.length + widths[column]!;
    if (blocks.length === 0 || needed > room) {
      blocks.push([0, 1]);
      room = width - widths[0]! - gap.length - widths[1]!;
    }
    blocks.at(-1)!.push(column);
    room -= needed;
  }
  return blocks.flatMap((columns, block) => [...(block === 0 ? [] : ['']), ...table(rows, columns, widths)]);
};

/** Some columns of the rows as lines, below each other. */
const table = (
  rows: readonly (readonly string[])[],
  columns: readonly number[],
  widths: readonly number[],
): readonly string[] => {
  const line = (row: readonly string[]): string =>
    columns.map((column) => row[column]!.padEnd(widths[column]!)).join(gap).trimEnd();
  const rule = columns.map((column) => '-'.repeat(widths[column]!)).join(gap);
  return [line(rows[0]!), rule, ...rows.slice(1).map(line)];
}; // prettier-ignore
