import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { openEmbeddedEngine } from '../../../src/engines/embedded/embedded-engine.ts';
import type { Engine } from '../../../src/engines/engine.ts';
import type { Job, JobQueue, JobQueueParts, JobRequest } from '../../../src/indexing/jobs/job.ts';
import { openJobQueue } from '../../../src/indexing/jobs/job-runner.ts';
import type { Repository } from '../../../src/indexing/repositories/repository.ts';
import { originField } from '../../../src/introspection/fields/field.ts';
import type { JsonObject } from '../../../src/lib/json/json.ts';
import { all } from '../../../src/sqon/filter.ts';

/** A folder that goes with the test. */
export const temporaryFolder = async (t: ExecutionContext): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-jobs-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

export interface QueueFixture {
  readonly dataPath: string;
  readonly engine: Engine;
  readonly queue: JobQueue;
  /** Index names, in the order in which they were told. */
  readonly indexed: string[];
}

/** A queue over the embedded engine, in a folder of its own. @param wrap puts something between queue and engine */
export const openQueue = async (
  t: ExecutionContext,
  repositories: readonly Repository[],
  wrap: (engine: Engine) => Engine = (engine) => engine,
  more: Pick<Partial<JobQueueParts>, 'maxWaiting'> = {},
): Promise<QueueFixture> => {
  const dataPath = await temporaryFolder(t);
  const embedded = openEmbeddedEngine(dataPath, 0);
  t.teardown(() => embedded.close());
  const engine = wrap(embedded);
  const indexed: string[] = [];
  const queue = await openJobQueue({
    engine,
    repositories,
    dataPath,
    onIndexed: (name) => indexed.push(name),
    ...more,
  });
  t.teardown(() => queue.close());
  return { dataPath, engine, queue, indexed };
};

export const indexAll = (changes: Partial<Extract<JobRequest, { kind: 'index' }>> = {}): JobRequest => ({
  kind: 'index',
  repositoryCode: 'museum',
  organization: null,
  rebuild: false,
  ...changes,
});

export const onRecord = (
  kind: 'indexRecord' | 'removeRecord',
  recordId: string,
  organization = 'O',
): JobRequest => ({ kind, repositoryCode: 'museum', organization, recordId });

/** The job when it has ended. */
export const ended = async (queue: JobQueue, jobId: string): Promise<Job> => {
  for (;;) {
    const job = queue.byId(jobId)!;
    if (job.finishedAt !== null) return job;
    await delay(5);
  }
};

/** Submits and waits for the end. */
export const run = async (queue: JobQueue, request: JobRequest): Promise<Job> =>
  ended(queue, (await queue.submit(request)).jobId);

/** All documents of an index by key, with their origin. */
export const storedDocuments = async (
  engine: Engine,
  index = 'things',
): Promise<Record<string, JsonObject>> => {
  const page = { filter: all, size: 10_000, offset: 0, sort: [], searchAfter: null, source: null };
  const { hits } = await engine.search(index, { hits: { ...page, trackTotal: false }, facets: [] });
  return Object.fromEntries(hits!.hits.map(({ id, source }) => [id, source]));
};

/** The keys of an index's documents, in order. */
export const keysOf = async (engine: Engine, index?: string): Promise<readonly string[]> =>
  Object.keys(await storedDocuments(engine, index)).sort();

/** A document without the name of its run, which differs each time. */
export const withoutRun = (document: JsonObject): JsonObject => {
  const { run: _run, ...origin } = document[originField] as JsonObject;
  return { ...document, [originField]: origin };
};
