import { parentPort, workerData } from 'node:worker_threads';
import { facetsRequest } from './requests.ts';

// Clients in a thread of their own, so that reading their answers does not delay the pings that are measured. Each
// requests facets under its own filter, one request after the other, and reports each answer.

const { url, clients } = workerData as { url: string; clients: number };

const client = async (number: number): Promise<never> => {
  for (let turn = 0; ; turn++) {
    const startedMs = performance.now();
    const answer = await fetch(`${url}/graphql`, facetsRequest((number * 7 + turn) % 300));
    const body = (await answer.json()) as { data?: unknown; errors?: unknown };
    if (body.errors !== undefined || !answer.ok)
      throw new Error(JSON.stringify(body.errors ?? answer.status));
    parentPort!.postMessage(performance.now() - startedMs);
  }
};

await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
