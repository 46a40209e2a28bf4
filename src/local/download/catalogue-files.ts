import { badUserInput, TributaryError } from '../../lib/errors/errors.ts';
import { likelyField } from '../../introspection/fields/unknown-fields.ts';
import type { Fields } from '../../introspection/fields/field.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { exactly } from '../../search/count.ts';
import { auditSteps } from '../../search/audited-search.ts';
import type { Catalogue } from '../../search/catalogue.ts';
import type { CatalogueHit, CatalogueResult } from '../../search/query.ts';
import type { RequestContext } from '../../search/request-context.ts';
import type { FileRequest } from './parse-download.ts';
import { documentLimit, filePlan, fileText, hitPages, mostRecords, type FilePlan } from './file-plan.ts';
import { cutAtFile, otherRecords, type PartReport } from './manifest.ts';
import type { DownloadSource, SourceFile } from './open-download.ts';

/**
 * The records of a catalogue as files.
 * @param pageRows how many documents are requested at a time
 */
export const catalogueFiles = (
  catalogue: Catalogue,
  context: RequestContext,
  pageRows: number,
): DownloadSource => {
  const { documentType, description, switches } = catalogue.config;
  return {
    name: description ?? documentType,
    unnamed: documentType,
    columns: null,
    hasManifest: false,
    filtersDisabled: switches.disableFilters,
    openFile: (file, _request, kind) => openFile(file, kind, { catalogue, context, pageRows }),
  };
};

interface FileParts {
  readonly catalogue: Catalogue;
  readonly context: RequestContext;
  readonly pageRows: number;
}

/** Counting first makes the search check filter, sort and access before anything is written. */
const openFile = async (
  request: FileRequest,
  kind: 'download' | 'count',
  { catalogue, context, pageRows }: FileParts,
): Promise<SourceFile> => {
  const plan = filePlan(request, catalogue);
  const [unknown] = plan.unknown;
  if (unknown !== undefined) throw unknownColumn(unknown, catalogue.fields);
  const steps = auditSteps(context);
  const audited = { kind, ...(kind === 'download' && { fields: plan.query.hits.fields ?? ['*'] }) };
  const hits = { ...plan.query.hits, trackTotal: true };
  const counted = await catalogue.search({ ...plan.query, hits }, steps.context).catch((error: unknown) => {
    steps.write(audited);
    throw error;
  });
  const total = exactly(counted.total);
  if (total === null)
    throw new TributaryError('ENGINE_ERROR', 'the engine returned no total although one was requested');
  steps.write({ ...audited, ...(kind === 'download' && { rows: mostRecords(plan, total) }) });
  const pageSize = Math.min(pageRows, catalogue.config.table.maxResultsWindow);
  const read = { query: plan.query, limit: documentLimit(plan) };
  const pages = hitPages(read, catalogue.search, steps.context, pageSize);
  let written: Written = { records: 0, rows: 0, isCut: false, lastId: null };
  const text = fileText(plan, pages, documentOf, ({ id }, { rows, isCut }) => {
    const { records } = written;
    written = { records: records + 1, rows: written.rows + rows, isCut, lastId: id };
  });
  const file = { catalogue, counted, plan };
  return {
    ...{ request, plan, total, text },
    parts: () => [reportOf(file, total, written)],
    planned: () => [{ ...reportOf(file, total, nothingWritten), stopped: null }],
  };
};

const unknownColumn = (name: string, fields: Fields): TributaryError => {
  const likely = likelyField(name, fields);
  const hint = likely === undefined ? '' : ` (did you mean "${likely}"?)`;
  return badUserInput(
    `column ${JSON.stringify(name.slice(0, 200))} is not a field of this catalogue${hint}`,
    { details: { found: name, ...(likely !== undefined && { didYouMean: likely }) } },
  );
};

/** Clients identify a document by its own id, else by its key in the index. */
const documentOf = ({ id, source }: CatalogueHit): JsonObject => ({ id, ...source, _id: id });

/** What was written so far. */
interface Written {
  readonly records: number;
  readonly rows: number;
  /** Whether a limit left out some rows of the last record. */
  readonly isCut: boolean;
  readonly lastId: string | null;
}

const nothingWritten: Written = { records: 0, rows: 0, isCut: false, lastId: null };

interface CountedFile {
  readonly catalogue: Catalogue;
  readonly counted: CatalogueResult;
  readonly plan: FilePlan;
}

/** The catalogue as its own only node. */
const reportOf = (
  { catalogue, counted: { origin, warnings }, plan }: CountedFile,
  total: number,
  { records, rows, isCut, lastId }: Written,
): PartReport => {
  const { catalogueId, description = catalogueId } = catalogue.config;
  const isAtLimit = plan.limit !== null && rows >= plan.limit;
  const rowsComplete = records === total && !isCut;
  const stopped = isAtLimit ? cutAtFile(plan.limit!) : otherRecords(records, total);
  return {
    ...{ nodeId: catalogueId, name: description, uncoveredFields: [], warnings, state: 'ok', code: null },
    origin: origin ?? null,
    ...{ matches: total, records, rows, lastId, rowsComplete },
    stopped: rowsComplete ? null : stopped,
    changedDuring: !isAtLimit && records !== total,
  };
};
