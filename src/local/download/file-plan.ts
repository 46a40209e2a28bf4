import type { Catalogue } from '../../search/catalogue.ts';
import type { CatalogueQuery } from '../../search/query.ts';
import type { CatalogueConfig } from '../../introspection/fields/catalogue-config.ts';
import { extendedConfig } from '../../introspection/fields/field-config.ts';
import { column, type Column } from './column.ts';
import { rowLevels, type RowLevel } from './document-rows.ts';
import type { FileRequest } from './download-request.ts';
import { fileFormats, type FileFormat } from './file-format.ts';

/** A file ready to be written: the request is validated except for the filter and the sort, which the search checks. */
export interface FilePlan {
  readonly format: FileFormat;
  readonly columns: readonly Column[];
  readonly levels: readonly RowLevel[];
  /** The maximum number of documents; null for all. */
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
  const columns = request.columns.map((asked) => column(asked, { fields, extended, levels, valueWhenEmpty }));
  return {
    format: fileFormats[request.fileType],
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

/** The client's maxRows applies only if the catalogue allows it; 0 sets no limit. */
const rowLimit = ({ maxRows }: FileRequest, { downloads }: FileSource['config']): number | null =>
  (downloads.allowCustomMaxRows ? maxRows || null : null) ?? downloads.maxRows;

/** A row level is required as a whole: its objects are rows, whatever they contain. */
const neededPaths = (columns: readonly Column[], levels: readonly RowLevel[]): readonly string[] => {
  const needed = new Set(columns.flatMap(({ needs }) => needs ?? []));
  const rows = levels.at(-1);
  if (rows !== undefined) needed.add(rows.path);
  return [...needed];
};
