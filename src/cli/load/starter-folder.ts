import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultDocumentLimits } from '../../introspection/fields/catalogue-config.ts';
import type { Field, Fields } from '../../introspection/fields/field.ts';
import {
  aggregationName,
  fieldByAggregationName,
  hasOwnValues,
  graphqlSegment,
} from '../../introspection/fields/field.ts';
import { propertiesOf, readFields } from '../../introspection/mapping/mapping.ts';
import type { TableColumn } from '../../indexing/file-import/records/source-record.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts';
import { replaceFile } from '../../server/config/edit-json.ts';

export interface StarterCatalogue {
  readonly id: string;
  readonly esIndex: string;
  readonly folder: string;
  /** `{dynamic, properties}`. */
  readonly mapping: JsonObject;
  readonly sample: readonly JsonObject[];
  /** Paths with lists in documents. */
  readonly lists: ReadonlySet<string>;
  /** The columns of a table; empty for documents. */
  readonly header: readonly TableColumn[];
  /** The field with the documents' keys, if there is one. */
  readonly idField: string | undefined;
  /** Fields that are neither columns nor facets at first. */
  readonly hidden?: ReadonlySet<string>;
}

export interface StarterFiles {
  readonly written: readonly string[];
  /** Existing files, which are left unchanged. */
  readonly kept: readonly string[];
}

/**
 * Writes a first version of a catalogue's files for editing. Existing files are only overwritten if they are unchanged
 * since a load wrote them, according to their hashes in base.json.
 */
export const writeStarterFolder = async (catalogue: StarterCatalogue): Promise<StarterFiles> => {
  await mkdir(catalogue.folder, { recursive: true });
  const unchanged = await unchangedFiles(catalogue.folder);
  const written: string[] = [];
  const kept: string[] = [];
  const hashes: Record<string, string> = {};
  const { 'base.json': base, ...others } = starterFiles(catalogue);
  for (const [name, content] of Object.entries(others)) {
    const file = join(catalogue.folder, name);
    if ((await textOf(file)) !== null && !unchanged.has(name)) {
      kept.push(file);
      continue;
    }
    const text = `${JSON.stringify(content, null, 2)}\n`;
    replaceFile(file, text, modeOfStarter());
    hashes[name] = hashOf(text);
    written.push(file);
  }
  const file = join(catalogue.folder, 'base.json');
  const before = await textOf(file);
  const own =
    before === null || unchanged.size > 0
      ? before === null
        ? base
        : { ...objectIn(before), ...depthOf(before, base) }
      : null;
  if (own === null) kept.push(file);
  else {
    const text = `${JSON.stringify({ ...(own as JsonObject), starter: hashes }, null, 2)}\n`;
    replaceFile(file, text, modeOfStarter());
  }
  return { written: before === null ? [file, ...written] : written, kept };
};

/** As any file that this user creates: the server may run as another one. */
export const modeOfStarter = (): number => 0o666 & ~process.umask();

/** The files of a folder that a load wrote and that have not been edited. */
export const unchangedFiles = async (folder: string): Promise<ReadonlySet<string>> => {
  const { starter } = objectIn((await textOf(join(folder, 'base.json'))) ?? '');
  const unchanged = new Set<string>();
  for (const [name, hash] of Object.entries(isJsonObject(starter) ? starter : {})) {
    const text = await textOf(join(folder, name));
    if (text !== null && hashOf(text) === hash) unchanged.add(name);
  }
  return unchanged;
};

/** Fields that are named in kept files but missing in the mapping, by file name. */
export const unknownFieldsIn = async (
  { folder, mapping }: StarterCatalogue,
  kept: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const { fields } = readFields(propertiesOf(mapping));
  const byName = fieldByAggregationName(fields);
  const found = new Map<string, readonly string[]>();
  for (const name of kept) {
    const text = (await textOf(join(folder, name))) ?? '';
    const names = [...text.matchAll(/"fieldName"\s*:\s*("(?:[^"\\]|\\.)*")/g)].map(
      ([, one]) => JSON.parse(one!) as string,
    );
    const missing = [...new Set(names)].filter(
      (one) => !fields.has(one) && !byName.has(aggregationName(one)),
    );
    if (missing.length > 0) found.set(name, missing);
  }
  return found;
};

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Raises the depth limit for a deeper mapping. */
const depthOf = (before: string, base: unknown): JsonObject => {
  const [had, needed] = [objectIn(before)['maxDepth'], isJsonObject(base) ? base['maxDepth'] : undefined];
  return typeof needed === 'number' && (typeof had !== 'number' || had < needed) ? { maxDepth: needed } : {};
};

const objectIn = (text: string): JsonObject => {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
};

const textOf = async (file: string): Promise<string | null> => {
  try {
    return await readFile(file, 'utf8');
  } catch {
    return null;
  }
};

/** The content of each file of a starter folder, by its name. Pure. */
export const starterFiles = (catalogue: StarterCatalogue): Readonly<Record<string, unknown>> => {
  const { fields } = readFields(propertiesOf(catalogue.mapping));
  const leaves = inHeaderOrder(fields, catalogue).filter((field) => hasOwnValues(field.kind));
  return {
    'base.json': {
      documentType: documentType(catalogue.id),
      esIndex: catalogue.esIndex,
      ...maxDepth(fields),
    },
    'extended.json': { extended: leaves.map((field) => extendedEntry(field, catalogue)) },
    'table.json': {
      table: table(
        leaves.filter(({ storedAt, path }) => storedAt === undefined && catalogue.hidden?.has(path) !== true),
        catalogue.idField,
      ),
    },
    'facets.json': {
      facets: {
        aggregations: facetChoices(catalogue).map(({ path, why }) => ({
          fieldName: aggregationName(path),
          isActive: why === null,
          show: why === null,
        })),
      },
    },
    'mapping.json': { mappings: catalogue.mapping },
  };
};

/**
 * The fields in the order of a table's columns, which a mapping cannot keep: JavaScript objects list integer names first,
 * and fields of one object are together.
 */
const inHeaderOrder = (fields: Fields, { header }: Pick<StarterCatalogue, 'header'>): readonly Field[] => {
  const columns = header.filter(({ position }) => position >= 0);
  const positions = new Map(columns.map(({ field }, at) => [field, at]));
  const positionOf = ({ path, storedAt }: Field): number => positions.get(storedAt ?? path) ?? columns.length;
  return [...fields.values()].sort((one, other) => positionOf(one) - positionOf(other));
};

/** Names that the document type must not have, since they are root fields of the schema. */
const rootFields = new Set(['network', 'sets', 'node', 'viewer', 'query', 'hasValidConfig']);

const documentType = (id: string): string => {
  const name = graphqlSegment(id);
  return rootFields.has(name) ? `${name}_document` : name;
};

/** The depth of the selection of the deepest field, if it exceeds the default limit. */
const maxDepth = (fields: Fields): { readonly maxDepth?: number } => {
  const deepest = Math.max(0, ...[...fields.values()].map(selectionDepth));
  return deepest <= defaultDocumentLimits.maxDepth ? {} : { maxDepth: deepest };
};

/** `<document> hits edges node`, a level for each segment, and `hits edges node` again under each nested path. */
const selectionDepth = (field: Field): number => 4 + field.path.split('.').length + 3 * field.nestedIn.length;

const extendedEntry = (field: Field, { idField, header, lists }: StarterCatalogue): JsonObject => {
  const column = header.find(({ field: path }) => path === field.path);
  return {
    fieldName: field.path,
    displayName: displayNameOf(field.path, column?.label),
    ...(column?.description ? { description: column.description } : {}),
    ...(lists.has(field.path) ? { isArray: true } : {}),
    ...(field.path === idField ? { primaryKey: true } : {}),
  };
};

const snakeCase = /^[A-Za-z0-9]+(?:_+[A-Za-z0-9]+)+$/;
/** Begins with at least two lower-case letters: `pH`, `mRNA` and `miRNA` are names. */
const camelCase = /^[a-z][a-z0-9]+(?:[A-Z][a-z0-9]+|IDs?(?![a-z])|URLs?(?![a-z]))+$/;
const plainWord = /^[a-z][a-z0-9]*$/;

/** A header that differs from the field's name is used as its label. */
const displayNameOf = (path: string, label: string | undefined): string =>
  label === undefined || label === path ? displayName(path) : label;

/**
 * A path as a label: only snake_case, camelCase and lower-case words are made readable, other names are unchanged. Dots
 * in phrases do not separate objects.
 */
const displayName = (path: string): string =>
  /[\s()]/.test(path) ? path : path.split('.').map(segmentLabel).join(' ');

const segmentLabel = (name: string): string => {
  if (camelCase.test(name)) return capitalized(name.replace(/([a-z0-9])([A-Z])/g, '$1 $2'));
  return snakeCase.test(name) || plainWord.test(name) ? capitalized(name.replace(/_+/g, ' ')) : name;
};

const capitalized = (words: string): string => words.replace(/(^| )[a-z]/g, (letter) => letter.toUpperCase());

const shownColumns = 10;
const activeFacets = 15;
/** Maximum distinct values of a facet in the sample: longer lists are hard to read. */
const maxFacetValues = 50;
/** Minimum share of documents with a value: rarer fields make poor facets. */
const minFilled = 0.1;

const table = (leaves: readonly Field[], idField: string | undefined): JsonObject => ({
  ...(idField === undefined ? {} : { rowIdFieldName: idField }),
  columns: leaves
    .filter((field) => field.nestedIn.length === 0)
    .map((field, position) => ({
      fieldName: field.path,
      show: position < shownColumns,
      sortable: field.kind !== 'text',
    })),
});

/** A field as a facet, and why it is not active; null if it is. */
export interface FacetChoice {
  readonly path: string;
  readonly why: string | null;
}

/**
 * Facets by usefulness: few distinct values, in most documents, at most 15; other fields follow, inactive, with the
 * reason. Identifiers are not facets.
 */
export const facetChoices = (catalogue: Omit<StarterCatalogue, 'lists'>): readonly FacetChoice[] => {
  const samples = fieldSamples(catalogue.sample);
  const total = catalogue.sample.length;
  const rated = inHeaderOrder(readFields(propertiesOf(catalogue.mapping)).fields, catalogue)
    .filter(({ kind, path }) => facetKinds.has(kind) && path !== catalogue.idField)
    .map((field) => ({
      field,
      ...(catalogue.hidden?.has(field.path)
        ? { use: 0, why: 'it identifies people' }
        : rating(field, samples.get(field.storedAt ?? field.path), total)),
    }));
  const best = rated
    .filter(({ why }) => why === null)
    .sort((one, other) => other.use - one.use)
    .slice(0, activeFacets);
  const isChosen = (path: string): boolean => best.some(({ field }) => field.path === path);
  const chosen = rated.filter(({ field }) => isChosen(field.path));
  const others = rated.filter(({ field }) => !isChosen(field.path));
  return [
    ...chosen.map(({ field }) => ({ path: field.path, why: null })),
    ...others.map(({ field, why }) => ({
      path: field.path,
      why: why ?? `less used than the first ${String(activeFacets)}`,
    })),
  ];
};

const facetKinds: ReadonlySet<string> = new Set(['keyword', 'boolean', 'date', 'number']);
const namedLikeKey = /(?:^|[._ ])id$|[a-z]I[Dd]$/i;

/** How useful a facet is, from 0, and the reason if it is not. */
const rating = (
  { kind, path }: Field,
  sample: FieldSample | undefined,
  total: number,
): { readonly use: number; readonly why: string | null } => {
  const { distinct = 0, documents = 0 } = sample ?? {};
  const filled = total === 0 ? 0 : documents / total;
  const why = facetProblem(kind, path, distinct, filled, documents);
  const length = kind === 'keyword' ? 1 - distinct / (4 * maxFacetValues) : kind === 'boolean' ? 1 : 0.8;
  return { use: filled * length * (/^extension\./.test(path) ? 0.5 : 1), why };
};

const facetProblem = (
  kind: string,
  path: string,
  distinct: number,
  filled: number,
  documents: number,
): string | null => {
  if (distinct === 0) return 'empty';
  if (distinct === 1) return 'one value only';
  if (filled < minFilled) return `in ${String(Math.max(1, Math.round(filled * 100)))} % of the records only`;
  if (kind === 'boolean') return null;
  if (namedLikeKey.test(path)) return 'named like an identifier';
  if (kind !== 'keyword') return null;
  if (distinct > maxFacetValues) return 'too many values';
  return distinct === documents && documents > 10 ? 'a different value in each record' : null;
};

/** Statistics of a field in the first documents. */
export interface FieldSample {
  /** Distinct values, counted up to 100. */
  readonly distinct: number;
  /** Documents with a value. */
  readonly documents: number;
}

const countedValues = 100;

interface Collected {
  readonly values: Set<JsonValue>;
  documents: number;
  last: number;
}

/** By dotted path, for every path with a scalar or a list of scalars. */
export const fieldSamples = (documents: readonly JsonObject[]): ReadonlyMap<string, FieldSample> => {
  const collected = new Map<string, Collected>();
  documents.forEach((document, at) => collect(document, '', collected, at));
  return new Map(
    [...collected].map(([path, { values, documents: having }]) => [
      path,
      { distinct: values.size, documents: having },
    ]),
  );
};

const collect = (value: JsonValue, path: string, collected: Map<string, Collected>, at: number): void => {
  if (value === null) return;
  if (Array.isArray(value)) {
    for (const element of value as readonly JsonValue[]) collect(element, path, collected, at);
    return;
  }
  if (isJsonObject(value)) {
    for (const [name, below] of Object.entries(value))
      if (below !== undefined) collect(below, path === '' ? name : `${path}.${name}`, collected, at);
    return;
  }
  const found = collected.get(path) ?? { values: new Set(), documents: 0, last: -1 };
  if (found.last !== at) found.documents += 1;
  found.last = at;
  if (found.values.size < countedValues) found.values.add(value);
  collected.set(path, found);
};
