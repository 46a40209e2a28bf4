import type {
  GraphQLFieldConfig,
  GraphQLFieldConfigMap,
  GraphQLFieldResolver,
  GraphQLOutputType,
} from 'graphql';
import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
} from 'graphql';
import type { Field, Fields } from '../introspection/field.ts';
import { aggregationName } from '../introspection/names.ts';
import type { Caller } from '../local/query.ts';
import { byResponseKey } from '../local/response-key.ts';
import { jsonScalar } from '../local/scalars.ts';
import { sortInput } from '../local/sort-input.ts';
import { aggregationsType, numericAggregationsType } from './facet-types.ts';
import type { ShapedEdge, ShapedHit } from './shape-hits.ts';

type Resolver = GraphQLFieldResolver<unknown, Caller>;
type FieldMap = GraphQLFieldConfigMap<unknown, Caller>;

/** The root field `network` over some fields. Its types are its own, so that it can stand beside a catalogue's. */
export const networkField = (fields: Fields, resolve: Resolver): GraphQLFieldConfig<unknown, Caller> => {
  const aggregations = aggregationFields(fields);
  const network = new GraphQLObjectType({
    name: 'Network',
    fields: {
      total: { type: GraphQLInt, resolve: byResponseKey },
      partial: { type: GraphQLBoolean, resolve: byResponseKey },
      nodes: { type: new GraphQLList(nodeType), resolve: byResponseKey },
      hits: { type: hitsType(fields), args: hitsArguments, resolve: byResponseKey },
      ...(Object.keys(aggregations).length > 0 && {
        aggregations: {
          type: new GraphQLObjectType({ name: 'NodeAggregations', fields: aggregations }),
          resolve: byResponseKey,
        },
      }),
    },
  });
  return { type: network, args: networkArguments, resolve };
};

/** The schema served at /network/graphql: the network, and each node's own fields beside it. */
export const networkSchema = (
  field: GraphQLFieldConfig<unknown, Caller>,
  nodeFields: GraphQLFieldConfigMap<unknown, Caller> = {},
): GraphQLSchema =>
  new GraphQLSchema({
    query: new GraphQLObjectType({ name: 'Root', fields: { network: field, ...nodeFields } }),
  });

const networkArguments = {
  filters: { type: jsonScalar },
  aggregations_filter_themselves: { type: GraphQLBoolean },
  include_missing: { type: GraphQLBoolean },
  nodesFilter: { type: new GraphQLList(GraphQLString) },
};

const hitsArguments = {
  first: { type: GraphQLInt },
  offset: { type: GraphQLInt },
  sort: { type: new GraphQLList(sortInput) },
  searchAfter: { type: jsonScalar },
  trackTotalHits: { type: GraphQLBoolean, defaultValue: true },
};

const nodeType = new GraphQLObjectType({
  name: 'NetworkNode',
  fields: {
    nodeId: { type: GraphQLString },
    name: { type: GraphQLString },
    hits: { type: GraphQLInt },
    status: { type: GraphQLString },
    errors: { type: GraphQLString },
    state: { type: GraphQLString },
    code: { type: GraphQLString },
    took: { type: GraphQLInt, description: 'Milliseconds.' },
    uncoveredFields: { type: new GraphQLList(GraphQLString) },
  },
});

const hitsType = (fields: Fields): GraphQLObjectType => {
  const hit = new GraphQLObjectType({ name: 'NetworkHit', fields: hitFields(fields) });
  const edge = new GraphQLObjectType({
    name: 'NetworkEdge',
    fields: {
      node: { type: hit },
      nodeId: { type: GraphQLString },
      // cursors are made only for clients that ask
      searchAfter: { type: jsonScalar, resolve: (source) => (source as ShapedEdge).searchAfter() },
    },
  });
  return new GraphQLObjectType({
    name: 'NetworkConnection',
    fields: { total: { type: GraphQLInt }, edges: { type: new GraphQLList(edge) } },
  });
};

/** Flat: one field for each path that holds values, its dots as `__`. */
const hitFields = (fields: Fields): FieldMap => {
  const map: FieldMap = {
    id: { type: new GraphQLNonNull(GraphQLID), resolve: (source) => (source as ShapedHit).id },
  };
  const parents = parentPaths(fields);
  for (const field of fields.values()) {
    const name = aggregationName(field.path);
    const isParent = (field.kind === 'object' || field.kind === 'nested') && parents.has(field.path);
    if (Object.hasOwn(map, name) || isParent) continue;
    map[name] = {
      type: field.isArray ? new GraphQLList(valueType(field)) : valueType(field),
      resolve: (source) => (source as ShapedHit).value(field),
      extensions: { path: field.path },
    };
  }
  return map;
};

/** Every path above some field's own: of `a.b.c` both `a` and `a.b`. */
const parentPaths = (fields: Fields): ReadonlySet<string> => {
  const parents = new Set<string>();
  for (const path of fields.keys())
    for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1))
      parents.add(path.slice(0, dot));
  return parents;
};

const valueType = ({ kind }: Field): GraphQLOutputType => {
  switch (kind) {
    case 'keyword':
    case 'text':
    case 'date':
      return GraphQLString;
    case 'number':
      return GraphQLFloat;
    case 'boolean':
      return GraphQLBoolean;
    case 'object':
    case 'nested':
    case 'json':
      return jsonScalar;
  }
};

const aggregationFields = (fields: Fields): FieldMap => {
  const map: FieldMap = {};
  for (const { path, kind } of fields.values()) {
    const name = aggregationName(path);
    if (Object.hasOwn(map, name) || kind === 'nested' || kind === 'json') continue;
    const type = kind === 'number' || kind === 'date' ? numericAggregationsType : aggregationsType;
    map[name] = { type, resolve: byResponseKey, extensions: { path } };
  }
  return map;
};

/** Paths that lost their GraphQL name to an earlier one, in words. */
export const nameCollisions = (fields: Fields): readonly string[] => {
  const taken = new Map<string, string>();
  return [...fields.keys()].flatMap((path) => {
    const name = aggregationName(path);
    const other = taken.get(name);
    if (other === undefined) taken.set(name, path);
    return other === undefined
      ? []
      : [
          `"${path}" is not shown: "${other}" has the GraphQL name ${name} already; rename one by a node's fields`,
        ];
  });
};
