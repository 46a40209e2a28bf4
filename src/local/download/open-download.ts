import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { badUserInput } from '../../lib/errors/errors.ts';
import { distinctNames } from '../../lib/text/distinct-names.ts';
import type { RequestContext } from '../../search/request-context.ts';
import { isTruncated, partLength, type FilePlan } from './file-plan.ts';
import { isComplete, manifestOf, plannedManifest } from './manifest.ts';
import type { ManifestHead, PartReport, PlannedFile, PlannedManifest, WrittenFile } from './manifest.ts';
import { inPart, parseDownload, type DownloadRequest, type FileRequest } from './parse-download.ts';
import { archive, type ArchiveFile, type SpoolStorage } from './spool.ts';

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

/** What files are made of: the records of a catalogue, or those of all nodes of a network. */
export interface DownloadSource {
  /** Its display name. */
  readonly name: string;
  /** What files are called that have no name. */
  readonly unnamed: string;
  /** The columns of files that list none; null: such files are refused. */
  readonly columns: readonly string[] | null;
  /** Whether an archive has a manifest, even where none is requested. */
  readonly hasManifest: boolean;
  readonly filtersDisabled: boolean;
  /**
   * Opens a file; whatever can be refused is refused here.
   * @param kind what the audit trail records: whether records leave, or are only counted
   * @param warn receives notices for the manifest
   */
  readonly openFile: (
    file: FileRequest,
    request: DownloadRequest,
    kind: 'download' | 'count',
    warn: (notice: string) => void,
  ) => Promise<SourceFile>;
}

/** A file ready to be written. */
export interface SourceFile {
  /** Without the columns that the file omits. */
  readonly request: FileRequest;
  readonly plan: FilePlan;
  /** Number of matching documents. */
  readonly total: number;
  /** Its text, readable once, a page of the catalogue after the other. */
  readonly text: AsyncGenerator<string>;
  /** What each node gave to it so far. */
  readonly parts: () => readonly PartReport[];
  /** What is known of the nodes before the file is made. */
  readonly planned: () => readonly PartReport[];
}

export interface DownloadOptions {
  /** Whether only the headers are requested: the content is empty then. */
  readonly headersOnly?: boolean;
  /** Where the files of an archive are spooled. */
  readonly spools: SpoolStorage;
}

/**
 * Opens the download requested by some params: a single file as it is, several as one archive, and a manifest of what
 * each node gave where the source has one or the params request it. Everything goes through the searches of the source,
 * under the caller's access filter.
 *
 * @param params as sent, see parse-download.ts
 * @throws TributaryError BAD_USER_INPUT for malformed params, columns, filters or sorts; NOT_READY when there is no
 *   room for several files; whatever the source throws
 */
export const openDownload = async (
  params: unknown,
  source: DownloadSource,
  { signal }: Pick<RequestContext, 'signal'>,
  options: DownloadOptions,
): Promise<Download> => {
  const opened = await openFiles(params, source, 'download');
  const { files } = opened;
  const truncated = files.map(({ plan, total }) => isTruncated(plan, total));
  return {
    total: files.reduce((sum, { total }) => sum + total, 0),
    isTruncated: truncated.includes(true) || (truncated.includes(null) ? null : false),
    outcome: () => outcomeOf(files),
    ...(isArchive(opened) ? await severalFiles(opened, signal, options) : await singleFile(opened, options)),
  };
};

/**
 * What is known of a download before its files are made, from the same parameters.
 * @throws TributaryError as openDownload
 */
export const planDownload = async (params: unknown, source: DownloadSource): Promise<PlannedManifest> => {
  const opened = await openFiles(params, source, 'count');
  const names = namesOf(opened);
  return plannedManifest(
    opened.head,
    opened.files.map((file, at) => plannedFile(file, names[at]!, file.planned())),
  );
};

interface Opened {
  readonly source: DownloadSource;
  readonly request: DownloadRequest;
  readonly files: readonly SourceFile[];
  readonly head: ManifestHead;
}

const openFiles = async (
  params: unknown,
  source: DownloadSource,
  kind: 'download' | 'count',
): Promise<Opened> => {
  const request = parseDownload(params, source.columns);
  if (source.filtersDisabled && request.files.some(({ sqon }) => sqon !== null))
    throw badUserInput('filters are disabled here');
  const startedAt = new Date().toISOString();
  const warnings = new Set<string>();
  const files: SourceFile[] = [];
  for (const [position, file] of request.files.entries())
    files.push(
      await source
        .openFile(file, request, kind, (notice) => warnings.add(notice))
        .catch((error: unknown) => {
          throw inPart(`files[${position}]`, error);
        }),
    );
  const nodesFilter = [...(request.only ?? [])];
  return {
    ...{ source, request, files },
    head: { network: source.name, nodesFilter, startedAt, warnings: [...warnings] },
  };
};

/** A row limit was announced. */
const outcomeOf = (files: readonly SourceFile[]): DownloadOutcome => {
  const parts = files.map((file) => file.parts());
  return {
    records: parts.flat().reduce((sum, { records }) => sum + records, 0),
    isComplete: isComplete(parts.flat()),
    shortcomings: files.flatMap(({ plan }, position) => {
      const isCut = plan.limit !== null && plan.limit <= rowsOf(parts[position]!);
      return parts[position]!.flatMap(({ nodeId, stopped }) =>
        isCut || stopped === null ? [] : [`files[${position}]: "${nodeId}" ${stopped}`],
      );
    }),
  };
};

const rowsOf = (parts: readonly PartReport[]): number => parts.reduce((sum, { rows }) => sum + rows, 0);

const plannedFile = (
  { request, plan, total }: SourceFile,
  name: string,
  parts: readonly PartReport[],
): PlannedFile => ({ name, request, plan, total, parts });

type Content = Pick<Download, 'fileName' | 'contentType' | 'content'>;

/** The first page is fetched here: if that fails, nothing has been sent yet. */
const singleFile = async (opened: Opened, { headersOnly = false }: DownloadOptions): Promise<Content> => {
  const [{ plan, text }] = opened.files as readonly [SourceFile];
  return {
    fileName: namesOf(opened)[0]!,
    contentType: plan.format.contentType,
    content: headersOnly ? nothing() : await begunText(text),
  };
};

/** The content of a response that has headers only. */
const nothing = (): Readable => Readable.from([]);

/** A text as a stream, whose first chunk is read before this returns. */
const begunText = async (text: AsyncGenerator<string>): Promise<Readable> =>
  Readable.from(resumed(await text.next(), text), { objectMode: false, highWaterMark: partLength });

/** A text whose first chunk has already been read. */
const resumed = async function* (
  first: IteratorResult<string>,
  rest: AsyncIterable<string>,
): AsyncGenerator<string> {
  if (first.done !== true) yield first.value;
  yield* rest;
};

const isArchive = ({ request: { files, manifest } }: Opened): boolean => files.length > 1 || manifest;

const severalFiles = async (
  opened: Opened,
  signal: AbortSignal | undefined,
  { spools, headersOnly = false }: DownloadOptions,
): Promise<Content> => {
  const { request, source } = opened;
  const requested = fileName(request.fileName, source.unnamed);
  return {
    fileName: /\.(tar\.gz|tgz)$/i.test(requested) ? requested : `${requested}.tar.gz`,
    contentType: 'application/gzip',
    content: headersOnly ? nothing() : await archive(archivedFiles(opened), spools, signal),
  };
};

const manifestName = 'manifest.json';

const hasManifest = ({ source, request }: Opened): boolean => source.hasManifest || request.manifest;

/** The manifest comes last: it records what the files before it hold. */
const archivedFiles = (opened: Opened): readonly ArchiveFile[] => {
  const { files, head } = opened;
  const names = namesOf(opened);
  if (!hasManifest(opened)) return files.map(({ text }, at) => ({ name: names[at]!, text }));
  const counted = files.map(countedText);
  const manifest = async function* (): AsyncGenerator<string> {
    const made = files.map((file, at) => {
      const parts = file.parts();
      const name = names[at]!;
      const written = { name, ...counted[at]!.written(), rows: rowsOf(parts) };
      return { ...plannedFile(file, name, parts), written };
    });
    yield `${JSON.stringify(manifestOf(head, made), null, 2)}\n`;
  };
  return [
    ...counted.map(({ text }, at) => ({ name: names[at]!, text })),
    { name: manifestName, text: manifest() },
  ];
};

interface CountedText {
  readonly text: AsyncIterable<string>;
  /** What has been read of it. */
  readonly written: () => Omit<WrittenFile, 'name' | 'rows'>;
}

/** Passes a text through and counts what has been written. */
const countedText = ({ plan: { format }, text }: SourceFile): CountedText => {
  const hash = createHash('sha256');
  let bytes = 0;
  const counted = async function* (): AsyncGenerator<string> {
    for await (const part of text) {
      hash.update(part);
      bytes += Buffer.byteLength(part);
      yield part;
    }
  };
  const { contentType } = format;
  return { text: counted(), written: () => ({ contentType, bytes, sha256: hash.copy().digest('hex') }) };
};

const namesOf = (opened: Opened): readonly string[] => {
  const { source, request, files } = opened;
  const isAlone = !isArchive(opened);
  const wanted = files.map(({ request: { fileName: named, fileType } }) =>
    fileName(named ?? (isAlone ? request.fileName : null), `${source.unnamed}.${fileType}`),
  );
  if (isAlone) return wanted;
  return hasManifest(opened)
    ? distinctFileNames([manifestName, ...wanted]).slice(1)
    : distinctFileNames(wanted);
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
export const distinctFileNames = (names: readonly string[]): readonly string[] =>
  distinctNames(names, (name, number) => name.replace(/(\.[^.]*)?$/, `-${number}$1`));
