import { join } from 'node:path';
import { invalidConfig, invalidInput, type TributaryError } from '../../lib/errors/errors.ts';
import type { MappingBody } from '../../indexing/mapping-body.ts';
import {
  readMappingBody,
  collisionText,
  fieldCollision,
  rejectCollisions,
} from '../../indexing/mapping-body.ts';
import type { CatalogueConfig, CatalogueEngine } from '../../introspection/fields/catalogue-config.ts';
import { isJsonObject, type JsonObject } from '../../lib/json/json.ts';
import { problemText } from '../../lib/text/problem.ts';
import type { FieldNotes } from './load-codebook.ts';
import { modeOfStarter, unchangedFiles } from './starter-folder.ts';
import type { LoadOptions } from './load-options.ts';
import { existsSync } from 'node:fs';
import { replaceFile } from '../../server/config/edit-json.ts';
import { readJsonFile } from '../../server/config/json-file.ts';
import { readCatalogues } from '../../server/config/catalogue/catalogues.ts';
import { readEnvironment, type Environment } from '../../server/config/environment.ts';

/** Where a file is loaded to. */
export interface Destination {
  /** The index or alias. */
  readonly name: string;
  readonly aliases: readonly string[];
  readonly mapping: MappingBody | null;
  readonly catalogue: CatalogueTarget | null;
  /** What a codebook says of its fields; unset: there is none. */
  readonly notes?: FieldNotes;
  readonly warnings: readonly string[];
}

/**
 * @throws TributaryError CONFIG_INVALID a catalogue that cannot be loaded into; INPUT_INVALID an unreadable mapping, or
 *   one that the catalogue could not serve
 */
export const loadDestination = async (
  { into, mappingFile, replace }: LoadOptions,
  env: NodeJS.ProcessEnv,
  configsPath: string,
): Promise<Destination> => {
  const catalogue = into.kind === 'catalogue' ? catalogueTarget(into.id, env, configsPath) : null;
  const mapping = await mappingFor(mappingFile, catalogue, replace);
  if (catalogue !== null) rejectCollisions(propertiesOf(mapping));
  const name = into.kind === 'index' ? into.name : (catalogue?.esIndex ?? '');
  const named = into.kind === 'index' ? into.aliases : [];
  const aliases = new Set([...named, ...(mapping?.aliases ?? [])]);
  aliases.delete(name);
  return { name, aliases: [...aliases], mapping, catalogue, warnings: warningsOf(mapping) };
};

const propertiesOf = (mapping: MappingBody | null): JsonObject => {
  const properties = mapping?.mapping['properties'];
  return isJsonObject(properties) ? properties : {};
};

const warningsOf = (mapping: MappingBody | null): readonly string[] => {
  const found = fieldCollision(propertiesOf(mapping));
  return found === null ? [] : [`${collisionText(found)}: no catalogue can serve an index with both`];
};

/** The mapping of --mapping, else the catalogue's mapping.json, unless an unedited one is to be inferred again. */
const mappingFor = async (
  named: string | undefined,
  catalogue: CatalogueTarget | null,
  replace: boolean,
): Promise<MappingBody | null> => {
  if (named !== undefined) {
    const mapping = readJson(named);
    if (mapping === null) throw invalidInput(`the mapping ${named} cannot be read: there is no such file`);
    return readMappingBody(mapping.content, named);
  }
  if (catalogue === null) return null;
  if (replace && (await unchangedFiles(catalogue.folder)).has('mapping.json')) return null;
  const own = join(catalogue.folder, 'mapping.json');
  const mapping = readJson(own);
  return mapping === null ? null : readMappingBody(mapping.content, own);
};

/** @returns null if there is no such file @throws TributaryError INPUT_INVALID */
const readJson = (file: string): { readonly content: unknown } | null => {
  const read = readJsonFile(file);
  if (read.kind === 'missing') return null;
  if (read.kind === 'read' && read.repeated === null) return read;
  throw invalidInput(`the mapping ${file} ${read.kind === 'broken' ? read.reason : read.repeated}`);
};

/**
 * Writes the mapping of a loaded index to its catalogue's mapping.json, atomically: the next `--replace` creates the index
 * from that file.
 * @param mapping `{dynamic, properties}` of the index
 * @returns the file
 */
export const keepMapping = (
  catalogue: CatalogueTarget,
  { settings, aliases }: MappingBody,
  mapping: JsonObject,
): string => {
  const file = join(catalogue.folder, 'mapping.json');
  const others =
    aliases.length === 0 ? {} : { aliases: Object.fromEntries(aliases.map((alias) => [alias, {}])) };
  const body = { ...(settings && { settings }), mappings: mapping, ...others };
  replaceFile(file, `${JSON.stringify(body, null, 2)}\n`, modeOfStarter());
  return file;
};

/** The catalogue to load documents into, and whether its folder must be created first. */
export interface CatalogueTarget {
  readonly id: string;
  readonly esIndex: string;
  readonly folder: string;
  readonly isNew: boolean;
  /** The number of other catalogues in the configuration. */
  readonly others: number;
  /** Its own search servers, if it has any. */
  readonly engine?: CatalogueEngine;
  /** Its configuration, unless it is new. */
  readonly config?: CatalogueConfig;
}

/** Valid as a folder name and in paths like /{id}/graphql. */
const idPattern = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;
const reserved = new Set([
  'network',
  'sqon',
  'fields',
  'introspection',
  'ping',
  'ready',
  'graphql',
  'download',
  'config',
  'configs',
]);

/**
 * The catalogue with that id (ignoring case), or the folder for a new one.
 * @throws TributaryError CONFIG_INVALID the catalogue's files are broken or name no index; an invalid id; a new
 *   catalogue next to one whose files are directly in CONFIGS_PATH, or with an index of another catalogue
 */
export const catalogueTarget = (id: string, env: Environment, configsPath: string): CatalogueTarget => {
  const { catalogues } = readCatalogues(readEnvironment(env).variables);
  const found = catalogues.find((catalogue) => catalogue.catalogueId.toLowerCase() === id.toLowerCase());
  if (found !== undefined) {
    const [problem] = found.problems;
    if (problem !== undefined)
      throw invalidConfig(`the configuration of ${found.catalogueId} is broken: ${problemText(problem)}`);
    if (found.esIndex === null && !existsSync(join(found.folder, 'base.json')))
      return newCatalogue(
        id,
        found.folder,
        catalogues.filter((other) => other !== found),
      );
    if (found.esIndex === null)
      throw invalidConfig(`base.json of ${found.catalogueId} names no esIndex to load into`);
    const { catalogueId, esIndex, folder, engine } = found;
    return {
      id: catalogueId,
      esIndex,
      folder,
      isNew: false,
      others: catalogues.length - 1,
      config: found,
      ...(engine && { engine }),
    };
  }
  if (!idPattern.test(id) || reserved.has(id.toLowerCase()))
    throw invalidConfig(
      `${JSON.stringify(id)} cannot be a catalogue's id: letters, digits, - and _, and not a word the server's paths use, are accepted`,
    );
  const flat = catalogues.find((catalogue) => catalogue.folder === configsPath);
  if (flat !== undefined) throw besideFlat(id, flat.catalogueId);
  return newCatalogue(id, join(configsPath, id), catalogues);
};

const newCatalogue = (id: string, folder: string, others: readonly CatalogueConfig[]): CatalogueTarget => {
  const esIndex = id.toLowerCase();
  const holder = others.find((other) => other.esIndex === esIndex && other.engine === undefined);
  if (holder !== undefined)
    throw invalidConfig(
      `there is no catalogue ${id}, and its index ${esIndex} would be that of ${holder.catalogueId}: load into ${holder.catalogueId}, or give another id`,
    );
  return { id, esIndex, folder, isNew: true, others: others.length };
};

/** The flat layout has a single catalogue: a folder next to the files would not be read. */
const besideFlat = (id: string, present: string): TributaryError =>
  invalidConfig(
    `there is no catalogue ${id}, and CONFIGS_PATH holds the files of a single catalogue (${present}) directly: ` +
      `load into ${present}, or first move its files to a subfolder, which turns its paths into /${present}/graphql`,
  );
