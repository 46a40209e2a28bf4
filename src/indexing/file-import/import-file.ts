import type { Engine, IndexDescription } from '../../engines/engine.ts';
import { asTributaryError, TributaryError } from '../../errors/errors.ts';
import { extendMapping, refusalUnder } from '../../engines/embedded/index/write-operation.ts';
import { fileReason } from '../../runtime/file-failure.ts';
import { propertiesOf } from '../../introspection/mapping/mapping.ts';
import type { JsonObject } from '../../json/json.ts';
import type { BatchWriter, WriteCounts } from './batch-writer.ts';
import { batchWriter, grownMapping } from './batch-writer.ts';
import type { IdRule } from './document-id.ts';
import { documentId, withoutKeyField } from './document-id.ts';
import type { ExistingIndex, IndexTarget } from '../index-target.ts';
import { assertHeldBack, existingIndex, openTarget } from '../index-target.ts';
import type { ImportPlan, PlanRequest } from './plan-import.ts';
import { planImport, Widened } from './plan-import.ts';
import type { DocumentRecord, SourceRecord, TableColumn } from './records/source-record.ts';
import type { WriteStream } from 'node:fs';
import { createWriteStream } from 'node:fs';
import { access, constants, rm } from 'node:fs/promises';
import { once } from 'node:events';
import path from 'node:path';

export interface ImportRequest extends PlanRequest {
  /** The index or alias to load into. */
  readonly name: string;
  /** Additional names for the index. */
  readonly aliases: readonly string[];
  /** Settings to create the index with, as in an index body. */
  readonly settings?: JsonObject | undefined;
  /** Whether a file without documents creates a missing index; otherwise nothing is created and the import fails. */
  readonly mayBeEmpty: boolean;
  /** Called with the indexes that this import creates or finally deletes, before it does. */
  readonly willFill?: (indexes: readonly string[]) => void;
  /** Called with what the first records were taken for, before anything is written. */
  readonly onPlan?: (plan: ImportPlan) => void;
  /** Ends the import: records read until then are written and counted. */
  readonly signal?: AbortSignal;
}

export interface ImportProgress extends WriteCounts {
  readonly rejected: number;
}

export interface ImportReport {
  /** The index written to. */
  readonly index: string;
  /** Whether this import created the index. */
  readonly newIndex: boolean;
  readonly idRule: IdRule;
  /** Whether some of the first documents had no key and got a generated one. */
  readonly madeKeys: boolean;
  readonly counts: ImportProgress;
  /** `{dynamic, properties}` after the import. */
  readonly mapping: JsonObject;
  /** The first documents, for a starter configuration. */
  readonly sample: readonly JsonObject[];
  /** Why the import stopped before the end of the file or loaded nothing; null if it completed. */
  readonly failure: TributaryError | null;
  /** The columns of a table with their names in its header; none for documents. */
  readonly header: readonly TableColumn[];
  /** What the reader decided or changed, a sentence each. */
  readonly notices: readonly string[];
}

/**
 * Loads a file's documents into an index: creates or extends the index, writes in batches while reading, and puts what
 * cannot be loaded into the rejects file. Memory is bounded for files of any size.
 * @returns the report, which includes a failure after the first document, with the counts until then
 * @throws TributaryError for failures before anything is written: an unreadable file, an id field that no document has,
 *   CONFLICT with the existing mapping, an unavailable engine
 */
export const importFile = async (
  engine: Engine,
  request: ImportRequest,
  rejects: RejectsFile,
  onProgress: (progress: ImportProgress) => void = () => undefined,
): Promise<ImportReport> => {
  const existing = await existingIndex(engine, request.name);
  // an index that is filled for this load can be given up
  const plan = await planImport(request, existing, existing === null || request.replace);
  const written = async (by: ImportPlan): Promise<ImportReport> => {
    if (!by.isProvisional) request.onPlan?.(by);
    const report = await writePlanned(engine, request, existing, by, rejects, onProgress);
    if (by.isProvisional) request.onPlan?.(by);
    return report;
  };
  try {
    request.signal?.throwIfAborted();
    return await written(plan);
  } catch (error) {
    if (!(error instanceof Widened)) throw error;
    await rejects.clear();
    return await written(error.plan);
  } finally {
    await plan.release();
  }
};

const writePlanned = async (
  engine: Engine,
  request: ImportRequest,
  existing: IndexDescription | null,
  plan: ImportPlan,
  rejects: RejectsFile,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportReport> => {
  const { documents, idRule, mapping } = plan;
  const target = await openTarget(engine, { ...request, mapping, existing });
  const writer = batchWriter(engine, target, ({ document, ...refused }) =>
    rejects.add({
      ...refused,
      ...(document === null ? {} : { text: JSON.stringify(document).slice(0, 2_000) }),
    }),
  );
  const progress = (): ImportProgress => ({ ...writer.counts(), rejected: rejects.count() });
  const stopped = await writeAll(plan, writer, rejects, () => {
    request.signal?.throwIfAborted();
    onProgress(progress());
  });
  if (stopped instanceof Widened) {
    await target.abandon();
    throw stopped;
  }
  const counts = progress();
  const mayBeEmpty = request.mayBeEmpty && target.created && !request.replace;
  const failure =
    stopped ??
    (mayBeEmpty && counts.rejected === 0
      ? null
      : emptiness(loaded(counts) + (target.created ? 0 : counts.absent), counts.rejected, plan));
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
    notices: plan.notices,
    header: plan.header,
  };
};

/** Documents and deletions that took effect. */
export const loaded = ({ created, updated, deleted }: WriteCounts): number => created + updated + deleted;

/** null when the whole file was read and written; else what stopped it, with everything before that written. */
const writeAll = async (
  plan: ImportPlan,
  writer: BatchWriter,
  rejects: RejectsFile,
  onRecord: () => void,
): Promise<TributaryError | Widened | null> => {
  let stopped: TributaryError | Widened | null = null;
  try {
    for await (const record of plan.records) {
      await takeRecord(record, writer, plan, rejects);
      onRecord();
    }
  } catch (error) {
    stopped = error instanceof Widened ? error : asTributaryError(error);
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
  plan: ImportPlan,
  rejects: RejectsFile,
): Promise<void> => {
  switch (record.kind) {
    case 'bad':
      return rejects.add({ file: record.file, line: record.line, reason: record.reason, text: record.text });
    case 'delete':
      return writer.addDelete(record);
    case 'document': {
      const wrong = problemOf(record, plan);
      if (typeof wrong !== 'string') return writer.addDocument(record, wrong.id);
      return rejects.add({ file: record.file, line: record.line, reason: wrong, text: JSON.stringify(record.document).slice(0, 2_000) }); // prettier-ignore
    }
  }
};

/** A document's key, or why it cannot be loaded. */
const problemOf = (
  record: DocumentRecord,
  { idRule, misfit }: ImportPlan,
): { readonly id: string } | string => {
  const id = documentId(record, idRule);
  if (id === null) return `no value in ${idRule.kind === 'field' ? idRule.path : '_id'}, the id field`;
  return misfit(record.document) ?? { id };
};

/** The error for having loaded nothing; null if something was loaded. */
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

/** An incomplete replacement never takes the old index's place. */
const settle = async (
  target: IndexTarget,
  request: ImportRequest,
  counts: ImportProgress,
  failure: TributaryError | null,
): Promise<void> => {
  const useless = failure !== null && (request.replace || loaded(counts) === 0);
  await (useless && target.created ? target.abandon() : target.finish());
};

/** One line of a rejects file. */
export interface Reject {
  /** Where several files are loaded. */
  readonly file?: string | undefined;
  readonly line: number;
  readonly reason: string;
  readonly id?: string;
  /** The beginning of the original text. */
  readonly text?: string;
}

/** Where rejected lines are written, created on the first one. */
export interface RejectsFile {
  readonly path: string;
  readonly count: () => number;
  add(reject: Reject): Promise<void>;
  /** Forgets all rejects, where a load begins again. */
  clear(): Promise<void>;
  /** May be called again. */
  close(): Promise<void>;
}

/**
 * `FILE.rejected.ndjson` beside the file, or in the current folder for standard input and read-only folders;
 * `load.rejected.ndjson` for several files. The file
 * of a previous run is removed, so that an existing one always belongs to the last run.
 */
export const openRejectsFile = async (file: string | null): Promise<RejectsFile> => {
  const target = await rejectsPath(file);
  await rm(target, { force: true });
  let stream: WriteStream | null = null;
  let count = 0;
  let failed: Error | null = null;
  const throwFailure = (): void => {
    if (failed === null) return;
    throw new TributaryError('INPUT_INVALID', `the rejected records cannot be written to ${target}: ${fileReason(failed) ?? failed.message}`, { cause: failed }); // prettier-ignore
  };
  const close = async (): Promise<void> => {
    if (stream === null || stream.closed) return;
    stream.end();
    if (!stream.destroyed) await once(stream, 'close');
    throwFailure();
  };
  return {
    path: target,
    count: () => count,
    add: async (reject) => {
      stream ??= createWriteStream(target, { mode: 0o600 }).on('error', (error) => (failed = error));
      count += 1;
      const hasRoom = stream.write(`${JSON.stringify(reject)}\n`);
      if (!hasRoom && failed === null) await once(stream, 'drain').catch(() => undefined); // thrown below
      throwFailure();
    },
    clear: async () => {
      await close();
      await rm(target, { force: true });
      [stream, count] = [null, 0];
    },
    close,
  };
};

const rejectsPath = async (file: string | null): Promise<string> => {
  if (file === null) return 'load.rejected.ndjson';
  if (file === '-') return 'stdin.rejected.ndjson';
  try {
    await access(path.dirname(file), constants.W_OK);
    return `${file}.rejected.ndjson`;
  } catch {
    return `${path.basename(file)}.rejected.ndjson`;
  }
};

/** The expected result of loading a file, as far as it can be known without an engine. */
export interface Trial {
  /** Based on the whole file. */
  readonly plan: ImportPlan;
  /** Readable documents with a key that the engine would take. */
  readonly documents: number;
  /** Delete actions of a bulk body. */
  readonly deletions: number;
  /** Records with the key of an earlier one, which they would replace. */
  readonly repeated: number;
  readonly rejected: number;
  /** The first of them. */
  readonly rejects: readonly Reject[];
}

const shownRejects = 10;

/**
 * Reads a whole file as an import would, without writing.
 * @param existing the index that has the name
 * @throws TributaryError that an import would end with
 */
export const tryImport = async (request: PlanRequest, existing: ExistingIndex | null): Promise<Trial> => {
  const plan = await planImport(request, existing);
  const extended = request.replace ? null : existing;
  try {
    if (extended !== null) {
      assertHeldBack(plan.mapping, extended);
      extendMapping(extended.properties, propertiesOf(plan.mapping));
    }
    return await tryPlanned(plan, extended);
  } finally {
    await plan.release();
  }
};

const tryPlanned = async (plan: ImportPlan, extended: ExistingIndex | null): Promise<Trial> => {
  let surveyed = plan.complete ? Infinity : plan.documents.length;
  const { dynamic } = extended ?? plan.mapping;
  const refusal = (): ReturnType<typeof refusalUnder> => refusalUnder({ ...(dynamic !== undefined && { dynamic }), properties }); // prettier-ignore
  let properties = plan.properties;
  let refused = refusal();
  const keys = new Set<string>();
  const rejects: Reject[] = [];
  let [documents, deletions, repeated, rejected] = [0, 0, 0, 0];
  const reject = (reason: Reject): void => {
    rejected += 1;
    if (rejects.length < shownRejects) rejects.push(reason);
  };
  for await (const record of plan.records) {
    const { file, line } = record;
    if (record.kind === 'bad') reject({ file, line, reason: record.reason });
    if (record.kind === 'delete' && (extended !== null || keys.delete(record.id))) deletions += 1;
    if (record.kind !== 'document') continue;
    const typed = record.rounded ?? record.document;
    if (surveyed > 0) surveyed -= 1;
    else plan.evidence.add(typed, line, file);
    const key = problemOf(record, plan);
    if (typeof key === 'string') {
      reject({ file, line, reason: key });
      continue;
    }
    const { extended: grown, reason } = grownMapping(properties, typed, plan);
    if (reason === null && grown !== properties) {
      properties = grown;
      refused = refusal();
    }
    const wrong = reason ?? refused(withoutKeyField(record.document));
    if (wrong !== null) {
      reject({ file, line, reason: wrong });
      continue;
    }
    const { id } = key;
    documents += 1;
    if (keys.has(id)) repeated += 1;
    keys.add(id);
  }
  return { plan, documents, deletions, repeated, rejected, rejects };
};
