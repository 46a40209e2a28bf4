import { basename, join } from 'node:path';
import { isJsonObject } from '../json.ts';
import type {
  CatalogueConfig,
  DownloadsConfig,
  FacetEntry,
  TableConfig,
} from '../introspection/catalogue-config.ts';
import { baseFile, catalogueFiles, type CatalogueFileName, type CatalogueFiles } from './catalogue-files.ts';
import { readJsonFile, type JsonFile } from './json-file.ts';
import { lookAlikeKeys } from './look-alike-keys.ts';
import type { Variables } from './variables.ts';

/** One catalogue as its folder has it; the id may still have to be made unique. */
export interface ReadCatalogue {
  readonly config: CatalogueConfig;
  readonly warnings: readonly string[];
}

/** The content of a catalogue's file by its name without `.json`, wherever it comes from. */
export type FileSource = (name: CatalogueFileName | 'network') => JsonFile;

/** The files of a folder. */
export const filesIn =
  (folder: string): FileSource =>
  (name) =>
    readJsonFile(join(folder, `${name}.json`));

/**
 * Reads the files of one catalogue and fills in the defaults (files first, then the environment). Never throws: what
 * is wrong with a file stands in `config.problems` and fails this catalogue only.
 * @param folder where the catalogue is, for messages; its last part is the id of a catalogue that names none
 * @param legacy what ES_INDEX and DOCUMENT_TYPE say, for the only catalogue of a server
 */
export const readCatalogue = (
  folder: string,
  environment: Variables,
  legacy: { readonly esIndex?: string; readonly documentType?: string },
  source: FileSource = filesIn(folder),
): ReadCatalogue => {
  const { files, network, problems, lookAlikes } = readFiles(source);
  const base: Partial<NonNullable<CatalogueFiles['base']>> = files.base ?? {};
  const description = base.description;
  const config: CatalogueConfig = {
    catalogueId: base.catalogId || folderId(folder),
    ...(description === undefined || description === '' ? {} : { description }),
    documentType: base.documentType || legacy.documentType || '',
    esIndex: base.esIndex || legacy.esIndex || null,
    nestingPrefix: base.nestingPrefix || null,
    maxAliases: base.maxAliases ?? environment.GRAPHQL_MAX_ALIASES,
    maxDepth: base.maxDepth ?? environment.GRAPHQL_MAX_DEPTH,
    disableGraphQLIntrospection: introspectionDisabled(base.disableGraphQLIntrospection, environment),
    enableAdmin: base.enableAdmin ?? environment.ENABLE_ADMIN,
    extended: files.extended ?? [],
    table: tableOf(files.table, environment),
    facets: facetsOf(files.facets),
    matchbox: matchboxOf(files.matchbox),
    charts: files.charts ?? { query: '' },
    downloads: downloadsOf(files.downloads, environment),
    ...(network === undefined ? {} : { network }),
    folder,
    problems,
  };
  const slips = lookAlikes.map((warning) => `${folder}: ${warning}`);
  return { config, warnings: [...deprecatedFacetNames(config), ...slips] };
};

/** The id of a folder without a catalogId: its name, or "" for the names every project uses. */
const folderId = (folder: string): string => (/^configs?$/i.test(basename(folder)) ? '' : basename(folder));

/**
 * Whether GraphQL introspection is off: the first of the catalogue's file and the variable to say so decides, and a
 * switch-off by either one holds; without both it is off in production only.
 */
export const introspectionDisabled = (inFile: boolean | undefined, environment: Variables): boolean => {
  const said = [inFile, environment.DISABLE_GRAPHQL_INTROSPECTION].filter((value) => value !== undefined);
  return said.length > 0 ? said.includes(true) : environment.NODE_ENV === 'production';
};

const readFiles = (source: FileSource) => {
  const problems: string[] = [];
  const lookAlikes: string[] = [];
  const files: Record<string, unknown> = {};
  for (const name of Object.keys(catalogueFiles) as CatalogueFileName[]) {
    const file = source(name);
    if (file.kind === 'broken') problems.push(`${name}.json ${file.reason}`);
    if (file.kind !== 'read') continue;
    const content = unwrap(name, file.content);
    lookAlikes.push(...lookAlikeKeys(name, content));
    const parsed = catalogueFiles[name].safeParse(content);
    if (parsed.success) {
      files[name] = parsed.data;
      continue;
    }
    const { issues } = parsed.error;
    problems.push(...issues.map((issue) => `${name}.json${keyOf(issue.path)}: ${issue.message}`));
    if (name === 'base') files[name] = soundPart(content, issues);
  }
  const network = source('network');
  if (network.kind === 'broken') problems.push(`network.json ${network.reason}`);
  return {
    files: files as CatalogueFiles,
    problems,
    lookAlikes,
    network: network.kind === 'read' ? network.content : undefined,
  };
};

/** base.json without its wrong keys: a catalogue that fails is still listed under its id, with its documentType. */
const soundPart = (content: unknown, issues: readonly { readonly path: readonly PropertyKey[] }[]) => {
  const wrong = new Set(issues.map(({ path }) => path[0]));
  const kept = isJsonObject(content) ? Object.entries(content).filter(([key]) => !wrong.has(key)) : [];
  return baseFile.parse(Object.fromEntries(kept));
};

/** The content with or without the key of the file's name around it; a bare list of facets is one too. */
const unwrap = (name: CatalogueFileName, content: unknown): unknown => {
  const inner = isJsonObject(content) && Object.hasOwn(content, name) ? content[name] : content;
  return name === 'facets' && Array.isArray(inner) ? { aggregations: inner } : inner;
};

const keyOf = (path: readonly PropertyKey[]): string =>
  path.length === 0
    ? ''
    : `, ${path.map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at === 0 ? '' : '.'}${String(key)}`)).join('')}`;

const tableOf = (table: CatalogueFiles['table'], environment: Variables): TableConfig => ({
  columns: table?.columns ?? null,
  defaultSorting: (table?.defaultSorting ?? []).map(({ fieldName, desc }) => ({
    fieldName,
    desc: desc ?? false,
  })),
  maxResultsWindow: table?.maxResultsWindow ?? environment.MAX_RESULTS_WINDOW,
  rowIdFieldName: table?.rowIdFieldName || environment.ROW_ID_FIELD_NAME,
});

const facetsOf = (facets: CatalogueFiles['facets']): readonly FacetEntry[] | null =>
  facets?.aggregations?.map(({ fieldName, isActive, show }) => ({
    fieldName,
    isActive: isActive ?? false,
    show: show ?? false,
  })) ?? null;

const matchboxOf = (matchbox: CatalogueFiles['matchbox']): CatalogueConfig['matchbox'] =>
  (matchbox ?? []).map((entry) => ({
    displayName: entry.displayName ?? null,
    fieldName: entry.fieldName ?? null,
    isActive: entry.isActive ?? null,
    keyFieldName: entry.keyFieldName ?? null,
    searchFieldNames: entry.searchFieldNames ?? null,
  }));

/** A maxRows of 0 is no cap, as in existing configurations. */
const downloadsOf = (downloads: CatalogueFiles['downloads'], environment: Variables): DownloadsConfig => ({
  allowCustomMaxRows: downloads?.allowCustomMaxRows ?? environment.ALLOW_CUSTOM_DOWNLOAD_MAX_ROWS,
  maxRows: (downloads?.maxRows ?? environment.DOWNLOAD_MAX_ROWS) || null,
});

const deprecatedFacetNames = (config: CatalogueConfig): string[] => {
  const old = (config.facets ?? []).filter(({ fieldName }) => fieldName.includes('__'));
  const first = old[0]?.fieldName;
  return first === undefined
    ? []
    : [
        `${join(config.folder, 'facets.json')}: ${old.length} field names are in the deprecated form with __: ` +
          `"${first.replaceAll('__', '.')}" is the lasting form of "${first}", ` +
          'but keep it for portals built on the React components (up to 3.0.7), which need it',
      ];
};
