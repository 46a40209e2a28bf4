import { createInterface } from 'node:readline/promises';
import type { Config } from '../../config/config.ts';
import { loadConfig } from '../../config/load.ts';
import type { Engine } from '../../engines/engine.ts';
import { openEngine } from '../../engines/open/open-engine.ts';
import { TributaryError } from '../../errors/errors.ts';
import type { DescribedField } from '../../federation/proposal/compatible.ts';
import { proposeFields, type ProposedField } from '../../federation/proposal/propose.ts';
import type { CatalogueConfig } from '../../introspection/fields/catalogue-config.ts';
import { readFields } from '../../introspection/mapping/mapping.ts';
import { identityIn, membershipOf } from '../../node/open-tunnels.ts';
import type { AboutNetwork, Admission } from '../../tunnel/handshake.ts';
import { hubsIn, type HubEntry } from '../../tunnel/hubs-file.ts';
import { parseInvitation, type InvitationLine } from '../../tunnel/invitations.ts';
import { introduce } from '../../tunnel/member.ts';
import { spokenKey } from '../../tunnel/spoken-key.ts';
import { isConfirmed, parseCommandLine, runCommand, wrongCommandLine } from '../terminal/command-line.ts';
import { formatCount, textTable } from '../terminal/text-table.ts';
import { blockedBy, unusableBy } from './blocked-by.ts';
import { editHubs } from './edit-hubs.ts';

interface JoinOptions {
  /** The invitation; undefined: read from standard input. */
  readonly line: string | undefined;
  readonly catalogue: string | undefined;
  readonly name: string | undefined;
  readonly records: boolean;
  readonly yes: boolean;
  readonly check: boolean;
  readonly dryRun: boolean;
}

/**
 * The command `tributary join`: joins the network of another server, which this one dials.
 * @returns the exit code: 0 it has joined, or could; 1 it could not; 2 for an invalid command line
 */
export const runJoin = (argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> =>
  runCommand(
    { name: 'join', usage: joinUsage, optionsOf: joinOptions, work: (options) => join(options, env) },
    argv,
  );

const join = async (options: JoinOptions, env: NodeJS.ProcessEnv): Promise<number> => {
  const config = loadConfig(env);
  if (options.check && options.line === undefined && hubsIn(config.hubs).length > 0)
    return checkAll(config, env);
  const line = parseInvitation(options.line ?? (await readLine()));
  if (line === null)
    throw new TributaryError(
      'INPUT_INVALID',
      'this is no invitation: the line that "tributary invite" prints expected, https://.../#node.secret.key',
    );
  if (options.line !== undefined)
    console.error('notice: arguments are seen by other users of this machine; standard input is not');
  const catalogue = catalogueOf(config, options);
  requireRules(config, catalogue, options);
  const entry: HubEntry = {
    ...{ name: options.name ?? new URL(line.url).hostname, url: line.url, nodeId: line.nodeId },
    ...{
      key: line.hubKey,
      catalogue: catalogue.catalogueId,
      invitation: line.secret,
      fields: {},
      values: {},
    },
  };
  if (options.check) return (await isUsable(config, entry, env)) ? 0 : 1;
  const admission = await introduced(config, entry, env);
  if (admission === null) return 1;
  const about = admission.about ?? { displayName: line.url, documentType: null, fields: [] };
  showKeys(config, line, about);
  const own = await describeCatalogue(config, catalogue);
  const proposed = proposeFields(about.fields, own.fields);
  showProposal(about, own.fields, proposed);
  console.log(whatTheyGet(config, catalogue, own));
  if (options.dryRun) return 0;
  if (!options.yes && !(await isConfirmed(`Join ${about.displayName} as ${line.nodeId}?`, noTerminal))) {
    console.log('nothing is changed');
    return 1;
  }
  if (config.hubs === null)
    throw new TributaryError('CONFIG_INVALID', 'HUBS_PATH is off: name the file that lists the hubs');
  const { file } = config.hubs;
  await addHub(file, { ...entry, ...mappingOf(proposed) });
  console.log(`wrote ${file}: a running server dials ${line.url} within seconds, and "tributary start" does`);
  if (admission.state === 'invited')
    console.log(`next: somebody at ${about.displayName} runs "tributary members accept ${line.nodeId}"`);
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
  throw new TributaryError(
    'INPUT_INVALID',
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
  throw new TributaryError(
    'CONFIG_INVALID',
    `catalogue ${catalogueId} has neither access rules nor a disclosure.json, so callers of the hub would see its records: write one of them, or give --records if they may`,
  );
};

/** Introduces this server; null when that fails, which is printed. */
const introduced = async (
  config: Config,
  entry: HubEntry,
  env: NodeJS.ProcessEnv,
): Promise<Admission | null> => {
  // the names are proposed once a person has seen them
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

/** Whether a hub can be reached, and can use what it reaches here; prints what is in the way. */
const isUsable = async (config: Config, entry: HubEntry, env: NodeJS.ProcessEnv): Promise<boolean> => {
  const isReached = (await introduced(config, entry, env)) !== null;
  const problem = unusableBy(entry.catalogue, config.catalogues);
  if (problem !== null) console.error(problem);
  return isReached && problem === null;
};

const showKeys = (config: Config, { hubKey }: InvitationLine, { displayName }: AboutNetwork): void => {
  console.log(`network:        ${displayName}`);
  console.log(`key of the hub: ${spokenKey(hubKey)}`);
  console.log(`key of yours:   ${spokenKey(identityIn(config).thumbprint)}`);
};

interface DescribedCatalogue {
  readonly fields: readonly DescribedField[];
  readonly documents: number;
}

const maxValues = 200;

/** The fields of a catalogue with their labels and most frequent values. */
const describeCatalogue = async (config: Config, catalogue: CatalogueConfig): Promise<DescribedCatalogue> => {
  if (catalogue.esIndex === null)
    throw new TributaryError('CONFIG_INVALID', `base.json of ${catalogue.catalogueId} names no esIndex`);
  const engine = await openEngine(config.engine);
  try {
    return await described(engine, catalogue, catalogue.esIndex);
  } finally {
    await engine.close();
  }
};

const described = async (
  engine: Engine,
  { nestingPrefix, extended }: CatalogueConfig,
  index: string,
): Promise<DescribedCatalogue> => {
  const { properties, documents } = await engine.describe(index);
  const { fields } = readFields(properties, { nestingPrefix });
  const labels = new Map(extended.map((entry) => [entry.fieldName, entry]));
  const leaves = [...fields.values()].filter(({ kind }) => kind !== 'object' && kind !== 'nested');
  const listed = leaves.filter(({ kind }) => kind === 'keyword');
  const { facets } = await engine.search(index, {
    facets: listed.map(({ indexField }) => ({
      ...{ field: indexField, filter: { kind: 'all' as const }, objects: {} },
      measure: { kind: 'terms' as const, size: maxValues },
    })),
  });
  const values = new Map(
    listed.map(({ path }, at) => {
      const facet = facets[at];
      return [path, facet?.kind === 'terms' ? facet.buckets.map(({ key }) => String(key)) : []] as const;
    }),
  );
  return {
    documents,
    fields: leaves.map(({ path, type }) => ({
      ...{ name: path, type, values: values.get(path) },
      label: labels.get(path)?.displayName ?? undefined,
      unit: labels.get(path)?.unit ?? undefined,
    })),
  };
};

const showProposal = (
  { fields }: AboutNetwork,
  own: readonly DescribedField[],
  proposed: readonly ProposedField[],
): void => {
  const known = new Set(proposed.map(({ network }) => network));
  const rows = proposed.map(({ network, own: ours, reason, values, conflict }) => [
    network,
    ours,
    [
      reason,
      ...(conflict === null ? [] : [`not taken: ${conflict}`]),
      ...(values.length === 0
        ? []
        : [`${values.length} values, such as ${values[0]!.own} = ${values[0]!.network}`]),
    ].join('; '),
  ]);
  if (rows.length > 0)
    textTable([['network', 'here', 'why'], ...rows], { rule: true }).forEach((line) => console.log(line));
  const silent = fields.filter(({ name }) => !known.has(name)).map(({ name }) => name);
  if (silent.length > 0) console.log(`without a proposal: ${silent.join(', ')}`);
  const ours = new Set(proposed.map((one) => one.own));
  const rest = own.filter(({ name }) => !ours.has(name)).length;
  if (rest > 0) console.log(`${formatCount(rest)} other fields of yours keep their names`);
};

/** What the callers of the hub will get. */
const whatTheyGet = (
  { access }: Config,
  { disclosure }: CatalogueConfig,
  { fields, documents }: DescribedCatalogue,
): string => {
  const what =
    access !== null
      ? 'what the access file grants them (rules with "hub", or public)'
      : disclosure !== undefined
        ? 'counts from releases'
        : 'rows';
  return `callers of the hub get: ${what}, ${formatCount(fields.length)} fields, ${formatCount(documents)} records`;
};

/** Fields that have another name, and values that are written differently. */
const mappingOf = (all: readonly ProposedField[]): Pick<HubEntry, 'fields' | 'values'> => {
  const proposed = all.filter(({ conflict }) => conflict === null);
  return {
    fields: Object.fromEntries(
      proposed.filter(({ network, own }) => network !== own).map(({ network, own }) => [network, own]),
    ),
    values: Object.fromEntries(
      proposed
        .filter(({ values }) => values.length > 0)
        .map(({ network, values }) => [
          network,
          Object.fromEntries(values.map((one) => [one.own, one.network])),
        ]),
    ),
  };
};

/** Adds a hub, and changes nothing that a person wrote. */
const addHub = (file: string, entry: HubEntry): Promise<void> =>
  editHubs(file, (hubs) => {
    const at = hubs.findIndex(({ name }) => name === entry.name);
    if (at === -1) return [...hubs, entry];
    const before = hubs[at]!;
    if (before.url !== entry.url || before.nodeId !== entry.nodeId)
      throw new TributaryError(
        'CONFLICT',
        `${file} has another hub named ${entry.name}: --name gives this one its own`,
      );
    return hubs.with(at, { ...entry, ...before, key: entry.key, invitation: entry.invitation });
  });

const joinUsage = `Usage: tributary join [--catalogue ID] [--name NAME] [--records] [--yes] [--dry-run] [LINE]
       tributary join --check

Joins the network that an invitation names: reaches the hub, shows what the network is and which fields and values of
this catalogue mean which of the network's, and writes hubs.json. The server dials the hub; nothing has to reach it. The
line of the invitation is read from standard input.

  --catalogue ID  the catalogue that joins; needed where there are several
  --name NAME     what the hub is called here, in the access file and in logs (default: its host)
  --records       callers of the hub may see records, although there are no access rules
  --yes           join without asking
  --dry-run       show everything and write nothing
  --check         reach the hubs of hubs.json, or that of the line, and say what is in the way
  --help          this text

Exit code: 0 when it has joined or could, 1 when it could not or the answer was no, 2 for an invalid command line.
`;

const joinOptions = (argv: readonly string[]): JoinOptions | null => {
  const off = { type: 'boolean', default: false } as const;
  const { values, positionals } = parseCommandLine(argv, {
    allowPositionals: true,
    options: {
      ...{ catalogue: { type: 'string' }, name: { type: 'string' } },
      ...{ records: off, yes: { ...off, short: 'y' }, 'dry-run': off, check: off },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) return null;
  if (positionals.length > 1) throw wrongCommandLine('give one LINE');
  const { catalogue, name, records, yes, check, 'dry-run': dryRun } = values;
  return { line: positionals[0], catalogue, name, records, yes, check, dryRun };
};
