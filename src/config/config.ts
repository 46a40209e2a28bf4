import type { RepositoryConfig } from '../indexing/repositories/repository-config.ts';
import type {
  CatalogueConfig,
  CatalogueSwitches,
  DownloadsConfig,
} from '../introspection/fields/catalogue-config.ts';

/** What the environment says, as the rooms take it. Frozen; main hands each room the part it needs. */
export interface Settings {
  readonly server: {
    readonly port: number;
    /** undefined: all interfaces. */
    readonly host: string | undefined;
    /** What the clients of each port may hold. */
    readonly connections: ConnectionsConfig;
  };
  readonly indexing: {
    /** null: no indexing service. */
    readonly port: number | null;
    /** The port was named; a default one that another program has is no reason not to start. */
    readonly isPortNamed: boolean;
    readonly host: string;
    /** The bearer token the indexing service asks for. */
    readonly token: string | undefined;
    /** Where the jobs are kept, as an absolute path, whatever the engine. */
    readonly dataPath: string;
    /** Where records come from; they hold credentials, so they are never logged or shown as they are. */
    readonly repositories: readonly RepositoryConfig[];
  };
  /** Where the files of downloads wait, as an absolute path, and how many bytes of them. */
  readonly spools: { readonly folder: string; readonly maxBytes: number };
  /** Where the manifests of downloads are kept, as an absolute path, and how many bytes of them. */
  readonly manifests: { readonly folder: string; readonly maxBytes: number };
  /** The most saved sets of each index of them, and how many bytes. */
  readonly sets: {
    readonly perUser: { readonly sets: number; readonly bytes: number };
    readonly all: { readonly sets: number; readonly bytes: number };
  };
  readonly engine: EngineConfig;
  /** What tie-breaks in cursors are sealed under; without a key, one that is kept in the folder. */
  readonly cursors: { readonly key: string | undefined; readonly dataPath: string };
  readonly http: HttpConfig;
  /** The most hits of one page of the network; a catalogue's own is in its table. */
  readonly maxResultsWindow: number;
  /** How many rows a download of a network may have. */
  readonly networkDownloads: DownloadsConfig;
  /** A filter on an unknown field is an error instead of a warning. */
  readonly strictFilters: boolean;
  readonly logLevel: string;
  /** Where the catalogues are, as an absolute path. */
  readonly configsPath: string;
  /** What an admin should know: deprecated and look-alike names. For the terminal. */
  readonly warnings: readonly string[];
}

export interface ConnectionsConfig {
  readonly maxConnections: number;
  /** Those of them that nothing is worked on for. */
  readonly maxIdleConnections: number;
  /** How long a client may take no byte of its answer. */
  readonly sendTimeoutMs: number;
}

export interface Config extends Settings {
  readonly catalogues: readonly CatalogueConfig[];
  /** The content of nodes.json, unchecked; null without one. */
  readonly nodes: NodesFile | null;
  readonly access: AccessConfig | null;
}

/** Access control as configured; without it everyone may see everything. */
export interface AccessConfig {
  /** The content of the access file, unchecked. */
  readonly content: unknown;
  /** As the admin named it, for messages. */
  readonly file: string;
  readonly keys:
    | { readonly kind: 'jwks'; readonly url: string }
    | { readonly kind: 'pem'; readonly pem: string; readonly file: string };
}

export interface NodesFile {
  readonly content: unknown;
  /** As the admin named it, for messages. */
  readonly file: string;
}

export type EngineConfig =
  | { readonly kind: 'embedded'; readonly dataPath: string }
  | {
      /** `detect`: ask the server which of the two it is. */
      readonly kind: 'elasticsearch' | 'opensearch' | 'detect';
      readonly url: string;
      readonly user: string | undefined;
      readonly password: string | undefined;
      readonly apiKey: string | undefined;
      readonly caFile: string | undefined;
    };

export interface HttpConfig {
  /** Lower case, without a slash at the end; null allows every origin. */
  readonly allowedOrigins: readonly string[] | null;
  /** Where browsers reach this server; null: at this machine only. */
  readonly publicOrigin: string | null;
  readonly bodyLimitBytes: number;
  /** The largest body of an answer; downloads are streams and have none. */
  readonly maxResponseBytes: number;
  /** How long one request may take, in milliseconds. */
  readonly searchTimeoutMs: number;
  /** What questions may cost, in microseconds of a processor; 0 is no limit. */
  readonly cost: {
    readonly maxQueryCost: number;
    readonly queryCostPerSecond: number;
    readonly trustedProxies: number;
  };
  readonly pingPath: string;
  readonly readyPath: string;
  /** The bearer token of GET /metrics; without one there are no metrics. */
  readonly metricsToken: string | undefined;
  /** Limits and switches of /network/graphql; a catalogue's own are in its configuration. */
  readonly network: {
    readonly maxAliases: number;
    readonly maxDepth: number;
    readonly introspectionDisabled: boolean;
    readonly switches: CatalogueSwitches;
    readonly downloadBufferRows: number;
  };
}
