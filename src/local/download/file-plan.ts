import { forCurrentWork, yieldToEventLoop } from '../../lib/concurrency/yield-to-event-loop.ts';
import type { Catalogue } from '../../search/catalogue.ts';
import type { CatalogueQuery, CatalogueHit, SearchFn } from '../../search/query.ts';
import type { CatalogueConfig } from '../../introspection/fields/catalogue-config.ts';
import { extendedConfig } from '../../introspection/fields/field-config.ts';
import { limited } from '../../introspection/limit.ts';
import { column, type Column } from './column.ts';
import { rowLevels, documentRows, type RowLevel, type Row } from './document-rows.ts';
import type { FileRequest, FileType } from './parse-download.ts';
import type { CursorValue } from '../../engines/engine.ts';
import type { RequestContext } from '../../search/request-context.ts';
import type { JsonValue, JsonObject } from '../../lib/json/json.ts';

/** A file ready to be written: the request is validated except for the filter and the sort, which the search checks. */
export interface FilePlan {
  readonly format: FileFormat;
  readonly columns: readonly Column[];
  /** The names of columns that the mapping has no field for. */
  readonly unknown: readonly string[];
  readonly levels: readonly RowLevel[];
  /** The maximum number of rows; null for all. */
  readonly limit: number | null;
  /** The query sent to the catalogue, page by page. */
  readonly query: CatalogueQuery & { readonly hits: NonNullable<CatalogueQuery['hits']> };
}

/** The source of a file: a catalogue, or anything that exposes fields like one. */
export interface FileSource extends Pick<Catalogue, 'fields'> {
  readonly config: Pick<CatalogueConfig, 'extended' | 'downloads'>;
}

/** @throws TributaryError BAD_USER_INPUT for invalid columns or an invalid uniqueBy */
export const filePlan = (request: FileRequest, catalogue: FileSource): FilePlan => {
  const { fields, config } = catalogue;
  const { valueWhenEmpty, sqon, sort } = request;
  const levels = rowLevels(request.uniqueBy, fields);
  const extended = new Map(
    extendedConfig(fields, config, [...fields.keys()]).map((entry) => [entry.fieldName, entry]),
  );
  const columns = request.columns.map((requested) =>
    column(requested, { fields, extended, levels, valueWhenEmpty, escapesFormulas: request.escapeFormulas }),
  );
  return {
    format: request.bom ? marked(request.fileType) : fileFormats[request.fileType],
    unknown: columns.flatMap(({ key, isUnknown }) => (isUnknown ? [key] : [])),
    columns,
    levels,
    limit: rowLimit(request, config),
    query: {
      filters: sqon,
      filterThemselves: false,
      includeMissing: true,
      facets: [],
      hits: {
        first: 0,
        offset: 0,
        sort,
        searchAfter: null,
        trackTotal: false,
        fields: neededPaths(columns, levels),
      },
    },
  };
};

/** The client's maxRows applies only if the catalogue allows it; 0 stands for the catalogue's own. */
const rowLimit = (
  { maxRows: asked }: FileRequest,
  { downloads: { allowCustomMaxRows, maxRows, rowCap } }: FileSource['config'],
): number | null => limited((allowCustomMaxRows && asked) || maxRows, rowCap);

/** The number of documents that a file needs at most; null for all, as a document may have no row at all. */
export const documentLimit = ({ limit, levels }: Pick<FilePlan, 'limit' | 'levels'>): number | null =>
  levels.length === 0 ? limit : null;

/** The number of matching documents that a file has at most. */
export const mostRecords = (plan: Pick<FilePlan, 'limit' | 'levels'>, total: number): number =>
  Math.min(total, documentLimit(plan) ?? Infinity);

/** Whether a file omits some of the matching documents; null: only reading them shows it. */
export const isTruncated = (plan: Pick<FilePlan, 'limit' | 'levels'>, total: number): boolean | null =>
  plan.limit === null ? false : plan.levels.length === 0 ? plan.limit < total : total === 0 ? false : null;

/** A row level is required as a whole: its objects are rows, whatever they contain. */
const neededPaths = (columns: readonly Column[], levels: readonly RowLevel[]): readonly string[] => {
  const needed = new Set(columns.flatMap(({ needs }) => needs ?? []));
  const rows = levels.at(-1);
  if (rows !== undefined) needed.add(rows.path);
  return [...needed];
};

/**
 * The hits of a query, page by page by cursor, so that a results window limits neither the number of hits nor their
 * memory. A page is requested once the previous one has been consumed.
 * @param limit the maximum number of hits; null for all
 * @param pageSize no more than the catalogue's results window
 */
export const hitPages = async function* (
  { query, limit }: Pick<FilePlan, 'query'> & { readonly limit: number | null },
  search: SearchFn,
  context: RequestContext,
  pageSize: number,
): AsyncGenerator<readonly CatalogueHit[]> {
  const reader = context.withPagedAllowance();
  let left = limit ?? Infinity;
  let searchAfter: readonly CursorValue[] | null = null;
  while (left > 0) {
    const first = Math.min(pageSize, left);
    const page = reader.withPageMemory(searchAfter === null);
    const { hits } = await search({ ...query, hits: { ...query.hits, first, searchAfter } }, page.context);
    if (hits.length > 0) yield hits;
    page.end();
    if (hits.length < first) return;
    searchAfter = hits.at(-1)!.cursor;
    left -= hits.length;
  }
};

/** How to write a file of some type. Every line ends with \n. */
export interface FileFormat {
  readonly contentType: string;
  /** The text before the rows, even when there are none. */
  readonly head: (columns: readonly Column[]) => string;
  readonly line: (columns: readonly Column[], row: Row) => string;
}

/** Delimited cells; a cell that would break the line is quoted, its own quotes doubled (RFC 4180). */
const delimited = (contentType: string, delimiter: string, breaks: RegExp): FileFormat => {
  const quoted = (cell: string): string => (breaks.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return {
    contentType,
    head: (columns) => `${columns.map(({ header }) => quoted(header)).join(delimiter)}\n`,
    line: (columns, row) => `${columns.map(({ text }) => quoted(text(row))).join(delimiter)}\n`,
  };
};

/** How to write each file type. */
export const fileFormats: Readonly<Record<FileType, FileFormat>> = {
  // text/plain, with quotes inside a cell unescaped, as clients expect from the established server
  tsv: delimited('text/plain; charset=utf-8', '\t', /^"|[\t\r\n]/),
  csv: delimited('text/csv; charset=utf-8', ',', /[",\r\n]/),
  json: {
    contentType: 'application/x-ndjson; charset=utf-8',
    head: () => '',
    line: (columns, row) => {
      const line: Record<string, JsonValue> = Object.create(null) as Record<string, JsonValue>;
      for (const { key, json } of columns) line[key] = json(row);
      return `${JSON.stringify(line)}\n`;
    },
  },
};

/** A file type with a byte order mark first, except for JSON, which has none. */
const marked = (fileType: FileType): FileFormat => {
  const format = fileFormats[fileType];
  return fileType === 'json' ? format : { ...format, head: (columns) => `\uFEFF${format.head(columns)}` };
};

/**
 * Text is yielded in chunks of about this many characters, and one of them is read ahead: longer ones, and those that
 * wait for others, outlive the young generation of the heap.
 */
export const partLength = 16_384;

/** What was written of a document. */
export interface WrittenRows {
  readonly rows: number;
  /** Whether a limit left out some of its rows. */
  readonly isCut: boolean;
}

/**
 * The text of a file, generated as it is read. The header comes with the first page, so that nothing is sent before
 * that arrives.
 * @param documentOf maps an item of a page to the document that the columns read
 * @param wrote called with each item and what was written of it
 * @param roomOf how many more rows an item may have; as many as it has by default
 */
export const fileText = <Item>(...parts: Parameters<typeof linesOf<Item>>): AsyncGenerator<string> => {
  const text = linesOf(...parts);
  const [run, next] = [forCurrentWork(), text.next.bind(text)];
  return Object.assign(text, { next: () => run(next) });
};

const linesOf = async function* <Item>(
  { format, columns, levels, limit }: Pick<FilePlan, 'format' | 'columns' | 'levels' | 'limit'>,
  pages: AsyncIterable<readonly Item[]>,
  documentOf: (item: Item) => JsonObject,
  wrote?: (item: Item, written: WrittenRows) => void,
  roomOf: (item: Item) => number = () => Infinity,
): AsyncGenerator<string> {
  let text = format.head(columns);
  let left = limit ?? Infinity;
  for await (const items of pages) {
    for (const item of items) {
      const all = documentRows(documentOf(item), levels);
      const rows = all.slice(0, Math.min(left, roomOf(item)));
      for (const row of rows) {
        text += format.line(columns, row);
        if (text.length < partLength) continue;
        yield text;
        text = '';
        await yieldToEventLoop();
      }
      wrote?.(item, { rows: rows.length, isCut: rows.length < all.length });
      left -= rows.length;
      if (left === 0) break;
    }
    if (text !== '') yield text;
    text = '';
    if (left === 0) return;
  }
  if (text !== '') yield text;
};
