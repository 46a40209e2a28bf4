import {
  GraphQLBoolean,
  GraphQLID,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  getNamedType,
  type GraphQLFieldConfig,
  type GraphQLFieldResolver,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
} from 'graphql';
import { badUserInput } from '../../lib/errors/errors.ts';
import { responseField } from '../../search/facets/row/answer-shape.ts';
import { below, deferValue, selectedFields, type SelectedField } from '../../lib/graphql/execution.ts';
import { described, jsonScalar, numberScalar } from '../../lib/graphql/scalars.ts';
import {
  aggregationName,
  isWideType,
  parentPaths,
  placeOf,
  type Field,
  type Fields,
} from '../../introspection/fields/field.ts';
import { valueAt, type JsonValue } from '../../lib/json/json.ts';
import {
  areTotalsBounded,
  facetPlan,
  fitTypes,
  hitsRequest,
  totalFields,
  type FacetPlan,
} from '../../local/hits/selection.ts';
import { boundedTotal, hitsConnection, type HitSource } from '../../local/hits/shape.ts';
import { fieldValue, storedValues } from '../../local/hits/stored-document.ts';
import { aggregationsArgs, hitsArgs, type FieldConfigs } from '../../local/schema/connection-type.ts';
import { fieldText } from '../../local/schema/field-text.ts';
import { aggregationFields, scalarType } from '../../local/schema/node-fields.ts';
import {
  waitForArgument,
  rootSource,
  tracedSearch,
  withFurther,
  type NodesArguments,
} from '../../local/schema/search-resolvers.ts';
import {
  nodeStatusType,
  sortInput,
  sqonOperatorEnum,
  totalBoundsFields,
} from '../../local/schema/shared-types.ts';
import type { NodesAnswer } from '../../search/nodes-answer.ts';
import {
  countOnly,
  type NetworkQuery,
  type CatalogueResult,
  type HitsRequest,
  type SearchFn,
} from '../../search/query.ts';
import type { RequestContext } from '../../search/request-context.ts';
import { parseSqon } from '../../sqon/parse.ts';

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

/** The pages of the field `network`. Its types are separate from a catalogue's, and flat: one field for each path. */
export const flatHitsType = (fields: Fields): GraphQLObjectType => {
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
        description: 'The cursor of this place: the next page continues after it.',
      },
    },
  });
  return new GraphQLObjectType({
    name: 'NetworkConnection',
    description: 'A page of documents of all nodes.',
    fields: {
      total: described(
        GraphQLInt,
        'How many match in all, not only on this page: at least, where upper_bound is more.',
      ),
      ...totalBoundsFields,
      edges: { type: new GraphQLList(edge), description: 'In the order of the sort.' },
    },
  });
};

/** Flat: one field per path that holds values, with its dots as `__`. */
const hitFields = (fields: Fields): FieldConfigs => {
  const map: FieldConfigs = {
    id: {
      type: new GraphQLNonNull(GraphQLID),
      description: 'Its identifier at its node.',
    },
  };
  const parents = parentPaths(fields);
  for (const field of fields.values()) {
    const name = aggregationName(field.path);
    const isParent = (field.kind === 'object' || field.kind === 'nested') && parents.has(field.path);
    if (Object.hasOwn(map, name) || isParent) continue;
    const valueOf = flatValue(field);
    map[name] = {
      type: field.isArray ? new GraphQLList(valueType(field)) : valueType(field),
      description: fieldText(field),
      resolve: (source) => valueOf(source as HitSource),
      extensions: { path: field.path, whole: true },
    };
  }
  return map;
};

/** Reads the values at a path of a document, whatever objects hold them. */
const flatValue = (field: Field): ((source: HitSource) => JsonValue) => {
  // a network has one type for numbers, whatever types its catalogues use
  const isFloat = field.kind === 'number' && !isWideType(field.type);
  const as = isFloat ? { ...field, type: 'double' } : field;
  return ({ object }) => {
    const values = storedValues(valueAt(object, placeOf(field)));
    if (values.length === 0) return null;
    return field.isArray ? values.map((value) => fieldValue(value, as)) : fieldValue(values[0]!, as);
  };
};

const valueType = (field: Field): GraphQLOutputType =>
  field.kind === 'number' ? numberScalar : scalarType(field);

/** The facets of the field `network`; null where it has none, as GraphQL allows no type without fields. */
export const flatFacetsType = (fields: Fields): GraphQLObjectType | null => {
  const map = aggregationFields(firstNamed(fields), '', fieldText);
  if (Object.keys(map).length === 0) return null;
  return new GraphQLObjectType({
    name: 'NodeAggregations',
    description: 'The facets of the network: one field for each path, its dots as __.',
    fields: map,
  });
};

const sharingNames = (fields: Fields) => Map.groupBy(fields.values(), ({ path }) => aggregationName(path));

const firstNamed = (fields: Fields): Fields =>
  new Map([...sharingNames(fields).values()].map(([first]) => [first!.path, first!]));

/** Paths that lost their GraphQL name to an earlier one, as messages. */
export const nameCollisions = (fields: Fields): readonly string[] =>
  [...sharingNames(fields)].flatMap(([name, [first, ...others]]) =>
    others.map(
      ({ path }) =>
        `"${path}" is not shown: "${first!.path}" has the GraphQL name ${name} already; rename one by a node's fields`,
    ),
  );

export interface NetworkArguments extends Pick<NodesArguments, 'nodesFilter' | 'waitFor'> {
  readonly filters?: unknown;
  readonly aggregations_filter_themselves?: boolean | null;
  readonly include_missing?: boolean | null;
}

/** The resolver of the root field `network`: one query, whatever is selected, so that each node is asked once. */
export const resolveNetwork =
  (search: SearchFn<NetworkQuery>): GraphQLFieldResolver<unknown, RequestContext, NetworkArguments> =>
  async (_source, args, context, info) => {
    const selection = readSelection(info);
    const query = queryOf(selection, args);
    const run = (request: NetworkQuery): Promise<CatalogueResult> => tracedSearch(search)(request, context);
    const answer = await run(query);
    const facets = await withFurther(answer, query, run);
    const nodes = answer.nodes!;
    if (!selection.fields.some(({ name }) => name === 'partial' || name === 'nodes'))
      context.trace.nodesAnswers.push(nodes);
    return shapeNetwork(selection, { ...answer, facets, nodes }, context, info);
  };

/** What is selected below one `network` field. */
interface Selection {
  readonly fields: readonly SelectedField[];
  readonly facets: FacetPlan;
  readonly hits: NetworkQuery['hits'];
}

/** @throws TributaryError BAD_USER_INPUT for several pages, and for an invalid max or interval */
const readSelection = (info: GraphQLResolveInfo): Selection => {
  const type = getNamedType(info.returnType) as GraphQLObjectType;
  const fields = selectedFields(info, type, info.fieldNodes);
  const facets = facetPlan(info, named(fields, 'aggregations'));
  const page = pageOf(named(fields, 'hits'), info);
  const counts =
    facets.coverageOf.length > 0 ||
    fields.some(({ name }) => totalFields.has(name) || name === 'partial' || name === 'nodes');
  if (page === null && !counts) return { fields, facets, hits: null };
  const selections = [fields, ...named(fields, 'hits').map((field) => below(info, field))];
  const hits: HitsRequest = page ?? countOnly;
  const { bounded: _, ...request } = { ...hits, trackTotal: hits.trackTotal || counts };
  const isBounded = areTotalsBounded(info, selections);
  return { fields, facets, hits: { ...request, ...(isBounded && { bounded: true }) } };
};

const named = (fields: readonly SelectedField[], name: string): readonly SelectedField[] =>
  fields.filter((field) => field.name === name);

/** All `hits` of the field as the one page that it has. */
const pageOf = ([hits, ...others]: readonly SelectedField[], info: GraphQLResolveInfo) => {
  if (hits === undefined) return null;
  if (others.some(({ args }) => JSON.stringify(args) !== JSON.stringify(hits.args)))
    throw badUserInput(
      'a network field gives one page of hits; request other pages in separate network fields',
    );
  const nodes = [hits, ...others].flatMap((field) => field.nodes);
  return hitsRequest(hits.args, info, { definition: hits.definition, nodes });
};

/** @throws TributaryError BAD_USER_INPUT for an invalid filter */
const queryOf = ({ facets, hits }: Selection, args: NetworkArguments): NetworkQuery => {
  const { nodes } = rootSource(args);
  return {
    filters: parseSqon(args.filters),
    filterThemselves: args.aggregations_filter_themselves ?? false,
    includeMissing: args.include_missing ?? true,
    facets: facets.requests,
    hits,
    ...(nodes && { nodes }),
  };
};

/** The value of the field `network`, keyed by response name. */
const shapeNetwork = (
  { fields, facets: plan }: Selection,
  answer: CatalogueResult & { readonly nodes: NodesAnswer },
  context: RequestContext,
  { rootValue, path }: GraphQLResolveInfo,
): Readonly<Record<string, unknown>> => {
  const parts = { facets: answer.facets, nodeId: '', coverage: answer.nodes.coverage };
  const fits = fitTypes(plan, parts);
  const shapes = new Map(
    named(fields, 'aggregations').map(({ responseName }, at) => [responseName, plan.shapes[at]!]),
  );
  const totals = boundedTotal(answer.total);
  const valueOf = ({ name, responseName: key, typeName: typename, args }: SelectedField): unknown => {
    switch (name) {
      case 'partial':
        return answer.nodes.partial;
      case 'nodes':
        return answer.nodes.statuses;
      case 'aggregations': {
        const shaped = shapes.get(key)!(parts);
        return fits ? deferValue(shaped, { rootValue, path: { prev: path, key, typename } }) : shaped;
      }
      case 'hits': {
        const page = hitsConnection(answer, answer.nodes, context.trace.warn, () => context.isUnwanted());
        return args['trackTotalHits'] === false ? { ...page, ...boundedTotal(null) } : page;
      }
      default:
        return totals[name as keyof typeof totals];
    }
  };
  return Object.fromEntries(fields.map((field) => [field.responseName, valueOf(field)]));
};
