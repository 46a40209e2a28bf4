import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { CatalogueConfig } from '../../introspection/fields/catalogue-config.ts';
import { folderParts, jsonFiles } from './folder-parts.ts';
import { readCatalogue } from './read-catalogue.ts';
import type { Variables } from '../variables.ts';

export interface ReadCatalogues {
  readonly catalogues: readonly CatalogueConfig[];
  readonly warnings: readonly string[];
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

const legacyIgnored = (environment: Variables): string[] =>
  (['ES_INDEX', 'DOCUMENT_TYPE'] as const)
    .filter((name) => environment[name] !== undefined)
    .map((name) => `${name} is ignored with several catalogues: write it into each base.json`);

/** Routes ignore case, so ids that only differ in case are the same. */
export const withUniqueIds = (configs: readonly CatalogueConfig[]): CatalogueConfig[] => {
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
