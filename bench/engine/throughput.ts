/**
 * Prints how many searches a second the engine answers for eight clients at once, and with what memory: with its own
 * thread alone, then with one reader beside it that shares its columns.
 *
 *   node bench/engine/throughput.ts FOLDER [readers]     FOLDER: where documents were loaded
 *
 * Each count of readers runs in a separate process.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { openEmbeddedEngine } from '../../src/engines/embedded/embedded-engine.ts';
import type { SearchQuery } from '../../src/engines/engine.ts';
import { asTheProductRuns } from '../fork-options.ts';
import { index } from './embedded-side.ts';
import { queries } from './queries.ts';
import { sized } from '../size.ts';

const clients = 8;
const seconds = sized(10, 0.2);

const heavy = queries.filter(({ target }) => target !== null).map(({ search }) => search);

interface Throughput {
  readonly perSecond: number;
  /** Processor time used in a second, of all threads: on a shared machine the engine may get less than it could use. */
  readonly processors: number;
  readonly residentMebibytes: number;
}

const measure = async (folder: string, readers: number): Promise<Throughput> => {
  const engine = openEmbeddedEngine(folder, readers);
  await engine.describe(index);
  const client = async (first: number, endMs: number): Promise<number> => {
    let answered = 0;
    for (; performance.now() < endMs; answered++) {
      await engine.search(index, heavy[(first + answered) % heavy.length] as SearchQuery);
    }
    return answered;
  };
  const together = (forSeconds: number) => {
    const endMs = performance.now() + forSeconds * 1000;
    return Promise.all(Array.from({ length: clients }, (_, number) => client(number, endMs)));
  };
  await together(sized(3, 0.1));
  const startedMs = performance.now();
  const before = process.cpuUsage();
  const answered = (await together(seconds)).reduce((sum, count) => sum + count, 0);
  const elapsedMs = performance.now() - startedMs;
  const { user, system } = process.cpuUsage(before);
  const residentMebibytes = process.memoryUsage.rss() / 1024 / 1024;
  await engine.close();
  return {
    perSecond: (answered / elapsedMs) * 1000,
    processors: (user + system) / 1000 / elapsedMs,
    residentMebibytes,
  };
};

/** @param folder where the documents were loaded */
export const compareThreads = async (folder: string): Promise<void> => {
  console.log(`\n${clients} clients at once, load average ${loadavg()[0]!.toFixed(1)}`);
  const rates: number[] = [];
  for (const readers of [0, 1]) {
    const child = fork(import.meta.filename, [folder, String(readers)], asTheProductRuns);
    const exited = once(child, 'exit');
    const [result] = (await Promise.race([once(child, 'message'), exited])) as [Throughput | number | null];
    await exited;
    if (result === null || typeof result === 'number') throw new Error(`a process ended with code ${result}`);
    const { perSecond, processors, residentMebibytes } = result;
    rates.push(perSecond);
    console.log(
      [
        `${readers + 1} thread${readers === 0 ? '' : 's'}`.padEnd(10),
        `${perSecond.toFixed(0)} searches/s`.padStart(14),
        `${processors.toFixed(2)} processors`.padStart(18),
        `${(perSecond / processors).toFixed(0)} searches/s of a processor`.padStart(32),
        `${residentMebibytes.toFixed(0)} MiB`.padStart(10),
      ].join(''),
    );
  }
  console.log(`ratio${(rates[1]! / rates[0]!).toFixed(2).padStart(19)}`);
};

if (import.meta.main) {
  const [folder, readers] = process.argv.slice(2) as [string, string?];
  if (readers === undefined) await compareThreads(folder);
  else {
    const result = await measure(folder, Number(readers));
    if (process.send) process.send(result, () => process.disconnect());
    else console.log(result);
  }
}
