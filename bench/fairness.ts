/**
 * Prints how long the cheapest question and /ping take while twenty other callers send the most expensive query that is
 * accepted, on the embedded engine and on a real OpenSearch; and with how little of a processor the former is answered.
 *
 *   node bench/fairness.ts [documents] [engines...]     default: 200000 embedded opensearch
 *
 * The server is one that test/whole/servers starts, or that of TEST_OPENSEARCH_URL (only its index tributary-bench is touched).
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { openEngine } from '../src/engines/open/open-engine.ts';
import { median, percentile } from './engine/median.ts';
import { fill } from './engines/loaded.ts';
import { startNode } from './engines/node-process.ts';
import { openSearchServer } from './engines/search-server.ts';
import { sized } from './size.ts';

const dearClients = 20;
/** Alternates between runs without the expensive clients and beside them: what else the machine does is in both. */
const rounds = sized(3, 1);
const aloneSeconds = sized(4, 1);
const besideSeconds = sized(7, 1);

interface Answered {
  readonly data?: unknown;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions: {
      readonly code: string;
      readonly details?: { readonly cost: number; readonly maxCost: number };
    };
  }[];
}

interface Asked {
  readonly query: string;
  readonly variables?: object;
}

const send = async (url: string, caller: number, asked: Asked, signal?: AbortSignal): Promise<Answered> => {
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.0.0.${caller}` },
    body: JSON.stringify(asked),
    ...(signal && { signal }),
  });
  return (await answer.json()) as Answered;
};

/** The error of a request that the bench itself ended. */
const unless =
  (ended: AbortSignal) =>
  (error: unknown): undefined => {
    if (!ended.aborted) throw error;
  };

const cheap = { query: '{ specimen { hits(first: 0) { total } } }' };

/** Every document's numbers looked up in many ranges; in others each time, so that no answer comes from a cache. */
const dear = (count: number, turn: number): Asked => {
  const fields = ['weight', 'reads', 'donor__age', 'bytes'];
  const facets = fields.map((name) => `${name} { range(ranges: $ranges) { buckets { doc_count } } }`);
  return {
    query: `query($ranges: [RangesArg!]) { specimen { aggregations { ${facets.join(' ')} } } }`,
    variables: { ranges: Array.from({ length: count }, (_, at) => ({ from: turn + at })) },
  };
};

/** How many ranges make the dearest question that is accepted. */
const maxRanges = async (url: string): Promise<{ readonly ranges: number; readonly cost: number }> => {
  let ranges = 1_000;
  let cost = 0;
  for (;;) {
    const { errors } = await send(url, 1, dear(ranges, 0));
    if (errors === undefined) return { ranges, cost };
    const { details } = errors[0]!.extensions;
    if (details === undefined) throw new Error(errors[0]!.message);
    ranges = Math.floor(Math.min(ranges - 1, (ranges * details.maxCost) / details.cost));
    cost = details.maxCost;
  }
};

const times = async (request: () => Promise<unknown>, forSeconds: number, pauseMs: number) => {
  const measured: number[] = [];
  const endMs = performance.now() + forSeconds * 1_000;
  while (performance.now() < endMs) {
    const startedMs = performance.now();
    await request();
    measured.push(performance.now() - startedMs);
    await sleep(pauseMs);
  }
  return measured;
};

const cheapTimes = (url: string, forSeconds: number) =>
  times(
    async () => {
      const { errors } = await send(url, 250, cheap);
      if (errors !== undefined) throw new Error(errors[0]!.message);
    },
    forSeconds,
    5,
  );
const pingTimes = (url: string, forSeconds: number) =>
  times(async () => (await fetch(`${url}/ping`)).text(), forSeconds, 5);

const say = (what: string, measured: readonly number[], verdict = ''): void =>
  console.log(
    `${what.padEnd(44)}median ${median(measured).toFixed(1).padStart(7)} ms, p99 ${percentile(measured, 0.99).toFixed(1).padStart(7)} ms  ${verdict}`,
  );

const measure = async (name: string, url: string): Promise<void> => {
  await cheapTimes(url, 2);
  const { ranges, cost } = await maxRanges(url);
  console.log(`\n${name}, load average ${loadavg()[0]!.toFixed(1)}; the dear question costs ${cost}`);
  const worker = new Worker(new URL(import.meta.url), { workerData: { url, ranges } });
  let answered = 0;
  worker.on('message', () => answered++);
  const failed = once(worker, 'error').then(([error]) => Promise.reject(error as Error));
  const [alone, beside, pings]: [number[], number[], number[]] = [[], [], []];
  const round = async (): Promise<void> => {
    alone.push(...(await Promise.all([cheapTimes(url, aloneSeconds), pingTimes(url, aloneSeconds)]))[0]);
    worker.postMessage('begin');
    await sleep(2_000);
    const both = await Promise.all([cheapTimes(url, besideSeconds), pingTimes(url, besideSeconds)]);
    beside.push(...both[0]);
    pings.push(...both[1]);
    worker.postMessage('end');
    await sleep(1_000);
  };
  for (let n = 0; n < rounds; n++) await Promise.race([round(), failed]);
  say('the cheap question, nobody else', alone);
  const ratio = percentile(beside, 0.99) / percentile(alone, 0.99);
  say(
    `the same beside ${dearClients} dear clients`,
    beside,
    `${ratio.toFixed(1)} times <= 5 ${ratio <= 5 ? 'ok' : 'MISSED'}`,
  );
  say('/ping beside them', pings, `p99 < 50 ${percentile(pings, 0.99) < 50 ? 'ok' : 'MISSED'}`);
  const secondsBeside = rounds * (besideSeconds + 2);
  console.log(`dear questions answered: ${(answered / secondsBeside).toFixed(1)} a second`);
  await worker.terminate();
};

const withNode = async (folder: string, engine: Readonly<Record<string, string>>): Promise<void> => {
  const node = await startNode(folder, { ...engine, TRUST_PROXY: 'true' });
  try {
    await measure(engine['SEARCH_ENGINE']!, node.url);
  } finally {
    await node.close();
  }
};

const loaded = async (settings: Parameters<typeof openEngine>[0], documents: number): Promise<void> => {
  const engine = await openEngine(settings);
  await fill(engine, documents);
  await engine.close();
};

const run = async (documents: number, engines: readonly string[]): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-fairness-'));
  try {
    console.log(`${documents} documents`);
    if (engines.includes('embedded')) {
      await loaded({ kind: 'embedded', dataPath: folder }, documents);
      await withNode(folder, { SEARCH_ENGINE: 'embedded', DATA_PATH: folder });
    }
    if (engines.includes('opensearch')) {
      const server = await openSearchServer();
      try {
        const none = { user: undefined, password: undefined, apiKey: undefined, caFile: undefined };
        await loaded({ kind: 'opensearch', url: server.url, ...none }, documents);
        await server.merge();
        await withNode(folder, { SEARCH_ENGINE: 'opensearch', ES_HOST: server.url });
      } finally {
        await server.close();
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

if (isMainThread) {
  const [documents = '200000', ...engines] = process.argv.slice(2);
  await run(Number(documents), engines.length > 0 ? engines : ['embedded', 'opensearch']);
} else {
  // the dear clients have a thread of their own, so that reading their answers does not delay what is measured
  const { url, ranges } = workerData as { url: string; ranges: number };
  const client = async (number: number, ended: AbortSignal): Promise<void> => {
    for (let turn = number; ; turn += dearClients) {
      const answered = await send(url, number, dear(ranges, turn), ended).catch(unless(ended));
      if (ended.aborted) return;
      const [error] = answered?.errors ?? [];
      // on a busy machine dear questions may run out of time
      if (error !== undefined && error.extensions.code !== 'ENGINE_TIMEOUT') throw new Error(error.message);
      parentPort!.postMessage(null);
    }
  };
  let ending = new AbortController();
  parentPort!.on('message', (message: 'begin' | 'end') => {
    if (message === 'end') return ending.abort();
    ending = new AbortController();
    for (let number = 1; number <= dearClients; number++) void client(number, ending.signal);
  });
}
