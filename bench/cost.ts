/**
 * Prints what queries of each kind, and the requests of a portal, are estimated to cost, what they took of the processor
 * on a server that has not answered any like them, and how many times too high the estimate was. Beyond 3 times, and
 * below half of it without what is compiled first, it fails.
 *
 *   node bench/cost.ts [documents] [folder]     default: 1000000; a folder is filled once and kept
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEngine } from '../src/engines/open/open-engine.ts';
import { kinds, type Kind, type Sent } from './cost/kinds.ts';
import { portalRequests } from './cost/portal-requests.ts';
import { fill, index } from './engines/loaded.ts';
import { sized } from './size.ts';
import { startNode, type NodeProcess } from './engines/node-process.ts';

const most = 3;
const least = 0.5;
/** Below this a ratio says nothing, and no limit refuses it. */
const leastMs = 50;
/** What the first request of a kind takes to be compiled, at most: of large costs a small part. */
const compiledMs = 100;

interface Measured {
  readonly estimateMs: number;
  readonly coldMs: number;
  readonly warmMs: number;
}

const post = (url: string, { path, body }: Sent): Promise<Response> =>
  fetch(`${url}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });

/** The cost that a server which allows nothing names in its refusal. */
const estimateMs = async (url: string, sent: Sent): Promise<number> => {
  const text = await (await post(url, sent)).text();
  const [, cost] = /"cost":\s*(\d+)/.exec(text) ?? [];
  if (cost === undefined) throw new Error(`not refused for its cost: ${text.slice(0, 300)}`);
  return Number(cost) / 1_000;
};

const processorMs = async (node: NodeProcess, sent: Sent): Promise<number> => {
  const before = await node.cpuMs();
  const response = await post(node.url, sent);
  const text = await response.text();
  if (response.status >= 400 && !text.includes('RESPONSE_TOO_LARGE')) throw new Error(text.slice(0, 300));
  return (await node.cpuMs()) - before;
};

const started = async (maxCost: number): Promise<NodeProcess> => {
  const node = await startNode(folder, {
    SEARCH_ENGINE: 'embedded',
    DATA_PATH: folder,
    MAX_QUERY_COST: String(maxCost),
    // processor time is measured, on machines that may be busy
    SEARCH_TIMEOUT_MS: '600000',
  });
  return node;
};

/** It has answered requests, but none that reads values: what it knows of strings and orders is to be measured. */
const fresh = async (): Promise<NodeProcess> => {
  const node = await started(0);
  for (let first = 1; first <= 20; first++)
    await post(node.url, {
      path: '/graphql',
      body: JSON.stringify({
        query: `{ specimen { hits(first: ${first}) { total edges { node { id } } } aggregations { preserved { buckets { key } } } } }`,
      }),
    });
  return node;
};

const measure = async (kind: Kind, estimate: number): Promise<Measured> => {
  const node = await fresh();
  try {
    const coldMs = await processorMs(node, kind.sent(1));
    return { estimateMs: estimate, coldMs, warmMs: await processorMs(node, kind.sent(2)) };
  } finally {
    await node.close();
  }
};

const isFair = ({ estimateMs, coldMs }: Measured): boolean =>
  estimateMs <= most * Math.max(coldMs, leastMs) && (coldMs - compiledMs) * least <= estimateMs;

const print = (name: string, measured: Measured): void => {
  const { estimateMs: estimate, coldMs, warmMs } = measured;
  const cells = [estimate, coldMs, warmMs].map((ms) => `${ms.toFixed(0)} ms`.padStart(11)).join('');
  const ratio = (estimate / coldMs).toFixed(1).padStart(8);
  console.log(`${name.padEnd(34)}${cells}${ratio}  ${isFair(measured) ? 'ok' : 'MISSED'}`);
};

const run = async (): Promise<void> => {
  const recorder = await started(0);
  const portal = await portalRequests(recorder.url);
  await recorder.close();
  const all = [...kinds, ...portal].filter(({ name }) => name.includes(only));
  const measured = all.filter((_, at) => at % sized(1, 40) === 0);
  const refusing = await started(1);
  const estimates = new Map<Kind, number>();
  for (const kind of all) estimates.set(kind, await estimateMs(refusing.url, kind.sent(1)));
  await refusing.close();
  console.log(`load average ${loadavg()[0]!.toFixed(1)}`);
  console.log(
    `${''.padEnd(34)}${['estimate', 'cold', 'again'].map((what) => what.padStart(11)).join('')}   ratio`,
  );
  for (const kind of measured) {
    const found = await measure(kind, estimates.get(kind)!);
    print(kind.name, found);
    if (!isFair(found)) process.exitCode = 1;
  }
};

const [documents = '1000000', folderArgument, only = ''] = process.argv.slice(2);
const folder = folderArgument ?? (await mkdtemp(join(tmpdir(), 'tributary-cost-')));
try {
  if (!existsSync(join(folder, `${index}.sqlite`))) {
    const engine = await openEngine({ kind: 'embedded', dataPath: folder });
    await fill(engine, Number(documents));
    await engine.close();
  }
  await run();
} finally {
  if (folderArgument === undefined) await rm(folder, { recursive: true, force: true });
}
