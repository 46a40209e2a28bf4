import { join, resolve } from 'node:path';
import { invalidConfig, type TributaryError } from '../../lib/errors/errors.ts';
import type { CatalogueConfig } from '../../introspection/fields/catalogue-config.ts';
import { isJsonObject } from '../../lib/json/json.ts';
import { maxAnswerBytes } from '../../lib/net/bodies.ts';
import { noticeAt, problemsOf, problemText, readAll, type Problem } from '../../lib/text/problem.ts';
import { readAccess } from './access.ts';
import { readCatalogues, readCatalogueObjects, type CatalogueObjects } from './catalogue/catalogues.ts';
import type {
  AccessConfig,
  AuditConfig,
  Config,
  EngineConfig,
  NodesFile,
  PortalConfig,
  Settings,
} from './config.ts';
import { readEnvironment, type Environment } from './environment.ts';
import { introspectionOff, introspectionDisabled, switchesOf } from './catalogue/switches.ts';
import { readConfigFile, repeatedNotice, type ConfigFile } from './json-file.ts';
import { readPortal } from './portal.ts';
import { readRepositories, type ReadRepositories } from './repositories/repositories.ts';
import type { Variables } from './variables.ts';

/** Configuration supplied by an application instead of files. */
export interface ConfigOverrides {
  /** Instead of CONFIGS_PATH. */
  readonly configs?: CatalogueObjects;
  /** The content of nodes.json, instead of NODES_PATH. */
  readonly nodes?: unknown;
  /** The application decides who may see what. */
  readonly hasAccessFilter?: boolean;
}

/**
 * The whole configuration: environment, catalogues and the nodes of the network.
 * @throws TributaryError CONFIG_INVALID with every problem: invalid variables, or else unreadable files, invalid
 *   repositories, incomplete access control, or nothing to serve. Errors within a catalogue's folder are not thrown but
 *   listed in its `problems`.
 */
export const loadConfig = (env: Environment, options: ConfigOverrides = {}): Config => {
  const { variables, warnings } = readEnvironment(env);
  const inFiles: Problem[] = [];
  const { repositories, read, nodes, hubs, access, portal } = readAll({
    repositories: () => readRepositories(env, variables.REPOSITORIES_PATH),
    read: () =>
      options.configs === undefined
        ? readCatalogues(variables)
        : readCatalogueObjects(options.configs, variables),
    nodes: () =>
      options.nodes === undefined
        ? readNodesFile(variables, inFiles)
        : { content: options.nodes, file: 'the nodes option' },
    hubs: () => readHubs(variables, inFiles),
    access: () => readAccess(variables, options.hasAccessFilter),
    portal: () => readPortal(variables, inFiles),
  });
  const { catalogues, warnings: inFolders } = read;
  // a hub whose members are yet to be invited has a public URL
  const isHub = nodes !== null && variables.PUBLIC_URL !== undefined;
  if (catalogues.length === 0 && !namesNodes(nodes) && !isHub) throw nothingToServe(variables);
  const hasNetwork = namesNodes(nodes) || catalogues.some(({ network }) => network !== undefined);
  return deepFreeze({
    ...settingsOf(variables, { repositories, portal }, [
      ...warnings,
      ...inFolders,
      ...inFiles,
      ...(hasNetwork ? closedNetwork(access) : []),
      ...introspectionOff(catalogues, variables),
    ]),
    catalogues,
    ...{ nodes, hubs, access },
  });
};

/**
 * The settings from the environment alone, for commands that need no catalogue.
 * @throws TributaryError CONFIG_INVALID
 */
export const loadSettings = (env: Environment): Settings => {
  const { variables, warnings } = readEnvironment(env);
  const inFiles: Problem[] = [];
  const parts = readAll({
    repositories: () => readRepositories(env, variables.REPOSITORIES_PATH),
    portal: () => readPortal(variables, inFiles),
  });
  return deepFreeze(settingsOf(variables, parts, [...warnings, ...inFiles]));
};

/** What may narrow access or disclosure. */
export interface Restrictions {
  /** null: there is no access control, or its file cannot be read. */
  readonly access: AccessConfig | null;
  readonly catalogues: readonly CatalogueConfig[];
  /** Why the access file cannot be read. */
  readonly problems: readonly string[];
}

/** What may narrow access or disclosure alone: a server applies it even if the rest of the configuration is invalid. */
export const loadRestrictions = (env: Environment): Restrictions => {
  try {
    const { variables } = readEnvironment(env);
    const { catalogues } = readCatalogues(variables);
    const unread = deepFreeze({ access: null, catalogues });
    try {
      return { ...unread, access: deepFreeze(readAccess(variables)), problems: [] };
    } catch (error) {
      return { ...unread, problems: problemsOf(error).map(problemText) };
    }
  } catch (error) {
    return { access: null, catalogues: [], problems: problemsOf(error).map(problemText) };
  }
};

const settingsOf = (
  variables: Variables,
  {
    repositories: { repositories, warnings: ofRepositories },
    portal,
  }: { readonly repositories: ReadRepositories; readonly portal: PortalConfig | null },
  warnings: readonly Problem[],
): Settings => ({
  server: serverOf(variables),
  indexing: {
    port: variables.INDEXING_PORT === undefined ? 11_235 : variables.INDEXING_PORT,
    isPortNamed: variables.INDEXING_PORT !== undefined,
    host: variables.INDEXING_HOST,
    token: variables.INDEXING_TOKEN,
    dataPath: resolve(variables.DATA_PATH),
    repositories,
  },
  spoolFolder: join(resolve(variables.DATA_PATH), 'spool'),
  engine: engineOf(variables),
  dataPath: resolve(variables.DATA_PATH),
  serverKeyPath: variables.SERVER_KEY_PATH,
  http: {
    allowedOrigins: variables.ALLOWED_CORS_ORIGINS,
    publicOrigin: originOf(variables.PUBLIC_URL),
    bodyLimitBytes: variables.MAX_BODY_BYTES,
    maxResponseBytes: maxAnswerBytes,
    searchTimeoutMs: variables.SEARCH_TIMEOUT_MS,
    cost: {
      // what costs more could not end in time
      maxQueryCost: variables.MAX_QUERY_COST ?? variables.SEARCH_TIMEOUT_MS * 1_000,
      trustedProxies: variables.TRUST_PROXY,
    },
    pingPath: variables.PING_PATH,
    readyPath: variables.READY_PATH,
    metricsToken: variables.METRICS_TOKEN,
    portal,
    doors: {
      beacon: segmentOf(variables.BEACON, 'beacon'),
      mcp: segmentOf(variables.MCP, 'mcp'),
      fdp: segmentOf(variables.FDP, 'fdp'),
    },
    network: {
      maxAliases: variables.GRAPHQL_MAX_ALIASES,
      maxDepth: variables.GRAPHQL_MAX_DEPTH,
      introspectionDisabled: introspectionDisabled(undefined, variables),
      switches: switchesOf({}, variables),
      downloadBufferRows: variables.DOWNLOAD_STREAM_BUFFER_SIZE,
    },
  },
  maxResultsWindow: variables.MAX_RESULTS_WINDOW,
  networkDownloads: {
    allowCustomMaxRows: variables.ALLOW_CUSTOM_DOWNLOAD_MAX_ROWS,
    rowCap: variables.DOWNLOAD_MAX_ROWS || null,
  },
  strictFilters: variables.STRICT_FILTERS,
  memoryLimitBytes: variables.MEMORY_LIMIT,
  logLevel: variables.LOG_LEVEL,
  audit: auditOf(variables),
  configsPath: resolve(variables.CONFIGS_PATH),
  warnings: [...warnings, ...ofRepositories],
});

const serverOf = (variables: Variables): Settings['server'] => ({
  port: variables.SERVER_PORT,
  host: variables.SERVER_HOST,
  isOpen: variables.ENABLE_ACCESS_CONTROL === false,
  publicUrl: variables.PUBLIC_URL?.replace(/\/+$/, ''),
  shutdownMs: variables.SHUTDOWN_MS,
});

const auditOf = (variables: Variables): AuditConfig => ({
  isOn: variables.AUDIT === undefined ? undefined : variables.AUDIT !== 'off',
  folder: join(resolve(variables.DATA_PATH), 'audit'),
  required: variables.AUDIT === 'required',
  days: variables.AUDIT_DAYS,
});

/** The path segment of a door; null: it is switched off. */
const segmentOf = (variable: string, usual: string): string | null => {
  if (variable === 'off') return null;
  return variable === 'on' ? usual : variable;
};

const originOf = (url: string | undefined): string | null => (url === undefined ? null : new URL(url).origin);

const engineOf = (variables: Variables): EngineConfig => {
  const kind = variables.SEARCH_ENGINE ?? (variables.ES_HOST === undefined ? 'embedded' : 'detect');
  if (kind === 'embedded') return { kind, dataPath: resolve(variables.DATA_PATH) };
  return {
    kind,
    url: variables.ES_HOST ?? 'http://127.0.0.1:9200',
    user: variables.ES_USER,
    password: variables.ES_PASS,
    apiKey: variables.ES_API_KEY,
    caFile: variables.ES_CA,
  };
};

/** @param warnings gets a warning about a repeated key */
const noted = (read: ConfigFile | null, warnings: Problem[]): NodesFile | null => {
  if (read === null) return null;
  warnings.push(...repeatedNotice(read));
  return { content: read.content, file: read.file };
};

const readNodesFile = ({ NODES_PATH }: Variables, warnings: Problem[]): NodesFile | null => {
  if (NODES_PATH === 'off') return null;
  const cure = ': give a file, or off for no network';
  return noted(readConfigFile('NODES_PATH', NODES_PATH, './nodes.json', cure), warnings);
};

/** A hubs.json that is missing is that of a server which may join a network while it runs. */
const readHubs = ({ HUBS_PATH }: Variables, warnings: Problem[]): NodesFile | null => {
  const file = HUBS_PATH ?? './hubs.json';
  if (file === 'off') return null;
  return noted(readConfigFile('HUBS_PATH', undefined, file), warnings) ?? { content: undefined, file };
};

const namesNodes = (nodes: NodesFile | null): boolean =>
  nodes !== null &&
  isJsonObject(nodes.content) &&
  Array.isArray(nodes.content['nodes']) &&
  nodes.content['nodes'].length > 0;

const closedNetwork = (access: AccessConfig | null): readonly Problem[] =>
  access === null || !isJsonObject(access.content) || access.content['network'] !== undefined
    ? []
    : [
        noticeAt(
          access.file,
          'network',
          'is missing, so nobody may use the network: add "network": {"public": "everything"} or rules',
        ),
      ];

const nothingToServe = (variables: Variables): TributaryError =>
  invalidConfig(
    `there is nothing to serve: CONFIGS_PATH ${JSON.stringify(variables.CONFIGS_PATH)} holds no catalogue ` +
      '(a folder with base.json, or one such folder for each catalogue), and no nodes.json names other nodes',
  );

const deepFreeze = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
};
