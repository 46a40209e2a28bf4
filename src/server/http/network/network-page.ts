import { createHash } from 'node:crypto';
import { html, type SafeHtml } from '@remix-run/html-template';
import { escapedText } from '../../../lib/text/escaped-text.ts';
import type { NetworkBody, NodeBody } from './network-body.ts';
import { countOf, plural } from '../../../lib/text/plural.ts';

type Field = NetworkBody['fields'][number];

const style = `
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem; color: #1b1b1b; background: #fff }
table { border-collapse: collapse; margin: 1rem 0 2rem; font-size: .875rem }
caption { text-align: left; font-weight: 600; padding: .3rem 0 }
th, td { border: 1px solid #c8c8c8; padding: .3rem .6rem; text-align: left; vertical-align: top }
thead th { background: #f2f2f2 }
tbody th { position: sticky; left: 0; min-width: 10rem; background: #fff }
time, .number { white-space: nowrap }
.number { text-align: right; font-variant-numeric: tabular-nums }
.scroll { overflow-x: auto }
.trouble { border-left: .4rem solid #a40000; padding-left: 1rem; list-style: none }
.trouble li { margin: .6rem 0 }
.bad { color: #a40000; font-weight: 600 }
.quiet { color: #595959; font-weight: 400 }
`;

/** The page loads nothing and runs nothing; its one style sheet is named by its hash. */
export const networkPagePolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/**
 * The network as a page: first the nodes with problems, why and since when; then the content of the JSON as two tables.
 * @param nowMs the time of the page, in milliseconds since 1970
 */
export const networkPage = (body: NetworkBody, nowMs: number): string => {
  const { name, nodes, fields, warnings } = body;
  const isLarge = nodes.length > maxShownNodes;
  const listed = html`<ul>${warnings.map((warning) => html`<li>${shown(warning)}</li>`)}</ul>`;
  const covering = isLarge
    ? table('Fields, and how many nodes have them', fieldCountColumns, fields.map(fieldCountRow))
    : table('Fields', ['Field', 'Type', ...nodes.map((node) => node.name)], fields.map(fieldRow));
  return documentOf(
    name,
    html`<h1>${shown(name)}</h1>
${summary(body, nowMs)}
${nodeTables(nodes, isLarge)}
${warnings.length === 0 ? '' : html`<h2>Warnings</h2>${warnings.length > maxListed ? folded(`${warnings.length} warnings`, listed) : listed}`}
<div class="scroll">${covering}</div>`,
  );
};

/** Above this many nodes, healthy ones are folded and fields are counted: their columns would fill thousands of screens. */
const maxShownNodes = 32;
/** The maximum number of lines above the tables. */
const maxListed = 20;

/** Problems come first, for an operator on call. */
const nodeTables = (nodes: readonly NodeBody[], isLarge: boolean): SafeHtml => {
  const scrolled = (caption: string, some: readonly NodeBody[]) =>
    html`<div class="scroll">${table(caption, nodeColumns, some.map(nodeRow))}</div>`;
  const bad = nodes.filter(isInTrouble);
  const others = nodes.filter((node) => !isInTrouble(node));
  if (!isLarge) return scrolled('Nodes', [...bad, ...others]);
  return html`${bad.length === 0 ? '' : scrolled('Nodes in trouble', bad)}${others.length === 0 ? '' : folded(`${countOf(others.length, 'node')} that ${plural(others.length, 'is', 'are')} not`, scrolled('Nodes', others))}`;
};

const folded = (title: string, content: SafeHtml): SafeHtml =>
  html`<details><summary>${title}</summary>${content}</details>`;

/**
 * The page for a browser without access to the network: how to sign in, since it cannot send a token by itself.
 * @param reason why access is refused, safe to show; @param path the path of the page
 */
export const signInPage = (reason: string, path: string): string =>
  documentOf(
    'Sign in',
    html`<h1>Sign in to see this network</h1>
<p class="bad">${shown(reason)}</p>
<p>The state of this network's nodes, and the fields they have, are shown to those who may search here. This server knows
them by the bearer token that their institution's sign-in issues.</p>
<ul>
<li>In a portal: sign in there. It sends your token with every search, and its page of the network uses it too.</li>
<li>In a terminal, with your token in TOKEN:<pre>curl -H "authorization: Bearer $TOKEN" -H "accept: application/json" "https://this-server${shown(path)}"</pre></li>
<li>In this browser: an extension that sends the header <code>authorization: Bearer ...</code> to this server.</li>
</ul>
<p class="quiet">A token that is refused has expired, or was issued by a sign-in that this server does not know; its operator can
say which it takes.</p>`,
  );

const documentOf = (title: string, body: SafeHtml): string =>
  html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${shown(title)}</title>${styleSheet}</head>
<body>
${body}
</body>
</html>
`.toString();

/** Unchanged, since its hash is in the policy. */
const styleSheet = html.raw`<style>${style}</style>`;

const isInTrouble = ({ state }: NodeBody): boolean => state !== 'ok' && state !== 'discovering';

const summary = (body: NetworkBody, nowMs: number): SafeHtml => {
  const { problem, since } = body.configuration;
  const files =
    problem === null
      ? ''
      : html`<p><strong class="bad">The configuration files are not in effect:</strong> ${shown(problem)}. The network is served as configured on ${timeOf(since)}.</p>`;
  return html`${stateOfNodes(body, nowMs)}${files}`;
};

const stateOfNodes = ({ ready, partial, nodes }: NetworkBody, nowMs: number): SafeHtml => {
  const asOf = html`<span class="quiet">As of ${timeOf(new Date(nowMs).toISOString())}.</span>`;
  if (!ready) return html`<p>Nodes are still being discovered. ${asOf}</p>`;
  const bad = nodes.filter(isInTrouble);
  const late = nodes.filter(({ state }) => state === 'discovering').length;
  if (bad.length + late === 0) return html`<p>All nodes answer. ${asOf}</p>`;
  if (bad.length === 0)
    return html`<p>${late} of ${nodes.length} nodes ${plural(late, 'is', 'are')} still being discovered; the others answer. ${asOf}</p>`;
  const count = `${bad.length} of ${nodes.length} nodes ${plural(bad.length, 'is', 'are')} in trouble`;
  const meaning = partial ? 'Answers are partial.' : 'All nodes are still queried.';
  const lines = bad.slice(0, maxListed).map((node) => html`<li>${troubleText(node, nowMs)}</li>`);
  const more =
    bad.length > maxListed ? html`<li>And ${bad.length - maxListed} more, in the table below.</li>` : '';
  return html`<p><strong class="bad">${count}.</strong> ${meaning} ${asOf}</p><ul class="trouble">${lines}${more}</ul>`;
};

const waitingText = (nodeId: string, { dialled, fields, values }: NonNullable<NodeBody['waits']>): SafeHtml =>
  html`has used its invitation and waits to be accepted; it proposes ${countOf(fields, 'field')} and ${countOf(values, 'value')}, which <code>tributary members ${shown(nodeId)}</code> shows.<br>Last dialled ${timeOf(dialled)}.`;

/** The meaning of a state, and how it ends by itself. */
const meanings: Readonly<Record<NodeBody['state'], string>> = {
  discovering: 'is being discovered',
  ok: 'answers',
  failing: 'is failing, but is still queried',
  discoveryFailed:
    'failed discovery and is not queried until its entry changes or this server restarts; tributary check tries it again',
  unavailable: 'cannot be searched; it returns as soon as its catalogue is available',
  circuitOpen: 'did not answer three times in a row; it is paused, and the next query tries it again',
  disconnected: 'is not connected; it returns as soon as its server dials in',
  invited: 'has been invited, and waits to be accepted; see tributary members',
};

/** The meaning of the state of one node: when it is tried again may be in its entry. */
const meaningOf = ({ state, rediscoverMs = null }: NodeBody): string =>
  rediscoverMs === null
    ? meanings[state]
    : `failed discovery and is not queried; it is tried again after ${duration(rediscoverMs)}`;

const troubleText = (node: NodeBody, nowMs: number): SafeHtml => {
  const { name, nodeId, since, lastError, waits } = node;
  if (waits !== undefined)
    return html`<strong>${shown(name)}</strong> <span class="quiet">${shown(nodeId)}</span> ${waitingText(nodeId, waits)}`;
  const why = lastError ? html`<br>${errorText(lastError)}` : '';
  return html`<strong>${shown(name)}</strong> <span class="quiet">${shown(nodeId)}</span> ${meaningOf(node)}.<br>Since ${timeOf(since)}, for ${duration(nowMs - Date.parse(since))}.${why}`;
};

const errorText = ({ reason, code, at }: NonNullable<NodeBody['lastError']>): SafeHtml =>
  html`<span class="bad">${shown(reason)}</span> <span class="quiet">${shown(code ?? '')}${at === null ? '' : html`, last at ${timeOf(at)}`}</span>`;

/** An ISO 8601 time for display: to the second, with its time zone. */
const timeOf = (iso: string): SafeHtml =>
  html`<time datetime="${shown(iso)}">${shown(iso.slice(0, 19).replace('T', ' '))} UTC</time>`;

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** The largest unit that fits, rounded down: "3 hours". */
const duration = (ms: number): string => {
  const [unit, length] = units.find(([, most]) => ms >= most) ?? units[3];
  const number = Math.max(0, Math.floor(ms / length));
  return `${number} ${plural(number, unit)}`;
};

const table = (caption: string, columns: readonly string[], rows: SafeHtml[]): SafeHtml =>
  html`<table><caption>${caption}</caption><thead><tr>${columns.map((column) => html`<th scope="col">${shown(column)}</th>`)}</tr></thead><tbody>${rows}</tbody></table>`;

const nodeColumns = [
  'Node',
  'State',
  'Since',
  'Last answer',
  'Last error',
  'Requests',
  'Failed',
  'p50 ms',
  'p95 ms',
  'p99 ms',
];

const nodeRow = (node: NodeBody): SafeHtml => {
  const { latencyMs, lastError, lastAnswer } = node;
  const numbers = [node.requests, node.failures, latencyMs?.p50, latencyMs?.p95, latencyMs?.p99];
  return row(nodeHead(node), [
    cell(marked(node.state, isInTrouble(node))),
    cell(timeOf(node.since)),
    cell(lastAnswer === null ? '' : timeOf(lastAnswer)),
    cell(
      lastError === null
        ? ''
        : html`${shown(lastError.reason)}<br><span class="quiet">${shown(lastError.code ?? '')}${lastError.at === null ? '' : html`<br>${timeOf(lastError.at)}`}</span>`,
    ),
    ...numbers.map((number) => html`<td class="number">${number ?? ''}</td>`),
  ]);
};

const nodeHead = ({ name, nodeId, kind, discovery, warnings, dialsIn, institutions }: NodeBody): SafeHtml => {
  const server = discovery?.version == null ? '' : `, ${discovery.version}`;
  const behind = institutions === undefined ? [] : [`a network of ${countOf(institutions, 'institution')}`];
  const notes = [`${nodeId}, ${dialsIn ? 'dials in' : kind}${server}`, ...behind, ...warnings];
  return html`${shown(name)}${notes.map((note) => html`<br><span class="quiet">${shown(note)}</span>`)}`;
};

const fieldRow = ({ path, type, isArray, nodes }: Field): SafeHtml =>
  row(shown(path), [
    cell(shown(isArray ? `[${type}]` : type)),
    ...nodes.map((node) => cell(coverageText(node, path))),
  ]);

const fieldCountColumns = [
  'Field',
  'Type',
  'Same name',
  'Another name',
  'Missing',
  'In conflict',
  'Not known',
];

const fieldCountRow = ({ path, type, isArray, nodes }: Field): SafeHtml => {
  const count = (isMeant: (node: Field['nodes'][number]) => boolean): number => nodes.filter(isMeant).length;
  const counts = [
    count((node) => node.state === 'covered' && node.path === path),
    count((node) => node.state === 'covered' && node.path !== path),
    ...(['missing', 'conflict', 'unknown'] as const).map((state) => count((node) => node.state === state)),
  ];
  return row(shown(path), [
    cell(shown(isArray ? `[${type}]` : type)),
    ...counts.map((number) => html`<td class="number">${number}</td>`),
  ]);
};

const coverageText = (node: Field['nodes'][number], path: string): SafeHtml | string => {
  switch (node.state) {
    case 'covered':
      return node.path === path ? 'yes' : shown(node.path ?? '');
    case 'missing':
      return html`<span class="quiet">no</span>`;
    case 'conflict':
      return html`${marked('conflict', true)} ${shown(node.reason ?? '')}`;
    case 'unknown':
      return html`<span class="quiet">?</span>`;
  }
};

const row = (head: SafeHtml | string, cells: SafeHtml[]): SafeHtml =>
  html`<tr><th scope="row">${head}</th>${cells}</tr>`;

const cell = (content: SafeHtml | string): SafeHtml => html`<td>${content}</td>`;

const marked = (text: string, isBad: boolean): SafeHtml | string =>
  isBad ? html`<span class="bad">${shown(text)}</span>` : shown(text);

/** Text from other nodes must not reorder or hide the text around it; the templates escape the markup. */
const shown = (text: string): string => escapedText(text);
