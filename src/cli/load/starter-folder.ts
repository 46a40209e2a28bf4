import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultDocumentLimits } from '../../introspection/fields/catalogue-config.ts';
import type { Field, Fields } from '../../introspection/fields/field.ts';
import { hasOwnValues, graphqlSegment } from '../../introspection/fields/field.ts';
import { readFields } from '../../introspection/mapping/mapping.ts';
import type { TableColumn } from '../../indexing/file-import/records/source-record.ts';
import type { JsonObject, JsonValue } from '../../json/json.ts';
import { isJsonObject } from '../../json/json.ts';

export interface StarterCatalogue {
  readonly id: string;
  readonly esIndex: string;
  readonly folder: string;
  /** `{dynamic, properties}`. */
  readonly mapping: JsonObject;
  readonly sample: readonly JsonObject[];
  /** The columns of a table; none for documents. */
  readonly header: readonly TableColumn[];
  /** The field that holds the documents' keys, if one does. */
  readonly idField: string | undefined;
}

export interface StarterFiles {
  readonly written: readonly string[];
  /** Existing files, which are left unchanged. */
  readonly kept: readonly string[];
}

/** Writes a first version of a catalogue's files, to be edited. Never overwrites existing files. */
export const writeStarterFolder = async (catalogue: StarterCatalogue): Promise<StarterFiles> => {
  await mkdir(catalogue.folder, { recursive: true });
  const written: string[] = [];
  const kept: string[] = [];
  for (const [name, content] of Object.entries(starterFiles(catalogue))) {
    const file = join(catalogue.folder, name);
    if (await exists(file)) {
      kept.push(file);
      continue;
    }
    await writeFile(file, `${JSON.stringify(content, null, 2)}\n`, { flag: 'wx' });
    written.push(file);
  }
  return { written, kept };
};

/** The content of each file of a starter folder, by its name. Pure. */
export const starterFiles = (catalogue: StarterCatalogue): Readonly<Record<string, unknown>> => {
  const properties = isJsonObject(catalogue.mapping['properties']) ? catalogue.mapping['properties'] : {};
  const { fields } = readFields(properties);
  const samples = fieldSamples(catalogue.sample);
  const leaves = [...fields.values()].filter((field) => hasOwnValues(field.kind));
  return {
    'base.json': {
      documentType: documentType(catalogue.id),
      esIndex: catalogue.esIndex,
      ...maxDepth(fields),
    },
    'extended.json': { extended: leaves.map((field) => extendedEntry(field, samples, catalogue)) },
    'table.json': { table: table(leaves, catalogue.idField) },
    'facets.json': {
      facets: {
        aggregations: facets(
          leaves.filter((field) => field.path !== catalogue.idField),
          samples,
        ),
      },
    },
    'mapping.json': { mappings: catalogue.mapping },
  };
};

/** Names the document type must not have, since they are root fields of the schema. */
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

const extendedEntry = (
  field: Field,
  samples: ReadonlyMap<string, FieldSample>,
  { idField, header }: StarterCatalogue,
): JsonObject => {
  const column = header.find(({ field: path }) => path === field.path);
  return {
    fieldName: field.path,
    displayName: displayNameOf(field.path, column?.label),
    ...(column?.description ? { description: column.description } : {}),
    ...(samples.get(field.path)?.isArray === true ? { isArray: true } : {}),
    ...(field.path === idField ? { primaryKey: true } : {}),
  };
};

const snakeCase = /^[A-Za-z0-9]+(?:_+[A-Za-z0-9]+)+$/;
/** At least two small letters first: `pH` and `mRNA` are names, and so is `miRNA`. */
const camelCase = /^[a-z][a-z0-9]+(?:[A-Z][a-z0-9]+|IDs?(?![a-z])|URLs?(?![a-z]))+$/;
const plainWord = /^[a-z][a-z0-9]*$/;

/** A header that is not the field's own name is a label as people wrote it. */
const displayNameOf = (path: string, label: string | undefined): string =>
  label === undefined || label === path ? displayName(path) : label;

/** A path as a label: names as they were written, only snake_case, camelCase and lower-case words made readable. */
const displayName = (path: string): string =>
  /^[\w.]+$/.test(path) ? path.split('.').map(segmentLabel).join(' ') : path;

const segmentLabel = (name: string): string => {
  if (camelCase.test(name)) return capitalized(name.replace(/([a-z0-9])([A-Z])/g, '$1 $2'));
  return snakeCase.test(name) || plainWord.test(name) ? capitalized(name.replace(/_+/g, ' ')) : name;
};

const capitalized = (words: string): string => words.replace(/(^| )[a-z]/g, (letter) => letter.toUpperCase());

const shownColumns = 10;
const shownFacets = 10;
/** Maximum distinct values of a facet in the sample; nobody reads longer lists. */
const maxFacetValues = 50;

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

const facets = (leaves: readonly Field[], samples: ReadonlyMap<string, FieldSample>): readonly JsonObject[] =>
  leaves
    .filter((field) => isFacet(field, samples.get(field.path)))
    .slice(0, shownFacets)
    .map((field) => ({ fieldName: field.path, isActive: true, show: true }));

const isFacet = (field: Field, sample: FieldSample | undefined): boolean => {
  switch (field.kind) {
    case 'keyword':
      return sample !== undefined && sample.distinct > 1 && sample.distinct <= maxFacetValues;
    case 'boolean':
    case 'date':
      return true;
    case 'number':
      return sample !== undefined && sample.distinct > 1 && !/(^|[._])id$/i.test(field.path);
    case 'text':
    case 'object':
    case 'nested':
    case 'json':
      return false;
  }
};

const exists = async (file: string): Promise<boolean> => {
  try {
    await access(file);
    return true;
  } catch {
    return false;
  }
};

/** What the first documents show about a field. */
export interface FieldSample {
  /** Distinct values, counted up to 100. */
  readonly distinct: number;
  /** Whether some value is a list of scalars. */
  readonly isArray: boolean;
}

const countedValues = 100;

interface Collected {
  readonly values: Set<JsonValue>;
  isArray: boolean;
}

/** By dotted path, for every path with a scalar or a list of scalars. */
export const fieldSamples = (documents: readonly JsonObject[]): ReadonlyMap<string, FieldSample> => {
  const collected = new Map<string, Collected>();
  for (const document of documents) collect(document, '', false, collected);
  return new Map(
    [...collected].map(([path, { values, isArray }]) => [path, { distinct: values.size, isArray }]),
  );
};

const collect = (
  value: JsonValue,
  path: string,
  inList: boolean,
  collected: Map<string, Collected>,
): void => {
  if (value === null) return;
  if (Array.isArray(value)) {
    for (const element of value as readonly JsonValue[]) collect(element, path, true, collected);
    return;
  }
  if (isJsonObject(value)) {
    for (const [name, below] of Object.entries(value))
      if (below !== undefined) collect(below, path === '' ? name : `${path}.${name}`, false, collected);
    return;
  }
  const found = collected.get(path) ?? { values: new Set(), isArray: false };
  if (found.values.size < countedValues) found.values.add(value);
  found.isArray ||= inList;
  collected.set(path, found);
};
