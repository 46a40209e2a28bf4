import { isJsonObject } from '../json.ts';
import { withUniqueIds, type ReadCatalogues } from './catalogue-folders.ts';
import type { JsonFile } from './json-file.ts';
import { readCatalogue, type FileSource } from './read-catalogue.ts';
import type { Variables } from './variables.ts';

/**
 * A catalogue as an object: the content of each of its files under the file's name. The keys of base.json may also
 * stand beside the others.
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

/** One catalogue, known by its documentType or base; or several by their ids. */
export type CatalogueObjects = CatalogueObject | Readonly<Record<string, CatalogueObject>>;

/** The catalogues of an object, as those of folders are read: what is wrong with one fails that one only. */
export const readCatalogueObjects = (objects: CatalogueObjects, environment: Variables): ReadCatalogues => {
  const isOne = 'documentType' in objects || 'base' in objects;
  const named: [string, unknown][] = isOne ? [['configs', objects]] : Object.entries(objects);
  const read = named.map(([id, object]) => readCatalogue(id, environment, {}, fileSource(object)));
  return {
    catalogues: withUniqueIds(read.map(({ config }) => config)),
    warnings: read.flatMap(({ warnings }) => warnings),
  };
};

/** Each object once through JSON, so that nothing the application changes later is seen here. */
const fileSource = (object: unknown): FileSource => {
  if (!isJsonObject(object)) return () => ({ kind: 'broken', reason: 'is not there: an object expected' });
  return (name): JsonFile => {
    const content = name === 'base' ? object : object[name];
    return content === undefined
      ? { kind: 'missing' }
      : { kind: 'read', content: JSON.parse(JSON.stringify(content)) as unknown };
  };
};
