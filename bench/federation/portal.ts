import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answering } from '../answering.ts';
import { asTheProductRuns } from '../fork-options.ts';
import { endsWithUs } from '../../test/ends-with-us.ts';
import { freePort } from '../../test/listening.ts';
import { processorMs } from '../processor-time.ts';
import { documentType } from './answers.ts';
import type { Sent } from './stub-nodes.ts';

/** The program itself as an operator starts it, in a separate process. */
export interface Program {
  readonly url: string;
  /** Of the program's process: now, and the most since it started. */
  readonly residentMebibytes: () => Promise<{ readonly now: number; readonly peak: number }>;
  /** Processor time of the program's process so far. */
  readonly processorMs: () => Promise<number>;
  readonly close: () => Promise<void>;
}

/** In front of stub nodes, which are a process of their own too. */
export interface Portal extends Program {
  /** The last node, which is the slowest. */
  readonly slowestUrl: string;
  /** The traffic of all nodes so far. */
  readonly sent: () => Promise<Sent>;
}

/** The file that this checkout is started with. */
const ownMain = join(import.meta.dirname, '../../src/main.ts');

export interface Start {
  /** The program of another checkout; unset: this one's. */
  readonly main?: string;
  /** The bound on the young part of the heap; unset: what the program's own start commands say. */
  readonly youngMebibytes?: number;
}

/**
 * Starts the program, and waits until its nodes are discovered.
 * @param nodesFile the content of nodes.json
 */
export const startProgram = async (
  nodesFile: object,
  { main = ownMain, youngMebibytes = 4 }: Start = {},
): Promise<Program> => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-bench-'));
  await writeFile(join(folder, 'nodes.json'), JSON.stringify(nodesFile));
  const port = await freePort();
  const program = spawn(process.execPath, [`--max-semi-space-size=${youngMebibytes}`, main, 'start'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: asTheProductRuns.env!['NODE_COMPILE_CACHE'],
      CONFIGS_PATH: join(folder, 'configs'),
      DATA_PATH: folder,
      NODES_PATH: join(folder, 'nodes.json'),
      SERVER_HOST: '127.0.0.1',
      SERVER_PORT: String(port),
      INDEXING_PORT: 'off',
      LOG_LEVEL: 'silent',
    },
  });
  endsWithUs(program);
  const url = `http://127.0.0.1:${port}`;
  await answering(`${url}/ready`);
  return {
    url,
    residentMebibytes: async () => {
      const status = await readFile(`/proc/${program.pid}/status`, 'utf8');
      const of = (name: string): number =>
        Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)![1]) / 1024;
      return { now: of('VmRSS'), peak: of('VmHWM') };
    },
    processorMs: () => processorMs(program.pid!),
    close: async () => {
      const ended = once(program, 'exit');
      program.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
};

/**
 * @param delaysMs one node for each, which answers after so long
 * @param main the program of another checkout
 * @param lists of the nodes: those that are cut take a second request
 */
export const startPortal = async (
  delaysMs: readonly number[],
  main = ownMain,
  lists: 'whole' | 'cut' = 'whole',
): Promise<Portal> => {
  const stubs = fork(join(import.meta.dirname, 'stub-nodes.ts'), [lists, ...delaysMs.map(String)]);
  const [ports] = (await once(stubs, 'message')) as [readonly number[]];
  const nodes = ports.map((port, index) => ({
    nodeId: `n${index}`,
    documentType,
    graphqlUrl: `http://127.0.0.1:${port}/graphql`,
    timeoutMs: 60_000,
  }));
  const program = await startProgram({ nodes }, { main });
  return {
    ...program,
    slowestUrl: nodes.at(-1)!.graphqlUrl,
    sent: async () => {
      stubs.send('sent');
      const [sent] = (await once(stubs, 'message')) as [Sent];
      return sent;
    },
    close: async () => {
      const ended = once(stubs, 'exit');
      await program.close();
      stubs.disconnect();
      await ended;
    },
  };
};

const query = `query($filters: JSON) { network(filters: $filters) {
  total partial nodes { nodeId hits status state took errors }
  hits(first: 20, sort: [{ fieldName: "weight" }, { fieldName: "site" }]) { total edges { nodeId searchAfter node { id species site weight } } }
  aggregations {
    species { bucket_count buckets { key doc_count upper_bound } coverage { nodeId state docs } }
    site { buckets(max: 10) { key doc_count upper_bound } }
    weight { stats { count min max avg } }
  }
} }`;

/** A page, to the last field, through the network's document type, as clients of catalogues query it. */
const documentTypeQuery = `query($filters: JSON) { ${documentType} {
  hits(first: 20, filters: $filters, sort: [{ fieldName: "weight" }, { fieldName: "site" }]) { total partial nodes { nodeId hits status state took errors } edges { nodeId searchAfter node { id species site weight } } }
  aggregations(filters: $filters) {
    species { bucket_count buckets { key doc_count upper_bound } coverage { nodeId state docs } }
    site { buckets(max: 10) { key doc_count upper_bound } }
    weight { stats { count min max avg } }
  }
} }`;

/** How a page is requested: through the field `network`, or through the document type. */
export type View = 'network' | 'documentType';

/**
 * One page of a portal: facets, hits and nodes.
 * @param number makes the question another one, so that nothing is shared with others under way
 * @throws when a node did not answer
 */
export const queryPortal = async (url: string, number: number, view: View = 'network'): Promise<void> => {
  const filters = { op: 'in', content: { fieldName: 'species', value: [`species ${number}`] } };
  const response = await fetch(`${url}/network/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query: view === 'network' ? query : documentTypeQuery,
      variables: { filters },
    }),
  });
  const { data, ...answer } = (await response.json()) as {
    data?: { network?: { partial: boolean }; [documentType]?: { hits: { partial: boolean } } };
    errors?: unknown;
  };
  const page = view === 'network' ? data?.network : data?.[documentType]?.hits;
  if (page?.partial !== false)
    throw new Error(
      `the network's answer is not whole: ${JSON.stringify({ page, ...answer }).slice(0, 500)}`,
    );
};

/** One query to a stub, as the portal would send it. */
export const askStub = async (url: string): Promise<void> => {
  const response = await fetch(url, {
    method: 'POST',
    body: JSON.stringify({ query: 'query nodeQuery { x }' }),
  });
  await response.json();
};

/**
 * Downloads records of nodes, by weight, and forgets them: how many lines came.
 * @param params beside the file
 */
export const downloadFile = async (url: string, params: object): Promise<number> => {
  const columns = ['id', 'species', 'site', 'weight'].map((fieldName) => ({ fieldName }));
  const response = await fetch(`${url}/network/download`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...params, files: [{ columns, sort: [{ fieldName: 'weight' }] }] }),
  });
  if (response.status !== 200) throw new Error(`the download answered ${response.status}`);
  let lines = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>)
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++;
  return lines;
};
