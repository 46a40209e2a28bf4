import { z } from 'zod';
import { key, optionalKey } from './key.ts';

const fieldName = (meaning: string) => key(z.string().min(1, 'a field name expected'), meaning);
const text = z.string();
const flag = z.boolean();
const record = z.record(z.string(), z.unknown());

const inLanguages = (meaning: string) =>
  optionalKey(
    z.object({
      en: optionalKey(text, 'In English.'),
      fr: optionalKey(text, 'In French.'),
      de: optionalKey(text, 'In German.'),
    }),
    meaning,
  );

/** `extended`: what is known of fields besides their mapping. */
export const extended = z.array(
  z.object({
    fieldName: fieldName('The field, by its dotted path in the documents.'),
    displayName: optionalKey(text, 'The label that people see.', {
      byDefault: '`displayNames.en`, otherwise derived from the path',
    }),
    displayNames: inLanguages('The label in other languages, for portals that speak them.'),
    displayType: optionalKey(text, 'How a portal shows the field.', { byDefault: 'the mapped type' }),
    displayValues: optionalKey(record, 'What a portal shows instead of a value: `{"true": "yes"}`.', {
      byDefault: '`{}`',
    }),
    description: optionalKey(text, 'What the field holds, for `/introspection/{id}`.', {
      byDefault: '`descriptions.en`',
    }),
    descriptions: inLanguages('The description in other languages.'),
    unit: key(text.nullish(), 'The unit of its values.'),
    isActive: optionalKey(flag, 'Passed on to portals.', { byDefault: '`false`' }),
    isArray: optionalKey(flag, 'The field holds lists: its type in the schema is `[T]`.', {
      byDefault: '`false`',
    }),
    primaryKey: optionalKey(flag, 'The field identifies a document; for portals.', { byDefault: '`false`' }),
    quickSearchEnabled: optionalKey(flag, "A portal's quick search searches this field.", {
      byDefault: '`false`',
    }),
    rangeStep: optionalKey(z.number(), "The step of a portal's range slider.", { byDefault: '`0`' }),
  }),
);

const columns = z.array(
  z.object({
    fieldName: fieldName('The field the column shows, by its dotted path.'),
    accessor: optionalKey(text, 'Where a portal finds the value in a row.', { byDefault: 'the field name' }),
    canChangeShow: optionalKey(flag, 'Users may show and hide the column.', { byDefault: '`true`' }),
    displayFormat: key(text.nullish(), 'The date format, in date-fns notation: `yyyy-MM-dd`.'),
    displayName: optionalKey(text, "The column's heading.", {
      byDefault: 'that of `extended`, otherwise `* ` and the field name',
    }),
    displayType: optionalKey(text, 'How a portal shows the cells.', { byDefault: 'that of `extended`' }),
    displayValues: optionalKey(record, 'What is shown instead of a value.', {
      byDefault: 'those of `extended`',
    }),
    id: optionalKey(text, 'An identifier of the column, passed on to portals.'),
    isArray: optionalKey(flag, 'The cells hold lists.', { byDefault: 'that of `extended`' }),
    jsonPath: optionalKey(text, 'Where the value is in the GraphQL response.', {
      byDefault: 'derived from the schema',
    }),
    query: optionalKey(text, 'The GraphQL selection for the value.', {
      byDefault: 'derived from the schema',
    }),
    show: optionalKey(flag, 'The column is shown initially.', { byDefault: '`false`' }),
    sortable: optionalKey(flag, 'The rows can be sorted by the column.'),
    type: optionalKey(text, 'Deprecated: use `displayType`.'),
  }),
);

/** `table`: the columns of a portal and how rows are sorted and identified. */
export const table = z.object({
  columns: optionalKey(columns, 'The columns; an empty list is treated as absent.', {
    byDefault: 'the first 10 fields with values',
  }),
  defaultSorting: optionalKey(
    z.array(
      z.object({
        fieldName: fieldName('The field to sort by.'),
        desc: optionalKey(flag, 'Sort in descending order.', { byDefault: '`false`' }),
      }),
    ),
    'How a portal sorts the rows initially.',
    { byDefault: '`[]`' },
  ),
  maxResultsWindow: optionalKey(z.int().min(1), 'The most rows that `first` and `offset` can reach.', {
    byDefault: '`MAX_RESULTS_WINDOW`',
  }),
  rowIdFieldName: optionalKey(text, 'The field that identifies a row.', { byDefault: '`ROW_ID_FIELD_NAME`' }),
});

/** `facets`: the facets of a portal, in order. */
export const facets = z.object({
  aggregations: optionalKey(
    z.array(
      z.object({
        fieldName: fieldName('The field, by its dotted path; `__` in place of dots is deprecated.'),
        displayName: optionalKey(text, "The facet's heading.", { byDefault: 'that of `extended`' }),
        displayType: optionalKey(text, 'How a portal shows the facet.', { byDefault: 'that of `extended`' }),
        isActive: optionalKey(flag, 'A portal requests the facet.', { byDefault: '`false`' }),
        show: optionalKey(flag, 'A portal shows the facet.', { byDefault: '`false`' }),
      }),
    ),
    'The facets, in the order a portal shows them; an empty list is treated as absent.',
    { byDefault: 'the first 10 fields that have facets' },
  ),
});

/** `matchbox`: searches for lists of identifiers. */
export const matchbox = z.array(
  z.object({
    displayName: optionalKey(text, 'The label that people see.'),
    fieldName: optionalKey(text, 'The field, or the object that contains the others.'),
    isActive: optionalKey(flag, 'A portal offers the entry.'),
    keyFieldName: optionalKey(text, 'The field that identifies a match.'),
    searchFieldNames: optionalKey(z.array(text), 'The fields that are searched.'),
  }),
);
