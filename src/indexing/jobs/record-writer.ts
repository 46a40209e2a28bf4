import type { WriteOutcome } from '../../engines/engine.ts';
import { TributaryError } from '../../errors/errors.ts';
import type { Origin } from '../../introspection/fields/field.ts';
import { originField } from '../../introspection/fields/field.ts';
import type { JsonObject } from '../../json/json.ts';
import { withoutKeyField } from '../file-import/document-id.ts';
import type { RecordPage, RepositoryRecord } from '../repositories/repository.ts';
import type { BulkItem } from './bulk-writer.ts';
import { bulkWriter } from './bulk-writer.ts';
import type { DynamicIndex } from './dynamic-index.ts';
import type { JobTask } from './job-progress.ts';

/** With more failed records the whole job fails. Bounds the memory of `kept`. */
const maxKeptErrors = 100_000;

export interface RecordWriter {
  /** Resolves when there is room for more. @throws TributaryError from writing an earlier page */
  addPage(page: RecordPage): Promise<void>;
  /** Resolves when everything added is durable. @throws TributaryError from the engine */
  finish(): Promise<void>;
  /** Resolves when nothing is in progress any more, whether it succeeded or failed. */
  settle(): Promise<void>;
  /** Documents and records whose new version could not be written, so that the previous one is kept. */
  readonly kept: ReadonlySet<string>;
}

/** Writes pages of records as documents marked with their origin, and counts the outcomes. */
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

/** If a record has several documents, the document is named too. */
const refusal = (recordId: string, documentId: string, reason: string): string =>
  recordId === documentId ? reason : `document ${documentId}: ${reason}`;

/** Adds the origin to a record's document. */
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
