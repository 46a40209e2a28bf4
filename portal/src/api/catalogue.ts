import type { Disclosure } from './answer.ts';
import type { Source } from './config.ts';
import { aggregationName, graphqlSegment } from '../../../src/introspection/fields/field.ts';
import { isIdentifier, kindOfType, wordsOf, type Field } from './fields.ts';
import type { AggregationMapping, ColumnMapping, ColumnSorting } from './schema.ts';
import { ApiError, getJson, query, type Nullable, type Sure } from './server.ts';
import { noteTimes } from './soon.ts';

/** What can be queried from a source, and how its owners want it shown. */
export interface Catalogue {
  readonly source: Source;
  /** The root field of documents; null: a network whose documents have no common name. */
  readonly documentType: string | null;
  readonly fields: ReadonlyMap<string, Field>;
  /** The paths of facets in order; those after `shown` are initially closed. */
  readonly facets: readonly string[];
  readonly shownFacets: number;
  readonly columns: readonly Column[];
  /** The fields for survival curves; null: none. */
  readonly survival: SurvivalFields | null;
  readonly sort: readonly Sort[];
  /** Some records are hidden from this visitor. */
  readonly isFiltered: boolean;
  /** Set if it shows no records to this visitor, and counts as intervals; null: it shows them, or is a network. */
  readonly disclosure: Disclosure | null;
  /** The institutions in order, which determines their colours. */
  readonly nodes: readonly Institution[];
}

/** Two fields, and the values of the event that mark its occurrence. */
export interface SurvivalFields {
  readonly time: string;
  readonly event: string;
  readonly dead: readonly (string | number | boolean)[];
}

export interface Institution {
  readonly nodeId: string;
  readonly name: string;
  readonly about?: AboutInstitution;
}

/** An institution's description of itself; degrees of WGS 84. */
export interface AboutInstitution {
  readonly description?: string;
  readonly contact?: { readonly name: string; readonly url?: string; readonly email?: string };
  readonly place?: { readonly name?: string; readonly latitude: number; readonly longitude: number };
}

export interface Column {
  readonly path: string;
  readonly name: string;
  readonly isShown: boolean;
  readonly canSort: boolean;
  /** The text that its owners show instead of a value; unset: as for the field. */
  readonly displayValues?: Field['displayValues'];
  /** A custom selection by the owners, and where its values are in the answer; unset: it shows the field. */
  readonly own?: { readonly query: string; readonly jsonPath: string };
}

export interface Sort {
  readonly fieldName: string;
  readonly order: 'asc' | 'desc';
}

/** @throws ApiError */
export const describe = (source: Source, signal?: AbortSignal): Promise<Catalogue> =>
  source.kind === 'network' ? describeNetwork(source, signal) : describeCatalogue(source, signal);

/** GET /introspection/{id}, also of a network: the parts that the pages read. */
export interface Detail {
  readonly documentType?: string;
  readonly fields: Readonly<
    Record<
      string,
      {
        displayName?: string;
        type: string;
        unit: string | null;
        description?: string;
        sortable?: false;
      }
    >
  >;
  readonly meta?: { readonly authFiltered?: boolean; readonly disclosure?: Disclosure };
}

/** The text shown instead of a value, by the value as text. */
interface Shown {
  readonly displayValues?: Readonly<Record<string, unknown>> | null;
}

interface ExtendedKeys {
  readonly fieldName: string;
  readonly hierarchy?: { readonly name: string };
  readonly image?: true;
  readonly link?: true | string;
  readonly displayNames?: Readonly<Record<string, string>>;
}

interface Configs {
  readonly extended?: readonly (Shown & ExtendedKeys)[] | null;
  readonly survival: SurvivalFields | null;
  readonly facets: {
    readonly aggregations: readonly Sure<AggregationMapping, 'fieldName' | 'isActive' | 'show'>[] | null;
  } | null;
  readonly table: {
    readonly columns:
      | readonly (Sure<
          ColumnMapping,
          'fieldName' | 'displayName' | 'show' | 'sortable' | 'query' | 'jsonPath'
        > &
          Nullable<ColumnMapping, 'id'> &
          Shown)[]
      | null;
    readonly defaultSorting: readonly Sure<ColumnSorting, 'fieldName' | 'desc'>[] | null;
  } | null;
}

const configsSelection = `configs {
  extended(keys: ["displayValues", "hierarchy", "image", "link", "displayNames"])
  survival
  facets { aggregations { fieldName isActive show } }
  table { columns { id fieldName displayName show sortable displayValues query jsonPath } defaultSorting { fieldName desc } }
}`;

const describeCatalogue = async (source: Source, signal?: AbortSignal): Promise<Catalogue> => {
  const [detail, configs] = await Promise.all([
    getJson<Detail>(`introspection/${encodeURIComponent(source.id)}`, signal),
    askConfigs(source, source.documentType, signal),
  ]);
  const stated = statedBy(configs, pathsOf(Object.keys(detail.fields)));
  const fields = new Map(
    Object.entries(detail.fields).map(([path, entry]) => [path, fieldOf(path, entry, stated, null)]),
  );
  return {
    source,
    documentType: source.documentType,
    fields,
    ...shownOf(fields, configs),
    isFiltered: detail.meta?.authFiltered ?? false,
    disclosure: detail.meta?.disclosure ?? null,
    nodes: [
      {
        nodeId: source.id,
        name: source.name,
        ...(source.contact && { about: { contact: source.contact } }),
      },
    ],
  };
};

/** GET /network?fields=brief: each field, and which nodes have it. */
export interface NetworkBody {
  readonly nodes: readonly (Institution & { readonly latencyMs?: { readonly p95: number } | null })[];
  readonly fields: readonly {
    path: string;
    type: string;
    sortable?: false;
    nodes: readonly { nodeId: string; state: string }[];
  }[];
}

/** A network has the names and lists of a catalogue if it is served like one, and always reports who has which field. */
const describeNetwork = async (source: Source, signal?: AbortSignal): Promise<Catalogue> => {
  const [body, detail, expected] = await Promise.all([
    getJson<NetworkBody>(`${source.path}?fields=brief`, signal),
    getJson<Detail>(`${source.path}/introspection/network`, signal).catch(noneThere),
    askConfigs(source, source.documentType, signal),
  ]);
  noteTimes(
    source.path,
    body.nodes.map(({ nodeId, latencyMs }) => ({ nodeId, tookMs: latencyMs?.p95 })),
  );
  const documentType = detail?.documentType ?? null;
  // while a network is being discovered, it does not know the name yet
  const configs = source.documentType === null ? await askConfigs(source, documentType, signal) : expected;
  const stated = statedBy(configs, pathsOf(body.fields.map(({ path }) => path)));
  const fields = new Map(
    body.fields.map(({ path, nodes, ...own }) => [
      path,
      fieldOf(
        path,
        { unit: null, ...own, ...detail?.fields[path] },
        stated,
        nodes.filter(({ state }) => state === 'covered' || state === 'conflict').map(({ nodeId }) => nodeId),
      ),
    ]),
  );
  return {
    source,
    documentType,
    fields,
    ...shownOf(fields, configs),
    isFiltered: detail?.meta?.authFiltered ?? false,
    disclosure: null,
    nodes: body.nodes.map(({ nodeId, name, about }) => ({ nodeId, name, ...(about && { about }) })),
  };
};

/** A network without a common document type has no introspection. */
const noneThere = (error: unknown): null => {
  if (error instanceof ApiError && error.kind === 'input') return null;
  throw error;
};

const askConfigs = async (
  { path }: Source,
  documentType: string | null,
  signal?: AbortSignal,
): Promise<Configs | null> => {
  if (documentType === null) return null;
  const document = `{ ${documentType} { ${configsSelection} } }`;
  const data = await query<Record<string, { configs: Configs } | null>>(path, document, {}, signal);
  return data[documentType]?.configs ?? null;
};

/** What the configuration states about fields, by path; the texts of values of the field, or else of a column. */
type Stated = ReadonlyMap<
  string,
  Partial<Pick<Field, 'displayValues' | 'hierarchy' | 'isImage' | 'link' | 'names'>>
>;

const statedBy = (configs: Configs | null, pathOf: PathOf): Stated => {
  const stated = new Map<string, NonNullable<ReturnType<Stated['get']>>>();
  for (const entry of [...(configs?.table?.columns ?? []), ...(configs?.extended ?? [])]) {
    const {
      fieldName,
      displayValues,
      hierarchy,
      image,
      link,
      displayNames: names,
    }: ExtendedKeys & Shown = entry;
    const path = pathOf(fieldName);
    stated.set(path, {
      ...stated.get(path),
      ...(isStated(displayValues) && { displayValues }),
      ...(hierarchy && { hierarchy: hierarchy.name }),
      ...(image && { isImage: image }),
      ...(link !== undefined && { link }),
      ...(names && { names }),
    });
  }
  return stated;
};

const isStated = (texts: Shown['displayValues']): texts is NonNullable<Shown['displayValues']> =>
  texts != null && Object.keys(texts).length > 0;

const fieldOf = (
  path: string,
  entry: Detail['fields'][string],
  stated: Stated,
  nodes: readonly string[] | null,
): Field => {
  const own = stated.get(path);
  return {
    path,
    name: entry.displayName ?? wordsOf(path),
    type: entry.type,
    // numbers that are terms are codes
    kind: own?.hierarchy === undefined ? kindOfType(entry.type) : 'values',
    unit: entry.unit,
    description: entry.description ?? null,
    displayValues: {},
    ...(entry.sortable === false && { sortable: entry.sortable }),
    ...own,
    nodes,
  };
};

const shownOf = (
  fields: ReadonlyMap<string, Field>,
  configs: Configs | null,
): Pick<Catalogue, 'facets' | 'shownFacets' | 'columns' | 'sort' | 'survival'> => {
  const pathOf = pathsOf([...fields.keys()]);
  const { time, event } = configs?.survival ?? {};
  const isThere = fields.get(time ?? '')?.kind === 'numbers' && fields.has(event ?? '');
  return {
    ...facetsOf(fields, configs?.facets?.aggregations ?? null, pathOf),
    columns: columnsOf(fields, configs?.table?.columns ?? null, pathOf),
    survival: isThere ? configs!.survival : null,
    sort: (configs?.table?.defaultSorting ?? []).map(({ fieldName, desc }) => ({
      fieldName: pathOf(fieldName),
      order: desc ? 'desc' : 'asc',
    })),
  };
};

type PathOf = (name: string) => string;

/** The paths of fields by their names in configurations: dotted, or as in GraphQL, with `__`. */
const pathsOf = (paths: readonly string[]): PathOf => {
  const known = new Set(paths);
  const byName = new Map(paths.map((path) => [aggregationName(path), path]));
  return (name) => (known.has(name) ? name : (byName.get(aggregationName(name)) ?? name));
};

/** The facets that the owners show, or all where they show none: they may have closed those that identify people. */
export const openFacets = ({
  facets,
  shownFacets,
}: Pick<Catalogue, 'facets' | 'shownFacets'>): readonly string[] =>
  shownFacets === 0 ? facets : facets.slice(0, shownFacets);

/** URLs are shown, not counted. */
const isCountable = ({ kind, isImage, link }: Field): boolean =>
  isImage !== true && link !== true && (kind === 'values' || kind === 'numbers' || kind === 'dates');

/** The owners' facets first; all other fields that can be counted are initially closed. */
const facetsOf = (
  fields: ReadonlyMap<string, Field>,
  configured: NonNullable<Configs['facets']>['aggregations'],
  pathOf: PathOf,
): Pick<Catalogue, 'facets' | 'shownFacets'> => {
  const all = [...fields.values()].filter((field) => isCountable(field) && !isIdentifier(field.path));
  const named = (configured ?? []).map((facet) => ({ ...facet, path: pathOf(facet.fieldName) }));
  const known = named.filter(({ path }) => fields.has(path) && isCountable(fields.get(path)!));
  if (known.length === 0) return guessedFacets(all);
  const first = known.filter(({ isActive, show }) => isActive && show).map(({ path }) => path);
  const others = [...known, ...all].map(({ path }) => path).filter((path) => !first.includes(path));
  return { facets: [...first, ...new Set(others)], shownFacets: first.length };
};

/** Fields that most institutions share come first; a dozen is open. */
const guessedFacets = (fields: readonly Field[]): Pick<Catalogue, 'facets' | 'shownFacets'> => {
  const shared = fields.filter(({ nodes }) => nodes === null || nodes.length > 1);
  const rest = fields.filter((field) => !shared.includes(field));
  return { facets: [...shared, ...rest].map(({ path }) => path), shownFacets: Math.min(shared.length, 12) };
};

const columnsOf = (
  fields: ReadonlyMap<string, Field>,
  configured: NonNullable<Configs['table']>['columns'],
  pathOf: PathOf,
): readonly Column[] => {
  if (configured !== null && configured.length > 0) {
    const columns = configured.map((column) => configuredColumn(column, fields, pathOf));
    return columns.filter(({ path }, at) => columns.findIndex((other) => other.path === path) === at);
  }
  const all = [...fields.values()].filter(({ kind }) => kind !== 'nested' && kind !== 'other');
  return all.map(({ path, name, kind, sortable }, at) => ({
    path,
    name,
    isShown: at < 8,
    canSort: kind !== 'text' && !path.includes('.') && sortable !== false,
  }));
};

/** The columns that a view shows: those that it names, as far as they exist, or else the owners'. */
export const chosenColumns = (
  { columns, fields }: Pick<Catalogue, 'columns' | 'fields'>,
  view: { readonly columns?: readonly string[] },
): readonly Column[] => {
  if (view.columns === undefined) return columns.filter(({ isShown }) => isShown);
  return view.columns.flatMap((path) => {
    const known = columns.find((column) => column.path === path);
    if (known !== undefined) return [known];
    const field = fields.get(path);
    return field === undefined ? [] : [{ path, name: field.name, isShown: true, canSort: false }];
  });
};

type ConfiguredColumn = NonNullable<NonNullable<Configs['table']>['columns']>[number];

const configuredColumn = (
  { id, fieldName, displayName, show, sortable, displayValues, query: selection, jsonPath }: ConfiguredColumn,
  fields: ReadonlyMap<string, Field>,
  pathOf: PathOf,
): Column => {
  const path = pathOf(fieldName);
  const isOwn = !fields.has(path) || placeOf(jsonPath) !== path.split('.').map(graphqlSegment).join('.');
  return {
    path: isOwn ? (id ?? path) : path,
    name: displayName,
    isShown: show,
    canSort: sortable && !isOwn,
    ...(isStated(displayValues) && { displayValues }),
    ...(isOwn && { own: { query: selection, jsonPath } }),
  };
};

/** The path of a field's own values, without the connections of nested objects. */
const placeOf = (jsonPath: string): string =>
  jsonPath.replace(/^\$\.?/, '').replaceAll(/\.hits\.edges(\[\*?\])?\.node/g, '');
