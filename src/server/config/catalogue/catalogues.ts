import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { CatalogueConfig } from '../../../introspection/fields/catalogue-config.ts';
import { folderParts, isProblem, jsonFiles, type ReadParts } from './folder-parts.ts';
import { partsOf } from './parts.ts';
import { lookFile } from '../portal.ts';
import { readCatalogue } from './read-catalogue.ts';
import { noticeAt, type Problem } from '../../../lib/text/problem.ts';
import type { Variables } from '../variables.ts';
import { isJsonObject } from '../../../lib/json/json.ts';

export interface ReadCatalogues {
  readonly catalogues: readonly CatalogueConfig[];
  readonly warnings: readonly Problem[];
}

/**
 * The catalogues under CONFIGS_PATH: one if it directly contains JSON files, else one per subfolder with JSON files, in
 * alphabetical order. None if the folder is missing or has none. Duplicate ids are made unique; the first keeps its id.
 */
export const readCatalogues = (environment: Variables): ReadCatalogues => {
  const root = resolve(environment.CONFIGS_PATH);
  const others = serverFiles(environment);
  const folders = catalogueFolders(root, others);
  const single = folders.length === 1;
  const legacy = single ? { esIndex: environment.ES_INDEX, documentType: environment.DOCUMENT_TYPE } : {};
  const read = folders.map((folder) =>
    readCatalogue(folder, environment, legacy, folderParts(folder, others)),
  );
  const warnings = read.flatMap((catalogue) => catalogue.warnings);
  if (!single && folders.length > 0) warnings.push(...legacyIgnored(environment));
  return { catalogues: withUniqueIds(read.map(({ config }) => config)), warnings };
};

/** Files of the server that may be in a catalogue's folder. */
const serverFiles = (environment: Variables): ReadonlySet<string> =>
  new Set(
    [
      environment.NODES_PATH ?? './nodes.json',
      environment.HUBS_PATH ?? './hubs.json',
      environment.PORTAL_PATH ?? lookFile,
      environment.ACCESS_FILTER_PATH,
      environment.REPOSITORIES_PATH,
    ].flatMap((file) => (file === undefined ? [] : [resolve(file)])),
  );

const catalogueFolders = (root: string, others: ReadonlySet<string>): string[] => {
  if (!isFolder(root)) return [];
  const holdsJson = (folder: string): boolean => jsonFiles(folder, others).length > 0;
  if (holdsJson(root)) return [root];
  return readdirSync(root)
    .filter((name) => !name.startsWith('.'))
    .sort()
    .map((name) => join(root, name))
    .filter((folder) => isFolder(folder) && holdsJson(folder));
};

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

const legacyIgnored = (environment: Variables): readonly Problem[] =>
  (['ES_INDEX', 'DOCUMENT_TYPE'] as const)
    .filter((name) => environment[name] !== undefined)
    .map((name) => noticeAt(null, name, 'is ignored with several catalogues: write it into each base.json'));

/** Routes ignore case, so ids that only differ in case are the same. */
const withUniqueIds = (configs: readonly CatalogueConfig[]): CatalogueConfig[] => {
  const taken = new Set<string>();
  return configs.map((config) => {
    const mark = createHash('sha256')
      .update(`${config.folder.split(/[\\/]/).at(-1)}\n${config.documentType}\n${config.esIndex}`)
      .digest('hex');
    const wanted = config.catalogueId || `catalogue-${mark.slice(0, 8)}`;
    const catalogueId = taken.has(wanted.toLowerCase()) ? `${wanted}-${mark.slice(0, 8)}` : wanted;
    taken.add(catalogueId.toLowerCase());
    return { ...config, catalogueId };
  });
};

/**
 * A catalogue as an object: the keys of base.json, and the content of each other file under the file's name. The keys
 * of base.json may also be under `base`.
 * @example
 * import type { CatalogueObject } from 'tributary';
 *
 * const books: CatalogueObject = {
 *   documentType: 'book',
 *   esIndex: 'books',
 *   extended: [{ fieldName: 'title', displayName: 'Title' }],
 * };
 */
export interface CatalogueObject {
  readonly documentType?: string;
  readonly esIndex?: string;
  readonly base?: object;
  readonly extended?: unknown;
  readonly table?: unknown;
  readonly facets?: unknown;
  readonly matchbox?: unknown;
  readonly charts?: unknown;
  readonly downloads?: unknown;
  readonly network?: unknown;
  readonly [key: string]: unknown;
}

/**
 * One catalogue, known by its documentType or base; or several by their ids.
 * @example
 * import type { CatalogueObjects } from 'tributary';
 *
 * const configs: CatalogueObjects = {
 *   books: { documentType: 'book', esIndex: 'books' },
 *   maps: { documentType: 'map', esIndex: 'maps' },
 * };
 */
export type CatalogueObjects = CatalogueObject | Readonly<Record<string, CatalogueObject>>;

/** The catalogues of an object, read like those in folders: an error in one only fails that one. */
export const readCatalogueObjects = (objects: CatalogueObjects, environment: Variables): ReadCatalogues => {
  const isOne = 'documentType' in objects || 'base' in objects;
  const named: [string, unknown][] = isOne ? [['configs', objects]] : Object.entries(objects);
  const read = named.map(([id, object]) => readCatalogue(id, environment, {}, objectParts(object)));
  return {
    catalogues: withUniqueIds(read.map(({ config }) => config)),
    warnings: read.flatMap(({ warnings }) => warnings),
  };
};

/** Clones each object through JSON, so that later changes by the application have no effect. */
const objectParts = (object: unknown): ReadParts => {
  const content = isJsonObject(object)
    ? withBareSections(JSON.parse(JSON.stringify(object)) as object)
    : object;
  const parts = partsOf('configs', '', content);
  return isProblem(parts) ? { parts: [], files: [], problems: [parts] } : { parts, files: [], problems: [] };
};

/** A section may be in the form of its file, nested under its name again. */
const withBareSections = (object: object): object =>
  Object.fromEntries(
    Object.entries(object).map(([key, value]: [string, unknown]) => [
      key,
      isJsonObject(value) && Object.hasOwn(value, key) && key !== 'charts' ? value[key] : value,
    ]),
  );
