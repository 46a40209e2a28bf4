/**
 * Prints what clients of many kinds do to others, one kind after another, each against a server of its own: the 99th
 * percentile of /ping beside them, that of an idle twin pinged at the same moments, that of the cheapest query as a
 * multiple of an idle server's, the most memory that the server takes, whether it survives, and how long it takes until
 * it is idle again.
 *
 *   node bench/attacks.ts [--only NAME]... [--seconds 10] [--documents 50000] [--memory 1024,512] [--versus FOLDER]
 *
 * --memory: containers in MiB, as control groups where the machine allows them. --versus: another checkout, in which
 * `npm ci` has been run, is attacked first.
 */
import { fork, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { answering } from './answering.ts';
import { attackNames, post, runAttack } from './attacks/attacks.ts';
import { openContainer, peakMebibytes } from './attacks/container.ts';
import { median, percentile } from './engine/median.ts';
import { fill, index } from './engines/loaded.ts';
import { freePort } from './free-port.ts';

interface Server {
  readonly url: string;
  readonly pid: number;
  readonly isAlive: () => boolean;
  readonly close: () => Promise<void>;
}

/** A program that is attacked, and where. */
interface Side {
  readonly name: string;
  /** Its checkout. */
  readonly root: string;
  /** A folder with its documents and configuration. */
  readonly folder: string;
  readonly mebibytes: number;
}

const json = (value: unknown): string => JSON.stringify(value);

/** A folder with the documents as a checkout stores them, a catalogue over them and a network over that. */
const prepare = async (root: string, documents: number): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-attacks-'));
  await mkdir(join(folder, 'configs/specimen'), { recursive: true });
  const base = { documentType: 'specimen', esIndex: index };
  await writeFile(join(folder, 'configs/specimen/base.json'), json(base));
  const nodes = [{ nodeId: 'here', displayName: 'Here', catalogue: 'specimen' }];
  const all = { network: { displayName: 'All', documentType: 'specimen' }, nodes };
  await writeFile(join(folder, 'nodes.json'), json(all));
  const source = join(root, 'src/engines/open/open-engine.ts');
  const { openEngine } = (await import(source)) as typeof import('../src/engines/open/open-engine.ts');
  const engine = await openEngine({ kind: 'embedded', dataPath: join(folder, 'data') });
  await fill(engine, documents);
  await engine.close();
  return folder;
};

/** Starts a program over a copy of its folder. */
const start = async ({ root, folder, mebibytes }: Side): Promise<Server> => {
  const own = await mkdtemp(join(tmpdir(), 'tributary-attacked-'));
  await cp(folder, own, { recursive: true });
  const port = await freePort();
  const container = openContainer(`tributary-attacked-${port}`, mebibytes);
  const enter = container.procs === null ? '' : `echo $$ > ${container.procs}; `;
  const child = spawn('/bin/sh', ['-c', `${enter}exec "$0" --max-semi-space-size=4 "$@"`, process.execPath, join(root, 'src/main.ts'), 'start'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      ...{ CONFIGS_PATH: join(own, 'configs'), DATA_PATH: join(own, 'data') },
      ...{ NODES_PATH: join(own, 'nodes.json'), SERVER_HOST: '127.0.0.1', SERVER_PORT: String(port) },
      ...{ INDEXING_PORT: 'off', LOG_LEVEL: 'silent', OPEN: 'true' },
      ...{ TRUST_PROXY: '1', ENABLE_SETS: 'true', ...container.settings },
    },
  }); // prettier-ignore
  const ended = new Promise<void>((end) => child.once('exit', () => end()));
  const url = `http://127.0.0.1:${port}`;
  await answering(`${url}/ready`);
  return {
    ...{ url, pid: child.pid!, isAlive: () => child.exitCode === null && child.signalCode === null },
    close: async () => {
      child.kill('SIGKILL');
      await ended;
      container.remove();
      await rm(own, { recursive: true });
    },
  };
};

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

/** Seconds until twenty cheap queries in a row take about as long as before the attack. */
const backToIdle = async (victim: Server, idleMs: number): Promise<number> => {
  const leftMs = performance.now();
  for (let calm = 0; calm < 20 && victim.isAlive() && performance.now() < leftMs + 120_000;) {
    calm = (await askCheap(victim)) < Math.max(3 * idleMs, 10) ? calm + 1 : 0;
    await sleep(20);
  }
  return (performance.now() - leftMs) / 1_000;
};

const p99 = (times: readonly number[]): number => percentile(times, 0.99);
const times = (one: number, other: number): string => (one / other).toFixed(one < 10 * other ? 1 : 0);

const measure = async (attack: string, side: Side, twin: Server, seconds: number): Promise<string> => {
  const victim = await start(side);
  await probe(victim, twin, 1);
  const idle = await probe(victim, twin, 3);
  const attacking = fork(import.meta.filename, ['clients', attack, victim.url]);
  try {
    await sleep(1_000);
    const busy = await probe(victim, twin, seconds);
    attacking.kill('SIGKILL');
    const peak = peakMebibytes(victim.pid);
    const idleAgain = await backToIdle(victim, median(idle.cheap));
    const numbers = [
      ...[p99(idle.ping).toFixed(1), p99(busy.twin).toFixed(1), p99(busy.ping).toFixed(1)],
      ...[times(p99(busy.ping), p99(busy.twin)), times(p99(busy.cheap), p99(idle.cheap))],
      ...[peak?.toFixed(0) ?? '', idleAgain.toFixed(1)],
    ];
    const cells = victim.isAlive() ? numbers : [...Array<string>(6).fill(''), 'killed'];
    return `| ${[attack, `${side.name} ${side.mebibytes} MiB`, ...cells].join(' | ')} |`;
  } finally {
    attacking.kill('SIGKILL');
    await victim.close();
  }
};

const header = `| attack | server | /ping p99 idle, ms | of the twin | beside it | times the twin | cheapest query, times idle | peak, MiB | idle again after, s |
|---|---|---|---|---|---|---|---|---|`;

const run = async (args: readonly string[]): Promise<void> => {
  const text = { type: 'string' } as const;
  const options = { only: { ...text, multiple: true as const }, seconds: text, documents: text, memory: text, versus: text };
  const { values } = parseArgs({ args: [...args], options });
  const { only, seconds = '10', documents = '50000', memory = '1024', versus } = values;
  const here = resolve(import.meta.dirname, '..');
  const folder = await prepare(here, Number(documents));
  const sides = memory.split(',').map((mebibytes): Side => ({ name: 'this', root: here, folder, mebibytes: Number(mebibytes) }));
  if (versus !== undefined) {
    const root = resolve(versus);
    sides.unshift({ name: 'other', root, folder: await prepare(root, Number(documents)), mebibytes: 1_024 });
  }
  const twin = await start({ name: 'twin', root: here, folder, mebibytes: 1_024 });
  console.log(header);
  for (const attack of attackNames.filter((name) => only === undefined || only.includes(name)))
    for (const side of sides) console.log(await measure(attack, side, twin, Number(seconds)));
  console.log(`\nload average ${loadavg()[0]!.toFixed(1)}`);
  await twin.close();
  for (const one of new Set(sides.map((side) => side.folder))) await rm(one, { recursive: true });
}; // prettier-ignore

const [first, attack, url] = process.argv.slice(2);
if (first === 'clients') runAttack(attack!, url!);
else await run(process.argv.slice(2));
