import type { GraphQLFieldConfig, GraphQLFieldConfigMap, GraphQLOutputType } from 'graphql';
import { GraphQLBoolean, GraphQLInt, GraphQLList, GraphQLObjectType, GraphQLString } from 'graphql';
import { jsonScalar } from '../../graphql/scalars.ts';
import type { CatalogueConfig } from '../../introspection/fields/catalogue-config.ts';
import { extendedConfig, facetsConfig, tableConfig } from '../../introspection/fields/field-config.ts';
import type { Fields } from '../../introspection/fields/field.ts';

const field = (type: GraphQLOutputType, description: string): GraphQLFieldConfig<unknown, unknown> => ({
  type,
  description,
});

const object = (
  name: string,
  description: string,
  fields: GraphQLFieldConfigMap<unknown, unknown>,
): GraphQLObjectType => new GraphQLObjectType({ name, description, fields });

const deprecatedType = {
  ...field(GraphQLString, 'The old name of displayType.'),
  deprecationReason: 'use displayType',
};

const aggregationMapping = object('AggregationMapping', 'A facet of the portal.', {
  displayName: field(GraphQLString, 'Its display name.'),
  displayType: field(GraphQLString, 'How it is shown; the mapped type unless configured.'),
  fieldName: field(GraphQLString, 'The field it counts, as facets.json writes it.'),
  isActive: field(GraphQLBoolean, 'Whether it is open at first.'),
  show: field(GraphQLBoolean, 'Whether it is shown.'),
  type: deprecatedType,
});

const facetsConfigType = object('FacetsConfig', 'The facets of the portal: facets.json.', {
  aggregations: field(new GraphQLList(aggregationMapping), 'In the order they are shown.'),
});

const downloadsConfigType = object('DownloadsConfig', 'The limits of downloads: downloads.json.', {
  allowCustomMaxRows: field(GraphQLBoolean, 'Whether a request may say how many rows it wants.'),
  maxRows: field(GraphQLInt, 'The most rows of a file; null without a limit.'),
});

const matchBoxMapping = object('MatchBoxMapping', 'A search for lists of identifiers: matchbox.json.', {
  displayName: field(GraphQLString, 'Its display name.'),
  fieldName: field(GraphQLString, 'The objects that are found.'),
  isActive: field(GraphQLBoolean, 'Whether it is offered.'),
  keyFieldName: field(GraphQLString, 'The field that identifies what is found.'),
  searchFieldNames: field(new GraphQLList(GraphQLString), 'The fields that are searched.'),
});

const columnMapping = object('ColumnMapping', 'A column of the table. A download takes it as it is.', {
  accessor: field(GraphQLString, 'Where the value is in a row; the dotted path unless configured.'),
  canChangeShow: field(GraphQLBoolean, 'Whether users may show and hide it.'),
  displayFormat: field(GraphQLString, 'Unicode date tokens such as yyyy-MM-dd.'),
  displayName: field(GraphQLString, 'Its heading.'),
  displayType: field(GraphQLString, 'How it is shown; the mapped type unless configured.'),
  displayValues: field(jsonScalar, 'What values are shown as, by the value as text.'),
  fieldName: field(GraphQLString, 'The dotted path of its field.'),
  id: field(GraphQLString, 'A name of its own, for columns that share a field.'),
  isArray: field(GraphQLBoolean, 'Whether the field holds lists.'),
  jsonPath: field(GraphQLString, 'Where its values stand below `node`.'),
  query: field(GraphQLString, 'What to select of it inside `node { }`.'),
  show: field(GraphQLBoolean, 'Whether it is shown at first.'),
  sortable: field(GraphQLBoolean, 'Whether users may sort by it.'),
  type: deprecatedType,
});

const columnSorting = object('ColumnSorting', 'A column that the table is sorted by at first.', {
  fieldName: field(GraphQLString, 'The dotted path of the column.'),
  desc: field(GraphQLBoolean, 'Whether the largest value comes first.'),
});

const tableConfigType = object('TableConfig', 'The table of the portal: table.json.', {
  columns: field(new GraphQLList(columnMapping), 'In the order they are shown.'),
  defaultSorting: field(new GraphQLList(columnSorting), 'How the table is sorted at first.'),
  maxResultsWindow: field(GraphQLInt, 'The most rows that `first` and `offset` reach.'),
  rowIdFieldName: field(GraphQLString, 'The field that identifies a row.'),
});

const withoutState: GraphQLFieldConfigMap<unknown, unknown> = {
  downloads: field(downloadsConfigType, 'The limits of downloads.'),
  extended: {
    ...field(jsonScalar, 'What is known about each field: display name, type, unit, values and more.'),
    args: {
      fieldNames: {
        type: new GraphQLList(GraphQLString),
        description: 'Only these dotted paths; all by default.',
      },
    },
  },
};

/** A catalogue's configuration for its portal. The source has one function or value per field: configsSource. */
export const configsWithState = object(
  'ConfigsWithState',
  'The configuration of a catalogue for its portal.',
  {
    charts: field(jsonScalar, 'The charts of the portal: charts.json.'),
    ...withoutState,
    disclosure: field(
      jsonScalar,
      'What the answers are, where they are not of records: the tier, the threshold, what is counted and the day of the release; null otherwise.',
    ),
    dimensions: field(
      jsonScalar,
      'By what the released counts are: each field, with the `edges` between which its numbers or dates (in epoch ms) are counted; null where the answers are of records.',
    ),
    facets: field(facetsConfigType, 'Which facets are shown, and how.'),
    matchbox: field(new GraphQLList(matchBoxMapping), 'The searches for lists of identifiers.'),
    table: field(tableConfigType, 'Which columns are shown, and how.'),
  },
);

/** The configuration of saved sets. */
export const configsWithoutState = object(
  'ConfigsWithoutState',
  'The configuration of the saved sets.',
  withoutState,
);

interface ExtendedArgs {
  readonly fieldNames?: readonly (string | null)[] | null;
}

/**
 * The source of `configs`: one value or function for each field of ConfigsWithState, evaluated on demand.
 * `extended(fieldNames)` returns those fields only.
 */
export const configsSource = (fields: Fields, config: CatalogueConfig) => ({
  charts: config.charts,
  downloads: config.downloads,
  extended: ({ fieldNames }: ExtendedArgs) => {
    const entries = extendedConfig(fields, config);
    return fieldNames == null ? entries : entries.filter(({ fieldName }) => fieldNames.includes(fieldName));
  },
  facets: () => facetsConfig(fields, config),
  matchbox: config.matchbox,
  table: () => tableConfig(fields, config),
});
