import { TributaryError } from '../../errors/errors.ts';
import { and, or } from '../../sqon/filter.ts';
import type { RecordPage } from '../repositories/repository.ts';
import type { OpenedIndex } from './dynamic-index.ts';
import { dynamicIndex } from './dynamic-index.ts';
import type { JobTask } from './job-progress.ts';
import type { JobRequest } from './job.ts';
import { fromRepository, notOfRun, ofNoRepository, ofRecords } from './origin-filter.ts';
import { rebuildIndex } from './rebuild-index.ts';
import { recordWriter } from './record-writer.ts';
import { removeDocuments } from './stored-documents.ts';

type IndexRequest = Extract<JobRequest, { kind: 'index' }>;
type RecordRequest = Exclude<JobRequest, { kind: 'index' }>;

/**
 * Runs a job; resolves when everything is done and durable. Records that cannot be written are counted and do not end
 * the job.
 * @throws TributaryError UPSTREAM_FAILED the repository did not return everything, so nothing was removed; NOT_FOUND it
 *   does not have the record; errors of the engine; the signal's reason on abort
 */
export const runJob = async (task: JobTask): Promise<void> => {
  const { request } = task;
  switch (request.kind) {
    case 'index':
      return request.rebuild ? rebuildAll(task, request) : indexAll(task, request);
    case 'indexRecord':
      return indexRecord(task, request);
    case 'removeRecord':
      return removeRecord(task, request);
  }
};

const indexAll = async (task: JobTask, { organization }: IndexRequest): Promise<void> => {
  const kept = await writeAll(task, task.repository.fetchAll(organization, task.signal));
  await removeStale(task, kept, organization, null);
};

const rebuildAll = (task: JobTask, { organization }: IndexRequest): Promise<void> =>
  rebuildIndex(task, organization, (fresh) =>
    writeAll(task, task.repository.fetchAll(organization, task.signal), fresh),
  );

const indexRecord = async (task: JobTask, request: RecordRequest): Promise<void> => {
  const { organization, recordId } = request;
  const page = await task.repository.fetchOne(organization, recordId, task.signal);
  if (page === null)
    throw new TributaryError('NOT_FOUND', `repository ${task.repository.config.code} has no record ${recordId} of ${organization}`); // prettier-ignore
  const kept = await writeAll(task, [page]);
  await removeStale(task, kept, organization, recordId);
};

const removeRecord = async (task: JobTask, request: RecordRequest): Promise<void> => {
  const { code, indexName } = task.repository.config;
  const owned = or([fromRepository(code, request.organization), ofNoRepository]);
  const filter = and([owned, ofRecords([request.recordId])]);
  await removeDocuments(task, indexName, filter, new Set());
};

/** @returns the documents and records that could not be written */
const writeAll = async (
  task: JobTask,
  pages: AsyncIterable<RecordPage> | Iterable<RecordPage>,
  opened?: OpenedIndex,
): Promise<ReadonlySet<string>> => {
  const { engine, lock, repository } = task;
  const onGrown = opened === undefined ? task.onIndexed : () => undefined;
  const name = repository.config.indexName;
  const index = dynamicIndex({ engine, name, lock, onGrown, ...(opened && { opened }) });
  const writer = recordWriter(task, index);
  try {
    for await (const page of pages) await writer.addPage(page);
    await writer.finish();
  } finally {
    await writer.settle();
  }
  return writer.kept;
};

/** Removes documents, of one record or all, that the repository returned before but not now. */
const removeStale = async (
  task: JobTask,
  kept: ReadonlySet<string>,
  organization: string | null,
  recordId: string | null,
): Promise<void> => {
  const { code, indexName } = task.repository.config;
  const before = and([fromRepository(code, organization), notOfRun(task.run)]);
  const filter = recordId === null ? before : and([before, ofRecords([recordId])]);
  await removeDocuments(task, indexName, filter, kept);
};
