import type { Engine, IndexDescription } from '../../engines/engine.ts';
import { asTributaryError, invalidInput, type TributaryError } from '../../lib/errors/errors.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { batchWriter, type BatchWriter, type WriteCounts } from './batch-writer.ts';
import { documentId, type IdRule } from './document-id.ts';
import { assertAliases, existingIndex, openTarget, type IndexTarget } from '../index-target.ts';
import { planImport, Widened, type ImportPlan, type PlanRequest } from './plan-import.ts';
import type { RejectsFile } from './rejects-file.ts';
import type { RoundedFractions } from '../round-fractions.ts';
import type { SourceRecord, TableColumn } from './records/source-record.ts';

export interface ImportRequest extends PlanRequest {
  /** The index or alias to load into. */
  readonly name: string;
  /** Additional names for the index. */
  readonly aliases: readonly string[];
  /** Settings to create the index with, as in an index body. */
  readonly settings?: JsonObject | undefined;
  /** Whether a file without documents creates a missing index; otherwise nothing is created and the import fails. */
  readonly mayBeEmpty: boolean;
  /** Called with the indexes that this import will create or finally delete. */
  readonly willFill?: (indexes: readonly string[]) => void;
  /** Called with the plan, once: before anything is written, or at the end where the plan was provisional. */
  readonly onPlan?: (plan: ImportPlan) => void;
  /** Ends the import: records read before are still written and counted. */
  readonly signal?: AbortSignal;
}

export interface ImportProgress extends WriteCounts {
  readonly rejected: number;
}

export interface ImportReport {
  /** The index that was written to. */
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
  /** Paths with lists in documents, as far as types were inferred from them. */
  readonly lists: ReadonlySet<string>;
  /** Why the import stopped before the end of the file or loaded nothing; null if it completed. */
  readonly failure: TributaryError | null;
  /** The columns of a table with their names in its header; empty for documents. */
  readonly header: readonly TableColumn[];
  /** What the reader decided or changed, a sentence each. */
  readonly notices: readonly string[];
  /** By field. */
  readonly rounded: ReadonlyMap<string, RoundedFractions>;
}

/**
 * Loads a file's documents into an index: creates or extends the index, writes in batches while reading, and puts records
 * that cannot be loaded into the rejects file. Memory is bounded for files of any size.
 * @param onProgress called for each record; null while the file is read for its types
 * @returns the report, which includes a failure after the first document, with the counts until then
 * @throws TributaryError for failures before anything is written: an unreadable file, an id field that no document has,
 *   CONFLICT with the existing mapping or of an alias with an index, an unavailable engine
 */
export const importFile = async (
  engine: Engine,
  request: ImportRequest,
  rejects: RejectsFile,
  onProgress: (progress: ImportProgress | null) => void = () => undefined,
): Promise<ImportReport> => {
  await assertAliases(engine, request.aliases);
  const existing = await existingIndex(engine, request.name);
  // only an index that is filled by this load can be discarded and started over
  const plan = await planImport(request, existing, existing === null || request.replace, () =>
    onProgress(null),
  );
  const written = async (by: ImportPlan): Promise<ImportReport> => {
    // a provisional plan is reported once it has lasted to the end of the file
    if (!by.isProvisional) request.onPlan?.(by);
    const report = await writePlanned(engine, request, existing, by, rejects, onProgress);
    if (by.isProvisional) request.onPlan?.(by);
    return report;
  };
  try {
    request.signal?.throwIfAborted();
    return await written(plan);
  } catch (error) {
    // a later record does not fit the types: start over with a plan of the whole file
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
  const grows = plan.dynamic && target.dynamic;
  const writer = batchWriter(engine, { ...target, dynamic: grows }, ({ document, ...refused }) =>
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
    lists: new Set([...plan.evidence.fields].flatMap(([path, { isList }]) => (isList ? [path] : []))),
    failure,
    notices: plan.notices,
    rounded: writer.rounded,
    header: plan.header,
  };
};

/** Documents that were written. */
export const loaded = ({ created, updated }: WriteCounts): number => created + updated;

/** null if the whole file was read and written; else the error that stopped it, after writing everything before. */
const writeAll = async (
  plan: ImportPlan,
  writer: BatchWriter,
  rejects: RejectsFile,
  onRecord: () => void,
): Promise<TributaryError | Widened | null> => {
  let stopped: TributaryError | Widened | null = null;
  try {
    for await (const record of plan.records) {
      await takeRecord(record, plan, { addDocument: writer.addDocument, reject: rejects.add });
      onRecord();
    }
  } catch (error) {
    stopped = error instanceof Widened ? error : asTributaryError(error);
  }
  try {
    await writer.flush();
    await rejects.close();
  } catch (error) {
    stopped ??= asTributaryError(error);
  }
  return stopped;
};

/** Where the records of a plan go. */
interface Outlets {
  readonly addDocument: BatchWriter['addDocument'];
  readonly reject: RejectsFile['add'];
}

/** Passes a record on: to be written, or to the rejects with the reason. */
export const takeRecord = async (
  record: SourceRecord,
  { idRule, misfit }: ImportPlan,
  { addDocument, reject }: Outlets,
): Promise<void> => {
  const { file, line } = record;
  if (record.kind === 'bad') return reject({ file, line, reason: record.reason, text: record.text });
  const id = documentId(record, idRule);
  const reason =
    id === null
      ? `no value in ${idRule.kind === 'field' ? idRule.path : '_id'}, the id field`
      : misfit(record.document);
  if (id !== null && reason === null) return addDocument(record, id);
  return reject({ file, line, reason: reason!, text: JSON.stringify(record.document).slice(0, 2_000) });
};

/** The error if nothing was loaded; else null. */
export const emptiness = (
  taken: number,
  rejected: number,
  { columns }: Pick<ImportPlan, 'columns'>,
): TributaryError | null => {
  if (taken > 0) return null;
  if (rejected > 0) return invalidInput('no document could be loaded');
  const header = columns === null ? '' : ', only a header line';
  return invalidInput(`the file holds no documents${header}`);
};

/** Puts the index into use, or drops it: after a failure, a replacement and an empty new index are dropped. */
const settle = async (
  target: IndexTarget,
  request: ImportRequest,
  counts: ImportProgress,
  failure: TributaryError | null,
): Promise<void> => {
  const useless = failure !== null && (request.replace || loaded(counts) === 0);
  await (useless && target.created ? target.abandon() : target.finish());
};
