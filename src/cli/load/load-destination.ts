import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TributaryError } from '../../errors/errors.ts';
import type { MappingBody } from '../../indexing/mapping-body.ts';
import { readMappingBody } from '../../indexing/mapping-body.ts';
import { collisionText, fieldCollision, rejectCollisions } from '../../indexing/reject-collisions.ts';
import type { JsonObject } from '../../json/json.ts';
import { isJsonObject } from '../../json/json.ts';
import type { CatalogueTarget } from './catalogue-target.ts';
import { catalogueTarget } from './catalogue-target.ts';
import type { LoadOptions } from './load-options.ts';

/** Where a file is loaded to. */
export interface Destination {
  /** The index or alias. */
  readonly name: string;
  readonly aliases: readonly string[];
  readonly mapping: MappingBody | null;
  readonly catalogue: CatalogueTarget | null;
  readonly warnings: readonly string[];
}

/**
 * @throws TributaryError CONFIG_INVALID a catalogue that cannot be loaded into; INPUT_INVALID an unreadable mapping, or
 *   one that the catalogue could not serve
 */
export const loadDestination = async (
  { into, mappingFile }: LoadOptions,
  env: NodeJS.ProcessEnv,
  configsPath: string,
): Promise<Destination> => {
  const catalogue = into.kind === 'catalogue' ? catalogueTarget(into.id, env, configsPath) : null;
  const mapping = await mappingFor(mappingFile, catalogue);
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

/** The given mapping file, else the catalogue's mapping.json if it has one. */
const mappingFor = async (
  named: string | undefined,
  catalogue: CatalogueTarget | null,
): Promise<MappingBody | null> => {
  if (named !== undefined) return readMappingBody(await readJson(named), named);
  if (catalogue === null) return null;
  const own = join(catalogue.folder, 'mapping.json');
  try {
    return readMappingBody(await readJson(own), own);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
};

/** Whether a file could not be read because there is none. */
const isMissing = (error: unknown): boolean =>
  error instanceof Error && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';

const readJson = async (file: string): Promise<unknown> => {
  try {
    return JSON.parse((await readFile(file, 'utf8')).replace(/^\uFEFF/, ''));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TributaryError('INPUT_INVALID', `cannot read the mapping ${file}: ${reason}`, { cause });
  }
};

/**
 * Writes the mapping that an index was loaded with to its catalogue's mapping.json, atomically: the next `--replace`
 * creates the index from that file.
 * @param mapping `{dynamic, properties}` of the index
 * @returns the file
 */
export const keepMapping = async (
  catalogue: CatalogueTarget,
  { settings, aliases }: MappingBody,
  mapping: JsonObject,
): Promise<string> => {
  const file = join(catalogue.folder, 'mapping.json');
  const others = aliases.length === 0 ? {} : { aliases: Object.fromEntries(aliases.map((alias) => [alias, {}])) }; // prettier-ignore
  const body = { ...(settings && { settings }), mappings: mapping, ...others };
  const aside = `${file}.${String(process.pid)}.new`;
  await writeFile(aside, `${JSON.stringify(body, null, 2)}\n`);
  await rename(aside, file);
  return file;
};
