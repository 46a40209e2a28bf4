import { z } from 'zod';
import { key, optionalKey } from '../../../introspection/fields/key.ts';
import { hierarchyFiles, portalSections } from '../../../introspection/fields/portal-sections.ts';
import { disclosure } from '../disclosure.ts';
import { engineHosts } from '../variable-forms.ts';

/**
 * The keys of a catalogue's configuration, in any file of its folder. `index` (a feature of other servers) is ignored
 * by the contract.
 */
const flag = z.boolean();
const name = z.string();
const count = z.int().min(1);
const variableName = z.string().regex(/^[A-Za-z_]\w*$/, 'the name of an environment variable expected');

const asVariable = (variable: string) => ({ byDefault: `\`${variable}\`` });

/** The description of the catalogue; these keys are in base.json. */
export const baseKeys = {
  catalogId: optionalKey(
    z.string().regex(/^[^\s/\\?#%]*$/, 'an id without spaces, slashes, ?, # and % expected'),
    'Its id, in paths.',
    { byDefault: 'the folder' },
  ),
  description: optionalKey(name, 'What it holds.'),
  documentType: optionalKey(
    z
      .string()
      .regex(
        /^([_A-Za-z]\w*)?$/,
        'a GraphQL name expected: letters, digits and _, not starting with a digit',
      ),
    'The root field of its GraphQL schema. Required.',
    { byDefault: '`DOCUMENT_TYPE`', form: 'GraphQL name' },
  ),
  esIndex: optionalKey(name, 'Its index or alias. Required.', asVariable('ES_INDEX')),
  esHost: optionalKey(engineHosts, 'The search cluster with this index.', {
    byDefault: "the server's engine",
    form: 'URLs, separated by commas',
  }),
  esCredentials: optionalKey(
    z.object({
      userVariable: optionalKey(variableName, 'The user.'),
      passwordVariable: optionalKey(variableName, 'The password.'),
      apiKeyVariable: optionalKey(variableName, 'An API key instead.'),
    }),
    'Credentials for `esHost`, by variables.',
  ),
  nestingPrefix: optionalKey(name, 'Where the document is in each stored one.'),
  maxAliases: optionalKey(z.int().min(0), 'The most aliases in a query.', asVariable('GRAPHQL_MAX_ALIASES')),
  maxDepth: optionalKey(count, 'The most levels of a query.', asVariable('GRAPHQL_MAX_DEPTH')),
  disableGraphQLIntrospection: optionalKey(
    flag,
    'Disables `__schema` and `__type`.',
    asVariable('DISABLE_GRAPHQL_INTROSPECTION'),
  ),
  disablePlayground: optionalKey(
    flag,
    'Disables the GraphiQL page.',
    asVariable('DISABLE_GRAPHQL_PLAYGROUND'),
  ),
  disableGraphQLPlayground: optionalKey(flag, 'As `disablePlayground`.'),
  disableFilters: optionalKey(flag, 'Refuses every filter.', asVariable('DISABLE_FILTERS')),
  disableDownloads: optionalKey(flag, 'Removes the download route.', asVariable('DISABLE_DOWNLOADS')),
  disableSets: optionalKey(flag, 'Disables saved sets in any case.'),
  enableSets: optionalKey(flag, 'Enables saved sets.', asVariable('ENABLE_SETS')),
  enableGraphQLBatching: optionalKey(
    flag,
    'Allows up to 10 operations in one request.',
    asVariable('ENABLE_GRAPHQL_BATCHING'),
  ),
  starter: optionalKey(z.record(z.string(), z.string()), 'Written by `load`.', {
    byDefault: 'none',
    form: 'hash by file name',
  }),
};

const sets = z.object({
  index: optionalKey(z.string().min(1), 'The index of saved sets.', asVariable('ES_ARRANGER_SETS_INDEX')),
});

/**
 * Sections that may have separate files next to base.json: under the section's name in any file, or bare in its file.
 */
export const sectionKeys = {
  ...portalSections,
  hierarchies: optionalKey(hierarchyFiles, 'Files of [terms under others](hierarchies.md).', {
    form: 'object by name',
  }),
  sets: optionalKey(sets, 'Saved sets.'),
  // null does not count as absent: without configuration, records stay hidden
  disclosure: key(disclosure.optional(), '[What callers learn](disclosure.md) who may not see records.'),
};

/** All keys of a catalogue's configuration, in whichever file they are. */
export const catalogueKeys = {
  ...baseKeys,
  ...sectionKeys,
  network: key(
    z.unknown().optional(),
    "The catalogue's own network, in the established form: see network.json below.",
    { form: 'object' },
  ),
};

/** Everything that a catalogue's files may contain together. */
export const catalogueContent = z.object(catalogueKeys);

/** A catalogue's configuration as its files have it. */
export type CatalogueContent = z.output<typeof catalogueContent>;

const inVariables =
  'take it out of the file, and name the variable that holds it in esCredentials (userVariable, passwordVariable)';

/** Keys that have no effect here, most of them of the established server, and what to use instead. */
export const keysWithoutMeaning: Readonly<Record<string, string>> = {
  esUser: inVariables,
  esPass: inVariables,
  searchEngine: 'the kind of engine comes from SEARCH_ENGINE',
  enableAdmin: '`mapping` is always available',
  enableDebug: 'LOG_LEVEL sets what is logged',
  enableLogs: 'LOG_LEVEL sets what is logged',
  enableNetworkAggregation: 'a catalogue with a network.json has its network',
};
