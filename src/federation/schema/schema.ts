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
import type { Field, Fields } from '../../introspection/fields/field.ts';
import { aggregationName } from '../../introspection/fields/names.ts';
import { aggregationsArgs, hitsArgs } from '../../local/schema/connection-type.ts';
import { fieldText } from '../../local/schema/field-text.ts';
import type { Caller } from '../../search/query.ts';
import { byResponseKey } from '../../graphql/response-key.ts';
import { jsonScalar } from '../../graphql/scalars.ts';
import { overlapField } from '../overlap/overlap-type.ts';
import { nodeStatusType } from '../../local/schema/node-status-type.ts';
import { sortInput } from '../../local/schema/sort-input.ts';
import { aggregationsType, numericAggregationsType } from '../../facets/facet-types.ts';
import { sqonOperatorEnum } from '../../local/schema/sqon-operator-enum.ts';
import type { ShapedEdge, ShapedHit } from './shape-hits.ts';

type Resolver = GraphQLFieldResolver<unknown, Caller>;
type FieldMap = GraphQLFieldConfigMap<unknown, Caller>;

/** The root field `network` over some fields. It uses separate types, so that it can coexist with a catalogue's. */
export const networkField = (fields: Fields, resolve: Resolver): GraphQLFieldConfig<unknown, Caller> => {
  const aggregations = aggregationFields(fields);
  const network = new GraphQLObjectType({
    name: 'Network',
    description: 'Many nodes as one: what they answered, and which of them did.',
    fields: {
      total: {
        type: GraphQLInt,
        description: 'How many documents match over all nodes that answered; null when none did.',
        resolve: byResponseKey,
      },
      partial: {
        type: GraphQLBoolean,
        description: 'Whether some node that was asked did not answer.',
        resolve: byResponseKey,
      },
      nodes: {
        type: new GraphQLList(nodeStatusType),
        description: 'Each node and how its part of the query went.',
        resolve: byResponseKey,
      },
      hits: {
        type: hitsType(fields),
        description: 'Documents of all nodes in one order, page by page.',
        args: hitsArguments,
        resolve: byResponseKey,
      },
      overlap: overlapField,
      ...(Object.keys(aggregations).length > 0 && {
        aggregations: {
          type: new GraphQLObjectType({
            name: 'NodeAggregations',
            description: 'The facets of the network: one field for each path, its dots as __.',
            fields: aggregations,
          }),
          description: 'Values and how often they occur, merged over the nodes.',
          resolve: byResponseKey,
        },
      }),
    },
  });
  return {
    type: network,
    description: 'All nodes of the network, queried together.',
    args: networkArguments,
    resolve,
  };
};

/** The schema of a network without its nodes' own schemas. */
export const networkSchema = (field: GraphQLFieldConfig<unknown, Caller>): GraphQLSchema =>
  new GraphQLSchema({
    query: new GraphQLObjectType({
      name: 'Root',
      description: 'The network as one, and each node by itself.',
      fields: { network: field },
    }),
    types: [sqonOperatorEnum],
  });

const networkArguments = {
  filters: {
    type: jsonScalar,
    description:
      'A SQON filter in the names and values of the network, such as {op: "in", content: {fieldName: "sex", value: ["Female"]}}; without one, everything matches.',
  },
  aggregations_filter_themselves: aggregationsArgs.aggregations_filter_themselves,
  include_missing: aggregationsArgs.include_missing,
  nodesFilter: {
    type: new GraphQLList(GraphQLString),
    description: 'The ids of the nodes to ask; all by default.',
  },
};

const hitsArguments = {
  first: { type: GraphQLInt, description: 'How many hits; 10 by default.' },
  offset: hitsArgs.offset,
  sort: {
    type: new GraphQLList(sortInput),
    description: 'The first key counts most; ties are broken by node.',
  },
  searchAfter: hitsArgs.searchAfter,
  trackTotalHits: hitsArgs.trackTotalHits,
};

const hitsType = (fields: Fields): GraphQLObjectType => {
  const hit = new GraphQLObjectType({
    name: 'NetworkHit',
    description: 'A document of a node: one field for each path, its dots as __.',
    fields: hitFields(fields),
  });
  const edge = new GraphQLObjectType({
    name: 'NetworkEdge',
    description: 'A place in a page of the network.',
    fields: {
      node: { type: hit, description: 'The document.' },
      nodeId: { type: GraphQLString, description: 'The id of the node it is from.' },
      searchAfter: {
        type: jsonScalar,
        description: 'The cursor of this place: pages go on after it.',
        // cursors are built only for clients that select them
        resolve: (source) => (source as ShapedEdge).searchAfter(),
      },
    },
  });
  return new GraphQLObjectType({
    name: 'NetworkConnection',
    description: 'A page of documents of all nodes.',
    fields: {
      total: { type: GraphQLInt, description: 'How many match in all, not only on this page.' },
      edges: { type: new GraphQLList(edge), description: 'In the order of the sort.' },
    },
  });
};

/** Flat: one field per path that holds values, with its dots as `__`. */
const hitFields = (fields: Fields): FieldMap => {
  const map: FieldMap = {
    id: {
      type: new GraphQLNonNull(GraphQLID),
      description: 'Its identifier at its node.',
      resolve: (source) => (source as ShapedHit).id,
    },
  };
  const parents = parentPaths(fields);
  for (const field of fields.values()) {
    const name = aggregationName(field.path);
    const isParent = (field.kind === 'object' || field.kind === 'nested') && parents.has(field.path);
    if (Object.hasOwn(map, name) || isParent) continue;
    map[name] = {
      type: field.isArray ? new GraphQLList(valueType(field)) : valueType(field),
      description: fieldText(field),
      resolve: (source) => (source as ShapedHit).value(field),
      extensions: { path: field.path },
    };
  }
  return map;
};

/** All ancestors of the fields' paths: for `a.b.c` both `a` and `a.b`. */
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
  for (const field of fields.values()) {
    const { path, kind } = field;
    const name = aggregationName(path);
    if (Object.hasOwn(map, name) || kind === 'nested' || kind === 'json') continue;
    const type = kind === 'number' || kind === 'date' ? numericAggregationsType : aggregationsType;
    map[name] = { type, description: fieldText(field), resolve: byResponseKey, extensions: { path } };
  }
  return map;
};

/** Paths that lost their GraphQL name to an earlier one, as messages. */
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
