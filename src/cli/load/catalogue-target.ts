import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readCatalogues } from '../../config/catalogue/catalogue-folders.ts';
import { readEnvironment } from '../../config/environment.ts';
import type { Environment } from '../../config/environment.ts';
import { TributaryError } from '../../errors/errors.ts';

/** Where the documents of a catalogue go, and whether its folder has yet to be created. */
export interface CatalogueTarget {
  readonly id: string;
  readonly esIndex: string;
  readonly folder: string;
  readonly isNew: boolean;
  /** The number of other catalogues in the configuration. */
  readonly others: number;
}

/** Valid as a folder name and in paths like /{id}/graphql. */
const idPattern = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;
const reserved = new Set(['network', 'sqon', 'fields', 'introspection', 'ping', 'ready', 'graphql', 'download', 'config', 'configs']); // prettier-ignore

/**
 * The catalogue with that id (ignoring case), or the place for a new one.
 * @throws TributaryError CONFIG_INVALID the catalogue's files are broken or name no index; an invalid id; a new
 *   catalogue next to one whose files are directly in CONFIGS_PATH
 */
export const catalogueTarget = (id: string, env: Environment, configsPath: string): CatalogueTarget => {
  const { catalogues } = readCatalogues(readEnvironment(env).variables);
  const found = catalogues.find((catalogue) => catalogue.catalogueId.toLowerCase() === id.toLowerCase());
  if (found !== undefined) {
    const [problem] = found.problems;
    if (problem !== undefined)
      throw invalid(`the configuration of ${found.catalogueId} is broken: ${problem}`);
    if (found.esIndex === null && !existsSync(join(found.folder, 'base.json')))
      return {
        id,
        esIndex: id.toLowerCase(),
        folder: found.folder,
        isNew: true,
        others: catalogues.length - 1,
      };
    if (found.esIndex === null)
      throw invalid(`base.json of ${found.catalogueId} names no esIndex to load into`);
    const { catalogueId, esIndex, folder } = found;
    return { id: catalogueId, esIndex, folder, isNew: false, others: catalogues.length - 1 };
  }
  if (!idPattern.test(id) || reserved.has(id.toLowerCase()))
    throw invalid(`${JSON.stringify(id)} cannot be a catalogue's id: letters, digits, - and _, and not a word the server's paths use, are accepted`); // prettier-ignore
  const flat = catalogues.find((catalogue) => catalogue.folder === configsPath);
  if (flat !== undefined) throw besideFlat(id, flat.catalogueId);
  return {
    id,
    esIndex: id.toLowerCase(),
    folder: join(configsPath, id),
    isNew: true,
    others: catalogues.length,
  };
};

/** The flat layout has a single catalogue: a folder next to the files would not be read. */
const besideFlat = (id: string, present: string): TributaryError =>
  invalid(
    `there is no catalogue ${id}, and CONFIGS_PATH holds the files of a single catalogue (${present}) directly: ` +
      `load into ${present}, or first move its files to a subfolder, which turns its paths into /${present}/graphql`,
  );

const invalid = (message: string): TributaryError => new TributaryError('CONFIG_INVALID', message);
