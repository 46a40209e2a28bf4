import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { accessFile } from '../src/capabilities/access/access-file.ts';
import { baseKeys, sectionKeys } from '../src/server/config/catalogue/catalogue-files.ts';
import { repositoryEntries } from '../src/server/config/repositories/repository-entry.ts';
import { repositoryVariables } from '../src/server/config/repositories/repositories.ts';
import { portalFile } from '../src/server/config/portal.ts';
import { secrets, variableGroups } from '../src/server/config/variables.ts';
import { networkJson } from '../src/federation/config/network-json.ts';
import { nodesFile, portalKeys } from '../src/federation/config/nodes-file.ts';
import { hubsFile } from '../src/capabilities/joining/hubs-file.ts';
import { keyTable, variableTable, type Listed } from './key-table.ts';

const target = fileURLToPath(new URL('../docs/configuration.md', import.meta.url));

const code = (text: string): string => `\`${text}\``;

/** The keys of both kinds of repositories, which have most of them in common. */
const repositoryKeys = { ...repositoryEntries.study.shape, ...repositoryEntries.record.shape };
const kind = repositoryEntries.study.shape.kind.or(repositoryEntries.record.shape.kind).meta({
  description:
    '`study` (SONG), which alone has `documents` and `indexableStates`, or `record` (Lyric), which alone has `categoryId` and `validOnly`.',
});

/** The keys that a network has in either file; those of nodes.json are listed. */
const ownNetworkKeys = networkJson.omit(
  Object.fromEntries(Object.keys(portalKeys).map((name) => [name, true])) as Record<never, true>,
);

/** Sections with a heading of their own; the others are in one table. */
const largeSections = ['extended', 'table', 'catalogue', 'disclosure'] as const;

type SectionName = keyof typeof sectionKeys;

const isLarge = (name: string): boolean => (largeSections as readonly string[]).includes(name);

const smallSections = Object.keys(sectionKeys).filter((name) => !isLarge(name));

const keysOf = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, sectionKeys[name as SectionName]]));

/** The sections that networks have in common with catalogues. */
const sectionsOfNetworks = Object.keys(portalKeys)
  .map((name) => `[${name}](#${isLarge(name) ? `${name}json` : 'other-files'})`)
  .join(', ');

/** Keys that are in several tables are listed in the first one. */
const listed: Listed = new Map();

const intro = `# Configuration

<!-- Written by scripts/configuration-docs.ts from the schemas that check it. Change those, and run \`npm run docs\`. -->

Numbers with a range are whole; fields are named by their dotted path. \`tributary check\` tests everything. Unknown keys are errors, in a catalogue's folder (but for \`disclosure.json\`) warnings.`;

const ofVariables = `## Environment variables

Variables may also be in a file \`.env\` in the working folder; those of the environment take precedence. An empty value counts as unset. Booleans are \`true\`, \`false\`, \`1\` or \`0\`.

A secret may be in a file, named by the variable with \`_FILE\` behind its name: ${[...secrets].map((name) => code(`${name}_FILE`)).join(', ')}, and those of credentials. Changed files are read again; \`ES_HOST\` and repositories take a restart.

${Object.entries(variableGroups)
  .map(([title, group]) => `### ${title}\n\n${variableTable(group)}`)
  .join('\n\n')}

### Repositories in variables

\`MAESTRO_REPOSITORIES_<n>_<name>\`, with a number for each repository, sets a key of [the repositories file](#the-repositories-file): ${Object.entries(
  repositoryVariables,
)
  .map(([name, key]) => `${code(name)} ${code(key)}`)
  .join(', ')}.

### Names of other releases

[Names of other releases](migration.md#variables) are accepted, or have no effect; a warning says what to use.`;

const ofCatalogues = `## A catalogue's folder

All \`*.json\` files of the folder are one configuration, whatever their names. A file named after its only key, such as \`table.json\`, may contain just the value.

- Objects are merged at every depth. If two files give a key different values or lists, the catalogue fails. \`null\` counts as absent, and so does an empty list of columns or facets.
- \`mapping.json\`, hidden files and files that a variable names are not part of it. \`network.json\` contains nothing but the network.
- For \`disable...\`, \`true\` in either the catalogue or the variable applies. For \`enable...\`, the catalogue's value applies unless the variable is \`false\`.

### base.json

${keyTable(baseKeys, listed)}

${largeSections.map((name) => `### ${name}.json\n\n${keyTable(keysOf([name]), listed)}`).join('\n\n')}

### Other files

${smallSections.map((name) => code(`${name}.json`)).join(', ')}:

${keyTable(keysOf(smallSections), listed)}

### network.json

The catalogue's network, in the established form, with the sections of [nodes.json](#nodesjson) for portals.

${keyTable({ network: ownNetworkKeys.meta({ description: 'The network.' }) }, listed)}`;

const ofServer = `## nodes.json

The network at \`/network/graphql\` ([consortium.md](consortium.md)).

\`network\` also takes sections of a catalogue: ${sectionsOfNetworks}.

${keyTable(nodesFile.shape, listed)}

## hubs.json

The networks that this server [has joined](institution.md#join); \`tributary join\` writes it.

${keyTable(hubsFile.shape, listed)}

## The access file

Named by \`ACCESS_FILTER_PATH\` ([access.md](access.md)).

${keyTable(accessFile.shape, listed)}

## The portal file

Named by \`PORTAL_PATH\` ([portal.md](portal.md)). Texts may be by language: \`{"en": "...", "fr": "...", "de": "..."}\`.

${keyTable(portalFile.shape, listed)}

## The repositories file

Named by \`REPOSITORIES_PATH\`, \`{"repositories": [...]}\` ([loading.md](loading.md#repositories)).

${keyTable({ ...repositoryKeys, kind }, listed)}`;

/** The text of docs/configuration.md. */
export const configurationDocs = (): string =>
  `${[intro, ofVariables, ofCatalogues, ofServer].join('\n\n')}\n`;

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(target, configurationDocs());
