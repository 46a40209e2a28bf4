import type { GraphQLFieldConfig, GraphQLFieldResolver } from 'graphql';
import {
  GraphQLBoolean,
  GraphQLInt,
  GraphQLList,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
} from 'graphql';
import { aggregationName, type Fields } from '../../introspection/fields/field.ts';
import { aggregationsArgs, hitsArgs } from '../../local/schema/connection-type.ts';
import type { RequestContext } from '../../search/request-context.ts';
import { responseField } from '../../facets/row/answer-shape.ts';
import { jsonScalar } from '../../graphql/scalars.ts';
import { waitForArgument, flatFacetsType, flatHitsType } from '../../local/schema/network-types.ts';
import {
  nodeStatusType,
  sortInput,
  totalBoundsFields,
  sqonOperatorEnum,
} from '../../local/schema/shared-types.ts';

type Resolver = GraphQLFieldResolver<unknown, RequestContext>;

/** The root field `network` over some fields. It uses separate types, so that it can coexist with a catalogue's. */
export const networkField = (
  fields: Fields,
  resolve: Resolver,
): GraphQLFieldConfig<unknown, RequestContext> => {
  const aggregations = flatFacetsType(fields);
  const network = new GraphQLObjectType({
    name: 'Network',
    description: 'Many nodes as one: what they answered, and which of them did.',
    fields: {
      total: responseField(
        GraphQLInt,
        'How many documents match over all nodes that answered; null when none did.',
      ),
      ...Object.fromEntries(
        Object.entries(totalBoundsFields).map(([name, { type, description }]) => [
          name,
          responseField(type, description),
        ]),
      ),
      partial: responseField(GraphQLBoolean, 'Whether some node that was queried did not answer.'),
      nodes: responseField(new GraphQLList(nodeStatusType), 'Each node and how its part of the query went.'),
      hits: responseField(
        flatHitsType(fields),
        'Documents of all nodes in one order, page by page.',
        hitsArguments,
      ),
      ...(aggregations !== null && {
        aggregations: responseField(aggregations, 'Values and how often they occur, merged over the nodes.'),
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
export const networkSchema = (field: GraphQLFieldConfig<unknown, RequestContext>): GraphQLSchema =>
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
    description: 'The ids of the nodes to query; all by default.',
  },
  ...waitForArgument,
};

const hitsArguments = {
  first: hitsArgs.first,
  offset: hitsArgs.offset,
  sort: {
    type: new GraphQLList(sortInput),
    description: 'The first key counts most; ties are broken by node.',
  },
  searchAfter: hitsArgs.searchAfter,
  trackTotalHits: hitsArgs.trackTotalHits,
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
