import type { GraphQLFieldConfig, GraphQLOutputType } from 'graphql';
import {
  GraphQLEnumType,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import { badUserInput } from '../../lib/errors/errors.ts';
import { aggregationsType, numericAggregationsType } from '../../search/facets/measures.ts';
import type { Catalogue } from '../../search/catalogue.ts';
import { configsSource, configsWithoutState } from './configs-types.ts';
import { connectionType, type FieldConfig, type FieldConfigs, type TypeNames } from './connection-type.ts';
import { auditedSearch } from '../../search/audited-search.ts';
import type { RequestContext } from '../../search/request-context.ts';
import { byResponseKey } from '../../lib/graphql/execution.ts';
import { dateScalar, jsonScalar, described } from '../../lib/graphql/scalars.ts';
import { searchResolvers } from './search-resolvers.ts';
import type { HitSource } from '../hits/shape.ts';
import { sortInput } from './shared-types.ts';
import { saveSet, type SaveSetArgs } from '../sets/save-set.ts';
import type { SavedSet, SetStore } from '../../search/saved-set.ts';
import { setFields, setProperties, setsConfig } from '../sets/set-index.ts';

/** Accepted for existing clients: a set is readable as soon as it is saved. */
export const refreshEnum = new GraphQLEnumType({
  name: 'EsRefresh',
  description: 'Accepted for existing clients: a set can be used as soon as it is saved.',
  values: {
    TRUE: { description: 'At once.' },
    FALSE: { description: 'At some time.' },
    WAIT_FOR: { description: 'Before the answer.' },
  },
});

/** A saved set: the values of one path over all documents that matched a filter. */
export const setType = new GraphQLObjectType({
  name: 'Set',
  description: 'A saved set: the values of one path over all documents that a filter matched.',
  fields: {
    setId: described(GraphQLString, 'Its identifier: in filters, `set_id:<setId>` stands for its values.'),
    createdAt: { type: dateScalar, description: 'When it was saved.' },
    ids: { type: new GraphQLList(GraphQLString), description: 'Its values.' },
    path: { type: GraphQLString, description: 'The dotted path its values are of.' },
    size: { type: GraphQLInt, description: 'How many values it has.' },
    sqon: { type: jsonScalar, description: 'The filter it was made with.' },
    type: { type: GraphQLString, description: 'The document type it was made from.' },
    userId: { type: GraphQLString, description: 'Its owner, as the client named it.' },
  },
});

/**
 * The root field `sets` and the mutation. Existing clients expect them in every schema, so they are there whether or
 * not the server keeps sets.
 */
export const setRootFields = (
  catalogue: Catalogue,
  names: TypeNames,
): { readonly sets: FieldConfig; readonly saveSet: GraphQLFieldConfig<unknown, RequestContext> } => ({
  sets: {
    type: setsType(catalogue, names),
    description: 'The saved sets.',
    resolve: () => {
      setsOf(catalogue);
      return {};
    },
  },
  saveSet: {
    type: setType,
    description: 'Saves the values of a path over all documents that match a filter.',
    args: saveSetArgs(catalogue.config.documentType),
    resolve: (_source, args, context) =>
      saveSet(args as unknown as SaveSetArgs, catalogue, setsOf(catalogue), context),
  },
});

/** @throws TributaryError BAD_USER_INPUT when the catalogue has no sets */
const setsOf = ({ sets, isNetwork }: Catalogue): SetStore => {
  if (sets !== undefined) return sets;
  if (isNetwork)
    throw badUserInput('a network keeps no saved sets: save them at the catalogues of its nodes');
  throw badUserInput(
    'saved sets are not enabled here: enableSets in base.json or ENABLE_SETS=true enables them',
  );
};

const saveSetArgs = (documentType: string) => ({
  type: {
    description: 'What the documents are.',
    type: new GraphQLNonNull(
      new GraphQLEnumType({
        name: 'DocumentType',
        description: 'What sets can be made from.',
        values: {
          [documentType]: { description: 'The documents of this catalogue.' },
          sets: { description: 'The saved sets themselves.' },
        },
      }),
    ),
  },
  userId: { type: GraphQLString, description: 'A name for its owner, as clients of open servers have it.' },
  sharedWith: {
    type: new GraphQLList(GraphQLString),
    description:
      'Who else may use the set: subjects of tokens of the same issuer, or `*` for all that are verified.',
  },
  sqon: { type: new GraphQLNonNull(jsonScalar), description: 'A SQON filter; {} for all documents.' },
  path: { type: new GraphQLNonNull(GraphQLString), description: 'The dotted path whose values are kept.' },
  sort: { type: new GraphQLList(sortInput), description: 'The order of the documents they are taken from.' },
  refresh: { type: refreshEnum, description: 'Accepted for existing clients.' },
});

const setsType = (catalogue: Catalogue, names: TypeNames): GraphQLObjectType => {
  const search = auditedSearch(
    async (query, context) => setsOf(catalogue).search(catalogue.config)(query, context),
    { catalogue, prefix: 'sets.' },
  );
  return connectionType({
    name: 'sets',
    documents: 'the saved sets',
    names,
    node: () => setNode,
    aggregations: setAggregations,
    configs: configsWithoutState,
    resolve: {
      ...searchResolvers(search, {
        nodeId: catalogue.config.catalogueId,
        filtersDisabled: catalogue.config.switches.disableFilters,
      }),
      configs: () => configsSource(setFields, setsConfig('')),
      mapping: () => setProperties,
    },
  });
};

/** A stored property of a set, with the path used to query it in the index. */
const stored = (name: keyof SavedSet, type: GraphQLOutputType): FieldConfig => ({
  type,
  description: setType.getFields()[name]!.description!,
  resolve: (source) => (source as HitSource).object[name] ?? null,
  extensions: { path: name, whole: true },
});

const setNode: FieldConfigs = {
  id: {
    type: new GraphQLNonNull(GraphQLID),
    description: 'The setId.',
    resolve: (source) => (source as HitSource).id,
    extensions: { path: 'setId', whole: true },
  },
  score: { type: GraphQLInt, description: 'Always null.', resolve: () => null },
  userId: stored('userId', GraphQLString),
  sqon: stored('sqon', jsonScalar),
  ids: stored('ids', new GraphQLList(GraphQLString)),
  setId: stored('setId', GraphQLString),
  type: stored('type', GraphQLString),
  path: stored('path', GraphQLString),
  size: stored('size', GraphQLFloat),
  createdAt: stored('createdAt', GraphQLString),
};

const facet = (path: keyof SavedSet, type = aggregationsType): FieldConfig => ({
  type,
  description: setType.getFields()[path]!.description!,
  resolve: byResponseKey,
  extensions: { path },
});

const setAggregations: FieldConfigs = {
  userId: facet('userId'),
  sqon: facet('sqon'),
  ids: facet('ids'),
  setId: facet('setId'),
  type: facet('type'),
  path: facet('path'),
  size: facet('size', numericAggregationsType),
  createdAt: facet('createdAt', numericAggregationsType),
};
