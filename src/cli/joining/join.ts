import { dirname } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Config } from '../../server/config/config.ts';
import { loadConfig } from '../../server/config/load.ts';
import { invalidConfig, invalidInput } from '../../lib/errors/errors.ts';
import type { DescribedField } from '../../federation/proposal/compatible.ts';
import { proposeFields, type ProposedField } from '../../federation/proposal/propose.ts';
import type { CatalogueConfig } from '../../introspection/fields/catalogue-config.ts';
import { identityIn, membershipOf } from '../../capabilities/joining/open-tunnels.ts';
import type { AboutNetwork, Admission } from '../../capabilities/joining/handshake.ts';
import { hubsIn, type HubEntry } from '../../capabilities/joining/hubs-file.ts';
import { parseInvitation, type InvitationLine } from '../../capabilities/joining/invitations.ts';
import { introduce } from '../../capabilities/joining/member.ts';
import { spokenKey } from '../../capabilities/joining/spoken-key.ts';
import {
  isConfirmed,
  parseCommandLine,
  runCommand,
  type Command,
  wrongCommandLine,
} from '../terminal/command-line.ts';
import { blockedBy, unusableBy } from './blocked-by.ts';
import { describeCatalogue } from './describe-catalogue.ts';
import { addHub } from './edit-hubs.ts';
import { mappingOf, readMapping, writeMappingFiles } from './mapping-files.ts';
import { showMapping, showProposal, whatTheyGet } from './show-proposal.ts';

interface JoinOptions {
  /** The invitation; undefined: read from standard input. */
  readonly line: string | undefined;
  readonly catalogue: string | undefined;
  readonly name: string | undefined;
  /** A mapping file written by a person, instead of the proposed mapping. */
  readonly mapping: string | undefined;
  /** Whether the proposed mapping is written into files for editing. */
  readonly edit: boolean;
  readonly records: boolean;
  readonly yes: boolean;
  readonly check: boolean;
  readonly dryRun: boolean;
}

/**
 * The command `tributary join`: joins the network of another server, which this one dials.
 * @returns the exit code: 0 it has joined, or could; 1 it could not; 2 for an invalid command line
 */
export const runJoin: Command = (argv, env) =>
  runCommand(argv, env, {
    name: 'join',
    about: aboutJoin,
    rows: options,
    exit: '0 when it has joined or could, 1 when it could not or the answer was no',
    optionsOf: joinOptions,
    work: join,
  });

const join = async (options: JoinOptions, env: NodeJS.ProcessEnv): Promise<number> => {
  const config = loadConfig(env);
  if (options.check && options.line === undefined && hubsIn(config.hubs).length > 0)
    return checkAll(config, env);
  const line = parseInvitation(options.line ?? (await readLine()));
  if (line === null)
    throw invalidInput(
      'this is not an invitation: the line that "tributary invite" prints expected, https://.../#node.secret.key',
    );
  if (options.line !== undefined)
    console.error('notice: arguments are seen by other users of this machine; standard input is not');
  const catalogue = catalogueOf(config, options);
  requireRules(config, catalogue, options);
  const { url, nodeId, hubKey: key, secret: invitation } = line;
  const entry: HubEntry = {
    ...{ name: options.name ?? new URL(url).hostname, url, nodeId, key, invitation },
    ...{ catalogue: catalogue.catalogueId, fields: {}, values: {} },
  };
  const admission = await introduced(config, entry, env);
  const problem = unusableBy(catalogue.catalogueId, config.catalogues);
  if (problem !== null) console.error(options.check ? problem : `warning: ${problem}`);
  if (admission === null) return 1;
  if (options.check) return problem === null ? 0 : 1;
  const about = admission.about ?? { displayName: url, documentType: null, fields: [] };
  showKeys(config, line, about);
  const own = await describeCatalogue(config, catalogue, env);
  const proposed = proposeFields(about.fields, own.fields);
  const { mapping: file } = options;
  const written = file === undefined ? null : await readMapping(file, about.fields, own.fields);
  if (written === null) showProposal(about, own.fields, proposed);
  else showMapping(file!, written, about.fields, own.fields);
  console.log(whatTheyGet(config, catalogue, entry.name, own));
  if (options.dryRun) return 0;
  if (options.edit) return writeFiles(hubsFileOf(config), about.fields, own.fields, proposed);
  const joined = { ...entry, ...(written ?? mappingOf(proposed)) };
  return enter(hubsFileOf(config), joined, { ...admission, about }, options);
};

const hubsFileOf = ({ hubs }: Config): string => {
  if (hubs !== null) return hubs.file;
  throw invalidConfig('HUBS_PATH is off: name the file that lists the hubs');
};

const writeFiles = async (
  hubsFile: string,
  ...proposal: [readonly DescribedField[], readonly DescribedField[], readonly ProposedField[]]
): Promise<number> => {
  const [fields, values] = await writeMappingFiles(dirname(hubsFile), ...proposal);
  console.log(`wrote ${fields} and ${values}: edit them, then run "tributary join --mapping ${fields}"`);
  return 0;
};

/** Writes hubs.json after confirmation. */
const enter = async (
  file: string,
  entry: HubEntry,
  { state, about: { displayName } }: Admission & { readonly about: AboutNetwork },
  { yes }: JoinOptions,
): Promise<number> => {
  if (!yes && !(await isConfirmed(`Join ${displayName} as ${entry.nodeId}?`, noTerminal))) {
    console.log('nothing is changed; --edit writes the proposal into files, in which you can correct it');
    return 1;
  }
  await addHub(file, entry);
  console.log(
    `wrote ${file}: a running server dials ${entry.url} within seconds, and "tributary start" does`,
  );
  if (state === 'invited')
    console.log(`next: somebody at ${displayName} runs "tributary members accept ${entry.nodeId}"`);
  return 0;
};

const noTerminal = 'there is no terminal to ask: --yes joins as shown above';

const readLine = async (): Promise<string> => {
  if (process.stdin.isTTY) console.error('paste the line of the invitation, then press Enter:');
  const terminal = createInterface({ input: process.stdin });
  try {
    for await (const text of terminal) if (text.trim() !== '') return text;
    return '';
  } finally {
    terminal.close();
  }
};

const catalogueOf = ({ catalogues }: Config, { catalogue: wanted }: JoinOptions): CatalogueConfig => {
  const ids = catalogues.map(({ catalogueId }) => catalogueId);
  const found =
    wanted === undefined && catalogues.length === 1
      ? catalogues[0]
      : catalogues.find(({ catalogueId }) => catalogueId === wanted);
  if (found !== undefined) return found;
  throw invalidInput(
    ids.length === 0
      ? 'there is no catalogue to join with: tributary load FILE makes one'
      : `--catalogue names which catalogue joins: ${ids.join(', ')}`,
  );
};

const requireRules = (
  { access }: Config,
  { catalogueId, disclosure }: CatalogueConfig,
  { records, check }: JoinOptions,
): void => {
  if (access !== null || disclosure !== undefined || records || check) return;
  throw invalidConfig(
    `catalogue ${catalogueId} has neither access rules nor a disclosure.json, so callers of the hub would see its records: write one of them, or give --records if they may`,
  );
};

/** Introduces this server; null on failure, which is printed. */
const introduced = async (
  config: Config,
  entry: HubEntry,
  env: NodeJS.ProcessEnv,
): Promise<Admission | null> => {
  // the names are not proposed before a person has seen them
  const membership = { ...membershipOf(entry, config.catalogues), proposal: undefined };
  try {
    const admission = await introduce({ membership, identity: identityIn(config), env });
    console.log(
      `reached ${entry.url}: ${admission.state === 'accepted' ? 'accepted' : 'invited, not accepted yet'}`,
    );
    return admission;
  } catch (error) {
    console.error(await blockedBy(error, entry.url, env));
    return null;
  }
};

const checkAll = async (config: Config, env: NodeJS.ProcessEnv): Promise<number> => {
  const found = [];
  for (const entry of hubsIn(config.hubs)) found.push(await isUsable(config, entry, env));
  return found.every(Boolean) ? 0 : 1;
};

/** Whether a hub can be reached and can use the catalogue here; prints the problems. */
const isUsable = async (config: Config, entry: HubEntry, env: NodeJS.ProcessEnv): Promise<boolean> => {
  const isReached = (await introduced(config, entry, env)) !== null;
  const problem = unusableBy(entry.catalogue, config.catalogues);
  if (problem !== null) console.error(problem);
  return isReached && problem === null;
};

const showKeys = (config: Config, { hubKey }: InvitationLine, { displayName }: AboutNetwork): void => {
  console.log(`network:        ${displayName}`);
  console.log(`key of the hub: ${spokenKey(hubKey)}`);
  console.log(`your key:       ${spokenKey(identityIn(config).thumbprint)}`);
};

const options = {
  '[LINE]': 'the invitation, in place of standard input',
  '--catalogue ID': 'the catalogue that joins; needed where there are several',
  '--name NAME': 'what the hub is called here, in the access file and in logs (default: its host)',
  '--mapping FILE':
    'take the names and values from this file: JSON with "fields" and "values" as in nodes.json, or the fields.csv that --edit has written, with values.csv beside it',
  '--edit': 'write what is proposed into fields.csv and values.csv beside hubs.json, and stop',
  '--records': 'callers of the hub may see records, although there are no access rules',
  '-y, --yes': 'join without asking',
  '--dry-run': 'show everything and write nothing',
  '--check': 'reach the hubs of hubs.json, or that of the line, and say what is in the way',
};

const aboutJoin = `
Joins the network that an invitation names: reaches the hub, shows what the network is and which fields and values of
this catalogue mean which of the network's, and writes hubs.json. The server dials the hub; nothing has to reach it. The
line of the invitation is read from standard input.`;

const joinOptions = (argv: readonly string[]): JoinOptions => {
  const { values, positionals } = parseCommandLine(argv, options);
  if (positionals.length > 1) throw wrongCommandLine('give one LINE');
  if (values.edit && values.mapping !== undefined) throw wrongCommandLine('give --mapping or --edit');
  const { catalogue, name, mapping, edit, records, yes, check, 'dry-run': dryRun } = values;
  return { line: positionals[0], catalogue, name, mapping, edit, records, yes, check, dryRun };
};
