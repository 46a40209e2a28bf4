import type { GraphQLFieldConfig } from 'graphql';
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
import { TributaryError } from '../errors.ts';
import { aggregationsType, numericAggregationsType } from './aggregation-types.ts';
import { configsWithoutState } from './configs-types.ts';
import type { FieldConfig, FieldConfigs } from './connection-type.ts';
import { connectionType } from './connection-type.ts';
import type { Caller } from './query.ts';
import { byResponseKey } from './response-key.ts';
import { dateScalar, jsonScalar } from './scalars.ts';
import { sortInput } from './sort-input.ts';
import type { TypeNames } from './type-names.ts';

/** Accepted for existing clients: a set is readable as soon as it is saved. */
export const refreshEnum = new GraphQLEnumType({
  name: 'EsRefresh',
  values: { TRUE: {}, FALSE: {}, WAIT_FOR: {} },
});

/** A saved set: the values of one path over all documents that a filter matched. */
export const setType = new GraphQLObjectType({
  name: 'Set',
  fields: {
    setId: { type: GraphQLString },
    createdAt: { type: dateScalar },
    ids: { type: new GraphQLList(GraphQLString) },
    path: { type: GraphQLString },
    size: { type: GraphQLInt },
    sqon: { type: jsonScalar },
    type: { type: GraphQLString },
    userId: { type: GraphQLString },
  },
});

/**
 * The root field `sets` and the mutation. Existing clients find them in every schema, so they are there whether the
 * server keeps sets or not.
 */
export const setFields = (
  documentType: string,
  names: TypeNames,
  enabled: boolean,
): { readonly sets: FieldConfig; readonly saveSet: GraphQLFieldConfig<unknown, Caller> } => {
  const refuse = () => {
    throw unavailable(enabled);
  };
  return {
    sets: { type: setsType(names), resolve: refuse },
    saveSet: { type: setType, args: saveSetArgs(documentType), resolve: refuse },
  };
};

const unavailable = (enabled: boolean): TributaryError =>
  enabled
    ? new TributaryError('NOT_FOUND', 'saved sets are not offered by this version')
    : new TributaryError(
        'BAD_USER_INPUT',
        'saved sets are not enabled on this server; ENABLE_SETS=true enables them',
      );

const saveSetArgs = (documentType: string) => ({
  type: {
    type: new GraphQLNonNull(
      new GraphQLEnumType({ name: 'DocumentType', values: { [documentType]: {}, sets: {} } }),
    ),
  },
  userId: { type: GraphQLString },
  sqon: { type: new GraphQLNonNull(jsonScalar) },
  path: { type: new GraphQLNonNull(GraphQLString) },
  sort: { type: new GraphQLList(sortInput) },
  refresh: { type: refreshEnum },
});

const setsType = (names: TypeNames): GraphQLObjectType =>
  connectionType({
    name: 'sets',
    names,
    node: () => setNode,
    aggregations: setAggregations,
    configs: configsWithoutState,
    resolve: {},
  });

const setNode: FieldConfigs = {
  id: { type: new GraphQLNonNull(GraphQLID) },
  score: { type: GraphQLInt },
  userId: { type: GraphQLString },
  sqon: { type: jsonScalar },
  ids: { type: new GraphQLList(GraphQLString) },
  setId: { type: GraphQLString },
  type: { type: GraphQLString },
  path: { type: GraphQLString },
  size: { type: GraphQLFloat },
  createdAt: { type: GraphQLString },
};

const facet = (path: string, type = aggregationsType): FieldConfig => ({
  type,
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
