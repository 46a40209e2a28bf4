import type { GraphQLResolveInfo, GraphQLSchema } from 'graphql';
import { buildSchema } from 'graphql';
import { refusals } from './established/limits.ts';
import type { RemoteServer } from './remote-server.ts';
import { serveSchema } from './remote-server.ts';

/** What its resolvers answer; each may throw, as its engine does. */
export interface EstablishedAnswers {
  readonly hits?: (args: Readonly<Record<string, unknown>>) => unknown;
  readonly aggregations?: (
    args: Readonly<Record<string, unknown>>,
    context: unknown,
    info: GraphQLResolveInfo,
  ) => unknown;
}

// the type names, arguments and nullability are those of the established server; the catalogue is a made-up one
const typeDefinitions = `
  scalar JSON
  enum Missing { first last }
  enum Mode { avg max min sum }
  enum Order { asc desc }
  input Sort { fieldName: String! order: Order mode: Mode missing: Missing }
  input RangesArg { from: Int to: Int key: String }
  interface Node { id: ID! }
  type Root {
    node(id: ID!): Node
    viewer: Root
    hasValidConfig(documentType: String!, index: String!): Boolean
    mural: mural
  }
  schema { query: Root }
  type mural {
    aggregations(filters: JSON, include_missing: Boolean, aggregations_filter_themselves: Boolean): muralAggregations
    configs: ConfigsWithState
    hits(score: String, offset: Int, sort: [Sort], filters: JSON, before: String, after: String, first: Int, last: Int,
      searchAfter: JSON, trackTotalHits: Boolean = true): muralConnection
    mapping: JSON
  }
  type ConfigsWithState { extended(fieldNames: [String]): JSON }
  type muralAggregations {
    id: Aggregations
    painter__full_name: Aggregations
    is_listed: Aggregations
    height_m: NumericAggregations
    painted_on: NumericAggregations
    layers__pigment: Aggregations
  }
  type Aggregations {
    bucket_count: Int
    buckets(max: Int): [Bucket]
    cardinality(precision_threshold: Int): Int
  }
  type Bucket {
    key: String
    key_as_string: String
    doc_count: Int
    top_hits(_source: [String], size: Int): JSON
    filter_by_term(filter: JSON): JSON
  }
  type NumericAggregations {
    stats: Stats
    histogram(interval: Float): Aggregations
    range(ranges: [RangesArg]): Aggregations
  }
  type Stats { min: Float max: Float avg: Float sum: Float count: Int }
  type muralConnection { total: Int! edges: [muralEdge] }
  type muralEdge { searchAfter: JSON node: muralNode }
  type muralNode implements Node {
    id: ID!
    score: Int
    height_m: Float
    is_listed: Boolean
    painted_on: String
    painter: muralPainter
    layers: muralLayers
  }
  type muralPainter { full_name: String }
  type muralLayers { hits(first: Int): muralLayersConnection }
  type muralLayersConnection { total: Int! edges: [muralLayersEdge] }
  type muralLayersEdge { searchAfter: JSON node: muralLayersNode }
  type muralLayersNode implements Node { id: ID! pigment: String }
`;

const extended = [
  ['id', 'keyword'],
  ['painter', 'object'],
  ['painter.full_name', 'keyword'],
  ['is-listed', 'boolean'],
  ['height_m', 'double'],
  ['painted_on', 'date'],
  ['layers', 'nested'],
  ['layers.pigment', 'keyword'],
].map(([fieldName, type]) => ({
  displayName: fieldName,
  displayType: type,
  fieldName,
  isArray: false,
  isActive: false,
  quickSearchEnabled: false,
  rangeStep: 1,
  type,
  unit: null,
}));

const schemaOf = (answers: EstablishedAnswers): GraphQLSchema => {
  const schema = buildSchema(typeDefinitions);
  const resolvers = { ...answers, configs: { extended: () => extended } };
  Object.assign(schema.getQueryType()!.getFields()['mural']!, { resolve: () => resolvers });
  return schema;
};

/** A scripted server with the schema, the limits and the refusals of the established one. */
export const serveEstablished = async (answers: EstablishedAnswers): Promise<RemoteServer> => {
  const remote = await serveSchema(schemaOf(answers));
  remote.fault = refusals(7);
  return remote;
};
