/**
 * Prints what the dearest questions that are accepted take of the processor, kind by kind: none may take more than two
 * seconds over a million documents. Then, what is still done for such a question once its client has left.
 *
 *   node bench/cost.ts [documents] [folder]     default: 1000000; a folder is filled once and kept
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openEngine } from '../src/engines/open/open-engine.ts';
import { fill, index } from './engines/loaded.ts';
import { startNode, type NodeProcess } from './engines/node-process.ts';

/** A question of one kind. */
interface Kind {
  readonly name: string;
  /** The most of it that the limits of the wire let through. */
  readonly most: number;
  /** @param turn makes another question of the same kind, which nothing is remembered of */
  readonly question: (count: number, turn: number) => Question;
}

interface Question {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

interface Answered {
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions: {
      readonly code: string;
      readonly details?: { readonly cost?: number; readonly maxCost?: number };
    };
  }[];
}

const repeated = (count: number, text: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => text(i)).join(' ');
const specimens = (selection: string): Question => ({ query: `{ specimen { ${selection} } }` });
const facets = (selection: string): Question => specimens(`aggregations { ${selection} }`);
const filtered = (content: readonly object[]): Question => ({
  query: 'query ($f: JSON) { specimen { hits(first: 0, filters: $f) { total } } }',
  variables: { f: { op: 'or', content } },
});
const wildcard = (fieldName: string, value: string, pivot?: string): object => ({
  op: 'filter',
  ...(pivot && { pivot }),
  content: { fieldNames: [fieldName], value },
});
const listed = (count: number, item: (i: number) => unknown): unknown[] =>
  Array.from({ length: count }, (_, i) => item(i));

const tenFields = 'id sex phase weight title species institution collected donor { age country }';
const pageOf = (first: number, what: string, more = ''): string =>
  `hits(first: ${first}${more}) { edges { node { ${what} } } }`;
const sortedBy = (fields: string): string =>
  `, sort: [${fields
    .split(' ')
    .map((name) => `{fieldName: "${name}"}`)
    .join()}]`;
const withFilters = (count: number, turn: number): string =>
  repeated(
    count,
    (i) =>
      `f${i}: filter_by_term(filter: {op: ">=", content: {fieldName: "bytes", value: [${i * 1_000 + turn}]}})`,
  );
const small = 'tags species collector institution category diagnosis'.split(' ');

const kinds: readonly Kind[] = [
  {
    name: 'pages of whole documents',
    most: 15,
    question: (n, turn) => specimens(repeated(n, (i) => `p${i}: ${pageOf(10_000 - turn - i, '_source')}`)),
  },
  {
    name: 'pages of ten fields',
    most: 15,
    question: (n, turn) => specimens(repeated(n, (i) => `p${i}: ${pageOf(10_000 - turn - i, tenFields)}`)),
  },
  {
    name: 'pages sorted by text',
    most: 15,
    question: (n, turn) =>
      specimens(
        repeated(
          n,
          (i) => `p${i}: ${pageOf(10, 'id', `, offset: ${9_000 + turn + i * 10}${sortedBy('title')}`)}`,
        ),
      ),
  },
  {
    name: 'pages sorted by nested numbers',
    most: 15,
    question: (n, turn) =>
      specimens(
        repeated(n, (i) => `p${i}: ${pageOf(10, 'id', `, offset: ${turn + i}${sortedBy('samples.depth')}`)}`),
      ),
  },
  {
    name: 'pages sorted by several fields',
    most: 15,
    question: (n, turn) =>
      specimens(
        repeated(
          n,
          (i) => `p${i}: ${pageOf(10, 'id', `, offset: ${turn + i}${sortedBy('sex grade title')}`)}`,
        ),
      ),
  },
  {
    name: 'deep pages sorted by numbers',
    most: 15,
    question: (n, turn) =>
      specimens(
        repeated(n, (i) => `p${i}: ${pageOf(10, 'id', `, offset: ${9_900 + turn + i}${sortedBy('bytes')}`)}`),
      ),
  },
  {
    name: 'buckets',
    most: 1_000_000,
    question: (n, turn) => facets(`id { buckets(max: ${n - turn}) { key doc_count } }`),
  },
  {
    name: 'buckets with top hits',
    most: 1_000_000,
    question: (n, turn) =>
      facets(`title { buckets(max: ${n - turn}) { key top_hits(_source: ["id", "title"]) } }`),
  },
  {
    name: 'filters in buckets',
    most: 15,
    question: (n, turn) => facets(`title { buckets(max: ${100 + turn}) { key ${withFilters(n, turn)} } }`),
  },
  {
    name: 'filters in nested buckets',
    most: 15,
    question: (n, turn) =>
      facets(`samples__lab { buckets(max: ${100 + turn}) { key ${withFilters(n, turn)} } }`),
  },
  {
    name: 'many facets',
    most: 15,
    question: (n, turn) =>
      facets(
        repeated(
          n,
          (i) =>
            `f${i}: ${['samples__kind', 'samples__lab', ...small.filter((name) => name !== 'diagnosis')][i % 7]} { buckets(max: ${5_000 - turn - i}) { key doc_count } }`,
        ),
      ),
  },
  {
    name: 'histograms',
    most: 15,
    question: (n, turn) =>
      facets(
        `reads { ${repeated(n, (i) => `h${i}: histogram(interval: ${16 + turn / 10 + i}) { buckets { key doc_count } }`)} }`,
      ),
  },
  {
    name: 'ranges',
    most: 1_000,
    question: (n, turn) =>
      facets(
        ['weight', 'reads', 'donor__age', 'bytes']
          .map(
            (name) =>
              `${name} { range(ranges: [${repeated(n, (i) => `{from: ${i + turn}}`)}]) { buckets { doc_count } } }`,
          )
          .join(' '),
      ),
  },
  {
    name: 'wildcards',
    most: 1_000,
    question: (n, turn) => filtered(listed(n, (i) => wildcard('title', `*x${turn}${i}*`)) as object[]),
  },
  {
    name: 'wildcards of many parts',
    most: 1_000,
    question: (n, turn) => filtered(listed(n, (i) => wildcard('title', `?*a*b*${turn}${i}*`)) as object[]),
  },
  {
    name: 'pivoted wildcards',
    most: 1_000,
    question: (n, turn) =>
      filtered(listed(n, (i) => wildcard('samples.lab', `*${turn}${i}*`, 'samples')) as object[]),
  },
  {
    name: 'values in a condition',
    most: 9_000,
    question: (n, turn) =>
      filtered([
        {
          op: 'in',
          content: {
            fieldName: 'id',
            value: listed(n, (i) => `SPEC-${String(turn + i * 7).padStart(8, '0')}`),
          },
        },
      ]),
  },
  {
    name: 'numbers in conditions',
    most: 1_000,
    question: (n, turn) =>
      filtered(
        listed(n, (i) => ({
          op: '>=',
          content: { fieldName: 'bytes', value: [i * 1_000 + turn] },
        })) as object[],
      ),
  },
];

/** What is refused. An answer that is too large to be sent was worked for like others. */
const refusal = async (url: string, question: Question) => {
  const [error] = (await run(url, question)).errors ?? [];
  return error?.extensions.code === 'RESPONSE_TOO_LARGE' ? undefined : error;
};

const run = async (url: string, question: Question, signal?: AbortSignal): Promise<Answered> => {
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(question),
    ...(signal && { signal }),
  });
  return (await answer.json()) as Answered;
};

/** The most of a kind that is accepted, and what one more would cost. */
const dearest = async (url: string, { most, question }: Kind): Promise<number> => {
  for (let count = most; ;) {
    const error = await refusal(url, question(count, 0));
    if (error === undefined) return count;
    const { cost, maxCost } = error.extensions.details ?? {};
    if (cost === undefined || maxCost === undefined) throw new Error(error.message);
    count = Math.floor(Math.min(count - 1, (count * maxCost) / cost));
    if (count < 1) return 0;
  }
};

/** Processor time in the second after a client disconnects during its request; an idle server takes some too. */
const afterLeaving = async (node: NodeProcess, question: Question): Promise<number> => {
  const client = new AbortController();
  const answer = run(node.url, question, client.signal).catch(() => undefined);
  await sleep(150);
  client.abort();
  await answer;
  const before = await node.cpuMs();
  await sleep(1_000);
  return (await node.cpuMs()) - before;
};

const measure = async (node: NodeProcess, kind: Kind): Promise<boolean> => {
  const count = await dearest(node.url, kind);
  const times: number[] = [];
  for (let turn = 1; turn <= 2 && count > 0; turn++) {
    const before = await node.cpuMs();
    const error = await refusal(node.url, kind.question(count, turn));
    if (error !== undefined) throw new Error(`${kind.name}: ${error.message}`);
    times.push((await node.cpuMs()) - before);
  }
  const worst = Math.max(0, ...times);
  const shown = times.map((ms) => `${ms.toFixed(0).padStart(6)} ms`).join(' ');
  const left = count > 0 ? await afterLeaving(node, kind.question(count, 3)) : 0;
  const verdict = (worst < 2_000 ? 'ok' : 'MISSED').padEnd(6);
  const after = `${left.toFixed(0).padStart(5)} ms afterwards`;
  console.log(`${kind.name.padEnd(34)}${String(count).padStart(8)}  ${shown}  ${verdict} ${after}`);
  return worst < 2_000;
};

const [documents = '1000000', folderArgument] = process.argv.slice(2);
const folder = folderArgument ?? (await mkdtemp(join(tmpdir(), 'tributary-cost-')));
try {
  if (!existsSync(join(folder, `${index}.sqlite`))) {
    const engine = await openEngine({ kind: 'embedded', dataPath: folder });
    await fill(engine, Number(documents));
    await engine.close();
  }
  const settings = { SEARCH_ENGINE: 'embedded', DATA_PATH: folder, QUERY_COST_PER_SECOND: '0' };
  const node = await startNode(folder, settings);
  try {
    // a server that has done some of it before
    for (let turn = 0; turn < 3; turn++) await run(node.url, specimens(pageOf(5_000 + turn, '_source')));
    console.log(
      `load average ${loadavg()[0]!.toFixed(1)}; how many fit, and processor time of two such questions`,
    );
    let missed = 0;
    for (const kind of kinds) if (!(await measure(node, kind))) missed++;
    process.exitCode = missed === 0 ? 0 : 1;
  } finally {
    await node.close();
  }
} finally {
  if (folderArgument === undefined) await rm(folder, { recursive: true, force: true });
}
