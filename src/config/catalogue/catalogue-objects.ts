import { isJsonObject } from '../../json/json.ts';
import { withUniqueIds, type ReadCatalogues } from './catalogue-folders.ts';
import { partsOf, type ReadParts } from './folder-parts.ts';
import { readCatalogue } from './read-catalogue.ts';
import type { Variables } from '../variables.ts';

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

/** The catalogues of an object, read like those of folders: an error in one only fails that one. */
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
  return typeof parts === 'string' ? { parts: [], problems: [parts] } : { parts, problems: [] };
};

/** A section may have its file's form, nested under its name again. */
const withBareSections = (object: object): object =>
  Object.fromEntries(
    Object.entries(object).map(([key, value]: [string, unknown]) => [
      key,
      isJsonObject(value) && Object.hasOwn(value, key) && key !== 'charts' ? value[key] : value,
    ]),
  );
