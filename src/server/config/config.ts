import type { ClusterSettings } from '../../engines/cluster/cluster-settings.ts';
import type { PortalSettings, HttpSettings } from '../http/koa/settings.ts';
import type { RepositoryConfig } from '../../indexing/repositories/repository.ts';
import type { Problem } from '../../lib/text/problem.ts';
import type { CatalogueConfig, DownloadDefaults } from '../../introspection/fields/catalogue-config.ts';

/** The settings from the environment, by component. Frozen; main passes each component the part it needs. */
export interface Settings {
  readonly server: {
    readonly port: number;
    /** undefined: all interfaces. */
    readonly host: string | undefined;
    /** Whether the operator has declared that there is no access control on purpose. */
    readonly isOpen: boolean;
    /** The URL for browsers and members of the network, without a slash at the end; undefined: not known. */
    readonly publicUrl: string | undefined;
    /** How long requests in progress may take after SIGTERM. */
    readonly shutdownMs: number;
  };
  readonly indexing: {
    /** null: no indexing service. */
    readonly port: number | null;
    /** Whether the port was set explicitly; a default port that is in use does not prevent the start. */
    readonly isPortNamed: boolean;
    readonly host: string;
    /** The bearer token that the indexing service requires. */
    readonly token: string | undefined;
    /** The folder of the jobs, with any engine, as an absolute path. */
    readonly dataPath: string;
    /** The repositories to index; contains credentials, so never log or show it unchanged. */
    readonly repositories: readonly RepositoryConfig[];
  };
  /** Where download files are spooled, as an absolute path. */
  readonly spoolFolder: string;
  readonly engine: EngineConfig;
  /** The folder of what this server keeps, as an absolute path. */
  readonly dataPath: string;
  /** The path of the file with the server's secret, as configured; without one, a key kept in the data folder. */
  readonly serverKeyPath: string | undefined;
  readonly http: HttpConfig;
  /** The maximum hits per page of the network; a catalogue's limit is in its table. */
  readonly maxResultsWindow: number;
  /** Row limits of network downloads. */
  readonly networkDownloads: DownloadDefaults;
  /** A filter on an unknown field is an error instead of a warning. */
  readonly strictFilters: boolean;
  /** The memory that this process may use, in bytes; undefined: that of the container or the machine. */
  readonly memoryLimitBytes: number | undefined;
  readonly logLevel: string;
  readonly audit: AuditConfig;
  /** The folder of the catalogues, as an absolute path. */
  readonly configsPath: string;
  /** What has no effect: deprecated and probably misspelt names. */
  readonly warnings: readonly Problem[];
}

/** The audit trail: who queried what. */
export interface AuditConfig {
  /** undefined: on if an access file or a disclosure.json exists. */
  readonly isOn: boolean | undefined;
  readonly folder: string;
  /** Whether filters are recorded in full instead of as a MAC. */
  readonly required: boolean;
  readonly days: number;
}

export interface Config extends Settings {
  readonly catalogues: readonly CatalogueConfig[];
  /** The content of nodes.json, unchecked; null without one. */
  readonly nodes: NodesFile | null;
  /** The content of hubs.json, unchecked; undefined if it is missing. Null: it is not to be read. */
  readonly hubs: NodesFile | null;
  readonly access: AccessConfig | null;
}

/** The configured access control; without it, everyone may see everything. */
export interface AccessConfig {
  /** The content of the access file, unchecked. */
  readonly content: unknown;
  /** The path as configured, for messages. */
  readonly file: string;
  /** null: the issuers in the file have keys of their own. */
  readonly keys:
    | null
    | { readonly kind: 'jwks'; readonly url: string }
    | { readonly kind: 'pem'; readonly pem: string; readonly file: string };
}

export interface NodesFile {
  readonly content: unknown;
  /** The path as configured, for messages. */
  readonly file: string;
}

export type EngineConfig = { readonly kind: 'embedded'; readonly dataPath: string } | ClusterSettings;

/** The settings of the HTTP edge. */
export interface HttpConfig extends HttpSettings {
  readonly portal: PortalConfig | null;
}

/** The settings passed to the portal's pages. */
export interface PortalConfig extends PortalSettings {
  /** The file that was read for `look`, as configured; null: there is none. */
  readonly lookFile: string | null;
}
