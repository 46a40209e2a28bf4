import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openEmbeddedEngine } from '../src/engines/embedded/embedded-engine.ts';
import type { WriteOperation } from '../src/engines/engine.ts';
import { openJobQueue } from '../src/indexing/jobs/job-runner.ts';
import { openRepository } from '../src/indexing/repositories/open-repository.ts';
import type { RepositoryConfig } from '../src/indexing/repositories/repository.ts';
import { withoutOrigin } from '../src/introspection/fields/field.ts';
import type { JsonObject } from '../src/lib/json/json.ts';
import { asTheProductRuns } from './fork-options.ts';
import { measuredProcess } from './measured-process.ts';
import { sized } from './size.ts';

const index = 'specimens';
const pageSize = sized(1_000, 100);
/** Documents that are fetched before the clock of the bare load runs. */
const aside = sized(20_000, 100);

interface Measured {
  readonly documents: number;
  readonly ms: number;
  readonly residentMebibytes: number;
  readonly mapping?: JsonObject;
}

const repositoryConfig = (baseUrl: string): RepositoryConfig => ({
  kind: 'record',
  code: 'bench',
  displayName: 'bench',
  baseUrl,
  indexName: index,
  pageSize,
  timeoutMs: 60_000,
  exclude: [],
  map: [],
  categoryId: '1',
  validOnly: true,
});

const residentMebibytes = (): number => process.memoryUsage.rss() / 1024 / 1024;

const indexJob = async (folder: string, baseUrl: string): Promise<Measured> => {
  const engine = openEmbeddedEngine(folder);
  const repositories = [openRepository(repositoryConfig(baseUrl))];
  const queue = await openJobQueue({ engine, repositories, dataPath: folder });
  let peak = 0;
  const startedMs = performance.now();
  const request = { kind: 'index', repositoryCode: 'bench', organization: null, rebuild: false } as const;
  const { jobId } = await queue.submit(request);
  while (queue.byId(jobId)!.finishedAt === null) {
    peak = Math.max(peak, residentMebibytes());
    await delay(20);
  }
  const ms = performance.now() - startedMs;
  const job = queue.byId(jobId)!;
  if (job.state !== 'succeeded') throw new Error(`the job ${job.state}: ${job.error?.message ?? ''}`);
  const { properties } = await engine.describe(index);
  await queue.close();
  await engine.close();
  return { documents: job.counts.indexed, ms, residentMebibytes: peak, mapping: { properties } };
};

/** The engine's own time for batches of 1000, one after the other. */
const bareLoad = async (folder: string, baseUrl: string, mapping: JsonObject): Promise<Measured> => {
  const engine = openEmbeddedEngine(folder);
  await engine.manage({ kind: 'create', index, mapping });
  let documents = 0;
  let ms = 0;
  const batches: WriteOperation[][] = [];
  const writeAll = async (): Promise<void> => {
    const startedMs = performance.now();
    for (const batch of batches) await engine.write(index, batch);
    ms += performance.now() - startedMs;
    documents += batches.splice(0).flat().length;
  };
  const pages = openRepository(repositoryConfig(baseUrl)).fetchAll(null, new AbortController().signal);
  for await (const { records } of pages) {
    batches.push(records.map(({ documentId: id, document }) => ({ kind: 'upsert', id, document })));
    if (batches.length * pageSize >= aside) await writeAll();
  }
  await writeAll();
  const measured = { documents, ms, residentMebibytes: residentMebibytes() };
  await engine.close();
  return measured;
};

const idle = async (folder: string): Promise<Measured> => {
  const engine = openEmbeddedEngine(folder);
  const { documents } = await engine.describe(index);
  await delay(1_000);
  const measured = { documents, ms: 0, residentMebibytes: residentMebibytes() };
  await engine.close();
  return measured;
};

const measured = (...step: readonly string[]): Promise<Measured> =>
  measuredProcess<Measured>(import.meta.filename, step);

const line = (what: string, value: string): void => console.log(what.padEnd(34) + value.padStart(24));
const perSecond = ({ documents, ms }: Measured): number => documents / (ms / 1_000);
const shown = (value: number): string => value.toFixed(0);

const compare = async (count: number): Promise<void> => {
  const [jobFolder, bareFolder] = (await Promise.all(
    [0, 1].map(() => mkdtemp(join(tmpdir(), 'tributary-bench-'))),
  )) as [string, string];
  const server = fork(
    join(import.meta.dirname, 'indexing/record-server.ts'),
    [count, pageSize].map(String),
    asTheProductRuns,
  );
  try {
    const [baseUrl] = (await once(server, 'message')) as [string];
    console.log(`${count} records, load average ${loadavg()[0]!.toFixed(1)}`);
    const job = await measured('job', jobFolder, baseUrl);
    const { properties } = job.mapping as { readonly properties: JsonObject };
    const bare = await measured(
      'bare',
      bareFolder,
      baseUrl,
      JSON.stringify({ properties: withoutOrigin(properties) }),
    );
    const open = await measured('idle', jobFolder);
    if (job.documents !== count || bare.documents !== count || open.documents !== count)
      throw new Error(`${job.documents}, ${bare.documents}, ${open.documents} documents of ${count}`);
    line('indexing job', `${shown(perSecond(job))} documents/s`);
    line('the engine alone', `${shown(perSecond(bare))} documents/s`);
    line('ratio', (perSecond(job) / perSecond(bare)).toFixed(2));
    line('memory while indexing, at most', `${shown(job.residentMebibytes)} MiB`);
    line('an engine with the index open', `${shown(open.residentMebibytes)} MiB`);
    line('above it', `${shown(job.residentMebibytes - open.residentMebibytes)} MiB`);
  } finally {
    server.disconnect();
    await Promise.all([jobFolder, bareFolder].map((folder) => rm(folder, { recursive: true })));
  }
};

const [what, folder, baseUrl, mapping] = process.argv.slice(2) as [string?, string?, string?, string?];
if (process.send === undefined) await compare(Number(what ?? 1_000_000));
else {
  const result =
    what === 'job'
      ? await indexJob(folder!, baseUrl!)
      : what === 'bare'
        ? await bareLoad(folder!, baseUrl!, JSON.parse(mapping!) as JsonObject)
        : await idle(folder!);
  process.send(result, () => process.disconnect());
}
