import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { accessFile } from '../src/capabilities/access/access-file.ts';
import { baseKeys, keysWithoutMeaning, sectionKeys } from '../src/server/config/catalogue/catalogue-files.ts';
import { repositoryEntries } from '../src/server/config/repositories/repository-entry.ts';
import { repositoryVariables } from '../src/server/config/repositories/repositories.ts';
import { portalFile } from '../src/server/config/portal.ts';
import {
  renamed,
  rewritten,
  secrets,
  variableGroups,
  withoutMeaning,
} from '../src/server/config/variables.ts';
import { networkJson } from '../src/federation/config/network-json.ts';
import { nodesFile, portalKeys } from '../src/federation/config/nodes-file.ts';
import { hubsFile } from '../src/capabilities/joining/hubs-file.ts';
import { keyTable, markdownTable, variableTable, type Listed } from './key-table.ts';

const target = fileURLToPath(new URL('../docs/configuration.md', import.meta.url));

const code = (text: string): string => `\`${text}\``;

/** Names with the same words in one row. */
const rowsByMeaning = (names: Readonly<Record<string, string>>): string[][] =>
  [...Map.groupBy(Object.entries(names), ([, instead]) => instead)].map(([instead, group]) => [
    group.map(([name]) => code(name)).join(', '),
    instead,
  ]);

/** The keys of both kinds of repositories, which have most of them in common. */
const repositoryKeys = { ...repositoryEntries.study.shape, ...repositoryEntries.record.shape };
const kind = repositoryEntries.study.shape.kind.or(repositoryEntries.record.shape.kind).meta({
  description:
    'What kind of repository it is: `study` (SONG), which alone has `documents` and `indexableStates`, or `record` (Lyric), which alone has `categoryId` and `validOnly`.',
});

/** The keys that a network has in either file; those of nodes.json are listed. */
const ownNetworkKeys = networkJson.omit(
  Object.fromEntries(Object.keys(portalKeys).map((name) => [name, true])) as Record<never, true>,
);

/** The sections that networks have in common with catalogues, each with its default. */
const sectionsOfNetworks = Object.entries(portalKeys)
  .map(([name, schema]) => `[${name}](#${name}json) (default: ${String(schema.meta()?.['byDefault'])})`)
  .join(', ');

/** Keys that are in several tables are listed in the first one. */
const listed: Listed = new Map();

const intro = `# Configuration

<!-- Written by scripts/configuration-docs.ts from the schemas that check it. Change those, and run \`npm run docs\`. -->

Every environment variable, and every key of every file. \`npm run tributary -- check\` tests them all and reports each problem with its file and key.

For a file that is not JSON, the error names line and column. A key or variable that looks misspelt causes a warning at the start and in \`check\`.`;

const ofVariables = `## Environment variables

Variables may also be in a file \`.env\` in the working folder, in the form that Node.js reads; those of the environment take precedence, and \`start\` prints the names it took from the file.

An empty value counts as unset. With an invalid value, the server does not start, and the error names the variable.

A secret may be in a file instead, which the variable with \`_FILE\` behind its name names: ${[...secrets].map((name) => code(`${name}_FILE`)).join(', ')}, and those of credentials in \`nodes.json\` and of repositories. The line break at the end of the file is not part of it. A file that changes is read again within seconds, as at a reload; \`ES_HOST\` and repositories take a restart, as does \`tributary indexing\` for all of them.

${Object.entries(variableGroups)
  .map(([title, group]) => `### ${title}\n\n${variableTable(group)}`)
  .join('\n\n')}

### Repositories in variables

\`MAESTRO_REPOSITORIES_<n>_<name>\`, where \`<n>\` is a number for each repository, instead of or together with a repositories file; each sets a key of [that file](#the-repositories-file): ${Object.entries(
  repositoryVariables,
)
  .map(([name, key]) => `${code(name)} ${code(key)}`)
  .join(', ')}.

### Names of other releases

Accepted with a warning:

${markdownTable(
  ['old name', 'use'],
  rowsByMeaning(
    Object.fromEntries([
      ...Object.entries(renamed),
      ...Object.entries(rewritten).flatMap(([old, settings]) =>
        Object.entries(settings).flatMap(([value, setting]) =>
          setting === null ? [] : [[`${old}=${value}`, setting.join('=')] as const],
        ),
      ),
    ]),
  ).map(([old = '', use = '']) => [old, code(use)]),
)}

Variables that have no effect here; each causes a warning at the start:

${markdownTable(['variable', 'instead'], rowsByMeaning(withoutMeaning))}`;

const ofCatalogues = `## A catalogue's folder

All \`*.json\` files of the folder are one configuration, whatever their names, so everything may be in one file or in several. By convention, the keys of the first table are in \`base.json\`, and each of the others is in a file of its name: \`table\` in \`table.json\`, which may then contain just the value.

- Objects are merged at every depth. If two files give a key different values or lists, the catalogue fails with an error that names both. \`null\` counts as absent.
- \`mapping.json\` and hidden files are not part of it, nor are files that \`NODES_PATH\`, \`HUBS_PATH\`, \`PORTAL_PATH\`, \`ACCESS_FILTER_PATH\` and \`REPOSITORIES_PATH\` name. \`network.json\` contains the network and nothing else.
- \`index\` belongs to another feature of other servers and is ignored. Any other unknown key causes a warning at the start and in \`check\`, with the closest known key.
- For \`disable...\`, \`true\` applies whether it comes from the catalogue or from the variable. For \`enable...\`, the catalogue's value applies unless the variable is set to \`false\`.

### base.json

${keyTable(baseKeys, listed)}

Keys that have no effect here; each causes a warning at the start:

${markdownTable(['key', 'instead'], rowsByMeaning(keysWithoutMeaning))}

${Object.entries(sectionKeys)
  .map(([name, schema]) => `### ${name}.json\n\n${keyTable({ [name]: schema }, listed)}`)
  .join('\n\n')}

### network.json

A network of the catalogue's own, in the established form: under the key \`network\`, or on its own. ${Object.keys(portalKeys).map(code).join(', ')} are those of [nodes.json](#nodesjson). An unknown key causes a warning.

${keyTable({ network: ownNetworkKeys.meta({ description: 'The nodes.' }) }, listed)}`;

const ofServer = `## nodes.json

The network served at \`/network/graphql\`: [consortium.md](consortium.md) explains it. Unknown keys are errors.

\`network\` also takes the sections of a catalogue, for portals and doors: ${sectionsOfNetworks}.

${keyTable(nodesFile.shape, listed)}

## hubs.json

The networks that this server has joined by dialling in, \`./hubs.json\` or the file that \`HUBS_PATH\` names: [institution.md](institution.md#join) explains it, and \`tributary join\` writes it. Unknown keys are errors.

${keyTable(hubsFile.shape, listed)}

## The access file

Named by \`ACCESS_FILTER_PATH\`: [access.md](access.md) explains it. Unknown keys are errors.

${keyTable(accessFile.shape, listed)}

## The portal file

\`./portal.json\`, or the file that \`PORTAL_PATH\` names: [portal.md](portal.md) explains it. Texts may be set by language: \`{"en": "...", "fr": "...", "de": "..."}\`. Unknown keys are errors.

${keyTable(portalFile.shape, listed)}

## The repositories file

Named by \`REPOSITORIES_PATH\`, \`{"repositories": [...]}\`: [loading.md](loading.md#repositories) explains it. Unknown keys are errors.

${keyTable({ ...repositoryKeys, kind }, listed)}`;

/** The text of docs/configuration.md. */
export const configurationDocs = (): string =>
  `${[intro, ofVariables, ofCatalogues, ofServer].join('\n\n')}\n`;

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(target, configurationDocs());
