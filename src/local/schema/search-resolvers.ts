import type { GraphQLResolveInfo } from 'graphql';
import { TributaryError } from '../../errors.ts';
import { parseSqon } from '../../sqon/parse.ts';
import { completedConnection } from '../../graphql/completed-value.ts';
import type { FieldConfig } from './connection-type.ts';
import { facetsFitTypes } from '../../facets/measures.ts';
import { facetSelection } from '../facets/facet-selection.ts';
import { deferValue } from '../../graphql/deferred-values.ts';
import type { Caller, CatalogueResult, CatalogueQuery, SearchFn } from '../../search/query.ts';
import type { HitsArgs } from '../hits/selection.ts';
import { hitsSelection } from '../hits/selection.ts';
import { hitsConnection } from '../hits/shape.ts';

export interface SearchResolvers {
  readonly hits: FieldConfig['resolve'];
  readonly aggregations: FieldConfig['resolve'];
}

/**
 * The resolvers of `hits` and `aggregations` over a search.
 * @param filtersDisabled refuses filters in arguments, however they are passed
 */
export const searchResolvers = (search: SearchFn, filtersDisabled: boolean): SearchResolvers => {
  const ask = async (query: CatalogueQuery, caller: Caller): Promise<CatalogueResult> => {
    const answer = await search(query, caller);
    answer.warnings.forEach(caller.warn);
    return answer;
  };
  return {
    hits: async (_source, args: HitsArgs, caller, info) => {
      if (filtersDisabled) rejectFilters(args.filters);
      const answer = await ask(hitsSelection(args, info), caller);
      return completedConnection(hitsConnection(answer, caller.warn), caller, info);
    },
    aggregations: async (_source, args: AggregationsArgs, caller, info) => {
      if (filtersDisabled) rejectFilters(args.filters);
      return aggregations(args, info, (query) => ask(query, caller));
    },
  };
};

interface AggregationsArgs {
  readonly filters?: unknown;
  readonly include_missing?: boolean | null;
  readonly aggregations_filter_themselves?: boolean | null;
}

const aggregations = async (
  args: AggregationsArgs,
  info: GraphQLResolveInfo,
  ask: (query: CatalogueQuery) => Promise<CatalogueResult>,
) => {
  const plan = facetSelection(info);
  const answer = await ask({
    filters: parseSqon(args.filters),
    filterThemselves: args.aggregations_filter_themselves ?? false,
    includeMissing: args.include_missing ?? true,
    facets: plan.requests,
    hits: null,
  });
  const shaped = plan.shape(answer.facets);
  return facetsFitTypes(answer.facets) ? deferValue(shaped, info) : shaped;
};

const rejectFilters = (filters: unknown): void => {
  if (filters !== undefined && filters !== null)
    throw new TributaryError('FORBIDDEN', 'filters are disabled here');
};
