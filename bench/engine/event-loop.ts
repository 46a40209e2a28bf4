/**
 * Prints how a node with loaded documents answers over HTTP: what it takes beside the engine's own work, and how long
 * /ping takes while ten clients ask for facets.
 */
import { Worker } from 'node:worker_threads';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { openEngine } from '../../src/engines/open.ts';
import { index } from './embedded-side.ts';
import { median, percentile } from './median.ts';
import { facetsSearch, pageSearch } from './queries.ts';
import { facetsRequest, pageRequest } from './requests.ts';
import { startServer } from './server.ts';

const clients = 10;
const seconds = 15;

/** @param folder where the documents were loaded */
export const measureServer = async (folder: string): Promise<void> => {
  const alone = await engineAlone(folder);
  const { url, close } = await startServer(folder);
  try {
    console.log(`\nthe whole node over HTTP, load average ${loadavg()[0]!.toFixed(1)}`);
    compare('a sorted page of 20', alone.page, await roundTrip(url, pageRequest));
    compare('10 facets', alone.facets, await roundTrip(url, facetsRequest));
    const idle = await pings(url, 3);
    console.log(`/ping, idle                             ${summary(idle)}`);
    const worker = new Worker(new URL('./clients.ts', import.meta.url), { workerData: { url, clients } });
    const times: number[] = [];
    worker.on('message', (ms: number) => times.push(ms));
    const failed = once(worker, 'error').then(([error]) => Promise.reject(error as Error));
    await Promise.race([setTimeout(2_000), failed]);
    times.length = 0;
    const busy = await Promise.race([pings(url, seconds), failed]);
    console.log(
      `/ping, ${clients} clients asking for facets    ${summary(busy)}${percentile(busy, 0.99) < 20 ? '  p99 < 20 ok' : '  p99 < 20 MISSED'}`,
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
  `median ${median(times).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms`;

const compare = (what: string, engineMs: number, requestMs: number): void => {
  const overhead = requestMs - engineMs;
  console.log(
    `${what.padEnd(40)}engine ${engineMs.toFixed(1)} ms, whole request ${requestMs.toFixed(1)} ms, ` +
      `between them ${overhead.toFixed(1)} ms  ${overhead < 3 ? '< 3 ok' : '< 3 MISSED'}`,
  );
};

const turns = 60;

/** The median of `ask`, which gets another number each time; the first third only warms up. */
const medianOf = async (ask: (turn: number) => Promise<unknown>): Promise<number> => {
  const times: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const startedMs = performance.now();
    await ask(turn);
    if (turn >= turns / 3) times.push(performance.now() - startedMs);
  }
  return median(times);
};

/** The same questions to the engine's port, without HTTP, GraphQL and SQON. */
const engineAlone = async (folder: string): Promise<{ page: number; facets: number }> => {
  const engine = await openEngine({ kind: 'embedded', dataPath: folder });
  const page = await medianOf((turn) => engine.search(index, pageSearch(turn)));
  const facets = await medianOf((turn) => engine.search(index, facetsSearch(turn)));
  await engine.close();
  return { page, facets };
};

const roundTrip = (url: string, requestOf: (least: number) => RequestInit): Promise<number> =>
  medianOf(async (turn) => {
    const answer = await fetch(`${url}/graphql`, requestOf(turn));
    const { errors } = (await answer.json()) as { errors?: unknown };
    if (errors !== undefined) throw new Error(JSON.stringify(errors));
  });

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
