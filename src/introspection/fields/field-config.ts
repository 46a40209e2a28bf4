import type { Hierarchy } from '../hierarchies/hierarchy.ts';
import type { CatalogueConfig, ExtendedEntry, FacetEntry } from './catalogue-config.ts';
import type { ColumnEntry, Translations } from './portal-sections.ts';
import type { Field, Fields } from './field.ts';
import {
  displayNameOf,
  aggregationName,
  fieldByAggregationName,
  graphqlSegment,
  hasOwnValues,
} from './field.ts';

/** An entry of `configs.extended`, with all defaults filled in. */
export interface ExtendedField {
  readonly displayName: string;
  readonly displayType: string;
  readonly displayValues: Readonly<Record<string, unknown>>;
  readonly fieldName: string;
  readonly isActive: boolean;
  readonly isArray: boolean;
  readonly primaryKey: boolean;
  readonly quickSearchEnabled: boolean;
  readonly rangeStep: number;
  readonly type: string;
  readonly unit: string | null;
  readonly image?: true;
  /** `true`: its values are links; else the link in which a value replaces `{value}`. */
  readonly link?: true | string;
  readonly sortable?: false;
  readonly description?: string;
  readonly displayNames?: Translations;
  readonly descriptions?: Translations;
  /** The hierarchy of its values; the fingerprint is equal for equal graphs. */
  readonly hierarchy?: { readonly name: string; readonly fingerprint: string };
}

/**
 * `configs.extended`: one entry for each mapped path, in alphabetical order; configured entries of unmapped paths are
 * dropped, as is `id` unless it is configured or requested.
 * @param fieldNames only these paths; defaults to all
 */
export const extendedConfig = (
  fields: Fields,
  config: Pick<CatalogueConfig, 'extended'>,
  fieldNames?: readonly string[] | null,
): readonly ExtendedField[] => {
  const configured = new Set(config.extended.map(({ fieldName }) => fieldName));
  return [...extendedByPath(fields, config).values()].filter(({ fieldName }) =>
    fieldNames == null ? fieldName !== rowId || configured.has(rowId) : fieldNames.includes(fieldName),
  );
};

/** The parts of a configuration that name fields by their paths; facets keep the names that portals expect. */
type NamingPaths = Pick<CatalogueConfig, 'extended' | 'table' | 'matchbox' | 'survival'>;

/** The configuration with the path in place of each name that is spelt as in GraphQL: `donor__tags` is `donor.tags`. */
export const withPaths = <Config extends NamingPaths>(config: Config, fields: Fields): Config => {
  const byName = new Map([...fields.keys()].map((path) => [aggregationName(path), path]));
  const pathOf = (name: string): string =>
    name.includes('__') && !fields.has(name) ? (byName.get(name) ?? name) : name;
  const named = <Entry extends { readonly fieldName: string }>(entry: Entry): Entry => ({
    ...entry,
    fieldName: pathOf(entry.fieldName),
  });
  const orNull = (name: string | null): string | null => name && pathOf(name);
  const { extended, table, matchbox, survival } = config;
  return {
    ...config,
    extended: extended.map(named),
    table: {
      ...table,
      // a column with its own selection may be called anything
      columns: table.columns?.map((column) => (column.query === undefined ? named(column) : column)) ?? null,
      defaultSorting: table.defaultSorting.map(named),
    },
    matchbox: matchbox.map((entry) => ({
      ...entry,
      fieldName: orNull(entry.fieldName),
      keyFieldName: orNull(entry.keyFieldName),
      searchFieldNames: entry.searchFieldNames?.map(pathOf) ?? null,
    })),
    ...(survival && {
      survival: { ...survival, time: pathOf(survival.time), event: pathOf(survival.event) },
    }),
  };
};

/** The entries of extended.json, with the descriptions and units of the mapping where they give none. */
export const withMeta = (extended: readonly ExtendedEntry[], fields: Fields): readonly ExtendedEntry[] => {
  const described = new Map(
    [...fields.values()].flatMap(({ path, meta }) => (meta === undefined ? [] : [[path, meta] as const])),
  );
  if (described.size === 0) return extended;
  const configured = extended.map((entry): ExtendedEntry => {
    const { description, unit } = described.get(entry.fieldName) ?? {};
    return {
      ...entry,
      ...(entry.description === undefined && description !== undefined && { description }),
      // a unit of null means that there is none
      ...(entry.unit === undefined && unit !== undefined && { unit }),
    };
  });
  const known = new Set(extended.map(({ fieldName }) => fieldName));
  const others = [...described].filter(([path]) => !known.has(path));
  return [...configured, ...others.map(([fieldName, meta]) => ({ fieldName, ...meta }))];
};

/** The schema always has `id`: clients list it only when it is configured. */
const rowId = 'id';

const extendedByPath = (
  fields: Fields,
  config: Pick<CatalogueConfig, 'extended'>,
): ReadonlyMap<string, ExtendedField> => {
  const configured = new Map(config.extended.map((entry) => [entry.fieldName, entry]));
  const sorted = [...fields.values()].sort((left, right) => (left.path < right.path ? -1 : 1));
  return new Map(sorted.map((field) => [field.path, extendedField(field, configured.get(field.path))]));
};

const extendedField = (field: Field, entry: ExtendedEntry | undefined): ExtendedField => ({
  displayName: entry?.displayName ?? displayNameOf(field.path),
  displayType: entry?.displayType ?? field.type,
  displayValues: { ...labelsOf(field), ...entry?.displayValues },
  fieldName: field.path,
  isActive: entry?.isActive ?? false,
  isArray: entry?.isArray ?? false,
  primaryKey: entry?.primaryKey ?? false,
  quickSearchEnabled: entry?.quickSearchEnabled ?? false,
  rangeStep: entry?.rangeStep ?? 0,
  type: field.type,
  unit: entry?.unit ?? null,
  ...(entry?.image === true && { image: entry.image }),
  ...(entry?.link && { link: entry.link }),
  ...(entry?.sortable === false && { sortable: entry.sortable }),
  ...(entry?.description === undefined ? {} : { description: entry.description }),
  ...(entry?.displayNames === undefined ? {} : { displayNames: entry.displayNames }),
  ...(entry?.descriptions === undefined ? {} : { descriptions: entry.descriptions }),
  ...(field.hierarchy && {
    hierarchy: { name: field.hierarchy.name, fingerprint: field.hierarchy.fingerprint },
  }),
});

/** The label of a term of a hierarchy that is too large for `displayValues`; undefined: the value is not such a term. */
export const unlistedLabel = ({ hierarchy }: Field, value: string): string | undefined => {
  const term = hierarchy && hierarchy.size > maxLabels ? hierarchy.indexOf(value) : undefined;
  return term === undefined ? undefined : hierarchy!.label(term);
};

/** Clients look up labels of larger hierarchies as they need them. */
const maxLabels = 2_000;

/** The labels of a field's terms, which are shown in place of their ids. */
const labelsOf = ({ hierarchy }: Field): Readonly<Record<string, string>> => {
  if (hierarchy === undefined || hierarchy.size > maxLabels) return {};
  const known =
    labels.get(hierarchy) ??
    Object.fromEntries(
      Array.from({ length: hierarchy.size }, (_, term) => [hierarchy.id(term), hierarchy.label(term)]),
    );
  labels.set(hierarchy, known);
  return known;
};

/** A hierarchy is never changed: it lives as long as its fields. */
const labels = new WeakMap<Hierarchy, Readonly<Record<string, string>>>();

/** An entry of `configs.facets.aggregations`. */
export interface FacetAggregation {
  readonly displayName: string | null;
  readonly displayType: string | null;
  readonly fieldName: string;
  readonly isActive: boolean;
  readonly show: boolean;
}

/** The number of facets or columns shown when none are configured. */
const shownByDefault = 10;

/**
 * `configs.facets`: the entries as configured, with their configured names, completed from extended.json (null for
 * unknown fields); if there are none, the first ten fields that have buckets, by the names that existing portals put into
 * their queries.
 */
export const facetsConfig = (
  fields: Fields,
  config: Pick<CatalogueConfig, 'extended' | 'facets'>,
): { readonly aggregations: readonly FacetAggregation[] } => {
  const extended = extendedByPath(fields, config);
  const byName = fieldByAggregationName(fields);
  const entries: readonly FacetEntry[] =
    config.facets ??
    defaultFacets(fields).map((path) => ({ fieldName: aggregationName(path), isActive: true, show: true }));
  const aggregations = entries.map(({ fieldName, displayName, displayType, isActive, show }) => {
    const field = fields.get(fieldName) ?? byName.get(aggregationName(fieldName));
    const entry = field === undefined ? undefined : extended.get(field.path);
    return {
      displayName: displayName ?? entry?.displayName ?? null,
      displayType: displayType ?? entry?.displayType ?? null,
      fieldName,
      isActive,
      show,
    };
  });
  return { aggregations };
};

/** The paths of the facets of a catalogue that configures none. */
export const defaultFacets = (fields: Fields): readonly string[] =>
  suitable(fields, ({ kind }) => kind !== 'text');

/** The paths of the first ten fields with values whose names do not suggest identifiers. */
const suitable = (fields: Fields, accepts: (field: Field) => boolean): readonly string[] =>
  [...fields.values()]
    .filter(
      ({ kind, path }) =>
        hasOwnValues(kind) && kind !== 'flattened' && path !== rowId && !path.includes('_id'),
    )
    .filter(accepts)
    .map(({ path }) => path)
    .sort()
    .slice(0, shownByDefault);

/** An entry of `configs.table.columns`. */
export interface TableColumn {
  readonly accessor: string;
  readonly canChangeShow: boolean;
  readonly displayFormat: string | null;
  readonly displayName: string;
  readonly displayType: string | null;
  readonly displayValues: Readonly<Record<string, unknown>>;
  readonly fieldName: string;
  readonly id: string | null;
  readonly isArray: boolean;
  readonly jsonPath: string;
  readonly query: string;
  readonly show: boolean;
  readonly sortable: boolean | null;
  readonly type: string | null;
}

export interface TableDescription {
  readonly columns: readonly TableColumn[];
  readonly defaultSorting: readonly { readonly fieldName: string; readonly desc: boolean }[];
  readonly maxResultsWindow: number;
  readonly rowIdFieldName: string;
}

/**
 * `configs.table`: the columns as configured, with a `query` and `jsonPath` that fit the schema; if there are none, the
 * first ten fields with values.
 */
export const tableConfig = (
  fields: Fields,
  config: Pick<CatalogueConfig, 'extended' | 'table'>,
): TableDescription => {
  const extended = extendedByPath(fields, config);
  const entries: readonly ColumnEntry[] =
    config.table.columns ??
    suitable(fields, ({ storedAt }) => storedAt === undefined).map((fieldName) => ({
      fieldName,
      show: true,
      sortable: false,
    }));
  return {
    columns: entries.map((entry) => tableColumn(entry, extended.get(entry.fieldName), fields)),
    defaultSorting: config.table.defaultSorting,
    maxResultsWindow: config.table.maxResultsWindow,
    rowIdFieldName: config.table.rowIdFieldName,
  };
};

const tableColumn = (
  entry: ColumnEntry,
  extended: ExtendedField | undefined,
  fields: Fields,
): TableColumn => {
  const derived = columnQuery(entry.fieldName, fields);
  return {
    accessor: entry.accessor ?? entry.fieldName,
    canChangeShow: entry.canChangeShow ?? true,
    displayFormat: entry.displayFormat ?? null,
    displayName: entry.displayName ?? extended?.displayName ?? `* ${entry.fieldName}`,
    displayType: entry.displayType ?? extended?.displayType ?? null,
    displayValues: entry.displayValues ?? extended?.displayValues ?? {},
    fieldName: entry.fieldName,
    id: entry.id ?? null,
    isArray: entry.isArray ?? extended?.isArray ?? false,
    jsonPath: entry.jsonPath ?? derived.jsonPath,
    query: entry.query ?? derived.query,
    show: entry.show ?? false,
    sortable: entry.sortable ?? null,
    type: entry.type ?? null,
  };
};

/** How to query a table column: a selection inside `node {}`, and the location of its values in the answer. */
export interface ColumnQuery {
  readonly query: string;
  readonly jsonPath: string;
}

/**
 * The selection of a field, valid for the catalogue's schema, with nested paths entered through their connections and
 * objects selected with all their contents; and the JSONPath of its values below `node`.
 */
export const columnQuery = (fieldName: string, fields: Fields): ColumnQuery => {
  const named = fields.get(fieldName);
  const path = named?.storedAt ?? fieldName;
  const segments = path.split('.');
  const field = fields.get(path);
  let query = graphqlSegment(segments.at(-1)!);
  let jsonPath =
    named?.indexField.keyOf === undefined
      ? query
      : `${query}${fieldName
          .slice(path.length + 1)
          .split('.')
          .map((key) => `['${key}']`)
          .join('')}`;
  const inner = field === undefined ? '' : contentSelection(field, fields);
  if (inner !== '') query = `${query} ${inner}`;
  for (let depth = segments.length - 1; depth > 0; depth -= 1) {
    const name = graphqlSegment(segments[depth - 1]!);
    const isNested = entersObjects(segments, depth, fields);
    query = isNested ? `${name} { hits { edges { node { ${query} } } } }` : `${name} { ${query} }`;
    jsonPath = isNested ? `${name}.hits.edges[*].node.${jsonPath}` : `${name}.${jsonPath}`;
  }
  return { query, jsonPath: `$.${jsonPath}` };
};

/** Whether the path continues inside nested objects at this depth; `a.hits.total` stays on the connection itself. */
const entersObjects = (segments: readonly string[], depth: number, fields: Fields): boolean => {
  const path = segments.slice(0, depth).join('.');
  if (fields.get(path)?.kind !== 'nested') return false;
  return segments[depth] !== 'hits' || fields.has(`${path}.hits`);
};

/** The sub-selection of a field: "" for values, all parts in braces for objects. */
const contentSelection = (field: Field, fields: Fields): string => {
  if (field.kind !== 'object' && field.kind !== 'nested') return '';
  const depth = field.path.split('.').length + 1;
  const parts = [...fields.values()].filter(
    ({ path, storedAt }) =>
      storedAt === undefined && path.startsWith(`${field.path}.`) && path.split('.').length === depth,
  );
  const selected = parts.map((part) => {
    const inner = contentSelection(part, fields);
    const name = graphqlSegment(part.path.split('.').at(-1)!);
    return inner === '' ? name : `${name} ${inner}`;
  });
  const content = selected.join(' ');
  return field.kind === 'nested' ? `{ hits { edges { node { ${content} } } } }` : `{ ${content} }`;
};
