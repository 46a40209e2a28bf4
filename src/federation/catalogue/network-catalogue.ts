import type { CatalogueConfig, CatalogueSwitches } from '../../introspection/fields/catalogue-config.ts';
import type { Catalogue, CatalogueState } from '../../search/catalogue.ts';
import { fixedRootFields } from '../../local/schema/connection-type.ts';
import type { NetworkConfig } from '../config/nodes.ts';
import { networkConfigs, type NetworkDefaults } from './network-configs.ts';
import type { NetworkSnapshot } from './query-network.ts';
import { answeredSearch, networkSearch, type NetworkSearchSettings } from './network-search.ts';
import type { NetworkQuery, CatalogueResult, SearchFn } from '../../search/query.ts';
import type { RequestContext } from '../../search/request-context.ts';
import type { Field, Fields } from '../../introspection/fields/field.ts';
import { aggregationName, graphqlSegment, pathsAbove } from '../../introspection/fields/field.ts';
import type { NetworkFields } from '../nodes/network-fields.ts';

/** The id of a network served as a catalogue; reserved, so no catalogue can have it. */
const networkId = 'network';

export interface CatalogueSettings extends NetworkSearchSettings, NetworkDefaults {
  readonly switches: CatalogueSwitches;
}

/** The document type name for all nodes together, or the reason why there is none. */
export type NetworkDocumentType =
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'none'; readonly warning: string };

/**
 * The network's own document type, else the one all nodes share, else that of the catalogue the network belongs to.
 * @param local the state of a catalogue of this process
 */
export const networkDocumentType = (
  { where, documentType, belongsTo, nodes }: NetworkConfig,
  local: (catalogueId: string) => CatalogueState | undefined,
): NetworkDocumentType => {
  const ofNodes = new Set(
    nodes.flatMap(({ source }) =>
      source.kind === 'remote' ? source.documentType : (local(source.catalogueId)?.config.documentType ?? []),
    ),
  );
  const [shared, ...others] = ofNodes;
  const name =
    documentType ??
    (others.length === 0 ? shared : undefined) ??
    (belongsTo === undefined ? undefined : local(belongsTo)?.config.documentType);
  if (nodes.length === 0 && name === undefined) return none(`${where} names no node yet`);
  if (name === undefined || name === '')
    return none(`${where}: the nodes have different document types (${[...ofNodes].join(', ')})`);
  if (fixedRootFields.has(name))
    return none(`${where}: documentType ${name} is a root field of every schema`);
  return { kind: 'named', name };
};

const none = (why: string): NetworkDocumentType => ({
  kind: 'none',
  warning: `${why}: the network is not served like a catalogue; name another one as network.documentType`,
});

/** The network as a catalogue, served like any other. @param now the nodes at the time of a query */
export const networkCatalogue = (
  file: NetworkConfig,
  documentType: string,
  { nodes, network }: Pick<NetworkSnapshot, 'nodes' | 'network'>,
  now: () => NetworkSnapshot,
  settings: CatalogueSettings,
): Catalogue => {
  const fields = catalogueFields(network);
  const configs = networkConfigs(file, { nodes, network: { ...network, fields } }, settings);
  return {
    id: networkId,
    isNetwork: true,
    config: { ...catalogueConfig(file, documentType, settings), ...configs },
    fields,
    mapping: null,
    aliases: [],
    warnings: network.warnings,
    generatedAt: new Date().toISOString(),
    search: combinedSearches(answeredSearch(networkSearch(now, settings))),
  };
};

/** The parts of a catalogue's configuration that a network's file does not have. */
const catalogueConfig = (
  { displayName, where, limits }: NetworkConfig,
  documentType: string,
  { switches }: CatalogueSettings,
): Omit<CatalogueConfig, keyof ReturnType<typeof networkConfigs>> => ({
  catalogueId: networkId,
  description: displayName,
  documentType,
  esIndex: null,
  nestingPrefix: null,
  maxAliases: limits?.maxAliases ?? Infinity,
  maxDepth: limits?.maxDepth ?? Infinity,
  disableGraphQLIntrospection: false,
  switches: { ...switches, enableSets: false },
  setsIndex: '',
  downloadBufferRows: 0,
  folder: where,
  files: [],
  problems: [],
});

/**
 * A search that runs once for all fields of one operation: `hits` and `aggregations` with the same filter become one
 * query. Fields are resolved together, so all queries made before control returns are combined.
 */
const combinedSearches = (search: SearchFn<NetworkQuery>): SearchFn<NetworkQuery> => {
  const waiting = new Map<RequestContext, Pending[]>();
  return (query, context) =>
    new Promise((resolve, reject) => {
      const pending = { query, resolve, reject };
      const known = waiting.get(context);
      if (known !== undefined) return void known.push(pending);
      const all = [pending];
      waiting.set(context, all);
      queueMicrotask(() => {
        waiting.delete(context);
        for (const group of grouped(all)) void answer(group, search, context);
      });
    });
};

interface Pending {
  readonly query: NetworkQuery;
  readonly resolve: (answer: CatalogueResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Groups of queries that can be combined into one. */
const grouped = (all: readonly Pending[]): readonly (readonly Pending[])[] => {
  const groups: Pending[][] = [];
  for (const pending of all) {
    const joinable = groups.find((group) => group.every((other) => isCompatible(pending.query, other.query)));
    if (joinable) joinable.push(pending);
    else groups.push([pending]);
  }
  return groups;
};

const isCompatible = (left: NetworkQuery, right: NetworkQuery): boolean =>
  isSame(left.filters, right.filters) &&
  isSame(left.nodes, right.nodes) &&
  (left.hits === null || right.hits === null || isCountOf(left, right) || isCountOf(right, left)) &&
  (left.facets.length === 0 ||
    right.facets.length === 0 ||
    (left.filterThemselves === right.filterThemselves && left.includeMissing === right.includeMissing));

/** Whether a query requests only the number of hits, and the other query returns it. */
const isCountOf = ({ hits }: NetworkQuery, other: NetworkQuery): boolean =>
  hits !== null && hits.first === 0 && hits.offset === 0 && hits.searchAfter === null && other.hits !== null;

const isSame = (left: unknown, right: unknown): boolean =>
  left === right || JSON.stringify(left) === JSON.stringify(right);

const answer = async (
  group: readonly Pending[],
  search: SearchFn<NetworkQuery>,
  context: RequestContext,
): Promise<void> => {
  let start = 0;
  const parts = group.map(({ query }) => ({ start, end: (start += query.facets.length) }));
  const [faceted = group[0]!] = group.filter(({ query }) => query.facets.length > 0);
  const facets = group.flatMap(({ query }) => query.facets);
  try {
    const answer = await search({ ...faceted.query, facets, hits: hitsOf(group) }, context);
    for (const [at, { query, resolve }] of group.entries()) {
      const { start, end } = parts[at]!;
      resolve({
        ...answer,
        total: query.hits?.trackTotal ? answer.total : null,
        hits: query.hits !== null && query.hits.first > 0 ? answer.hits : [],
        facets: answer.facets.slice(start, end),
      });
    }
  } catch (error) {
    for (const { reject } of group) reject(error);
  }
};

const hitsOf = (group: readonly Pending[]): NetworkQuery['hits'] => {
  const all = group.flatMap(({ query }) => query.hits ?? []);
  const requested = all.find(({ first, searchAfter }) => first > 0 || searchAfter !== null) ?? all[0];
  if (requested === undefined) return null;
  const { bounded: _, ...page } = requested;
  const counting = all.filter(({ trackTotal }) => trackTotal);
  const isBounded = counting.length > 0 && counting.every(({ bounded }) => bounded === true);
  return { ...page, trackTotal: counting.length > 0, ...(isBounded && { bounded: true }) };
};

/**
 * The network's fields as the fields of one catalogue with nested objects in its documents: every path has its parent
 * objects, a value is a list only where one object holds several, and no two paths share a GraphQL name.
 */
export const catalogueFields = ({
  fields,
  byNode,
  lists,
}: Pick<NetworkFields, 'fields' | 'byNode' | 'lists'>): Fields => {
  const tree = new Map<string, Field>();
  const names = new Set<string>();
  const byPath = ownFields(byNode);
  for (const field of fields.values()) {
    const above = pathsAbove(field.path).filter((path) => !tree.has(path));
    const added = [...above, field.path].flatMap(namesOf);
    // the network's own messages name the fields left out
    if (added.some((name) => names.has(name))) continue;
    for (const name of added) names.add(name);
    for (const path of above) tree.set(path, fields.get(path) ?? objectField(path));
    tree.set(field.path, field);
  }
  return new Map(
    [...tree].map(([path, field]) => [path, placed(field, tree, byPath.get(path) ?? [], lists)]),
  );
};

/** Each node's own field for the paths of the network. */
const ownFields = (byNode: NetworkFields['byNode']): ReadonlyMap<string, readonly Field[]> => {
  const byPath = new Map<string, Field[]>();
  for (const covered of byNode.values())
    for (const [path, field] of covered) byPath.set(path, [...(byPath.get(path) ?? []), field]);
  return byPath;
};

const namesOf = (path: string): readonly string[] => [
  ...new Set([path.split('.').map(graphqlSegment).join('.'), `__${aggregationName(path)}`]),
];

const objectField = (path: string): Field => ({
  path,
  type: 'object',
  kind: 'object',
  nestedIn: [],
  isArray: false,
  indexField: { path, type: 'object', nestedIn: [] },
});

const placed = (
  field: Field,
  tree: Fields,
  nodeFields: readonly Field[],
  lists: ReadonlySet<string>,
): Field => {
  const nestedIn = pathsAbove(field.path).filter((path) => tree.get(path)?.kind === 'nested');
  // a node with more nested objects along the path has several values where the network shows one object
  const isArray =
    lists.has(field.path) ||
    nodeFields.some((field) => field.isArray || field.nestedIn.length > nestedIn.length);
  const isObjects = field.kind === 'nested';
  return {
    ...field,
    nestedIn,
    isArray: isArray && !isObjects,
    indexField: { ...field.indexField, nestedIn },
  };
};
