import type { FieldCoverage } from '../federation/field-report.ts';
import type { CheckedNetwork, CheckedNode } from './check-network.ts';

/** A checked network for a terminal: its nodes, then the matrix of fields and nodes. */
export const networkLines = ({ name, where, nodes, fields, warnings }: CheckedNetwork): readonly string[] => [
  `  network ${name} (${where})`,
  ...nodes.flatMap(nodeLines),
  ...warnings.map((warning) => `    ${warning}`),
  '',
  ...table([
    ['field', 'type', ...nodes.map(({ nodeId }) => nodeId)],
    ...fields.map((field) => [
      field.path,
      field.isArray ? `[${field.type}]` : field.type,
      ...field.nodes.map((node) => cell(node, field.path)),
    ]),
  ]).map((line) => `    ${line}`),
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

/** Rows as lines, their columns below each other; the first row is the head. */
const table = (rows: readonly (readonly string[])[]): readonly string[] => {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const line = (row: readonly string[]): string =>
    row.map((text, column) => text.padEnd(widths[column]!)).join('  ').trimEnd();
  return [line(rows[0]!), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.slice(1).map(line)];
}; // prettier-ignore
