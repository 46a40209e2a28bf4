import { Readable } from 'node:stream';
import { badUserInput, TributaryError } from '../../errors/errors.ts';
import type { Fields } from '../../introspection/fields/field.ts';
import { likelyField } from '../../introspection/fields/unknown-fields.ts';
import type { JsonObject } from '../../json/json.ts';
import type { Catalogue } from '../../search/catalogue.ts';
import type { CatalogueHit } from '../../search/query.ts';
import { auditSteps } from '../../search/audited-search.ts';
import type { RequestContext } from '../../search/request-context.ts';
import { archive, type SpoolStorage } from './spool.ts';
import type { DownloadRequest, FileRequest } from './download-request.ts';
import { documentLimit, filePlan, fileText, hitPages, isTruncated } from './file-plan.ts';
import { mostRecords, partLength, type FilePlan } from './file-plan.ts';
import { parseDownload } from './parse-download.ts';

/** A download ready to start: every possible refusal has been checked. */
export interface Download {
  /** A safe file name on every system. */
  readonly fileName: string;
  readonly contentType: string;
  /** Number of matching documents, over all files. */
  readonly total: number;
  /** Whether a limit omits some of them; null: only reading it shows that. */
  readonly isTruncated: boolean | null;
  /** Reading it queries the catalogue page by page. A failure destroys it: it never just ends early. */
  readonly content: Readable;
  /** What the content held, once it has been read. */
  readonly outcome: () => DownloadOutcome;
}

export interface DownloadOutcome {
  /** Records written; with uniqueBy a record may have several rows, or none. */
  readonly records: number;
  /** Whether these are all records that matched. */
  readonly isComplete: boolean;
  /** Why they differ from the announced records; empty when they do not. */
  readonly shortcomings: readonly string[];
}

export interface DownloadOptions {
  /** How many documents are requested at a time. */
  readonly pageRows: number;
  /** Whether only the headers are requested: the content is empty then. */
  readonly headersOnly?: boolean;
  /** Where the files of an archive are spooled. */
  readonly spools: SpoolStorage;
}

/**
 * Opens the download requested by some params: a single file as it is, several as one archive. Everything goes through
 * the catalogue's search, under the caller's access filter.
 *
 * @param params as sent, see download-request.ts
 * @throws TributaryError BAD_USER_INPUT for malformed params, columns, filters or sorts; NOT_READY when there is no
 *   room for several files; whatever the search throws
 */
export const openDownload = async (
  params: unknown,
  catalogue: Catalogue,
  context: RequestContext,
  options: DownloadOptions,
): Promise<Download> => {
  const request = parseDownload(params);
  if (catalogue.config.switches.disableFilters) rejectFilters(request);
  const files: OpenFile[] = [];
  for (const [position, file] of request.files.entries())
    files.push(await naming(position, () => openFile(file, catalogue, context, options)));
  const [only, ...others] = files;
  return {
    total: files.reduce((sum, { total }) => sum + total, 0),
    isTruncated: isAnyTruncated(files),
    outcome: () => outcomeOf(files),
    ...(only !== undefined && others.length === 0
      ? await singleFile(only, request, catalogue, options)
      : await severalFiles(files, request, catalogue, { ...options, signal: context.signal })),
  };
};

interface OpenFile {
  readonly request: FileRequest;
  readonly plan: FilePlan;
  readonly total: number;
  readonly text: AsyncGenerator<string>;
  /** What was written so far. */
  readonly written: () => { readonly records: number; readonly rows: number; readonly isCut: boolean };
}

/** Whether a limit omits some records of a file; null: only reading it shows that. */
export const isAnyTruncated = (
  files: readonly { readonly plan: FilePlan; readonly total: number }[],
): boolean | null => {
  const each = files.map(({ plan, total }) => isTruncated(plan, total));
  return each.includes(true) || (each.includes(null) ? null : false);
};

const outcomeOf = (files: readonly OpenFile[]): DownloadOutcome => ({
  records: files.reduce((sum, { written }) => sum + written().records, 0),
  isComplete: files.every(({ total, written }) => written().records === total && !written().isCut),
  shortcomings: files.flatMap(({ total, plan, written }, position) => {
    const { records, rows } = written();
    const announced = mostRecords(plan, total);
    return records === announced || rows === plan.limit
      ? []
      : [`files[${position}] has ${records} records although ${announced} were announced`];
  }),
});

/** @throws TributaryError BAD_USER_INPUT when some file has a filter */
export const rejectFilters = ({ files }: DownloadRequest): void => {
  if (files.some(({ sqon }) => sqon !== null)) throw badUserInput('filters are disabled here');
};

/** Adds the file concerned to an error. */
export const naming = async <T>(position: number, open: () => Promise<T>): Promise<T> => {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof TributaryError) || error.code !== 'BAD_USER_INPUT') throw error;
    throw new TributaryError(error.code, `files[${position}]: ${error.message}`, {
      cause: error,
      ...(error.details === undefined ? {} : { details: error.details }),
    });
  }
};

const unknownColumn = (name: string, fields: Fields): TributaryError => {
  const likely = likelyField(name, fields);
  const hint = likely === undefined ? '' : ` (did you mean "${likely}"?)`;
  return badUserInput(
    `column ${JSON.stringify(name.slice(0, 200))} is not a field of this catalogue${hint}`,
    { details: { found: name, ...(likely !== undefined && { didYouMean: likely }) } },
  );
};

/** Counting first makes the search check filter, sort and access before anything is written. */
const openFile = async (
  request: FileRequest,
  catalogue: Catalogue,
  context: RequestContext,
  { pageRows }: DownloadOptions,
): Promise<OpenFile> => {
  const plan = filePlan(request, catalogue);
  const [unknown] = plan.unknown;
  if (unknown !== undefined) throw unknownColumn(unknown, catalogue.fields);
  const steps = auditSteps(context);
  const asDownload = { kind: 'download', fields: plan.query.hits.fields ?? ['*'] } as const;
  const counted = { ...plan.query, hits: { ...plan.query.hits, trackTotal: true } };
  const { total } = await catalogue.search(counted, steps.context).catch((error: unknown) => {
    steps.write(asDownload);
    throw error;
  });
  steps.write({ ...asDownload, rows: mostRecords(plan, total ?? 0) });
  if (total === null)
    throw new TributaryError('ENGINE_ERROR', 'the engine returned no total although one was requested');
  const pageSize = Math.min(pageRows, catalogue.config.table.maxResultsWindow);
  const read = { query: plan.query, limit: documentLimit(plan) };
  const pages = hitPages(read, catalogue.search, steps.context, pageSize);
  let written = { records: 0, rows: 0, isCut: false };
  const text = fileText(plan, pages, documentOf, (_, { rows, isCut }) => {
    const { records } = written;
    written = { records: records + 1, rows: written.rows + rows, isCut };
  });
  return { request, plan, total, text, written: () => written };
};

/** Clients identify a document by its own id, else by its key in the index. */
const documentOf = ({ id, source }: CatalogueHit): JsonObject => ({ id, ...source, _id: id });

type Content = Pick<Download, 'fileName' | 'contentType' | 'content'>;

/** The first page is fetched here: if that fails, nothing has been sent yet. */
const singleFile = async (
  { request, plan, text }: OpenFile,
  { fileName: shared }: DownloadRequest,
  { config }: Catalogue,
  { headersOnly = false }: DownloadOptions,
): Promise<Content> => {
  return {
    fileName: fileName(request.fileName ?? shared, `${config.documentType}.${request.fileType}`),
    contentType: plan.format.contentType,
    content: headersOnly ? nothing() : await begunText(text),
  };
};

/** The content of a response that has headers only. */
export const nothing = (): Readable => Readable.from([]);

/** A text as a stream, whose first chunk is read before this returns. */
export const begunText = async (text: AsyncGenerator<string>): Promise<Readable> =>
  Readable.from(resumed(await text.next(), text), { objectMode: false, highWaterMark: partLength });

/** A text whose first chunk has already been read. */
const resumed = async function* (
  first: IteratorResult<string>,
  rest: AsyncIterable<string>,
): AsyncGenerator<string> {
  if (first.done !== true) yield first.value;
  yield* rest;
};

const severalFiles = async (
  files: readonly OpenFile[],
  { fileName: shared }: DownloadRequest,
  { config }: Catalogue,
  { spools, headersOnly = false, signal }: DownloadOptions & { readonly signal: AbortSignal | undefined },
): Promise<Content> => {
  const names = distinctFileNames(
    files.map(({ request }) => fileName(request.fileName, `${config.documentType}.${request.fileType}`)),
  );
  const named = files.map(({ text }, position) => ({ name: names[position]!, text }));
  const requested = fileName(shared, config.documentType);
  return {
    fileName: /\.(tar\.gz|tgz)$/i.test(requested) ? requested : `${requested}.tar.gz`,
    contentType: 'application/gzip',
    content: headersOnly ? nothing() : await archive(named, spools, signal),
  };
};

const maxNameLength = 150;

/**
 * Makes a file name valid on every system: no folders, no invisible or reserved characters, not hidden, at most 150
 * characters.
 * @returns the fallback when nothing is left
 */
export const fileName = (requested: string | null, fallback: string): string => {
  const name = (requested ?? '')
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .replace(/[/\\:*?"<>|]/g, '_')
    .trim()
    .replace(/^\.+|[. ]+$/g, '');
  return [...name].slice(0, maxNameLength).join('') || fallback;
};

/** The names with duplicates (ignoring case) numbered before the extension: a.tsv, a-2.tsv. */
export const distinctFileNames = (names: readonly string[]): readonly string[] => {
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  const taken = new Set<string>();
  return names.map((name) => {
    let distinct = name;
    for (let number = 2; taken.has(distinct.toLowerCase()); number++) {
      const numbered = name.replace(/(\.[^.]*)?$/, `-${number}$1`);
      if (!wanted.has(numbered.toLowerCase())) distinct = numbered;
    }
    taken.add(distinct.toLowerCase());
    return distinct;
  });
};
