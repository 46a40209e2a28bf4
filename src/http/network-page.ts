import { createHash } from 'node:crypto';
import type { NetworkBody, NodeBody } from './network-body.ts';

type Field = NetworkBody['fields'][number];

const style = `
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem; color: #1b1b1b; background: #fff }
table { border-collapse: collapse; margin: 1rem 0 2rem }
caption { text-align: left; font-weight: 600; padding: .3rem 0 }
th, td { border: 1px solid #c8c8c8; padding: .3rem .6rem; text-align: left; vertical-align: top }
thead th { background: #f2f2f2 }
.scroll { overflow-x: auto }
.bad { color: #a40000; font-weight: 600 }
.quiet { color: #595959 }
`;

/** The page loads nothing and runs nothing; its one style sheet is named by its hash. */
export const networkPagePolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** The network for people: the same as the JSON, as two tables. Everything is escaped. */
export const networkPage = (body: NetworkBody): string => {
  const { name, ready, partial, nodes, fields, warnings } = body;
  const summary = !ready
    ? 'Nodes are still being discovered.'
    : partial
      ? 'Some nodes cannot answer now: answers are partial.'
      : 'All nodes answer.';
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(name)}</title><style>${style}</style></head>
<body>
<h1>${escaped(name)}</h1>
<p>${summary}</p>
<div class="scroll">${table('Nodes', nodeColumns, nodes.map(nodeRow))}</div>
${warnings.length === 0 ? '' : `<h2>Warnings</h2><ul>${warnings.map((warning) => `<li>${escaped(warning)}</li>`).join('')}</ul>`}
<div class="scroll">${table('Fields', ['Field', 'Type', ...nodes.map((node) => node.name)], fields.map(fieldRow))}</div>
</body>
</html>
`;
};

const table = (caption: string, columns: readonly string[], rows: readonly string[]): string =>
  `<table><caption>${caption}</caption><thead><tr>${columns.map((column) => `<th scope="col">${escaped(column)}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table>`;

const nodeColumns = ['Node', 'Kind', 'State', 'Since', 'Last error', 'Last answer', 'p50 / p95 / p99 ms', 'Requests', 'Failures', 'Circuit', 'Fields']; // prettier-ignore

const nodeRow = (node: NodeBody): string => {
  const { latencyMs, lastError, discovery } = node;
  const cells = [
    node.kind,
    marked(node.state, node.state !== 'ok' && node.state !== 'discovering'),
    escaped(node.since),
    lastError ? `${escaped(lastError.reason)} <span class="quiet">${escaped(`${lastError.code} ${lastError.at}`)}</span>` : '',
    escaped(node.lastAnswer ?? ''),
    latencyMs ? `${latencyMs.p50} / ${latencyMs.p95} / ${latencyMs.p99}` : '',
    String(node.requests),
    String(node.failures),
    node.circuit ?? '',
    discovery ? escaped([discovery.inferred ? 'inferred' : 'as declared', discovery.version ?? ''].join(' ')) : '',
  ]; // prettier-ignore
  const notes = node.warnings.map((warning) => `<br><span class="quiet">${escaped(warning)}</span>`).join('');
  return row(`${escaped(node.name)}<br><span class="quiet">${escaped(node.nodeId)}</span>${notes}`, cells);
};

const fieldRow = ({ path, type, isArray, nodes }: Field): string =>
  row(escaped(path), [
    escaped(isArray ? `[${type}]` : type),
    ...nodes.map((node) => {
      switch (node.state) {
        case 'covered':
          return node.path === path ? 'yes' : escaped(node.path ?? '');
        case 'missing':
          return '<span class="quiet">no</span>';
        case 'conflict':
          return `${marked('conflict', true)} ${escaped(node.reason ?? '')}`;
        case 'unknown':
          return '<span class="quiet">?</span>';
      }
    }),
  ]);

const row = (head: string, cells: readonly string[]): string =>
  `<tr><th scope="row">${head}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;

const marked = (text: string, isBad: boolean): string =>
  isBad ? `<span class="bad">${escaped(text)}</span>` : escaped(text);

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character]!);
