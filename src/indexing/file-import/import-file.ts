import type { Engine } from '../../engines/engine.ts';
import { asTributaryError, TributaryError } from '../../errors.ts';
import type { JsonObject } from '../../json.ts';
import type { BatchWriter, WriteCounts } from './batch-writer.ts';
import { batchWriter } from './batch-writer.ts';
import type { IdRule } from './document-id.ts';
import { documentId } from './document-id.ts';
import type { IndexTarget } from '../index-target.ts';
import { describeIfThere, openTarget } from '../index-target.ts';
import type { ImportPlan, PlanRequest } from './plan-import.ts';
import { planImport } from './plan-import.ts';
import type { RejectsFile } from './rejects-file.ts';
import type { SourceRecord } from './records/source-record.ts';

export interface ImportRequest extends PlanRequest {
  /** The index or alias to load into. */
  readonly name: string;
  /** Further names for the index. */
  readonly aliases: readonly string[];
  /** Settings to create the index with, as an index body has them. */
  readonly settings?: JsonObject | undefined;
  /** Whether a file without documents makes an index that was not there; else nothing is made, which is a failure. */
  readonly mayBeEmpty: boolean;
  /** Is told which indexes this import makes, or deletes at its end, before it does. */
  readonly willFill?: (indexes: readonly string[]) => void;
  /** Is told what was made of the first records, before anything is written. */
  readonly onPlan?: (plan: ImportPlan) => void;
  /** Ends the import: what was taken until then is written and counted. */
  readonly signal?: AbortSignal;
}

export interface ImportProgress extends WriteCounts {
  readonly rejected: number;
}

export interface ImportReport {
  /** The index written to. */
  readonly index: string;
  /** Whether this import made the index. */
  readonly newIndex: boolean;
  readonly idRule: IdRule;
  /** Whether documents without a key of their own were among the first ones and got one made. */
  readonly madeKeys: boolean;
  readonly counts: ImportProgress;
  /** `{dynamic, properties}` as it is at the end. */
  readonly mapping: JsonObject;
  /** The first documents, for a starter configuration. */
  readonly sample: readonly JsonObject[];
  /** Why the import stopped before the end of the file or loaded nothing; null when it went through. */
  readonly failure: TributaryError | null;
}

/**
 * Loads a file's documents into an index: creates or extends the index, writes in batches while reading on, keeps what
 * cannot be loaded in the rejects file, and goes on. Memory stays bounded whatever the file's size.
 * @returns the report; a failure after the first document is part of it, with the counts up to there
 * @throws TributaryError what goes wrong before anything is written: an unreadable file, an id field that no document
 *   has, CONFLICT with the existing mapping, an engine that is away
 */
export const importFile = async (
  engine: Engine,
  request: ImportRequest,
  rejects: RejectsFile,
  onProgress: (progress: ImportProgress) => void = () => undefined,
): Promise<ImportReport> => {
  const existing = await describeIfThere(engine, request.name);
  const plan = await planImport(request, existing);
  request.signal?.throwIfAborted();
  request.onPlan?.(plan);
  const { documents, idRule, mapping } = plan;
  const target = await openTarget(engine, { ...request, mapping, existing });
  const writer = batchWriter(engine, target, ({ document, ...refused }) =>
    rejects.add({
      ...refused,
      ...(document === null ? {} : { text: JSON.stringify(document).slice(0, 2_000) }),
    }),
  );
  const progress = (): ImportProgress => ({ ...writer.counts(), rejected: rejects.count() });
  const stopped = await writeAll(plan.records, writer, idRule, rejects, () => {
    request.signal?.throwIfAborted();
    onProgress(progress());
  });
  const counts = progress();
  const mayBeEmpty = request.mayBeEmpty && target.created && !request.replace;
  const failure =
    stopped ??
    (mayBeEmpty && counts.rejected === 0 ? null : emptiness(loaded(counts), counts.rejected, plan));
  await settle(target, request, counts, failure);
  return {
    index: target.index,
    newIndex: target.created,
    idRule,
    madeKeys: idRule.kind === 'generated' && documents.some((record) => record.id === null),
    counts,
    mapping: { ...mapping, properties: writer.properties() },
    sample: documents.map((record) => record.document),
    failure,
  };
};

/** Documents and deletions that took effect. */
export const loaded = (counts: WriteCounts): number => counts.created + counts.updated + counts.deleted;

/** null when the file was read to its end and everything written; else what stopped it, all before it written. */
const writeAll = async (
  records: AsyncIterable<SourceRecord>,
  writer: BatchWriter,
  idRule: IdRule,
  rejects: RejectsFile,
  onRecord: () => void,
): Promise<TributaryError | null> => {
  let stopped: TributaryError | null = null;
  try {
    for await (const record of records) {
      await takeRecord(record, writer, idRule, rejects);
      onRecord();
    }
  } catch (error) {
    stopped = asTributaryError(error);
  }
  try {
    await writer.flush();
  } catch (error) {
    stopped ??= asTributaryError(error);
  }
  return stopped;
};

const takeRecord = async (
  record: SourceRecord,
  writer: BatchWriter,
  idRule: IdRule,
  rejects: RejectsFile,
): Promise<void> => {
  switch (record.kind) {
    case 'bad':
      return rejects.add({ line: record.line, reason: record.reason, text: record.text });
    case 'delete':
      return writer.addDelete(record);
    case 'document': {
      const id = documentId(record, idRule);
      if (id !== null) return writer.addDocument(record, id);
      const path = idRule.kind === 'field' ? idRule.path : '_id';
      const text = JSON.stringify(record.document).slice(0, 2_000);
      return rejects.add({ line: record.line, reason: `no value in ${path}, the id field`, text });
    }
  }
};

/** What is wrong with having loaded nothing; null when something was. */
export const emptiness = (
  taken: number,
  rejected: number,
  { columns }: Pick<ImportPlan, 'columns'>,
): TributaryError | null => {
  if (taken > 0) return null;
  if (rejected > 0) return new TributaryError('INPUT_INVALID', 'no document could be loaded');
  const header = columns === null ? '' : ', only a header line';
  return new TributaryError('INPUT_INVALID', `the file holds no documents${header}`);
};

/** A replacement that is not whole never takes the old index's place. */
const settle = async (
  target: IndexTarget,
  request: ImportRequest,
  counts: ImportProgress,
  failure: TributaryError | null,
): Promise<void> => {
  const useless = failure !== null && (request.replace || loaded(counts) === 0);
  await (useless && target.created ? target.abandon() : target.finish());
};
