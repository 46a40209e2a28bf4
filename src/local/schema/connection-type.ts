import type { GraphQLFieldConfig, GraphQLFieldConfigMap } from 'graphql';
import {
  GraphQLBoolean,
  GraphQLID,
  GraphQLInt,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import type { RequestContext } from '../../search/request-context.ts';
import { jsonScalar, described } from '../../lib/graphql/scalars.ts';
import type { Edge } from '../hits/shape.ts';
import { nodeStatusType, sortInput, totalBoundsFields } from './shared-types.ts';

/** The interface of every document and nested object. */
export const nodeInterface = new GraphQLInterfaceType({
  name: 'Node',
  description: 'A document or a nested object.',
  fields: { id: { type: new GraphQLNonNull(GraphQLID), description: 'Its identifier.' } },
});

const filters = described(
  jsonScalar,
  'A SQON filter, such as {op: "in", content: {fieldName: "sex", value: ["Female"]}}; without one, everything matches.',
);

/** The arguments of `aggregations`. */
export const aggregationsArgs = {
  filters,
  include_missing: {
    type: GraphQLBoolean,
    defaultValue: true,
    description: 'Whether documents without a value are counted as `__missing__`.',
  },
  aggregations_filter_themselves: {
    type: GraphQLBoolean,
    defaultValue: false,
    description: "Whether the filter's conditions on a field narrow the facet of that field too.",
  },
};

const unused = 'Accepted for existing clients; it has no effect.';

/** The Relay arguments of pages: a client that pages by them would get the first page for ever. */
export const relayArgs = ['before', 'after', 'last'] as const;

const relay = {
  description: unused,
  deprecationReason: 'It has no effect: page with `searchAfter`, or with `first` and `offset`.',
};

/** The arguments of `hits`; score and those of Relay are accepted and ignored. */
export const hitsArgs = {
  score: { type: GraphQLString, description: unused },
  offset: {
    type: GraphQLInt,
    defaultValue: 0,
    description: 'How many hits to skip; far pages take searchAfter.',
  },
  sort: described(
    new GraphQLList(sortInput),
    'The first key counts most; ties are broken in an order of the index, so that pages are stable.',
  ),
  filters,
  before: { type: GraphQLString, ...relay },
  after: { type: GraphQLString, ...relay },
  first: { type: GraphQLInt, defaultValue: 10, description: 'How many hits.' },
  last: { type: GraphQLInt, ...relay },
  searchAfter: described(
    jsonScalar,
    'The `searchAfter` of the last edge of the page before, with the same sort and filters.',
  ),
  trackTotalHits: {
    type: GraphQLBoolean,
    defaultValue: true,
    description: 'Whether `total` is counted; without it `total` is null.',
  },
};

export type FieldConfig = GraphQLFieldConfig<unknown, RequestContext>;
export type FieldConfigs = GraphQLFieldConfigMap<unknown, RequestContext>;

/** The parts of a searchable type: a document type, a nested field or the saved sets. */
export interface ConnectionParts {
  readonly name: string;
  /** What it finds, for descriptions: "the documents of catalogue birds". */
  readonly documents: string;
  readonly names: TypeNames;
  /** Built once the names above are claimed, so that no field's own type gets them. */
  readonly node: (typeName: string) => FieldConfigs;
  /** By aggregation name; if empty, `aggregations` is omitted, as GraphQL allows no type without fields. */
  readonly aggregations: FieldConfigs;
  readonly configs: GraphQLObjectType;
  /** Whether its pages hold documents, which belong to nodes; in a network, they have a key over all nodes. */
  readonly ofNodes?: 'catalogue' | 'network';
  readonly resolve: {
    readonly hits?: FieldConfig['resolve'];
    readonly aggregations?: FieldConfig['resolve'];
    readonly configs?: FieldConfig['resolve'];
    readonly mapping?: FieldConfig['resolve'];
  };
}

/** The types X, XAggregations, XConnection, XEdge and XNode. */
export const connectionType = (parts: ConnectionParts): GraphQLObjectType => {
  const { resolve } = parts;
  const claim = (suffix: string) => parts.names.claim(`${parts.name}${suffix}`);
  const [typeName, aggregations] = [claim(''), claim('Aggregations')];
  const [connectionName, edgeName, nodeName] = [claim('Connection'), claim('Edge'), claim('Node')];
  const { documents } = parts;
  const node = new GraphQLObjectType({
    name: nodeName,
    description: `One of ${documents}.`,
    interfaces: [nodeInterface],
    fields: parts.node(typeName),
  });
  const edge = new GraphQLObjectType({
    name: edgeName,
    description: `A place in a page of ${documents}.`,
    fields: {
      searchAfter: described(jsonScalar, 'The cursor of this place: the next page continues after it.'),
      node: { type: node, description: 'The document or nested object at this place.' },
      ...(parts.ofNodes && {
        nodeId: { type: GraphQLString, description: 'The id of the node that the document is from.' },
      }),
      ...(parts.ofNodes === 'network' && { _key: edgeKey }),
    },
  });
  const connection = new GraphQLObjectType({
    name: connectionName,
    description: `A page of ${documents}.`,
    fields: {
      // nullable: with trackTotalHits: false there is no total
      total: described(
        GraphQLInt,
        'How many match in all, not only on this page: at least, where upper_bound is more.',
      ),
      ...totalBoundsFields,
      edges: { type: new GraphQLList(edge), description: 'In the order of the sort.' },
      ...(parts.ofNodes && nodesFields),
    },
  });
  return new GraphQLObjectType({
    name: typeName,
    description: `What can be queried of ${documents}.`,
    fields: {
      ...aggregationsField(aggregations, parts),
      configs: {
        type: parts.configs,
        description: 'How a portal is to show them.',
        resolve: resolve.configs,
      },
      hits: {
        type: connection,
        description: 'Page by page, filtered and sorted.',
        args: hitsArgs,
        resolve: resolve.hits,
      },
      mapping: {
        type: jsonScalar,
        description: 'The `properties` of the mapping of the index.',
        resolve: resolve.mapping,
      },
    },
  });
};

const nodesFields: FieldConfigs = {
  partial: { type: GraphQLBoolean, description: 'Whether some node that was queried did not answer.' },
  nodes: described(new GraphQLList(nodeStatusType), 'Each node and how its part of the query went.'),
};

/** The key of a network's documents, on their edges. */
const edgeKey: FieldConfig = {
  type: GraphQLID,
  description: 'The key of the document over all nodes.',
  resolve: (source) => (source as Edge).node.key ?? null,
};

const aggregationsField = (
  name: string,
  { aggregations, documents, resolve }: ConnectionParts,
): FieldConfigs => {
  if (Object.keys(aggregations).length === 0) return {};
  return {
    aggregations: {
      type: new GraphQLObjectType({
        name,
        description: `The facets of ${documents}: one field for each path, its dots as __.`,
        fields: aggregations,
      }),
      description: 'Values and how often they occur.',
      args: aggregationsArgs,
      resolve: resolve.aggregations,
    },
  };
};

/** Assigns the type names of a schema, each only once. */
export interface TypeNames {
  /** The requested name, with as many trailing `_` as needed when it is taken. */
  readonly claim: (wanted: string) => string;
}

/** Names for one schema; `taken` ones are never assigned. */
export const newTypeNames = (taken: Iterable<string>): TypeNames => {
  const claimed = new Set(taken);
  return {
    claim: (wanted) => {
      let name = wanted;
      while (claimed.has(name)) name += '_';
      claimed.add(name);
      return name;
    },
  };
};

/** The type name of a field: its parent's type and its own name, first letter upper case, the rest lower. */
export const childTypeName = (parent: string, name: string): string =>
  `${parent}${name.slice(0, 1).toUpperCase()}${name.slice(1).toLowerCase()}`;

/** Root fields of every schema: no document type can have one of these names. */
export const fixedRootFields: ReadonlySet<string> = new Set([
  'network',
  'sets',
  'node',
  'viewer',
  'query',
  'hasValidConfig',
]);
