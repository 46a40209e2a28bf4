import type { Disclosure } from './answer.ts';
import type { Source } from './config.ts';
import { isIdentifier, kindOfType, wordsOf, type Field } from './fields.ts';
import type { AggregationMapping, ColumnMapping, ColumnSorting } from './schema.ts';
import type { Sure } from './selected.ts';
import { ApiError, getJson, query } from './server.ts';

/** What can be queried of a source, and how its owners want it shown. */
export interface Catalogue {
  readonly source: Source;
  /** The root field of documents; null: a network whose documents have no common name. */
  readonly documentType: string | null;
  readonly fields: ReadonlyMap<string, Field>;
  /** The paths of facets in their order; those after `shown` are closed at first. */
  readonly facets: readonly string[];
  readonly shownFacets: number;
  readonly columns: readonly Column[];
  readonly sort: readonly Sort[];
  /** Some records are hidden from this visitor. */
  readonly isFiltered: boolean;
  /** It shows no records to this visitor, and counts as intervals; null: it does, or is a network. */
  readonly disclosure: Disclosure | null;
  /** The institutions in their order, and so in their colours. */
  readonly nodes: readonly Institution[];
}

export interface Institution {
  readonly nodeId: string;
  readonly name: string;
}

export interface Column {
  readonly path: string;
  readonly name: string;
  readonly isShown: boolean;
  readonly canSort: boolean;
}

export interface Sort {
  readonly fieldName: string;
  readonly order: 'asc' | 'desc';
}

/** @throws ApiError */
export const describe = (source: Source, signal?: AbortSignal): Promise<Catalogue> =>
  source.kind === 'network' ? describeNetwork(source, signal) : describeCatalogue(source, signal);

/** GET /introspection/{id}, and that of a network: as far as the pages read it. */
export interface Detail {
  readonly documentType?: string;
  readonly fields: Readonly<
    Record<string, { displayName?: string; type: string; unit: string | null; description?: string }>
  >;
  readonly meta?: { readonly authFiltered?: boolean; readonly disclosure?: Disclosure };
}

/** What is shown instead of values, by the value as text. */
interface Shown {
  readonly displayValues?: Readonly<Record<string, unknown>> | null;
}

interface Configs {
  readonly extended?: readonly (Shown & { readonly fieldName: string })[] | null;
  readonly facets: {
    readonly aggregations: readonly Sure<AggregationMapping, 'fieldName' | 'isActive' | 'show'>[] | null;
  } | null;
  readonly table: {
    readonly columns:
      | readonly (Sure<ColumnMapping, 'fieldName' | 'displayName' | 'show' | 'sortable'> & Shown)[]
      | null;
    readonly defaultSorting: readonly Sure<ColumnSorting, 'fieldName' | 'desc'>[] | null;
  } | null;
}

const configsSelection = `configs {
  extended
  facets { aggregations { fieldName isActive show } }
  table { columns { fieldName displayName show sortable displayValues } defaultSorting { fieldName desc } }
}`;

const describeCatalogue = async (source: Source, signal?: AbortSignal): Promise<Catalogue> => {
  const [detail, configs] = await Promise.all([
    getJson<Detail>(`introspection/${encodeURIComponent(source.id)}`, signal),
    askConfigs(source, source.documentType, signal),
  ]);
  const shown = displayValuesOf(configs);
  const fields = new Map(
    Object.entries(detail.fields).map(([path, entry]) => [path, fieldOf(path, entry, shown, null)]),
  );
  return {
    source,
    documentType: source.documentType,
    fields,
    ...shownOf(fields, configs),
    isFiltered: detail.meta?.authFiltered ?? false,
    disclosure: detail.meta?.disclosure ?? null,
    nodes: [{ nodeId: source.id, name: source.name }],
  };
};

/** GET /network: each field, and which nodes have it. */
export interface NetworkBody {
  readonly nodes: readonly { nodeId: string; name: string }[];
  readonly fields: readonly {
    path: string;
    type: string;
    nodes: readonly { nodeId: string; state: string }[];
  }[];
}

/** A network has the names and lists of a catalogue where it is served like one, and always says who has which field. */
const describeNetwork = async (source: Source, signal?: AbortSignal): Promise<Catalogue> => {
  const [body, detail, expected] = await Promise.all([
    getJson<NetworkBody>(source.path, signal),
    getJson<Detail>(`${source.path}/introspection/network`, signal).catch(noneThere),
    askConfigs(source, source.documentType, signal),
  ]);
  const documentType = detail?.documentType ?? null;
  // while a network is discovered, it does not know the name yet
  const configs = source.documentType === null ? await askConfigs(source, documentType, signal) : expected;
  const shown = displayValuesOf(configs);
  const fields = new Map(
    body.fields.map(({ path, type, nodes }) => [
      path,
      fieldOf(
        path,
        { type, unit: null, ...detail?.fields[path] },
        shown,
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
    nodes: body.nodes.map(({ nodeId, name }) => ({ nodeId, name })),
  };
};

/** A network without a common name of its documents has no introspection. */
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

/** By path: those of a column, or else of the field. */
const displayValuesOf = (configs: Configs | null): ReadonlyMap<string, Shown['displayValues']> =>
  new Map(
    [...(configs?.extended ?? []), ...(configs?.table?.columns ?? [])].flatMap(
      ({ fieldName, displayValues }) =>
        displayValues == null || Object.keys(displayValues).length === 0
          ? []
          : [[dotted(fieldName), displayValues]],
    ),
  );

const fieldOf = (
  path: string,
  entry: Detail['fields'][string],
  shown: ReadonlyMap<string, Shown['displayValues']>,
  nodes: readonly string[] | null,
): Field => ({
  path,
  name: entry.displayName ?? wordsOf(path),
  type: entry.type,
  kind: kindOfType(entry.type),
  unit: entry.unit,
  description: entry.description ?? null,
  displayValues: shown.get(path) ?? {},
  nodes,
});

const shownOf = (
  fields: ReadonlyMap<string, Field>,
  configs: Configs | null,
): Pick<Catalogue, 'facets' | 'shownFacets' | 'columns' | 'sort'> => ({
  ...facetsOf(fields, configs?.facets?.aggregations ?? null),
  columns: columnsOf(fields, configs?.table?.columns ?? null),
  sort: (configs?.table?.defaultSorting ?? []).map(({ fieldName, desc }) => ({
    fieldName: dotted(fieldName),
    order: desc ? 'desc' : 'asc',
  })),
});

/** Names of other servers' files may be written with `__`. */
const dotted = (path: string): string => path.replaceAll('__', '.');

const isCountable = ({ kind }: Field): boolean => kind === 'values' || kind === 'numbers' || kind === 'dates';

/** The facets of the owners first; whatever else can be counted is closed at first. */
const facetsOf = (
  fields: ReadonlyMap<string, Field>,
  configured: NonNullable<Configs['facets']>['aggregations'],
): Pick<Catalogue, 'facets' | 'shownFacets'> => {
  const all = [...fields.values()].filter((field) => isCountable(field) && !isIdentifier(field.path));
  const named = (configured ?? []).map((facet) => ({ ...facet, path: dotted(facet.fieldName) }));
  const known = named.filter(({ path }) => fields.has(path) && isCountable(fields.get(path)!));
  if (known.length === 0) return guessedFacets(all);
  const first = known.filter(({ isActive, show }) => isActive && show).map(({ path }) => path);
  const others = [...known, ...all].map(({ path }) => path).filter((path) => !first.includes(path));
  return { facets: [...first, ...new Set(others)], shownFacets: first.length };
};

/** What most institutions share comes first; a dozen is open. */
const guessedFacets = (fields: readonly Field[]): Pick<Catalogue, 'facets' | 'shownFacets'> => {
  const shared = fields.filter(({ nodes }) => nodes === null || nodes.length > 1);
  const rest = fields.filter((field) => !shared.includes(field));
  return { facets: [...shared, ...rest].map(({ path }) => path), shownFacets: Math.min(shared.length, 12) };
};

const columnsOf = (
  fields: ReadonlyMap<string, Field>,
  configured: NonNullable<Configs['table']>['columns'],
): readonly Column[] => {
  if (configured !== null && configured.length > 0)
    return configured.map(({ fieldName, displayName, show, sortable }) => ({
      path: dotted(fieldName),
      name: displayName,
      isShown: show,
      canSort: sortable,
    }));
  const all = [...fields.values()].filter(({ kind }) => kind !== 'nested' && kind !== 'other');
  return all.map(({ path, name, kind }, at) => ({
    path,
    name,
    isShown: at < 8,
    canSort: kind !== 'text' && !path.includes('.'),
  }));
};
