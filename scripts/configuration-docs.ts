// Writes docs/configuration.md from the schemas that check the configuration: node scripts/configuration-docs.ts
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { accessFile } from '../src/access/access-file.ts';
import { baseKeys, otherServersKeys, sectionKeys } from '../src/config/catalogue-files.ts';
import { repositoryEntries } from '../src/config/repository-entry.ts';
import { repositoryVariables } from '../src/config/repositories-variables.ts';
import { renamed, variables, withoutMeaning } from '../src/config/variables.ts';
import { networkJson } from '../src/federation/network-json.ts';
import { nodesFile } from '../src/federation/nodes.ts';
import { keyTable, markdownTable, variableTable } from './key-table.ts';

const target = fileURLToPath(new URL('../docs/configuration.md', import.meta.url));

const code = (text: string): string => `\`${text}\``;

const intro = `# Configuration

<!-- Written by scripts/configuration-docs.ts from the schemas that check it. Change those, and run \`npm run docs\`. -->

Every environment variable, and every key of every file. \`npm run tributary -- check\` tries them all and says what is wrong with file and key.

A file that is not JSON is told with line and column. A key or variable that looks misspelt is told at the start and by \`check\`.`;

const ofVariables = `## Environment variables

An empty value counts as unset. A wrong one ends the start with the name of the variable.

${variableTable(variables)}

### Repositories in variables

\`MAESTRO_REPOSITORIES_<n>_<name>\`, \`<n>\` a number for each repository, in place of a file of repositories; each is a key of [that file](#the-file-of-repositories).

${markdownTable(
  ['name', 'key'],
  Object.entries(repositoryVariables).map(([name, key]) => [code(name), code(key)]),
)}

### Names of other releases

Read with a warning:

${markdownTable(
  ['old name', 'write'],
  Object.entries(renamed).map(([old, name]) => [code(old), code(name)]),
)}

Of the established server, without meaning here; told at the start:

${markdownTable(
  ['variable', 'instead'],
  Object.entries(withoutMeaning).map(([name, instead]) => [code(name), instead]),
)}`;

const ofCatalogues = `## A catalogue's folder

All \`*.json\` files of the folder are one configuration, whatever their names, so that everything may stand in one file or in several. By custom the keys of the first table stand in \`base.json\`, and each further one in a file of its name: \`table\` in \`table.json\`, which may then hold the value bare.

- Objects are joined at every depth. Two files that give one key different values or lists fail the catalogue, and both are named. \`null\` says nothing.
- \`mapping.json\` and hidden files are not part of it, nor are files that \`NODES_PATH\`, \`ACCESS_FILTER_PATH\` and \`REPOSITORIES_PATH\` name. \`network.json\` holds the network and nothing else.
- \`index\` belongs to another feature of other servers and is ignored. Any other key that nobody reads is told at the start and by \`check\`, with the closest known one.
- For \`disable...\` a \`true\` holds, whether the catalogue says it or the variable. For \`enable...\` the catalogue's word counts, unless the variable is set to \`false\`.

### base.json

${keyTable(baseKeys)}

Keys of the established server without meaning here, told at the start:

${markdownTable(
  ['key', 'instead'],
  Object.entries(otherServersKeys).map(([key, instead]) => [code(key), instead]),
)}

${Object.entries(sectionKeys)
  .map(([name, schema]) => `### ${name}.json\n\n${keyTable({ [name]: schema })}`)
  .join('\n\n')}

### network.json

A network of the catalogue's own, in the established form: under the key \`network\`, or bare. A key that is not known is told.

${keyTable({ network: networkJson.meta({ description: 'The nodes.' }) })}`;

const ofServer = `## nodes.json

The network served at \`/network/graphql\`: [federation.md](federation.md) explains it. Unknown keys are errors.

${keyTable(nodesFile.shape)}

## The access file

Named by \`ACCESS_FILTER_PATH\`: [access.md](access.md) explains it. Unknown keys are errors.

${keyTable(accessFile.shape)}

## The file of repositories

Named by \`REPOSITORIES_PATH\`, \`{"repositories": [...]}\`: [indexing.md](indexing.md) explains it. Unknown keys are errors.

### A study-based repository (SONG)

${keyTable(repositoryEntries.study.shape)}

### A record-based repository (Lyric)

${keyTable(repositoryEntries.record.shape)}`;

/** The text of docs/configuration.md. */
export const configurationDocs = (): string =>
  `${[intro, ofVariables, ofCatalogues, ofServer].join('\n\n')}\n`;

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(target, configurationDocs());
