import { GraphQLBoolean, GraphQLInt, GraphQLList, GraphQLObjectType, GraphQLString } from 'graphql';
import { jsonScalar } from './scalars.ts';

const deprecatedType = { type: GraphQLString, deprecationReason: 'use displayType' };

const aggregationMapping = new GraphQLObjectType({
  name: 'AggregationMapping',
  fields: {
    displayName: { type: GraphQLString },
    displayType: { type: GraphQLString },
    fieldName: { type: GraphQLString },
    isActive: { type: GraphQLBoolean },
    show: { type: GraphQLBoolean },
    type: deprecatedType,
  },
});

const facetsConfigType = new GraphQLObjectType({
  name: 'FacetsConfig',
  fields: { aggregations: { type: new GraphQLList(aggregationMapping) } },
});

const downloadsConfigType = new GraphQLObjectType({
  name: 'DownloadsConfig',
  fields: { allowCustomMaxRows: { type: GraphQLBoolean }, maxRows: { type: GraphQLInt } },
});

const matchBoxMapping = new GraphQLObjectType({
  name: 'MatchBoxMapping',
  fields: {
    displayName: { type: GraphQLString },
    fieldName: { type: GraphQLString },
    isActive: { type: GraphQLBoolean },
    keyFieldName: { type: GraphQLString },
    searchFieldNames: { type: new GraphQLList(GraphQLString) },
  },
});

const columnMapping = new GraphQLObjectType({
  name: 'ColumnMapping',
  fields: {
    accessor: { type: GraphQLString },
    canChangeShow: { type: GraphQLBoolean },
    displayFormat: { type: GraphQLString },
    displayName: { type: GraphQLString },
    displayType: { type: GraphQLString },
    displayValues: { type: jsonScalar },
    fieldName: { type: GraphQLString },
    id: { type: GraphQLString },
    isArray: { type: GraphQLBoolean },
    jsonPath: { type: GraphQLString },
    query: { type: GraphQLString },
    show: { type: GraphQLBoolean },
    sortable: { type: GraphQLBoolean },
    type: deprecatedType,
  },
});

const columnSorting = new GraphQLObjectType({
  name: 'ColumnSorting',
  fields: { fieldName: { type: GraphQLString }, desc: { type: GraphQLBoolean } },
});

const tableConfigType = new GraphQLObjectType({
  name: 'TableConfig',
  fields: {
    columns: { type: new GraphQLList(columnMapping) },
    defaultSorting: { type: new GraphQLList(columnSorting) },
    maxResultsWindow: { type: GraphQLInt },
    rowIdFieldName: { type: GraphQLString },
  },
});

const withoutState = {
  downloads: { type: downloadsConfigType },
  extended: { type: jsonScalar, args: { fieldNames: { type: new GraphQLList(GraphQLString) } } },
};

/** The configuration of a catalogue for its portal. The source is one function or value for each field: configs.ts. */
export const configsWithState = new GraphQLObjectType({
  name: 'ConfigsWithState',
  fields: {
    charts: { type: jsonScalar },
    ...withoutState,
    facets: { type: facetsConfigType },
    matchbox: { type: new GraphQLList(matchBoxMapping) },
    table: { type: tableConfigType },
  },
});

/** The configuration of the saved sets. */
export const configsWithoutState = new GraphQLObjectType({
  name: 'ConfigsWithoutState',
  fields: withoutState,
});
