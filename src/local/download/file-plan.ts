import type { Catalogue } from '../../search/catalogue.ts';
import type { CatalogueQuery } from '../../search/query.ts';
import type { CatalogueConfig } from '../../introspection/fields/catalogue-config.ts';
import { extendedConfig } from '../../introspection/fields/field-config.ts';
import { column, type Column } from './column.ts';
import { rowLevels, type RowLevel } from './document-rows.ts';
import type { FileRequest } from './download-request.ts';
import { fileFormats, type FileFormat } from './file-format.ts';

/** A file that can be written: all of the request is checked but the filter and the sort, which the search checks. */
export interface FilePlan {
  readonly format: FileFormat;
  readonly columns: readonly Column[];
  readonly levels: readonly RowLevel[];
  /** At most so many documents; null for all. */
  readonly limit: number | null;
  /** What is asked of the catalogue, page by page. */
  readonly query: CatalogueQuery & { readonly hits: NonNullable<CatalogueQuery['hits']> };
}

/** What a file is made of: a catalogue, or whatever shows fields as one does. */
export interface FileSource extends Pick<Catalogue, 'fields'> {
  readonly config: Pick<CatalogueConfig, 'extended' | 'downloads'>;
}

/** @throws TributaryError BAD_USER_INPUT for columns or a uniqueBy that cannot be */
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

/** The client's maxRows counts only where the catalogue allows it; 0 asks for nothing of its own. */
const rowLimit = ({ maxRows }: FileRequest, { downloads }: FileSource['config']): number | null =>
  (downloads.allowCustomMaxRows ? maxRows || null : null) ?? downloads.maxRows;

/** A row level is needed whole: its objects are rows, whatever they hold. */
const neededPaths = (columns: readonly Column[], levels: readonly RowLevel[]): readonly string[] => {
  const needed = new Set(columns.flatMap(({ needs }) => needs ?? []));
  const rows = levels.at(-1);
  if (rows !== undefined) needed.add(rows.path);
  return [...needed];
};
