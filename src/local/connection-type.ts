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
import type { Caller } from './query.ts';
import { jsonScalar } from './scalars.ts';
import { sortInput } from './sort-input.ts';
import type { TypeNames } from './type-names.ts';

/** What every document and nested object is. */
export const nodeInterface = new GraphQLInterfaceType({
  name: 'Node',
  fields: { id: { type: new GraphQLNonNull(GraphQLID) } },
});

/** The arguments of `aggregations`. */
export const aggregationsArgs = {
  filters: { type: jsonScalar },
  include_missing: { type: GraphQLBoolean },
  aggregations_filter_themselves: { type: GraphQLBoolean },
};

/** The arguments of `hits`; score, before, after and last are accepted and mean nothing here. */
export const hitsArgs = {
  score: { type: GraphQLString },
  offset: { type: GraphQLInt },
  sort: { type: new GraphQLList(sortInput) },
  filters: { type: jsonScalar },
  before: { type: GraphQLString },
  after: { type: GraphQLString },
  first: { type: GraphQLInt },
  last: { type: GraphQLInt },
  searchAfter: { type: jsonScalar },
  trackTotalHits: { type: GraphQLBoolean, defaultValue: true },
};

export type FieldConfig = GraphQLFieldConfig<unknown, Caller>;
export type FieldConfigs = GraphQLFieldConfigMap<unknown, Caller>;

/** What a searchable type is made of: a document type, a nested field or the saved sets. */
export interface ConnectionParts {
  readonly name: string;
  readonly names: TypeNames;
  /** Made once the names above are taken, so that no field's own type gets them. */
  readonly node: (typeName: string) => FieldConfigs;
  /** By aggregation name; none leaves the field `aggregations` out, as a type without fields is no GraphQL type. */
  readonly aggregations: FieldConfigs;
  readonly configs: GraphQLObjectType;
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
  const [own, aggregations] = [claim(''), claim('Aggregations')];
  const [connectionName, edgeName, nodeName] = [claim('Connection'), claim('Edge'), claim('Node')];
  const node = new GraphQLObjectType({
    name: nodeName,
    interfaces: [nodeInterface],
    fields: parts.node(own),
  });
  const edge = new GraphQLObjectType({
    name: edgeName,
    fields: { searchAfter: { type: jsonScalar }, node: { type: node } },
  });
  const connection = new GraphQLObjectType({
    name: connectionName,
    // nullable: trackTotalHits: false has no total
    fields: { total: { type: GraphQLInt }, edges: { type: new GraphQLList(edge) } },
  });
  return new GraphQLObjectType({
    name: own,
    fields: {
      ...aggregationsField(aggregations, parts),
      configs: { type: parts.configs, resolve: resolve.configs },
      hits: { type: connection, args: hitsArgs, resolve: resolve.hits },
      mapping: { type: jsonScalar, resolve: resolve.mapping },
    },
  });
};

const aggregationsField = (name: string, { aggregations, resolve }: ConnectionParts): FieldConfigs => {
  if (Object.keys(aggregations).length === 0) return {};
  return {
    aggregations: {
      type: new GraphQLObjectType({ name, fields: aggregations }),
      args: aggregationsArgs,
      resolve: resolve.aggregations,
    },
  };
};
