/**
 * Prints what clients of many kinds do to others, one kind after another, each against a server of its own: the 99th
 * percentile of /ping beside them as a multiple of that of an idle twin pinged at the same moments, that of the cheapest
 * query as a multiple of an idle server's, the most memory that the server takes, and how long it takes until it is idle
 * again; and in containers of other sizes whether it survives.
 *
 *   node bench/attacks.ts [--only NAME]... [--seconds 3] [--minutes 12] [--documents 50000]
 *     [--memory 1024,512] [--versus FOLDER]
 *
 * --memory: containers in MiB, as control groups where the machine allows them; times are measured in that of 1024, else
 * in the first. --versus: another checkout, in which `npm ci` has been run, is attacked first, and its figures precede
 * those of this one. After --minutes (12) what is left is named instead of run.
 */
import { fork } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { attackNames, post, runAttack } from './attacks/attacks.ts';
import { peakMebibytes } from './attacks/container.ts';
import { prepare, start, type Server, type Side } from './attacks/server.ts';
import { median, percentile } from './engine/median.ts';

/** How long something takes, in ms; what fails or takes longer counts as this much. */
const longestMs = 10_000;

const tookMs = async (work: (signal: AbortSignal) => Promise<unknown>): Promise<number> => {
  const startedMs = performance.now();
  try {
    await work(AbortSignal.timeout(longestMs));
    return performance.now() - startedMs;
  } catch {
    return longestMs;
  }
};

const ping = (url: string): Promise<number> =>
  tookMs((signal) => fetch(`${url}/ping`, { signal }).then((response) => response.arrayBuffer()));
const cheap = { query: '{ specimen { hits(first: 0) { total } } }' };
/** By a caller who is none of the attackers. */
const askCheap = ({ url }: Server): Promise<number> => tookMs((signal) => post(url, 255, cheap, { signal }));

interface Times {
  readonly ping: number[];
  readonly twin: number[];
  readonly cheap: number[];
}

const probe = async (victim: Server, twin: Server, seconds: number): Promise<Times> => {
  const times: Times = { ping: [], twin: [], cheap: [] };
  const untilMs = performance.now() + seconds * 1_000;
  const again = async (look: () => Promise<void>): Promise<void> => {
    while (performance.now() < untilMs && victim.isAlive()) {
      await look();
      await sleep(10);
    }
  };
  const pingBoth = async (): Promise<void> => {
    const [one, other] = await Promise.all([ping(victim.url), ping(twin.url)]);
    times.ping.push(one);
    times.twin.push(other);
  };
  await Promise.all([again(pingBoth), again(async () => void times.cheap.push(await askCheap(victim)))]);
  return times;
};

/** Seconds until twenty cheap queries in a row take about as long as before the attack; null for more than these. */
const maxRecoverySeconds = 10;

const backToIdle = async (victim: Server, idleMs: number): Promise<number | null> => {
  const leftMs = performance.now();
  const seconds = (): number => (performance.now() - leftMs) / 1_000;
  for (let calm = 0; calm < 20 && victim.isAlive();) {
    if (seconds() > maxRecoverySeconds) return null;
    calm = (await askCheap(victim)) < Math.max(3 * idleMs, 10) ? calm + 1 : 0;
    await sleep(20);
  }
  return seconds();
};

const p99 = (times: readonly number[]): number => percentile(times, 0.99);
const times = (one: number, other: number): string => (one / other).toFixed(one < 10 * other ? 1 : 0);

/** Runs the clients of an attack while something else is done. */
const attacked = async <Result>(attack: string, victims: readonly Server[], work: () => Promise<Result>): Promise<Result> => {
  const clients = victims.map(({ url }) => fork(import.meta.filename, ['clients', attack, url]));
  try {
    return await work();
  } finally {
    for (const one of clients) one.kill('SIGKILL');
  }
}; // prettier-ignore

/** Cells of a row, as text. */
interface Figures {
  readonly ping: string;
  readonly cheap: string;
  readonly peak: string;
  readonly idleAgain: string;
}

const killed: Figures = { ping: 'killed', cheap: 'killed', peak: 'killed', idleAgain: 'killed' };

const measure = async (attack: string, side: Side, { twin, idle, seconds }: { readonly twin: Server; readonly idle: Times; readonly seconds: number }): Promise<Figures> => {
  const victim = await start(side);
  try {
    await probe(victim, twin, 1);
    const busy = await attacked(attack, [victim], async () => {
      await sleep(500);
      return probe(victim, twin, seconds);
    });
    const peak = peakMebibytes(victim.pid);
    const idleAgain = await backToIdle(victim, median(idle.cheap));
    if (!victim.isAlive() || peak === null) return killed;
    return {
      ping: times(p99(busy.ping), p99(busy.twin)),
      cheap: times(p99(busy.cheap), p99(idle.cheap)),
      peak: peak.toFixed(0),
      idleAgain: idleAgain === null ? `>${maxRecoverySeconds}` : idleAgain.toFixed(1),
    };
  } finally {
    await victim.close();
  }
}; // prettier-ignore

/** Whether servers in containers of several sizes are alive after an attack on all of them at once. */
const survivals = async (
  attack: string,
  sides: readonly Side[],
  seconds: number,
): Promise<readonly string[]> => {
  const victims = await Promise.all(sides.map(start));
  try {
    await attacked(attack, victims, () => sleep((seconds + 0.5) * 1_000));
    return victims.map((victim) => (victim.isAlive() ? 'alive' : 'killed'));
  } finally {
    await Promise.all(victims.map((victim) => victim.close()));
  }
};

/** An idle server, in numbers. */
const measureIdle = async (side: Side, twin: Server): Promise<Times> => {
  const victim = await start(side);
  try {
    await probe(victim, twin, 2);
    const idle = await probe(victim, twin, 5);
    console.log(`idle, ${side.name} in ${side.mebibytes} MiB: /ping p99 ${p99(idle.ping).toFixed(1)} ms (twin ${p99(idle.twin).toFixed(1)}), cheapest query p99 ${p99(idle.cheap).toFixed(1)} ms, peak ${peakMebibytes(victim.pid)?.toFixed(0)} MiB`);
    return idle;
  } finally {
    await victim.close();
  }
}; // prettier-ignore

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const run = async (args: readonly string[]): Promise<void> => {
  const text = { type: 'string' } as const;
  const options = { only: { ...text, multiple: true as const }, seconds: text, minutes: text, documents: text, memory: text, versus: text };
  const { values } = parseArgs({ args: [...args], options });
  const { only, documents = '50000', memory = '1024', versus } = values;
  const [seconds, minutes] = [Number(values.seconds ?? 3), Number(values.minutes ?? 12)];
  const sizes = memory.split(',').map(Number);
  const timed = sizes.includes(1_024) ? 1_024 : sizes[0]!;
  const here = resolve(import.meta.dirname, '..');
  const folder = await prepare(here, Number(documents));
  const sideOf = (mebibytes: number): Side => ({ name: 'this', root: here, folder, mebibytes });
  const measured = [sideOf(timed)];
  if (versus !== undefined) {
    const root = resolve(versus);
    measured.unshift({ name: 'other', root, folder: await prepare(root, Number(documents)), mebibytes: timed });
  }
  const further = sizes.filter((size) => size !== timed).map(sideOf);
  const twin = await start({ ...sideOf(timed), name: 'twin' });
  const idle: Times[] = [];
  for (const side of measured) idle.push(await measureIdle(side, twin));
  const unit = versus === undefined ? '' : ', other → this';
  const titles = [`/ping p99, times the twin${unit}`, `cheapest query p99, times idle${unit}`, `peak, MiB${unit}`, `idle again after, s${unit}`];
  console.log(`\n${row(['attack', ...titles, ...further.map(({ mebibytes }) => `in ${mebibytes} MiB`)])}`);
  console.log(`|${'---|'.repeat(5 + further.length)}`);
  for (const attack of attackNames.filter((name) => only === undefined || only.includes(name))) {
    // with the time for the longest attack
    if (performance.now() > (minutes - 1) * 60_000) {
      console.log(row([attack, `not run: ${minutes} minutes are over`]));
      continue;
    }
    const figures: Figures[] = [];
    for (const [at, side] of measured.entries())
      figures.push(await measure(attack, side, { twin, idle: idle[at]!, seconds }));
    const cells = (['ping', 'cheap', 'peak', 'idleAgain'] as const).map((name) => figures.map((one) => one[name]).join(' → '));
    console.log(row([attack, ...cells, ...(await survivals(attack, further, seconds))]));
  }
  console.log(`\nload average ${loadavg()[0]!.toFixed(1)}`);
  await twin.close();
  for (const one of new Set(measured.map((side) => side.folder))) await rm(one, { recursive: true });
}; // prettier-ignore

const [first, attack, url] = process.argv.slice(2);
if (first === 'clients') runAttack(attack!, url!);
else await run(process.argv.slice(2));
