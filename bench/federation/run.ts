/**
 * Prints what federation itself costs: over the slowest node, for merging, in memory.
 *
 *   node bench/federation/run.ts [merging] [overhead] [exact] [views] [memory] [download]     default: all of them
 *
 * The nodes are stubs in one process of their own, which answer fixed bodies after fixed delays; the portal is the
 * program as an operator starts it.
 */
import { percentile } from '../engine/median.ts';
import { line, title } from './lines.ts';
import type { Cost } from './merging.ts';
import { mergeBucketsMs, mergeHitsMs } from './merging.ts';
import type { Sent } from './stub-nodes.ts';
import { queryPortal, askStub, downloadFile, startPortal, type View } from './portal.ts';
import { sized } from '../size.ts';

const costLine = (what: string, { ms, processorMs }: Cost, target: number | null = null): void =>
  line(`${what} (by the clock ${ms.toFixed(1)})`, processorMs, 'ms', target);

const measureMerging = async (): Promise<void> => {
  title('merging parsed answers of 20 nodes, processor time');
  const small = await mergeBucketsMs(20, 1_000, 2_000, sized(51, 1));
  costLine('1 000 buckets each, of 2 000 keys', small);
  const middle = await mergeBucketsMs(20, 10_000, 20_000, sized(21, 1));
  costLine('10 000 buckets each, of 20 000 keys', middle, 60);
  const large = await mergeBucketsMs(20, sized(100_000, 10_000), sized(200_000, 20_000), sized(5, 1));
  costLine('100 000 buckets each, of 200 000 keys', large);
  line('  10 000 against 1 000', middle.processorMs / small.processorMs, 'x', 12);
  line('  100 000 against 10 000', large.processorMs / middle.processorMs, 'x', 12);
  costLine('first 100 hits, two sort keys', await mergeHitsMs(20, 100, sized(101, 1)));
  costLine('first 10 000 hits, two sort keys', await mergeHitsMs(20, 10_000, sized(5, 1)));
};

/** Spread between 20 and 50 ms, so that the answers do not all arrive at once. */
const delays = (nodes: number): readonly number[] =>
  Array.from({ length: nodes }, (_, node) => 20 + Math.round((30 * node) / (nodes - 1)));

const slowestMs = 50;

/** Milliseconds past the slowest delay, of so many questions one after the other. */
const overSlowest = async (questions: number, run: (number: number) => Promise<void>): Promise<number[]> => {
  const times: number[] = [];
  for (let number = 0; number < questions; number += 1) {
    const startedMs = performance.now();
    await run(number);
    times.push(performance.now() - startedMs - slowestMs);
  }
  return times;
};

/** Compiled code shows what a server costs that has run for a while. */
const warmUp = async (run: (number: number) => Promise<void>): Promise<void> => {
  const [clients, questions] = sized([10, 150], [2, 2]);
  const client = (_: unknown, at: number) =>
    overSlowest(questions, (number) => run((at + 1) * 1_000 + number));
  await Promise.all(Array.from({ length: clients }, client));
};

const measureOverhead = async (nodes: number, targetMs: number): Promise<void> => {
  const portal = await startPortal(delays(nodes));
  try {
    const run = (number: number): Promise<void> => queryPortal(portal.url, number);
    const questions = sized(200, 3);
    await warmUp(run);
    const used = await portal.processorMs();
    const times = await overSlowest(questions, run);
    const processorMs = ((await portal.processorMs()) - used) / questions;
    const direct = await overSlowest(sized(50, 2), () => askStub(portal.slowestUrl));
    line(`${nodes} nodes, over the slowest one's 50 ms: median`, percentile(times, 0.5), 'ms', targetMs);
    line(`${nodes} nodes: 95 of 100 below`, percentile(times, 0.95), 'ms');
    line('  the slowest node queried directly, over its 50 ms: median', percentile(direct, 0.5), 'ms');
    line('  processor time of the portal for each question', processorMs, 'ms');
  } finally {
    await portal.close();
  }
};

/** A page whose ten sites every node lists whole, and one whose lists are cut, so that nodes are asked a second time. */
const measureExact = async (nodes: number): Promise<void> => {
  for (const lists of ['whole', 'cut'] as const) {
    const portal = await startPortal(delays(nodes), undefined, lists);
    try {
      const run = (number: number): Promise<void> => queryPortal(portal.url, number);
      const questions = sized(100, 3);
      await warmUp(run);
      const [used, before] = [await portal.processorMs(), await portal.sent()];
      const times = await overSlowest(questions, run);
      const [usedMs, after] = [(await portal.processorMs()) - used, await portal.sent()];
      const each = (part: keyof Sent): number => (after[part] - before[part]) / questions;
      line(`${nodes} nodes, ${lists} lists: median, beyond 50 ms`, percentile(times, 0.5), 'ms');
      line('  requests to nodes for each question', each('requests'), '');
      line('  bytes sent to nodes', each('bytesIn'), 'B');
      line('  bytes received', each('bytesOut'), 'B');
      line('  processor time of the portal', usedMs / questions, 'ms');
    } finally {
      await portal.close();
    }
  }
};

/** A page through the field `network` and through the document type, alternating: processor time of each. */
const measureViews = async (nodes: number): Promise<void> => {
  const portal = await startPortal(delays(nodes));
  try {
    const used = { network: 0, documentType: 0 };
    const run = async (view: View, questions: number): Promise<void> => {
      const before = await portal.processorMs();
      for (let number = 0; number < questions; number += 1) await queryPortal(portal.url, number, view);
      used[view] += ((await portal.processorMs()) - before) / questions;
    };
    const rounds = sized(8, 1);
    for (let round = 0; round < rounds + 2; round += 1) {
      if (round === 2) Object.assign(used, { network: 0, documentType: 0 });
      const order: readonly View[] =
        round % 2 === 0 ? ['network', 'documentType'] : ['documentType', 'network'];
      for (const view of order) await run(view, sized(40, 2));
    }
    line(`${nodes} nodes, through network: processor time`, used.network / rounds, 'ms');
    line(`${nodes} nodes, through the document type`, used.documentType / rounds, 'ms');
    line('  document type against network', used.documentType / used.network, 'x', 1);
  } finally {
    await portal.close();
  }
};

const measureMemory = async (): Promise<void> => {
  title('100 federated queries at once, 20 nodes');
  const queries = sized(1_000, 20);
  const portal = await startPortal(delays(20));
  try {
    for (let round = 0; round < sized(30, 1); round += 1) await queryPortal(portal.url, round);
    const before = await portal.residentMebibytes();
    const startedMs = performance.now();
    let sent = 0;
    const client = async (): Promise<void> => {
      while (sent < queries) await queryPortal(portal.url, (sent += 1));
    };
    await Promise.all(Array.from({ length: 100 }, client));
    const seconds = (performance.now() - startedMs) / 1_000;
    const after = await portal.residentMebibytes();
    line('resident before', before.now, 'MiB');
    line('peak while 100 clients sent their queries', after.peak, 'MiB');
    line('  that is, for each query under way', (after.peak - before.now) / 100, 'MiB');
    line('questions a second, of 20 nodes each', queries / seconds, '/s');
  } finally {
    await portal.close();
  }
};

const downloadedNodes = 20;
const downloadedRows = 2_000_000;

/** Resident memory while all records of all nodes are downloaded in one order; nothing of the file is kept here. */
const measureDownload = async (): Promise<void> => {
  title(`${downloadedNodes} nodes of ${downloadedRows / downloadedNodes} records in one sorted file`);
  const portal = await startPortal(Array.from({ length: downloadedNodes }, () => 0));
  try {
    await downloadFile(portal.url, { nodesFilter: ['n0'] });
    const { now: idle } = await portal.residentMebibytes();
    let peak = idle;
    const sampling = setInterval(() => {
      void portal.residentMebibytes().then(({ now }) => (peak = Math.max(peak, now)));
    }, 20);
    const startedMs = performance.now();
    const used = await portal.processorMs();
    const lines = await downloadFile(portal.url, {});
    const usedMs = (await portal.processorMs()) - used;
    clearInterval(sampling);
    if (lines !== downloadedRows + 1) throw new Error(`${downloadedRows + 1} lines expected, ${lines} came`);
    line('resident memory above idle, at most', peak - idle, 'MiB', 100);
    line('  idle', idle, 'MiB');
    line('processor time of the portal for 1 000 rows', (usedMs / downloadedRows) * 1_000, 'ms');
    line('rows a second', downloadedRows / ((performance.now() - startedMs) / 1_000), '/s');
  } finally {
    await portal.close();
  }
};

const parts = process.argv.slice(2);
const wanted = (part: string): boolean => parts.length === 0 || parts.includes(part);
if (wanted('merging')) await measureMerging();
if (wanted('overhead')) {
  title('a portal page (two facets, stats, 20 hits) over HTTP');
  await measureOverhead(3, 5);
  await measureOverhead(20, 15);
}
if (wanted('exact')) {
  title('ten sites of a portal page: lists alone, and exact counts of what they cut');
  await measureExact(3);
  await measureExact(20);
}
if (wanted('views')) {
  title('a portal page with three facets and 20 hits, queried in two ways');
  await measureViews(3);
  await measureViews(20);
}
if (wanted('memory')) await measureMemory();
if (wanted('download')) await measureDownload();
