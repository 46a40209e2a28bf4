/**
 * Prints what a network of very many nodes costs its root: discovery, processor time, memory, and when answers come.
 *
 *   node bench/federation/many-nodes.ts [10] [100] [1000] [young=16]
 *
 * Default: all of them. `young` is the bound on the young part of the root's heap in MiB.
 *
 * The nodes are stubs in other processes, as `many-answers.ts` has them; the root is the program as an operator starts it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../engine/median.ts';
import { line, title } from './lines.ts';
import { tempers } from './many-answers.ts';
import { askMany, startMany, type Many } from './many-root.ts';
import { sized } from '../size.ts';

/** The targets for a number of nodes. */
interface Targets {
  readonly processorMs: number;
  /** Over the time in which 95 % of the nodes answer. */
  readonly shareMs: number;
  /** Over the deadline. */
  readonly lastMs: number;
  readonly askersMebibytes: number;
}

const targets: Readonly<Record<number, Targets>> = {
  1000: { processorMs: 150, shareMs: 50, lastMs: 100, askersMebibytes: 600 },
};
const args = process.argv.slice(2);
const young = args.find((one) => one.startsWith('young='))?.slice('young='.length);
const start = young === undefined ? {} : { youngMebibytes: Number(young) };
const discoveryMebibytes = 300;
const deadlineMs = 5_000;

let question = 0;
/** The share of the nodes that each question was answered by. */
const answered: number[] = [];
let refused = 0;
const run = async (many: Many, waitFor?: object): Promise<number> => {
  const startedMs = performance.now();
  const share = await askMany(many.url, (question += 1), waitFor);
  if (share === null) refused += 1;
  else answered.push(share);
  return performance.now() - startedMs;
};

const times = async (count: number, one: () => Promise<number>): Promise<readonly number[]> => {
  const found: number[] = [];
  for (let round = 0; round < count; round += 1) found.push(await one());
  return found.sort((a, b) => a - b);
};

/**
 * When an answer may go out that waits for a share of these: as many have answered, or all that ever do.
 * @param delays of each, in milliseconds; Infinity: it never answers
 */
const waitedMs = (delays: readonly number[], share: number): number => {
  const sorted = delays.filter(Number.isFinite).sort((a, b) => a - b);
  return sorted[Math.min(Math.ceil(share * delays.length), sorted.length) - 1]!;
};

/** The usual time of the nodes. */
const usualMs = ({ nodes }: Many, share: number): number =>
  waitedMs(
    tempers(nodes).map(({ delayMs, fault }) => (fault === null ? delayMs : Infinity)),
    share,
  );

const measureProcessor = async (many: Many, target: number | null): Promise<void> => {
  // compiled code shows what a server costs that has run for a while
  const warm = Math.ceil(sized(2_000, 10) / many.nodes);
  await Promise.all(Array.from({ length: 3 }, () => times(warm, () => run(many))));
  const used = await many.processorMs();
  const rounds = sized(10, 1);
  const found = await times(rounds, () => run(many));
  line(
    'processor time of a question of 5 facets',
    ((await many.processorMs()) - used) / rounds,
    'ms',
    target,
  );
  const slowest = Math.max(...tempers(many.nodes).map(({ delayMs }) => delayMs));
  line('  all answered, over the slowest node: median', percentile(found, 0.5) - slowest, 'ms');
};

const measureFaults = async (many: Many, { shareMs: shareTarget, lastMs }: Targets): Promise<void> => {
  many.setFaulty(true);
  const usual = usualMs(many, 0.95);
  const found = await times(7, () => run(many, { share: 0.95, ms: 0 }));
  line(
    `95 % of the nodes, over their ${usual.toFixed(0)} ms: median`,
    percentile(found, 0.5) - usual,
    'ms',
    shareTarget,
  );
  // nodes that hang are left alone for a while after three questions
  await sleep(6_000);
  const last = await times(2, () => run(many));
  line(`last answer, over the deadline of ${deadlineMs} ms`, last.at(-1)! - deadlineMs, 'ms', lastMs);
  many.setFaulty(false);
  await sleep(6_000);
};

const measureAskers = async (many: Many, target: number | null): Promise<void> => {
  answered.length = refused = 0;
  await Promise.all(Array.from({ length: sized(20, 2) }, () => times(2, () => run(many))));
  line(
    '  of the nodes answered',
    100 * (answered.reduce((sum, share) => sum + share, 0) / answered.length),
    '%',
  );
  line('  queries refused as too many', (100 * refused) / (answered.length + refused), '%');
  line('peak memory, 20 clients at once', (await many.residentMebibytes()).peak, 'MiB', target);
};

const measure = async (nodes: number): Promise<void> => {
  const target = targets[nodes];
  const startedMs = performance.now();
  const many = await startMany(nodes, deadlineMs, start);
  try {
    title(`${nodes} nodes`);
    line('discovered within', (performance.now() - startedMs - many.preparedMs) / 1_000, 's', 10);
    line('memory after discovery', (await many.residentMebibytes()).peak, 'MiB', discoveryMebibytes);
    await measureProcessor(many, target?.processorMs ?? null);
    if (target) await measureFaults(many, target);
    await measureAskers(many, target?.askersMebibytes ?? null);
  } finally {
    await many.close();
  }
};

const sizes = [10, 100, 1_000];
const chosen = sizes.filter((nodes) => args.includes(String(nodes)));
for (const nodes of chosen.length > 0 ? chosen : sizes) await measure(nodes);
