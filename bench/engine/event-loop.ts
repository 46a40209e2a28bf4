/**
 * Prints how a node with loaded documents answers over HTTP: what it takes beside the engine's own work, and how long
 * /ping takes while ten clients ask for facets.
 */
import { Worker } from 'node:worker_threads';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { median, percentile } from './median.ts';
import { facetsRequest, pageRequest } from './requests.ts';
import { startServer } from './server.ts';

const clients = 10;
const seconds = 15;

/** @param folder where the documents were loaded */
export const measureServer = async (folder: string): Promise<void> => {
  const { url, close } = await startServer(folder);
  try {
    console.log(`\nthe whole node over HTTP, load average ${loadavg()[0]!.toFixed(1)}`);
    console.log(`a sorted page of 20                     ${await roundTrip(url, pageRequest)}`);
    console.log(`10 facets                               ${await roundTrip(url, facetsRequest)}`);
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

const roundTrip = async (url: string, requestOf: (least: number) => RequestInit): Promise<string> => {
  const times: number[] = [];
  for (let turn = 0; turn < 40; turn++) {
    const startedMs = performance.now();
    const answer = await fetch(`${url}/graphql`, requestOf(turn));
    const { errors } = (await answer.json()) as { errors?: unknown };
    if (errors !== undefined) throw new Error(JSON.stringify(errors));
    if (turn >= 10) times.push(performance.now() - startedMs);
  }
  return `median ${median(times).toFixed(1)} ms`;
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
