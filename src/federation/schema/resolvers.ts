import { getNamedType, type GraphQLFieldResolver, type GraphQLObjectType } from 'graphql';
import type { GraphQLResolveInfo } from 'graphql';
import { badUserInput } from '../../errors/errors.ts';
import { below, deferValue, selectedFields, type SelectedField } from '../../graphql/execution.ts';
import { areTotalsBounded, facetPlan, fitTypes, hitsRequest } from '../../local/hits/selection.ts';
import { totalFields, type FacetPlan } from '../../local/hits/selection.ts';
import { boundedTotal, hitsConnection } from '../../local/hits/shape.ts';
import { rootSource, type NodesArguments } from '../../local/schema/nodes-arguments.ts';
import { tracedSearch, withFurther } from '../../local/schema/search-resolvers.ts';
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
    const run = (one: NetworkQuery): Promise<CatalogueResult> => tracedSearch(search)(one, context);
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
  const shown = [fields, ...named(fields, 'hits').map((field) => below(info, field))];
  const hits: HitsRequest = page ?? countOnly;
  const { bounded: _, ...request } = { ...hits, trackTotal: hits.trackTotal || counts };
  const isBounded = areTotalsBounded(info, shown);
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
  const found = { facets: answer.facets, nodeId: '', coverage: answer.nodes.coverage };
  const fits = fitTypes(plan, found);
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
        const shaped = shapes.get(key)!(found);
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
