import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { AccessConfig, Config } from '../config/config.ts';
import type { Restrictions } from '../config/load.ts';
import { networkChanges } from '../../federation/network.ts';
import { serverNetworkId } from '../http/callers/served.ts';
import { tiers, type CatalogueConfig } from '../../introspection/fields/catalogue-config.ts';
import { asTributaryError } from '../../lib/errors/errors.ts';
import { problemsOf, problemText } from '../../lib/text/problem.ts';
import type { ReloadReport } from '../http/capability.ts';
import { withSharedIndexes } from './networks.ts';
import { readServed, type Opening, type Reading, type Server } from './open-server.ts';

export interface Swapped extends ReloadReport {
  /** Whether the access file says something else than what is in effect. */
  readonly areRulesStale: boolean;
}

/** The configuration files as they are now. */
export interface ConfigFiles {
  /** @throws TributaryError CONFIG_INVALID with every problem */
  readonly read: () => Config;
  /** What may narrow access or disclosure, however wrong the other files are. */
  readonly restrictions: () => Restrictions;
  /** What is wrong in them, as far as only an open server shows; unset: nothing. */
  readonly faults?: (server: Server) => readonly string[];
}

/** The server in use, and how another takes its place. */
export interface SwapParts {
  readonly before: Server;
  /** Every catalogue that has withheld records since this process started, as it was last configured. */
  readonly withholding: readonly CatalogueConfig[];
  readonly secret: Opening['secret'];
  /** @throws TributaryError CONFIG_INVALID for access rules that cannot take effect */
  readonly checkRules: (config: Config) => void;
  /** @throws TributaryError CONFIG_INVALID; nothing of it stays open then */
  readonly open: (reading: Reading, opening: Opening) => Promise<Server>;
  readonly discard: (server: Server) => void;
  /** Opens the audit trail if the configuration needs one. @throws TributaryError when that fails */
  readonly audit: (config: Config) => void;
  /** Serves it from the next request on. @returns what this has changed elsewhere */
  readonly use: (server: Server) => ReloadReport;
}

/**
 * Serves the configuration files as they are now, as a whole, or nothing of them if anything is wrong. What only narrows
 * access or disclosure is served in any case.
 * @param again nodes of networks to be discovered again
 */
export const swap = async (
  files: ConfigFiles,
  again: ReadonlySet<string>,
  parts: SwapParts,
): Promise<Swapped> => {
  const whole = await openWhole(files, again, parts);
  if (whole.kind === 'same') return { changes: [], problems: whole.problems, areRulesStale: false };
  if (whole.kind === 'right') {
    const { changes, problems } = used(whole.next, parts, again);
    return { changes, problems: [...whole.problems, ...problems], areRulesStale: false };
  }
  const { reading, opening, problems, areRulesStale } = narrowedBy(files.restrictions(), parts);
  if (opening === null)
    return { changes: [], problems: [...new Set([...whole.problems, ...problems])], areRulesStale };
  // that nothing is written down must not keep the records open
  const unaudited = problemsIn(() => parts.audit(reading.config));
  const { changes, problems: others } = used(await parts.open(reading, opening), parts);
  const all = new Set([...whole.problems, ...problems, ...unaudited, ...others]);
  return { changes, problems: [...all], areRulesStale };
};

const problemsIn = (act: () => void): readonly string[] => {
  try {
    act();
    return [];
  } catch (error) {
    return textsOf(error);
  }
};

/** What is wrong. Whatever it is, it must not keep the files from narrowing what is served. */
const textsOf = (error: unknown): readonly string[] => {
  if (asTributaryError(error).code === 'CONFIG_INVALID') return problemsOf(error).map(problemText);
  return [error instanceof Error ? error.message : String(error)];
};

const used = (next: Server, { before, use }: SwapParts, again?: ReadonlySet<string>): ReloadReport => {
  const changes = changesOf(before, next, again);
  const elsewhere = use(next);
  const config = next.reading.config.indexing.repositories;
  const isSame = isDeepStrictEqual(config, before.reading.config.indexing.repositories);
  return {
    changes: [...changes, ...elsewhere.changes],
    problems: [...elsewhere.problems, ...(isSame ? [] : [repositoriesChanged])],
  };
};

const repositoriesChanged =
  'the repositories to index have changed: those before are indexed until a restart';

/** The whole configuration, opened beside the one in use. */
type Opened = { readonly problems: readonly string[] } & (
  | { readonly kind: 'right'; readonly next: Server }
  | { readonly kind: 'same' | 'wrong' }
);

const openWhole = async (
  { read, faults = () => [] }: ConfigFiles,
  again: ReadonlySet<string>,
  { before, withholding, secret, audit, open, discard }: SwapParts,
): Promise<Opened> => {
  try {
    const reading = await readServed(read());
    const wrong = [
      ...missingFiles(before.reading, reading),
      ...newFaults(before.reading.catalogues, reading.catalogues),
      ...shownMore([...before.reading.catalogues, ...withholding], reading.catalogues),
    ];
    if (wrong.length > 0) return { kind: 'wrong', problems: wrong };
    const notes = unknownNodes(again, reading);
    const isSame = isDeepStrictEqual(reading, before.reading) && hasSameSecrets(before, secret);
    if (isSame && again.size === 0) return { kind: 'same', problems: notes };
    audit(reading.config);
    const next = await open(reading, { before, secret, again });
    const known = faults(before);
    const failed = [...newFailures(before, next), ...faults(next).filter((one) => !known.includes(one))];
    if (failed.length === 0) return { kind: 'right', next, problems: notes };
    discard(next);
    return { kind: 'wrong', problems: failed.map((line) => line.trim()) };
  } catch (error) {
    return { kind: 'wrong', problems: textsOf(error) };
  }
};

const hasSameSecrets = ({ secrets }: Server, secret: Opening['secret']): boolean =>
  [...secrets].every(([variable, value]) => secret(variable) === value);

/** Absence is never intent, as a folder may be copied or a mount replaced just now: only a whole catalogue is removed. */
const missingFiles = (before: Reading, now: Reading): readonly string[] => {
  const { config } = before;
  const ofServer = [config.nodes, config.hubs].flatMap((file) =>
    file?.content === undefined || existsSync(resolve(file.file)) ? [] : [file.file],
  );
  const look = config.http.portal?.lookFile ?? null;
  const ofCatalogues = before.catalogues.flatMap(({ catalogueId, folder, files }) => {
    const same = now.catalogues.find((one) => one.folder === folder);
    const missing = same === undefined ? [] : files.filter((file) => !existsSync(join(folder, file)));
    return missing.map((file) => `catalogue ${catalogueId}: ${file}`);
  });
  const isEmptied = before.catalogues.length > 0 && now.catalogues.length === 0;
  return [
    ...[...ofServer, ...(look === null || existsSync(resolve(look)) ? [] : [look]), ...ofCatalogues].map(
      (file) => `${file} is missing: what it said before holds until it is back, or a restart`,
    ),
    ...(isEmptied
      ? [`${config.configsPath} has no catalogue: those before are served until one is back, or a restart`]
      : []),
  ];
};

const sameId = <One extends Pick<CatalogueConfig, 'catalogueId'>>(
  all: readonly One[],
  { catalogueId }: Pick<CatalogueConfig, 'catalogueId'>,
): One | undefined => all.find((one) => one.catalogueId.toLowerCase() === catalogueId.toLowerCase());

/** A catalogue that has been wrong from the start holds back no other. */
const newFaults = (before: readonly CatalogueConfig[], now: readonly CatalogueConfig[]): readonly string[] =>
  now.flatMap((config) =>
    (sameId(before, config)?.problems ?? []).length > 0
      ? []
      : config.problems.map((problem) => `catalogue ${config.catalogueId}: ${problemText(problem)}`),
  );

/** Catalogues that are available, and would not be as they are configured now. */
const newFailures = (before: Server, next: Server): readonly string[] =>
  next.registry.states().flatMap((state) => {
    const { catalogueId } = state.config;
    const isChanged = !isDeepStrictEqual(
      sameId(before.reading.catalogues, state.config),
      sameId(next.reading.catalogues, state.config),
    );
    return state.status === 'failed' && isChanged && before.registry.byId(catalogueId)?.status === 'available'
      ? [`catalogue ${catalogueId}: ${state.error.message}`]
      : [];
  });

const unknownNodes = (again: ReadonlySet<string>, { networks }: Reading): readonly string[] => {
  const known = [
    ...new Set([...networks.values()].flatMap(({ nodes }) => nodes.map(({ nodeId }) => nodeId))),
  ];
  return [...again]
    .filter((nodeId) => !known.includes(nodeId))
    .map((nodeId) => `no network here has a node "${nodeId}", only ${known.join(', ') || 'none'}`);
};

type Disclosing = Pick<CatalogueConfig, 'catalogueId' | 'esIndex' | 'disclosure'>;

/**
 * What would show more of guarded records than before, and so requires a restart. Ids are compared ignoring case, as by
 * routes.
 * @param before the first of several with the same id counts
 */
export const shownMore = (before: readonly Disclosing[], now: readonly Disclosing[]): readonly string[] =>
  now.flatMap((config) => {
    const own = sameId(before, config);
    const guarded = before.filter(({ disclosure }) => disclosure !== undefined);
    const isNewAndGuarded = own === undefined && config.disclosure !== undefined;
    const problem =
      own?.disclosure === undefined
        ? sharedIndex(config, isNewAndGuarded ? [] : guarded)
        : loosened(own.disclosure, config.disclosure);
    return problem === null ? [] : [`catalogue ${config.catalogueId}: ${problem}`];
  });

const loosened = (
  { default: before }: NonNullable<Disclosing['disclosure']>,
  after: Disclosing['disclosure'],
): string | null => {
  if (after === undefined)
    return 'disclosure.json is gone: its records stay withheld by the former one until a restart';
  return tiers.indexOf(after.default) > tiers.indexOf(before)
    ? `disclosure.json, default: ${after.default} shows more than ${before}, which holds until a restart`
    : null;
};

const sharedIndex = ({ esIndex }: Disclosing, guarded: readonly Disclosing[]): string | null => {
  const other = guarded.find((one) => one.esIndex === esIndex);
  return other === undefined
    ? null
    : `its index is that of ${other.catalogueId}, whose disclosure.json withholds it until a restart`;
};

/** The configuration in use as far as the files narrow it. */
interface Narrowed {
  readonly reading: Reading;
  /** null: they do not. */
  readonly opening: Opening | null;
  readonly problems: readonly string[];
  /** Whether the access file says something else than what is in effect. */
  readonly areRulesStale: boolean;
}

const narrowedBy = (
  files: Restrictions,
  { before, checkRules }: Pick<SwapParts, 'before' | 'checkRules'>,
): Narrowed => {
  const { reading, secrets } = before;
  const narrowed = (own: CatalogueConfig) => narrowerOf(own, sameId(files.catalogues, own));
  const catalogues = withSharedIndexes(reading.catalogues.map(narrowed));
  const access = usableAccess(files, { ...reading.config, catalogues }, checkRules);
  const isSame = catalogues.every((one, at) => one === reading.catalogues[at]);
  const isWanted = access.wanted !== null && !isDeepStrictEqual(access.wanted, reading.config.access);
  const config = {
    ...reading.config,
    catalogues: reading.config.catalogues.map(narrowed),
    access: isWanted ? access.wanted : reading.config.access,
  };
  const secret = (variable: string): string | undefined => secrets.get(variable);
  return {
    reading: { ...reading, config, catalogues },
    opening: isSame && !isWanted ? null : { before, secret, named: files.catalogues },
    problems: access.problems,
    areRulesStale: access.problems.length > 0,
  };
};

/** The rules and keys of the access file, unless they are wrong. */
const usableAccess = (
  { access, problems, catalogues }: Restrictions,
  config: Config,
  checkRules: SwapParts['checkRules'],
): { readonly wanted: AccessConfig | null; readonly problems: readonly string[] } => {
  try {
    if (access !== null && !isDeepStrictEqual(access, config.access))
      checkRules({ ...config, access, catalogues: [...config.catalogues, ...catalogues] });
    return { wanted: access, problems };
  } catch (error) {
    return {
      wanted: null,
      problems: textsOf(error).map(
        (one) => `${one}: the access rules and keys before hold until this is corrected`,
      ),
    };
  }
};

const narrowerOf = (own: CatalogueConfig, now: CatalogueConfig | undefined): CatalogueConfig => {
  if (now?.disclosure === undefined) return own;
  const { disclosure: before } = own;
  if (before === undefined) return { ...own, disclosure: now.disclosure };
  const tier = now.disclosure.default;
  return tiers.indexOf(tier) < tiers.indexOf(before.default)
    ? { ...own, disclosure: { ...before, default: tier } }
    : own;
};

/** What is served now and was not before, a line each. */
const changesOf = (before: Server, after: Server, again?: ReadonlySet<string>): readonly string[] => [
  ...accessChanges(before.reading.config.access, after.reading.config.access),
  ...catalogueChanges(before.reading.catalogues, after.reading.catalogues),
  ...networkLines(before, after, again),
  ...(isDeepStrictEqual(before.reading.config.http.portal, after.reading.config.http.portal)
    ? []
    : [`${after.reading.config.http.portal?.lookFile ?? 'portal.json'}: the portal has changed`]),
];

const accessChanges = (before: AccessConfig | null, after: AccessConfig | null): readonly string[] =>
  after === null || isDeepStrictEqual(before, after)
    ? []
    : [`${after.file}: the changed access rules and keys hold for every request from now on`];

const catalogueChanges = (
  before: readonly CatalogueConfig[],
  after: readonly CatalogueConfig[],
): readonly string[] => [
  ...after.flatMap((config) => {
    const own = sameId(before, config);
    if (own === undefined) return [`catalogue ${config.catalogueId}: is served from now on`];
    const isSame = isDeepStrictEqual(own, config);
    return isSame ? [] : [`catalogue ${config.catalogueId}: now serves with its changed configuration`];
  }),
  ...before
    .filter((config) => sameId(after, config) === undefined)
    .map(({ catalogueId }) => `catalogue ${catalogueId}: is no longer served`),
];

const networkLines = (before: Server, after: Server, again?: ReadonlySet<string>): readonly string[] =>
  [...new Set([...before.networks.keys(), ...after.networks.keys()])].flatMap((id) => {
    const [old, now] = [before.networks.get(id), after.networks.get(id)];
    const file =
      id === serverNetworkId
        ? (after.reading.config.nodes?.file ?? 'nodes.json')
        : `network.json of the catalogue ${id.split('/')[0]}`;
    if (now === undefined) return [`${file}: the network is no longer served`];
    if (old === undefined) return [`${file}: the network is served from now on`];
    return networkChanges(old, now, again).map((change) => `${file}: ${change}`);
  });
