import type { Source } from './config.ts';
import { isIdentifier, kindOfType, wordsOf, type Field } from './fields.ts';
import { getJson, query } from './server.ts';

/** What can be asked of a source, and how its owners want it shown. */
export interface Catalogue {
  readonly source: Source;
  readonly fields: ReadonlyMap<string, Field>;
  /** The paths of facets in their order; those after `shown` are closed at first. */
  readonly facets: readonly string[];
  readonly shownFacets: number;
  readonly columns: readonly Column[];
  readonly sort: readonly Sort[];
  /** Some records are hidden from this visitor. */
  readonly isFiltered: boolean;
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

interface Detail {
  readonly fields: Readonly<
    Record<string, { displayName?: string; type: string; unit: string | null; description?: string }>
  >;
  readonly meta?: { readonly authFiltered?: boolean };
}

interface Configs {
  readonly facets: {
    readonly aggregations: readonly { fieldName: string; isActive: boolean; show: boolean }[] | null;
  } | null;
  readonly table: {
    readonly columns:
      readonly { fieldName: string; displayName: string; show: boolean; sortable: boolean }[] | null;
    readonly defaultSorting: readonly { fieldName: string; desc: boolean }[] | null;
  } | null;
}

const configsSelection = `configs {
  facets { aggregations { fieldName isActive show } }
  table { columns { fieldName displayName show sortable } defaultSorting { fieldName desc } }
}`;

const describeCatalogue = async (source: Source, signal?: AbortSignal): Promise<Catalogue> => {
  const type = source.documentType ?? '';
  const [detail, data] = await Promise.all([
    getJson<Detail>(`introspection/${encodeURIComponent(source.id)}`, signal),
    query<Record<string, { configs: Configs } | null>>(
      source.path,
      `{ ${type} { ${configsSelection} } }`,
      {},
      signal,
    ),
  ]);
  const fields = new Map(
    Object.entries(detail.fields).map(([path, { displayName, type: fieldType, unit, description }]) => [
      path,
      {
        path,
        name: displayName ?? wordsOf(path),
        type: fieldType,
        kind: kindOfType(fieldType),
        unit,
        description: description ?? null,
        nodes: null,
      },
    ]),
  );
  const configs = data[type]?.configs ?? null;
  return {
    source,
    fields,
    ...facetsOf(fields, configs?.facets?.aggregations ?? null),
    columns: columnsOf(fields, configs?.table?.columns ?? null),
    sort: (configs?.table?.defaultSorting ?? []).map(({ fieldName, desc }) => ({
      fieldName: dotted(fieldName),
      order: desc ? ('desc' as const) : ('asc' as const),
    })),
    isFiltered: detail.meta?.authFiltered ?? false,
    nodes: [{ nodeId: source.id, name: source.name }],
  };
};

/** GET /network: each field, and which nodes have it. */
interface NetworkBody {
  readonly nodes: readonly { nodeId: string; name: string }[];
  readonly fields: readonly {
    path: string;
    type: string;
    nodes: readonly { nodeId: string; state: string }[];
  }[];
}

const describeNetwork = async (source: Source, signal?: AbortSignal): Promise<Catalogue> => {
  const body = await getJson<NetworkBody>(source.path, signal);
  const fields = new Map(
    body.fields.map(({ path, type, nodes }) => [
      path,
      {
        path,
        name: wordsOf(path),
        type,
        kind: kindOfType(type),
        unit: null,
        description: null,
        nodes: nodes
          .filter(({ state }) => state === 'covered' || state === 'conflict')
          .map(({ nodeId }) => nodeId),
      },
    ]),
  );
  return {
    source,
    fields,
    ...facetsOf(fields, null),
    columns: columnsOf(fields, null),
    sort: [],
    isFiltered: false,
    nodes: body.nodes.map(({ nodeId, name }) => ({ nodeId, name })),
  };
};

/** Names of other servers' files may be written with `__`. */
const dotted = (path: string): string => path.replaceAll('__', '.');

const isCountable = ({ kind }: Field): boolean => kind === 'values' || kind === 'numbers' || kind === 'dates';

const facetsOf = (
  fields: ReadonlyMap<string, Field>,
  configured: NonNullable<Configs['facets']>['aggregations'],
): Pick<Catalogue, 'facets' | 'shownFacets'> => {
  const known = (configured ?? [])
    .map((facet) => ({ ...facet, path: dotted(facet.fieldName) }))
    .filter(({ path }) => isCountable(fields.get(path) ?? ({ kind: 'other' } as Field)));
  if (known.length > 0) {
    const first = known.filter(({ isActive, show }) => isActive && show);
    const others = known.filter(({ isActive, show }) => isActive !== show);
    return { facets: [...first, ...others].map(({ path }) => path), shownFacets: first.length };
  }
  return guessedFacets(
    [...fields.values()].filter((field) => isCountable(field) && !isIdentifier(field.path)),
  );
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
