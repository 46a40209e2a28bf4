/**
 * Prints, for each number of documents, what the embedded engine and DuckDB take for the same work, side by side in
 * one run, and fails when their answers differ. Without DuckDB it measures the engine alone.
 *
 *   npm ci --prefix bench
 *   node bench/engine/run.ts [documents...]     default: 100000 1000000
 *
 * Each engine runs in a separate process; they alternate, so that neither gets the quieter moments.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { asTheProductRuns } from '../fork-options.ts';
import { measureServer } from './event-loop.ts';
import { median } from './median.ts';
import { queries } from './queries.ts';
import type { Reply, Request } from './side.ts';
import { compareThreads } from './throughput.ts';
import { sized } from '../size.ts';

type Name = 'embedded' | 'duckdb';
const hasDuckdb = existsSync(join(import.meta.dirname, '../node_modules/@duckdb'));
const names: readonly Name[] = hasDuckdb ? ['embedded', 'duckdb'] : ['embedded'];
/** One measure for each engine, in milliseconds or MiB. */
type Pair = Record<Name, number>;

class Remote {
  readonly #child: ChildProcess;
  readonly #ended: Promise<never>;

  constructor(name: Name, folder: string) {
    this.#child = fork(join(import.meta.dirname, 'side-process.ts'), [name, folder], asTheProductRuns);
    this.#ended = failure(this.#child);
    // an end that nobody waits for is an ordinary one
    this.#ended.catch(() => undefined);
  }

  async run(request: Request): Promise<Reply> {
    this.#child.send(request);
    const [reply] = (await Promise.race([once(this.#child, 'message'), this.#ended])) as [Reply];
    return reply;
  }

  async close(): Promise<void> {
    const exited = once(this.#child, 'exit');
    await this.run({ kind: 'close' });
    await exited;
  }
}

const failure = async (child: ChildProcess): Promise<never> => {
  const [code] = (await once(child, 'exit')) as [number | null];
  throw new Error(`an engine's process ended with code ${code}`);
};

const forEachName = async (work: (name: Name) => Promise<number>): Promise<Pair> => {
  const embedded = await work('embedded');
  return { embedded, duckdb: hasDuckdb ? await work('duckdb') : NaN };
};

const line = (what: string, { embedded, duckdb }: Pair, unit: string, target: number | null = null): void => {
  const ratio = duckdb / embedded;
  const verdict =
    target === null || Number.isNaN(ratio) ? '' : ratio >= target ? `>= ${target} ok` : `>= ${target} MISSED`;
  const cells = [embedded, duckdb].map((value) =>
    (Number.isNaN(value) ? '-' : `${value.toFixed(value < 10 ? 2 : 0)} ${unit}`).padStart(14),
  );
  console.log(
    `${what.padEnd(40)}${cells.join('')}${(Number.isNaN(ratio) ? '-' : ratio.toFixed(1)).padStart(9)}  ${verdict}`,
  );
};

const loadAll = async (folder: string, count: number): Promise<void> => {
  const ms = await forEachName(async (name) => {
    const remote = new Remote(name, folder);
    const { ms } = await remote.run({ kind: 'load', count });
    await remote.close();
    return ms;
  });
  line(
    'load, each 1000 documents',
    { embedded: (ms.embedded / count) * 1000, duckdb: (ms.duckdb / count) * 1000 },
    'ms',
    2,
  );
  console.log(
    `  that is ${names.map((name) => `${name} ${Math.round((count / ms[name]) * 1000)}`).join(', ')} documents/s`,
  );
};

const rounds = sized(11, 1);

/** The medians of one query. @throws when the two answers differ */
const measureQuery = async (remotes: Record<Name, Remote>, query: number): Promise<Pair> => {
  const times: Record<Name, number[]> = { embedded: [], duckdb: [] };
  const hashes = new Set<string>();
  for (let round = -2; round < rounds; round++) {
    for (const name of names) {
      const { ms, hash } = await remotes[name].run({ kind: 'run', query });
      hashes.add(hash);
      if (round >= 0) times[name].push(ms);
    }
  }
  if (hashes.size !== 1) throw new Error(`the answers to "${queries[query]!.name}" differ`);
  return mediansOf(times);
};

const mediansOf = ({ embedded, duckdb }: Record<Name, readonly number[]>): Pair => ({
  embedded: median(embedded),
  duckdb: hasDuckdb ? median(duckdb) : NaN,
});

/** The medians of one durable upsert, each of another document; ten by one engine, then ten by the other. */
const measureUpserts = async (remotes: Record<Name, Remote>, count: number): Promise<Pair> => {
  const times: Record<Name, number[]> = { embedded: [], duckdb: [] };
  for (let turn = -2; turn < 6; turn++)
    for (const name of names)
      for (let i = 0; i < 10; i++) {
        const position = (((turn + 2) * 10 + i) * 97) % count;
        const { ms } = await remotes[name].run({ kind: 'upsert', position, edition: 1 });
        if (turn >= 0) times[name].push(ms);
      }
  return mediansOf(times);
};

const measure = async (count: number): Promise<readonly number[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-bench-'));
  try {
    console.log(
      `\n${count} documents, load average ${loadavg()[0]!.toFixed(1)}`.padEnd(41) +
        '      embedded        duckdb    ratio',
    );
    await loadAll(folder, count);
    const remotes = Object.fromEntries(names.map((name) => [name, new Remote(name, folder)])) as Record<
      Name,
      Remote
    >;
    line(
      'cold open',
      await forEachName(async (name) => (await remotes[name].run({ kind: 'open' })).ms),
      'ms',
    );
    const resident = async (name: Name) => (await remotes[name].run({ kind: 'memory' })).residentMebibytes;
    line('resident memory, open', await forEachName(resident), 'MiB');
    const medians: number[] = [];
    for (const [number, { name, target }] of queries.entries()) {
      const pair = await measureQuery(remotes, number);
      line(name, pair, 'ms', target);
      medians.push(pair.embedded);
    }
    const upserts = await measureUpserts(remotes, count);
    line('one durable upsert', upserts, 'ms', 10);
    line('resident memory, after the run', await forEachName(resident), 'MiB');
    for (const name of names) await remotes[name].close();
    await compareThreads(folder);
    await measureServer(folder);
    return [...medians, upserts.embedded];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

if (!hasDuckdb) console.log('DuckDB is not installed: npm ci --prefix bench');
const sizes = process.argv.slice(2).map(Number);
const growths: (readonly number[])[] = [];
for (const size of sizes.length > 0 ? sizes : [100_000, 1_000_000]) growths.push(await measure(size));
if (growths.length === 2) {
  console.log('\nembedded, the second size against the first');
  [...queries.map(({ name }) => name), 'one durable upsert'].forEach((name, i) => {
    console.log(`${name.padEnd(40)}${(growths[1]![i]! / growths[0]![i]!).toFixed(1).padStart(9)} times`);
  });
}
