import type { GraphQLObjectType, GraphQLResolveInfo } from 'graphql';
import { TributaryError } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import { parseSqon } from '../sqon/parse.ts';
import { aggregationFields } from './aggregation-fields.ts';
import type { Catalogue } from './catalogue.ts';
import { configsSource } from './configs.ts';
import { configsWithState } from './configs-types.ts';
import { connectionType } from './connection-type.ts';
import { facetSelection } from './facet-selection.ts';
import { shapeFacets } from './facet-shape.ts';
import { fieldTree } from './field-tree.ts';
import { nodeFields, sourceField } from './node-fields.ts';
import type { Caller, CatalogueAnswer, CatalogueQuery } from './query.ts';
import type { HitsArgs } from './selection.ts';
import { hitsSelection } from './selection.ts';
import { hitsConnection } from './shape.ts';
import type { TypeNames } from './type-names.ts';

export interface DocumentTypeOptions {
  /** Filters in arguments are refused, however they are passed. */
  readonly filtersDisabled: boolean;
}

/** The type of the root field that is named by the catalogue's documentType, with its resolvers. */
export const documentType = (
  catalogue: Catalogue,
  names: TypeNames,
  options: DocumentTypeOptions,
): GraphQLObjectType => {
  const { config, fields } = catalogue;
  return connectionType({
    name: config.documentType,
    names,
    node: (typeName) => ({
      ...nodeFields(typeName, fieldTree(fields), { names, fields }),
      _source: sourceField,
    }),
    aggregations: aggregationFields(fields, ''),
    configs: configsWithState,
    resolve: {
      hits: async (_source, args: HitsArgs, caller, info) => {
        refuseFilters(options, args.filters);
        return hitsConnection(await ask(catalogue, hitsSelection(args, info), caller), caller.warn);
      },
      aggregations: (_source, args: AggregationsArgs, caller, info) => {
        refuseFilters(options, args.filters);
        return aggregations(catalogue, args, caller, info);
      },
      configs: () => configsSource(fields, config),
      mapping: () => shownMapping(catalogue.mapping),
    },
  });
};

/** Without `id`, which every node has anyway: existing clients know the mapping so. */
const shownMapping = (mapping: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(mapping).filter(([name]) => name !== 'id'));

interface AggregationsArgs {
  readonly filters?: unknown;
  readonly include_missing?: boolean | null;
  readonly aggregations_filter_themselves?: boolean | null;
}

const aggregations = async (
  catalogue: Catalogue,
  args: AggregationsArgs,
  caller: Caller,
  info: GraphQLResolveInfo,
) => {
  const plan = facetSelection(info);
  const query: CatalogueQuery = {
    filters: parseSqon(args.filters),
    filterThemselves: args.aggregations_filter_themselves ?? false,
    includeMissing: args.include_missing ?? true,
    facets: plan.requests,
    hits: null,
  };
  return shapeFacets(plan, (await ask(catalogue, query, caller)).facets);
};

const ask = async (catalogue: Catalogue, query: CatalogueQuery, caller: Caller): Promise<CatalogueAnswer> => {
  const answer = await catalogue.search(query, caller);
  answer.warnings.forEach(caller.warn);
  return answer;
};

const refuseFilters = ({ filtersDisabled }: DocumentTypeOptions, filters: unknown): void => {
  if (filtersDisabled && filters !== undefined && filters !== null)
    throw new TributaryError('FORBIDDEN', 'filters are disabled on this server');
};
