import type { GraphQLFieldConfigMap } from 'graphql';
import { GraphQLBoolean, GraphQLInt, GraphQLList, GraphQLObjectType, GraphQLString } from 'graphql';
import { described, jsonScalar } from '../../lib/graphql/scalars.ts';
import type { CatalogueConfig } from '../../introspection/fields/catalogue-config.ts';
import { extendedConfig, facetsConfig, tableConfig } from '../../introspection/fields/field-config.ts';
import type { Fields } from '../../introspection/fields/field.ts';

const object = (
  name: string,
  description: string,
  fields: GraphQLFieldConfigMap<unknown, unknown>,
): GraphQLObjectType => new GraphQLObjectType({ name, description, fields });

const deprecatedType = {
  ...described(GraphQLString, 'The old name of displayType.'),
  deprecationReason: 'use displayType',
};

const aggregationMapping = object('AggregationMapping', 'A facet of the portal.', {
  displayName: described(GraphQLString, 'Its display name.'),
  displayType: described(GraphQLString, 'How it is shown; the mapped type unless configured.'),
  fieldName: described(GraphQLString, 'The field it counts, as facets.json writes it.'),
  isActive: described(GraphQLBoolean, 'Whether it is open at first.'),
  show: described(GraphQLBoolean, 'Whether it is shown.'),
  type: deprecatedType,
});

const facetsConfigType = object('FacetsConfig', 'The facets of the portal: facets.json.', {
  aggregations: described(new GraphQLList(aggregationMapping), 'In the order they are shown.'),
});

const downloadsConfigType = object('DownloadsConfig', 'The limits of downloads: downloads.json.', {
  allowCustomMaxRows: described(GraphQLBoolean, 'Whether a request may say how many rows it wants.'),
  maxRows: described(GraphQLInt, 'The most rows of a file; null without a limit.'),
});

const matchBoxMapping = object('MatchBoxMapping', 'A search for lists of identifiers: matchbox.json.', {
  displayName: described(GraphQLString, 'Its display name.'),
  fieldName: described(GraphQLString, 'The objects that are found.'),
  isActive: described(GraphQLBoolean, 'Whether it is offered.'),
  keyFieldName: described(GraphQLString, 'The field that identifies what is found.'),
  searchFieldNames: described(new GraphQLList(GraphQLString), 'The fields that are searched.'),
});

const columnMapping = object('ColumnMapping', 'A column of the table. A download takes it as it is.', {
  accessor: described(GraphQLString, 'Where the value is in a row; the dotted path unless configured.'),
  canChangeShow: described(GraphQLBoolean, 'Whether users may show and hide it.'),
  displayFormat: described(GraphQLString, 'Unicode date tokens such as yyyy-MM-dd.'),
  displayName: described(GraphQLString, 'Its heading.'),
  displayType: described(GraphQLString, 'How it is shown; the mapped type unless configured.'),
  displayValues: described(jsonScalar, 'What values are shown as, by the value as text.'),
  fieldName: described(GraphQLString, 'The dotted path of its field.'),
  id: described(GraphQLString, 'A name of its own, for columns that share a field.'),
  isArray: described(GraphQLBoolean, 'Whether the field holds lists.'),
  jsonPath: described(GraphQLString, 'Where its values stand below `node`.'),
  query: described(GraphQLString, 'What to select of it inside `node { }`.'),
  show: described(GraphQLBoolean, 'Whether it is shown at first.'),
  sortable: described(GraphQLBoolean, 'Whether users may sort by it.'),
  type: deprecatedType,
});

const columnSorting = object('ColumnSorting', 'A column that the table is sorted by at first.', {
  fieldName: described(GraphQLString, 'The dotted path of the column.'),
  desc: described(GraphQLBoolean, 'Whether the largest value comes first.'),
});

const tableConfigType = object('TableConfig', 'The table of the portal: table.json.', {
  columns: described(new GraphQLList(columnMapping), 'In the order they are shown.'),
  defaultSorting: described(new GraphQLList(columnSorting), 'How the table is sorted at first.'),
  maxResultsWindow: described(GraphQLInt, 'The most rows that `first` and `offset` reach.'),
  rowIdFieldName: described(GraphQLString, 'The field that identifies a row.'),
});

const withoutState: GraphQLFieldConfigMap<unknown, unknown> = {
  downloads: described(downloadsConfigType, 'The limits of downloads.'),
  extended: {
    ...described(jsonScalar, 'What is known about each field: display name, type, unit, values and more.'),
    args: {
      fieldNames: described(new GraphQLList(GraphQLString), 'Only these dotted paths; all by default.'),
      keys: described(
        new GraphQLList(GraphQLString),
        'Only these keys beside fieldName, of the fields for which one of them says something; all by default.',
      ),
    },
  },
};

/** A catalogue's configuration for its portal. The source has one function or value per field: configsSource. */
export const configsWithState = object(
  'ConfigsWithState',
  'The configuration of a catalogue for its portal.',
  {
    charts: described(jsonScalar, 'The charts of the portal: charts.json.'),
    ...withoutState,
    disclosure: described(
      jsonScalar,
      'What the answers are, where they are not of records: the tier, the threshold, what is counted and the day of the release; null otherwise.',
    ),
    dimensions: described(
      jsonScalar,
      'By what the released counts are: each field, with the `edges` between which its numbers or dates (in epoch ms) are counted; null where the answers are of records.',
    ),
    facets: described(facetsConfigType, 'Which facets are shown, and how.'),
    matchbox: described(new GraphQLList(matchBoxMapping), 'The searches for lists of identifiers.'),
    survival: described(
      jsonScalar,
      'What survival curves are drawn from: `{time, event, dead}`, two fields and the values of the second that are the event; null where nothing is configured.',
    ),
    table: described(tableConfigType, 'Which columns are shown, and how.'),
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
  readonly keys?: readonly (string | null)[] | null;
}

/**
 * The source of `configs`: one value or function for each field of ConfigsWithState, evaluated on demand.
 * `extended(fieldNames, keys)` returns those fields and keys only.
 */
export const configsSource = (fields: Fields, config: CatalogueConfig) => ({
  charts: config.charts,
  downloads: config.downloads,
  extended: ({ fieldNames, keys }: ExtendedArgs) => {
    const entries = extendedConfig(fields, config);
    const named =
      fieldNames == null ? entries : entries.filter(({ fieldName }) => fieldNames.includes(fieldName));
    return keys == null ? named : named.flatMap((entry) => withKeys(entry, keys));
  },
  facets: () => facetsConfig(fields, config),
  matchbox: config.matchbox,
  survival: config.survival ?? null,
  table: () => tableConfig(fields, config),
});

/** An entry with some keys only; none where all of them are empty. */
const withKeys = (
  entry: ReturnType<typeof extendedConfig>[number],
  keys: readonly (string | null)[],
): readonly object[] => {
  const members = Object.entries(entry).filter(([key, value]) => keys.includes(key) && !isEmpty(value));
  return members.length === 0 ? [] : [{ fieldName: entry.fieldName, ...Object.fromEntries(members) }];
};

const isEmpty = (value: unknown): boolean =>
  value == null || (typeof value === 'object' && Object.keys(value).length === 0);
