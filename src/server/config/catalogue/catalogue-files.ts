import { z } from 'zod';
import { key, optionalKey } from '../../../introspection/sections/key.ts';
import { hierarchyFiles, portalSections } from '../../../introspection/sections/sections.ts';
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

const eitherWins = (variable: string) => ({ byDefault: `\`${variable}\`; \`true\` in either place applies` });
const ownCounts = (variable: string) => ({
  byDefault: `\`${variable}\`, whose explicit \`false\` always applies`,
});

/** The description of the catalogue; these keys are in base.json. */
export const baseKeys = {
  catalogId: optionalKey(
    z.string().regex(/^[^\s/\\?#%]*$/, 'an id without spaces, slashes, ?, # and % expected'),
    "The catalogue's id, used in its paths.",
    { byDefault: 'the name of its folder' },
  ),
  description: optionalKey(name, 'What the catalogue holds; shown at `/introspection`.'),
  documentType: optionalKey(
    z
      .string()
      .regex(
        /^([_A-Za-z]\w*)?$/,
        'a GraphQL name expected: letters, digits and _, not starting with a digit',
      ),
    'The name of the root field of its GraphQL schema. Required.',
    { byDefault: '`DOCUMENT_TYPE`, with one catalogue', form: 'GraphQL name' },
  ),
  esIndex: optionalKey(name, 'The search index or alias with its documents. Required.', {
    byDefault: '`ES_INDEX`, with one catalogue',
  }),
  esHost: optionalKey(engineHosts, 'The search servers that hold this index, if not those of `ES_HOST`.', {
    byDefault: "the server's own engine",
    form: 'http or https URLs, separated by commas',
  }),
  esCredentials: optionalKey(
    z.object({
      userVariable: optionalKey(variableName, 'The variable that holds the user.'),
      passwordVariable: optionalKey(variableName, 'The variable that holds the password.'),
      apiKeyVariable: optionalKey(variableName, 'The variable that holds an API key, in place of both.'),
    }),
    'The credentials for `esHost`, by the names of the variables that hold them; each may be in a file, as `NAME_FILE`.',
  ),
  nestingPrefix: optionalKey(
    name,
    'The dotted path in each stored document under which the actual document is.',
  ),
  maxAliases: optionalKey(z.int().min(0), 'The most aliased fields in a GraphQL document.', {
    byDefault: '`GRAPHQL_MAX_ALIASES`',
  }),
  maxDepth: optionalKey(count, 'The most levels of fields in a GraphQL document.', {
    byDefault: '`GRAPHQL_MAX_DEPTH`',
  }),
  disableGraphQLIntrospection: optionalKey(
    flag,
    'Disables `__schema` and `__type`, and suggestions in errors.',
    {
      byDefault: '`DISABLE_GRAPHQL_INTROSPECTION`; `true` in either place applies',
    },
  ),
  disablePlayground: optionalKey(
    flag,
    'Disables the GraphiQL page.',
    eitherWins('DISABLE_GRAPHQL_PLAYGROUND'),
  ),
  disableGraphQLPlayground: optionalKey(flag, 'Another name for `disablePlayground`.'),
  disableFilters: optionalKey(
    flag,
    'Refuses every filter, however it is passed, in downloads and networks too.',
    eitherWins('DISABLE_FILTERS'),
  ),
  disableDownloads: optionalKey(flag, 'Removes the download route.', eitherWins('DISABLE_DOWNLOADS')),
  disableSets: optionalKey(flag, 'Disables saved sets, whatever the value of `enableSets`.'),
  enableSets: optionalKey(flag, 'Enables saved sets.', ownCounts('ENABLE_SETS')),
  enableGraphQLBatching: optionalKey(
    flag,
    'Allows up to 10 operations in one request.',
    ownCounts('ENABLE_GRAPHQL_BATCHING'),
  ),
  starter: optionalKey(
    z.record(z.string(), z.string()),
    'Hashes of the files that `load` wrote: `load --replace` makes unchanged ones anew.',
    { byDefault: 'none', form: 'hash by file name' },
  ),
};

const sets = z.object({
  index: optionalKey(z.string().min(1), 'The index in which the saved sets are stored.', {
    byDefault: '`ES_ARRANGER_SETS_INDEX`',
  }),
});

/**
 * Sections that may have separate files next to base.json: under the section's name in any file, or bare in its file.
 */
export const sectionKeys = {
  ...portalSections,
  hierarchies: optionalKey(
    hierarchyFiles,
    'Terms that stand under others, for fields whose values are such terms; [hierarchies.md](hierarchies.md) explains them.',
    { form: 'object by name' },
  ),
  sets: optionalKey(sets, 'Where saved sets are stored.'),
  // null does not count as absent: without configuration, records stay hidden
  disclosure: key(
    disclosure.optional(),
    'What callers who may not see records learn of them; [disclosure.md](disclosure.md) explains it.',
  ),
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
