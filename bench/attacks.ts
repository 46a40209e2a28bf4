/**
 * Prints what clients of many kinds do to others, one kind after another, each against a server of its own: the 99th
 * percentiles of /ping, over kept connections and over new ones, and of the cheapest query beside them as multiples of
 * those of an idle twin at the same moments, the most memory that the server takes, and how long it takes until it is as fast as the twin again; and in containers of other sizes whether it survives.
 *
 *   node bench/attacks.ts [--only NAME]... [--seconds 3] [--minutes 12] [--documents 50000]
 *     [--memory 1024,512] [--versus FOLDER]
 *
 * --memory: containers in MiB, as control groups where the machine allows them; times are measured in that of 1024, else
 * in the first. --versus: another checkout, in which `npm ci` has been run, is attacked first, and its figures precede
 * those of this one. After --minutes (12) what is left is named instead of run.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { rm } from 'node:fs/promises';
import { constants, loadavg, setPriority } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { attackNames, bystander, post, runAttack } from './attacks/attacks.ts';
import { peakMebibytes } from './attacks/container.ts';
import { prepare, start, type Server, type Side } from './attacks/server.ts';
import { percentile } from './engine/median.ts';
import { sized } from './size.ts';

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
/** A liveness probe opens a connection each time. */
const freshPing = (url: string): Promise<number> =>
  tookMs(
    (signal) =>
      new Promise((resolve, reject) => {
        get(`${url}/ping`, { agent: false, signal }, (response) =>
          response.resume().once('close', resolve).once('error', reject),
        ).once('error', reject);
      }),
  );
const cheap = { query: '{ specimen { hits(first: 0) { total } } }' };
const askCheap = ({ url }: Server): Promise<number> =>
  tookMs((signal) => post(url, bystander, cheap, { signal }));

/** In ms; each with those of the twin. */
interface Times {
  readonly ping: readonly [number[], number[]];
  readonly fresh: readonly [number[], number[]];
  readonly cheap: readonly [number[], number[]];
}

const probe = async (victim: Server, twin: Server, seconds: number): Promise<Times> => {
  const times: Times = { ping: [[], []], fresh: [[], []], cheap: [[], []] };
  const untilMs = performance.now() + seconds * 1_000;
  const again = async (look: () => Promise<void>): Promise<void> => {
    while (performance.now() < untilMs && victim.isAlive()) {
      await look();
      await sleep(10);
    }
  };
  const timed = ([ones, others]: Times['ping'], look: (server: Server) => Promise<number>) =>
    again(async () => {
      const [one, other] = await Promise.all([look(victim), look(twin)]);
      ones.push(one);
      others.push(other);
    });
  await Promise.all([
    timed(times.ping, ({ url }) => ping(url)),
    timed(times.fresh, ({ url }) => freshPing(url)),
    timed(times.cheap, askCheap),
  ]);
  return times;
};

/** Seconds until twenty cheap queries in a row take about as long as the twin's; null for more than these. */
const maxRecoverySeconds = 10;

const backToIdle = async (victim: Server, twin: Server): Promise<number | null> => {
  const leftMs = performance.now();
  const seconds = (): number => (performance.now() - leftMs) / 1_000;
  for (let calm = 0; calm < 20 && victim.isAlive();) {
    if (seconds() > maxRecoverySeconds) return null;
    const [ms, idleMs] = await Promise.all([askCheap(victim), askCheap(twin)]);
    calm = ms < Math.max(3 * idleMs, 10) ? calm + 1 : 0;
    await sleep(20);
  }
  return seconds();
};

const p99 = (times: readonly number[]): number => percentile(times, 0.99);
const ratio = ([ones, others]: Times['ping']): string => {
  const times = p99(ones) / p99(others);
  return times.toFixed(times < 10 ? 1 : 0);
};

/** Runs the clients of an attack while something else is done. */
const attacked = async <Result>(
  attack: string,
  victims: readonly Server[],
  work: () => Promise<Result>,
): Promise<Result> => {
  const clients = victims.map(({ url }) => fork(import.meta.filename, ['clients', attack, url]));
  try {
    await Promise.all(clients.map((one) => once(one, 'message')));
    // they stand for clients on other machines: what they compute may not take the server's processors
    for (const { pid } of clients) setPriority(pid!, constants.priority.PRIORITY_LOW);
    return await work();
  } finally {
    for (const one of clients) one.kill('SIGKILL');
  }
};

/** Cells of a row, as text. */
interface Figures {
  readonly ping: string;
  readonly fresh: string;
  readonly cheap: string;
  readonly peak: string;
  readonly idleAgain: string;
}

const killed: Figures = {
  ping: 'killed',
  fresh: 'killed',
  cheap: 'killed',
  peak: 'killed',
  idleAgain: 'killed',
};

const measure = async (attack: string, side: Side, twin: Server, seconds: number): Promise<Figures> => {
  const victim = await start(side);
  try {
    await probe(victim, twin, sized(1, 0.2));
    const busy = await attacked(attack, [victim], async () => {
      await sleep(500);
      return probe(victim, twin, seconds);
    });
    const peak = peakMebibytes(victim.pid);
    const idleAgain = await backToIdle(victim, twin);
    if (!victim.isAlive() || peak === null) return killed;
    return {
      ping: ratio(busy.ping),
      fresh: ratio(busy.fresh),
      cheap: ratio(busy.cheap),
      peak: peak.toFixed(0),
      idleAgain: idleAgain === null ? `>${maxRecoverySeconds}` : idleAgain.toFixed(1),
    };
  } finally {
    await victim.close();
  }
};

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
const measureIdle = async (side: Side, twin: Server): Promise<void> => {
  const victim = await start(side);
  try {
    await probe(victim, twin, sized(2, 0.2));
    const idle = await probe(victim, twin, sized(5, 0.5));
    console.log(
      `idle, ${side.name} in ${side.mebibytes} MiB: p99 and multiple of the twin: /ping ${p99(idle.ping[0]).toFixed(1)} ms, ${ratio(idle.ping)}; over a new connection ${p99(idle.fresh[0]).toFixed(1)} ms, ${ratio(idle.fresh)}; cheapest query ${p99(idle.cheap[0]).toFixed(1)} ms, ${ratio(idle.cheap)}; peak ${peakMebibytes(victim.pid)?.toFixed(0)} MiB`,
    );
  } finally {
    await victim.close();
  }
};

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const run = async (args: readonly string[]): Promise<void> => {
  const text = { type: 'string' } as const;
  const options = {
    only: { ...text, multiple: true as const },
    seconds: text,
    minutes: text,
    documents: text,
    memory: text,
    versus: text,
  };
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
    measured.unshift({
      name: 'other',
      root,
      folder: await prepare(root, Number(documents)),
      mebibytes: timed,
    });
  }
  const further = sizes.filter((size) => size !== timed).map(sideOf);
  const twin = await start({ ...sideOf(timed), name: 'twin' });
  for (const side of measured) await measureIdle(side, twin);
  const unit = versus === undefined ? '' : ', other → this';
  const titles = [
    `/ping p99, times the twin${unit}`,
    `/ping over new connections p99, times the twin${unit}`,
    `cheapest query p99, times the twin${unit}`,
    `peak, MiB${unit}`,
    `idle again after, s${unit}`,
  ];
  console.log(`\n${row(['attack', ...titles, ...further.map(({ mebibytes }) => `in ${mebibytes} MiB`)])}`);
  console.log(`|${'---|'.repeat(6 + further.length)}`);
  for (const attack of attackNames.filter((name) => only === undefined || only.includes(name))) {
    // with the time for the longest attack
    if (performance.now() > (minutes - 1) * 60_000) {
      console.log(row([attack, `not run: ${minutes} minutes are over`]));
      continue;
    }
    const figures: Figures[] = [];
    for (const side of measured) figures.push(await measure(attack, side, twin, seconds));
    const cells = (['ping', 'fresh', 'cheap', 'peak', 'idleAgain'] as const).map((name) =>
      figures.map((one) => one[name]).join(' → '),
    );
    console.log(row([attack, ...cells, ...(await survivals(attack, further, seconds))]));
  }
  console.log(`\nload average ${loadavg()[0]!.toFixed(1)}`);
  await twin.close();
  for (const one of new Set(measured.map((side) => side.folder))) await rm(one, { recursive: true });
};

const [first, attack, url] = process.argv.slice(2);
if (first === 'clients') runAttack(attack!, url!);
else await run(process.argv.slice(2));
