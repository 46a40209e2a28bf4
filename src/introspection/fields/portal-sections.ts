import { z } from 'zod';
import { about } from './about.ts';
import { optionalKey, key, shownCount } from './key.ts';

const fieldName = (meaning: string) => key(z.string().min(1, 'a field name expected'), meaning);

const text = z.string();

const flag = z.boolean();

const record = z.record(z.string(), z.unknown());

const translation = optionalKey(text, 'The text.');

const inLanguages = (meaning: string) =>
  optionalKey(z.object({ en: translation, fr: translation, de: translation }), meaning, {
    form: '`{en?, fr?, de?}`',
    isDescribedElsewhere: true,
  });

/** `hierarchies`: files of terms that stand under others. */
export const hierarchyFiles = z.record(
  z.string().min(1),
  z.object({
    file: key(z.string().min(1), 'OBO 1.4, a FHIR CodeSystem or a table, from this folder.'),
    relations: optionalKey(z.array(text), 'Relations besides `is_a`: `["part_of"]`.', {
      byDefault: '`[]`',
    }),
  }),
);

/** The value comes after the host, whose name it must not change. */
export const linkForm = /^https?:\/\/[^\s/?#{}]+[/?#][^\s{}]*\{value\}[^\s{}]*$/;

/** `extended`: information about fields beyond their mapping. */
const extended = z.array(
  z.object({
    fieldName: fieldName('The field.'),
    displayName: optionalKey(text, 'Its label.', {
      byDefault: '`displayNames.en`, else from the path',
    }),
    displayNames: inLanguages('Its label by language.'),
    displayType: optionalKey(text, 'How portals show it.', { byDefault: 'the mapped type' }),
    displayValues: optionalKey(record, 'Labels of values: `{"true": "yes"}`.', {
      byDefault: '`{}`',
    }),
    description: optionalKey(text, 'What it holds.', {
      byDefault: '`descriptions.en`, else `meta.description` of the mapping',
    }),
    descriptions: inLanguages('The description by language.'),
    unit: key(text.nullish(), 'Its unit; `null`: none.', {
      byDefault: '`meta.unit` of the mapping',
    }),
    hierarchy: optionalKey(text, 'The [hierarchy](#other-files) of its values.'),
    isActive: optionalKey(flag, 'For portals.', { byDefault: '`false`' }),
    isArray: optionalKey(flag, 'It holds lists.', {
      byDefault: '`false`',
    }),
    primaryKey: optionalKey(flag, 'It identifies a document.', { byDefault: '`false`' }),
    quickSearchEnabled: optionalKey(flag, "For a portal's quick search.", {
      byDefault: '`false`',
    }),
    rangeStep: optionalKey(z.number(), 'The step of a range slider.', { byDefault: '`0`' }),
    image: optionalKey(flag, 'Its values are [pictures](portal.md#pictures-and-links).', {
      byDefault: '`false`',
    }),
    link: optionalKey(
      z.union([flag, z.string().regex(linkForm, 'true, or an http or https address with {value} expected')]),
      'Its values are links, or `{value}` in an address.',
      { byDefault: '`false`', form: 'boolean, or an address with `{value}`' },
    ),
  }),
);

const columns = z.array(
  z.object({
    fieldName: fieldName('The field it shows.'),
    accessor: optionalKey(text, 'Where the value is in a row.', { byDefault: 'the field name' }),
    canChangeShow: optionalKey(flag, 'Users may hide it.', { byDefault: '`true`' }),
    displayFormat: key(text.nullish(), 'The date format of date-fns: `yyyy-MM-dd`.'),
    displayName: optionalKey(text, 'Its heading.', {
      byDefault: 'that of `extended`',
    }),
    displayType: optionalKey(text, 'How portals show it.', { byDefault: 'that of `extended`' }),
    displayValues: optionalKey(record, 'Labels of values.', {
      byDefault: 'those of `extended`',
    }),
    id: optionalKey(text, 'An identifier, for portals.'),
    isArray: optionalKey(flag, 'It holds lists.', { byDefault: 'that of `extended`' }),
    jsonPath: optionalKey(text, 'Where the value is in an answer.', {
      byDefault: 'from the schema',
    }),
    query: optionalKey(text, 'What selects the value.', {
      byDefault: 'from the schema',
    }),
    show: optionalKey(flag, 'Shown at first.', { byDefault: '`false`' }),
    sortable: optionalKey(flag, 'Rows can be sorted by it.'),
    type: optionalKey(text, 'Deprecated: use `displayType`.'),
  }),
);

/** `table`: the columns of a portal and how rows are sorted and identified. */
const table = z.object({
  columns: optionalKey(columns, 'The columns.', {
    byDefault: 'the first 10 fields with values',
  }),
  defaultSorting: optionalKey(
    z.array(
      z.object({
        fieldName: fieldName('The field.'),
        desc: optionalKey(flag, 'Descending.', { byDefault: '`false`' }),
      }),
    ),
    'How rows are sorted at first.',
    { byDefault: '`[]`' },
  ),
  maxResultsWindow: optionalKey(shownCount(1), 'The upper limit of `first` + `offset`.', {
    byDefault: '`MAX_RESULTS_WINDOW`',
  }),
  rowIdFieldName: optionalKey(text, 'The field that identifies a row.', { byDefault: '`ROW_ID_FIELD_NAME`' }),
});

/** `facets`: the facets of a portal, in order. */
const facets = z.object({
  aggregations: optionalKey(
    z.array(
      z.object({
        fieldName: fieldName('The field; `__` may stand for dots.'),
        displayName: optionalKey(text, 'Its heading.', { byDefault: 'that of `extended`' }),
        displayType: optionalKey(text, 'How portals show it.', { byDefault: 'that of `extended`' }),
        isActive: optionalKey(flag, 'Portals request it.', { byDefault: '`false`' }),
        show: optionalKey(flag, 'Portals show it.', { byDefault: '`false`' }),
      }),
    ),
    'The facets, in order.',
    { byDefault: 'the first 10' },
  ),
});

/** `matchbox`: searches for lists of identifiers. */
const matchbox = z.array(
  z.object({
    displayName: optionalKey(text, 'Its label.'),
    fieldName: optionalKey(text, 'The field, or the object of the others.'),
    isActive: optionalKey(flag, 'Portals offer it.'),
    keyFieldName: optionalKey(text, 'What identifies a match.'),
    searchFieldNames: optionalKey(z.array(text), 'The fields searched.'),
  }),
);

/** `survival`: what survival curves are drawn from. */
const survival = z.object({
  time: fieldName('The field with the time under observation, a number.'),
  event: fieldName('The field that says how it ended.'),
  dead: key(
    z.array(z.union([text, z.number(), flag])).min(1, 'at least one value expected'),
    'Its values that are the event: `["Deceased"]`.',
  ),
});

const charts = z.record(z.string(), z.unknown());

const downloads = z.object({
  allowCustomMaxRows: optionalKey(z.boolean(), 'Requests may name their `maxRows`.', {
    byDefault: '`ALLOW_CUSTOM_DOWNLOAD_MAX_ROWS`',
  }),
  maxRows: optionalKey(shownCount(0), 'The most rows in a file, up to `DOWNLOAD_MAX_ROWS`.', {
    byDefault: '`DOWNLOAD_MAX_ROWS`',
  }),
  chunkSize: optionalKey(z.int().min(1), 'Documents held in memory.', {
    byDefault: '`DOWNLOAD_STREAM_BUFFER_SIZE`',
  }),
});

/** What a portal shows of a catalogue or of a network: the same keys in the files of both. */
export const portalSections = {
  extended: optionalKey(extended, 'Labels and descriptions of fields.'),
  table: optionalKey(table, 'The table of portals.'),
  facets: optionalKey(facets, 'The facets of portals; a bare list is that of `aggregations`.'),
  matchbox: optionalKey(matchbox, "The entries of portals' matchbox."),
  survival: optionalKey(survival, 'What survival curves are drawn from.'),
  charts: optionalKey(charts, 'Passed on to portals.'),
  downloads: optionalKey(downloads, 'Limits of downloads.'),
  catalogue: optionalKey(about, 'What describes the catalogue.'),
};

/** The sections as written; an omitted one is undefined. */
export type PortalSections = {
  readonly [Name in keyof typeof portalSections]: z.output<(typeof portalSections)[Name]>;
};

/** A field, as a file describes it. */
export type ExtendedKeys = z.output<typeof extended>[number];

/** A text in the languages of portals. */
export type Translations = NonNullable<ExtendedKeys['displayNames']>;

/** A column of the table, as a file describes it. */
export type ColumnEntry = z.output<typeof columns>[number];

/** What survival curves are drawn from: dotted paths, and the values of `event` that mean death. */
export type SurvivalConfig = z.output<typeof survival>;
