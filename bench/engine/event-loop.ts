/**
 * Prints how a node with loaded documents answers over HTTP: what it takes beside the engine's own work, and how long
 * /ping takes while ten clients request facets.
 */
import { Worker } from 'node:worker_threads';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { openEngine } from '../../src/engines/open/open-engine.ts';
import { index } from './embedded-side.ts';
import { median, percentile } from './median.ts';
import { facetsSearch, pageSearch } from './queries.ts';
import { facetsRequest, pageRequest } from './requests.ts';
import { startServer } from './server.ts';
import { sized } from '../size.ts';

const clients = 10;
const seconds = sized(15, 0.5);

/** @param folder where the documents were loaded */
export const measureServer = async (folder: string): Promise<void> => {
  const { url, close } = await startServer(folder);
  try {
    console.log(`\nthe whole node over HTTP, load average ${loadavg()[0]!.toFixed(1)}`);
    await compareBoth(folder, url);
    const idle = await pings(url, sized(3, 0.2));
    console.log(`/ping, idle                             ${summary(idle)}`);
    const worker = new Worker(new URL('./clients.ts', import.meta.url), { workerData: { url, clients } });
    const times: number[] = [];
    worker.on('message', (ms: number) => times.push(ms));
    const failed = once(worker, 'error').then(([error]) => Promise.reject(error as Error));
    await Promise.race([setTimeout(sized(2_000, 200)), failed]);
    times.length = 0;
    const busy = await Promise.race([pings(url, seconds), failed]);
    console.log(
      `/ping, ${clients} clients requesting facets    ${summary(busy)}${percentile(busy, 0.99) < 20 ? '  p99 < 20 ok' : '  p99 < 20 MISSED'}`,
    );
    console.log(
      `their requests                          ${summary(times)}, ${(times.length / seconds).toFixed(0)} a second`,
    );
    await worker.terminate();
  } finally {
    await close();
  }
};

const summary = (times: readonly number[]): string =>
  times.length === 0
    ? 'none'
    : `median ${median(times).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms`;

const compare = (what: string, engineMs: number, requestMs: number): void => {
  const overhead = requestMs - engineMs;
  console.log(
    `${what.padEnd(40)}engine ${engineMs.toFixed(1)} ms, whole request ${requestMs.toFixed(1)} ms, ` +
      `between them ${overhead.toFixed(1)} ms  ${overhead < 3 ? '< 3 ok' : '< 3 MISSED'}`,
  );
};

const rounds = sized(150, 3);

/**
 * The medians of two ways to send the same query, alternating, so that neither gets the quieter moments. Each round has a
 * new query; the first third only warms up.
 */
const medians = async (
  ways: readonly ((round: number) => Promise<unknown>)[],
): Promise<readonly number[]> => {
  const times = ways.map((): number[] => []);
  for (let round = 0; round < rounds; round++)
    for (const [way, run] of ways.entries()) {
      const startedMs = performance.now();
      await run(round);
      if (round >= rounds / 3) times[way]!.push(performance.now() - startedMs);
    }
  return times.map(median);
};

/** Sends queries to the engine's port, without HTTP, GraphQL and SQON, and to the node. */
const compareBoth = async (folder: string, url: string): Promise<void> => {
  const engine = await openEngine({ kind: 'embedded', dataPath: folder });
  const questions = [
    ['a sorted page of 20', pageSearch, pageRequest],
    ['10 facets', facetsSearch, facetsRequest],
  ] as const;
  for (const [what, search, request] of questions) {
    const alone = (round: number) => engine.search(index, search(round));
    const whole = async (round: number): Promise<void> => {
      const answer = await fetch(`${url}/graphql`, request(round));
      const { errors } = (await answer.json()) as { errors?: unknown };
      if (errors !== undefined) throw new Error(JSON.stringify(errors));
    };
    const [engineMs, requestMs] = await medians([alone, whole]);
    compare(what, engineMs!, requestMs!);
  }
  await engine.close();
};

const pings = async (url: string, forSeconds: number): Promise<readonly number[]> => {
  const times: number[] = [];
  const endMs = performance.now() + forSeconds * 1000;
  while (performance.now() < endMs) {
    const startedMs = performance.now();
    const answer = await fetch(`${url}/ping`);
    await answer.text();
    times.push(performance.now() - startedMs);
    await setTimeout(10);
  }
  return times;
};
