import type { GraphQLObjectType } from 'graphql';
import type { JsonObject } from '../../json/json.ts';
import { aggregationFields } from './aggregation-fields.ts';
import type { Catalogue } from '../../search/catalogue.ts';
import type { RequestContext } from '../../search/request-context.ts';
import { configsSource } from './configs.ts';
import { configsWithState } from './configs-types.ts';
import { connectionType } from './connection-type.ts';
import { describeWith } from './field-text.ts';
import { fieldTree } from './field-tree.ts';
import { keyField, nodeFields, sourceField } from './node-fields.ts';
import { searchResolvers } from './search-resolvers.ts';
import type { TypeNames } from './type-names.ts';

/** The type of the root field named after the catalogue's documentType, with its resolvers. */
export const documentType = (catalogue: Catalogue, names: TypeNames): GraphQLObjectType => {
  const { config, fields } = catalogue;
  const describe = describeWith(config.extended);
  return connectionType({
    name: config.documentType,
    documents: catalogue.isNetwork
      ? 'the documents of all nodes'
      : `the documents of catalogue ${config.catalogueId}`,
    ofNodes: catalogue.isNetwork ? 'network' : 'catalogue',
    names,
    node: (typeName) => ({
      ...(catalogue.isNetwork && { _key: keyField }),
      ...nodeFields(typeName, fieldTree(fields), { names, fields, describe }),
      _source: sourceField,
    }),
    aggregations: aggregationFields(fields, '', describe),
    configs: configsWithState,
    resolve: {
      ...searchResolvers(catalogue.search, {
        nodeId: config.catalogueId,
        filtersDisabled: config.switches.disableFilters,
      }),
      // the list of fields is only for callers who may see part of them, through a network too
      configs: async (_source, _args, context) => {
        await admit(catalogue, context);
        const disclosure = await disclosureOf(catalogue, context);
        return { ...configsSource(fields, config), disclosure, dimensions: catalogue.released ?? null };
      },
      mapping: async (_source, _args, context) => {
        await admit(catalogue, context);
        return catalogue.mapping && shownMapping(catalogue.mapping);
      },
    },
  });
};

/** @throws TributaryError UNAUTHENTICATED or FORBIDDEN for callers who may see nothing of it */
const admit = async ({ id, isNetwork }: Catalogue, context: RequestContext): Promise<void> => {
  if (isNetwork) await context.caller.networkAccess();
  else await context.caller.accessFilter(id);
};

/** What a guarded catalogue's answers are to this caller; null of records. */
const disclosureOf = async ({ id, config, disclosure }: Catalogue, context: RequestContext) =>
  disclosure === undefined
    ? null
    : { tier: (await context.caller.tierOf(id)) ?? config.disclosure?.default, ...disclosure };

/** Without `id`, which every node has anyway: existing clients expect the mapping that way. */
const shownMapping = (mapping: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(mapping).filter(([name]) => name !== 'id'));
