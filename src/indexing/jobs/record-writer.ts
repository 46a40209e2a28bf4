import type { WriteOutcome } from '../../engines/engine.ts';
import { TributaryError } from '../../errors.ts';
import type { Origin } from '../../introspection/fields/origin-field.ts';
import { originField } from '../../introspection/fields/origin-field.ts';
import type { JsonObject } from '../../json.ts';
import { withoutKeyField } from '../file-import/document-id.ts';
import type { RecordPage, RepositoryRecord } from '../repositories/repository.ts';
import type { BulkItem } from './bulk-writer.ts';
import { bulkWriter } from './bulk-writer.ts';
import type { DynamicIndex } from './dynamic-index.ts';
import type { JobTask } from './job-task.ts';

/** More records that fail are no exceptions: the job fails as a whole. It bounds the memory that `kept` takes. */
const maxKeptErrors = 100_000;

export interface RecordWriter {
  /** Resolves when there is room for more. @throws TributaryError what writing an earlier page came to */
  addPage(page: RecordPage): Promise<void>;
  /** Resolves when everything added is durable. @throws TributaryError the engine's own */
  finish(): Promise<void>;
  /** Resolves when nothing is under way any more, whatever became of it. */
  settle(): Promise<void>;
  /** Documents and records whose new version could not be written, so that their previous one stays. */
  readonly kept: ReadonlySet<string>;
}

/** Writes pages of records as documents that tell where they came from, and counts what becomes of each. */
export const recordWriter = (task: JobTask, index: DynamicIndex): RecordWriter => {
  const { counts } = task.progress;
  const kept = new Set<string>();
  const stamp = stamper(task);

  const fail = (recordId: string, keptId: string, reason: string): void => {
    task.progress.fail(recordId, reason);
    kept.add(keptId);
    if (kept.size > maxKeptErrors)
      throw new TributaryError('BAD_USER_INPUT', `more than ${maxKeptErrors} records could not be indexed, the last one: ${reason}`); // prettier-ignore
  };
  const onOutcome = ({ recordId, operation }: BulkItem, outcome: WriteOutcome): void => {
    if (outcome.status !== 'refused') counts.indexed += 1;
    else fail(recordId, operation.id, refusal(recordId, operation.id, outcome.reason));
  };
  const bulk = bulkWriter(task.engine, {
    signal: task.signal,
    index: (items) => index.ready(items.map(({ operation }) => documentOf(operation))),
    onOutcome,
  });

  return {
    addPage: async ({ records, skipped, failed }) => {
      task.signal.throwIfAborted();
      counts.fetched += records.length + skipped.length + failed.length;
      counts.skipped += skipped.length;
      for (const { recordId, reason } of failed) fail(recordId, recordId, reason);
      for (const record of records) {
        const operation = { kind: 'upsert', id: record.documentId, document: stamp(record) } as const;
        const room = bulk.add({ operation, recordId: record.recordId });
        if (room !== undefined) await room;
      }
    },
    finish: () => bulk.finish(),
    settle: () => bulk.settle(),
    kept,
  };
};

const documentOf = (operation: BulkItem['operation']): JsonObject =>
  operation.kind === 'upsert' ? operation.document : {};

/** One document of a record that is several is named too. */
const refusal = (recordId: string, documentId: string, reason: string): string =>
  recordId === documentId ? reason : `document ${documentId}: ${reason}`;

/** Gives a record's document with its origin. */
const stamper = ({ repository, run }: JobTask): ((record: RepositoryRecord) => JsonObject) => {
  const origins = new Map<string, Origin>();
  return ({ document, documentId, recordId, organization }) => {
    let origin = origins.get(organization);
    if (origin === undefined) {
      origin = { repository: repository.config.code, organization, run };
      origins.set(organization, origin);
    }
    const stamped = recordId === documentId ? origin : { ...origin, record: recordId };
    return { ...withoutKeyField(document), [originField]: stamped as unknown as JsonObject };
  };
};
