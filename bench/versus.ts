/**
 * Prints what another checkout of this project takes for the same requests, and what this one takes: both programs run
 * at once over the same documents, and are queried alternately.
 *
 *   node bench/versus.ts FOLDER [documents] [rounds]     default: 100000 documents, 10 rounds
 *   node bench/versus.ts audit [documents] [rounds]      this checkout without and with the audit trail
 *
 * FOLDER is the other checkout, in which `npm ci` has been run. The ratios are new to old, 1 is as fast as before: the
 * median of all rounds, and from the least to the greatest.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openAuditTrail } from '../src/capabilities/audit/audit-trail.ts';
import { keyedMac } from '../src/lib/runtime/keyed-mac.ts';
import { median } from './engine/median.ts';
import { facetsRequest, pageRequest } from './engine/requests.ts';
import { startServer } from './engine/server.ts';
import type { Side } from './engine/side.ts';
import { queryPortal, startPortal } from './federation/portal.ts';
import { sized } from './size.ts';

const [other, documents = '100000', rounds = '10'] = process.argv.slice(2);
if (other === undefined) throw new Error('usage: node bench/versus.ts FOLDER|audit [documents] [rounds]');
const isOfAudit = other === 'audit';
const otherMain = isOfAudit ? undefined : resolve(other, 'src/main.ts');
const ownSide = './engine/embedded-side.ts';
/** Loads the documents: the other checkout, since a version opens the folders of earlier ones only. */
const { embeddedSide } = (await import(isOfAudit ? ownSide : resolve(other, 'bench', ownSide))) as {
  readonly embeddedSide: (folder: string) => Side;
};

/** A program under measurement. */
interface Program {
  readonly url: string;
  readonly processorMs: () => Promise<number>;
}

interface Pair {
  readonly old: Program;
  readonly new: Program;
}

/** A request that differs in each round, so that no answer comes from a cache. */
interface Question {
  readonly name: string;
  readonly rounds: number;
  readonly run: (url: string, round: number) => Promise<void>;
}

const graphql = async (url: string, init: RequestInit): Promise<void> => {
  const answer = (await (await fetch(`${url}/graphql`, init)).json()) as { errors?: unknown };
  if (answer.errors !== undefined)
    throw new Error(`an answer has errors: ${JSON.stringify(answer).slice(0, 500)}`);
};

const query = (text: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ query: text }),
});

const wildcard = (round: number): string =>
  `{op: "wildcard", content: {fieldNames: ["species"], value: "*${round % 10}${round % 7}*"}}`;

const questions: readonly Question[] = [
  { name: 'sorted page of 20', rounds: 60, run: (url, round) => graphql(url, pageRequest(round)) },
  { name: 'ten facets', rounds: 30, run: (url, round) => graphql(url, facetsRequest(round)) },
  {
    name: 'histogram, stats, ranges',
    rounds: 30,
    run: (url, round) =>
      graphql(
        url,
        query(
          `{ specimen { aggregations { weight { stats { min max avg } histogram(interval: ${10 + round}) { buckets { key doc_count } } } donor__age { range(ranges: [{from: ${round}}]) { buckets { doc_count } } } } } }`,
        ),
      ),
  },
  {
    name: 'wildcard and a total',
    rounds: 60,
    run: (url, round) =>
      graphql(url, query(`{ specimen { hits(first: 0, filters: ${wildcard(round)}) { total } } }`)),
  },
  {
    name: 'page of 1 000 with nested parts',
    rounds: 6,
    run: (url, round) =>
      graphql(
        url,
        query(
          `{ specimen { hits(first: 1000, offset: ${round}) { edges { node { id species weight tags _source(paths: ["samples"]) } } } } }`,
        ),
      ),
  },
];

const networkQuestion: Question = { name: "a portal's page over 20 nodes", rounds: 20, run: queryPortal };

const measure = async (side: Program, { rounds, run }: Question, from: number) => {
  const before = await side.processorMs();
  const startedMs = performance.now();
  for (let round = 0; round < rounds; round++) await run(side.url, from + round);
  const clockMs = performance.now() - startedMs;
  return { clockMs, processorMs: (await side.processorMs()) - before };
};

const spread = (ratios: readonly number[]): string =>
  `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}-${Math.max(...ratios).toFixed(2)})`;

const compare = async (pair: Pair, question: Question): Promise<void> => {
  const clock: number[] = [];
  const processor: number[] = [];
  let from = 0;
  for (let round = 0; round <= Number(rounds); round++) {
    const names = round % 2 === 0 ? (['old', 'new'] as const) : (['new', 'old'] as const);
    const taken = { old: { clockMs: 0, processorMs: 0 }, new: { clockMs: 0, processorMs: 0 } };
    for (const name of names) taken[name] = await measure(pair[name], question, from);
    from += question.rounds;
    // the first round compiles
    if (round === 0) continue;
    clock.push(taken.new.clockMs / taken.old.clockMs);
    processor.push(taken.new.processorMs / Math.max(taken.old.processorMs, 10));
  }
  console.log(`${question.name.padEnd(36)}${spread(clock).padEnd(22)}${spread(processor)}`);
};

const measureCatalogue = async (): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-versus-'));
  try {
    const loading = embeddedSide(join(folder, 'new'));
    await loading.load(Number(documents));
    await loading.close();
    await cp(join(folder, 'new'), join(folder, 'old'), { recursive: true });
    const pair = {
      old: await startServer(join(folder, 'old'), otherMain, { AUDIT: 'off' }),
      new: await startServer(join(folder, 'new'), undefined, {
        AUDIT: isOfAudit ? 'on' : 'off',
      }),
    };
    // both have read their documents and written what they write after it
    await sleep(2_000);
    try {
      for (const question of questions) await compare(pair, question);
    } finally {
      await pair.old.close();
      await pair.new.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const measureNetwork = async (): Promise<void> => {
  const delays = Array.from({ length: 20 }, () => 5);
  const pair = { old: await startPortal(delays, otherMain), new: await startPortal(delays) };
  try {
    await compare(pair, networkQuestion);
  } finally {
    await pair.old.close();
    await pair.new.close();
  }
};

/** Lines as long as those of a question, without anything around them. */
const measureLines = (): void => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-audit-'));
  const { privateKey: signingKey } = generateKeyPairSync('ed25519');
  const trail = openAuditTrail({
    ...{ folder, signingKey, lineMac: keyedMac(randomBytes(32)), required: true, days: 1 },
    warn: (error) => console.error(error),
  });
  const line = {
    'tributary.query': 'x'.repeat(64),
    'tributary.catalogue': 'specimens',
    rest: 'x'.repeat(400),
  };
  const lines = sized(100_000, 1_000);
  const started = process.cpuUsage();
  for (let count = 0; count < lines; count += 1) trail.write(line);
  const { user, system } = process.cpuUsage(started);
  trail.close();
  rmSync(folder, { recursive: true });
  console.log(`a line of the trail: ${((user + system) / lines).toFixed(1)} us of processor`);
};

console.log(`${documents} documents, ${rounds} rounds, load average ${loadavg()[0]!.toFixed(1)}`);
console.log(`${'new to old'.padEnd(36)}${'by the clock'.padEnd(22)}processor time`);
await measureCatalogue();
if (isOfAudit) measureLines();
else await measureNetwork();
