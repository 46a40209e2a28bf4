import type { CatalogueSwitches } from '../../../introspection/fields/catalogue-config.ts';
import type { LocalText } from '../../../lib/text/portal-languages.ts';

/** The settings that the HTTP edge needs from the configuration. */
export interface HttpSettings {
  /** Lower case, without a trailing slash; null allows every origin. */
  readonly allowedOrigins: readonly string[] | null;
  /** The origin under which browsers reach this server; null: this machine's loopback names, at the server's port. */
  readonly publicOrigin: string | null;
  readonly bodyLimitBytes: number;
  /** The maximum size of a response body; downloads are streamed and not limited. */
  readonly maxResponseBytes: number;
  /** How long one request may take, in milliseconds: all searches together, including remote nodes. */
  readonly searchTimeoutMs: number;
  readonly cost: CostSettings;
  readonly pingPath: string;
  readonly readyPath: string;
  /** The bearer token of GET /metrics; without one there are no metrics. */
  readonly metricsToken: string | undefined;
  /** The web pages; null: none are served. */
  readonly portal: PortalSettings | null;
  /** The path segments of doors, by door name; null: the door is left out. */
  readonly doors: Readonly<Record<string, string | null>>;
  /** For /network/graphql; the limits of a catalogue are in its configuration. */
  readonly network: QueryLimits & {
    readonly switches: CatalogueSwitches;
    /** How many documents per node a download buffers. */
    readonly downloadBufferRows: number;
  };
}

/** Costs are approximate upper bounds, in microseconds of CPU time. */
export interface CostSettings {
  /** Per request; 0 sets no limit. */
  readonly maxQueryCost: number;
  /** Trusted proxies in front of this server, each of which appends its peer to X-Forwarded-For. */
  readonly trustedProxies: number;
}

/** Limits of a GraphQL document. */
export interface QueryLimits {
  /** Aliased fields in the whole document. */
  readonly maxAliases: number;
  /** Levels of fields, including the root field and the leaf; fragments count where they are used. */
  readonly maxDepth: number;
  readonly introspectionDisabled: boolean;
}

/** The settings passed to the portal's pages; see docs/portal.md. */
export interface PortalSettings {
  /** Where browsers reach this server, perhaps with a path; null: where the page was opened. */
  readonly publicUrl: string | null;
  /** Where users sign in; null: nowhere. */
  readonly signIn: SignIn | null;
  /** The hosts whose pictures are shown; `*.` before a name: any name below it. */
  readonly imageHosts: readonly string[];
  /** The file that stores long links, as an absolute path, and their maximum total bytes; unset: they are not stored. */
  readonly links?: { readonly file: string; readonly maxBytes: number };
  /** The content of portal.json, checked: the look that a consortium wants. */
  readonly look: PortalLook;
}

/** An OpenID Connect provider, and the parameters that the pages request from it. */
export interface SignIn {
  readonly issuer: string;
  readonly clientId: string;
  /** Space-separated scopes, including `openid`. */
  readonly scope: string;
}

/** How a consortium customises the portal. */
export interface PortalLook {
  readonly name?: LocalText | undefined;
  readonly tagline?: LocalText | undefined;
  readonly logo?: string | undefined;
  readonly accent?: { readonly light: string; readonly dark: string } | undefined;
  readonly links?: readonly { readonly text: LocalText; readonly href: string }[] | undefined;
  readonly source?: string | undefined;
  readonly synonyms?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> | undefined;
  readonly charts?: readonly string[] | undefined;
  readonly hiddenFacets?: readonly string[] | undefined;
  readonly citation?: LocalText | undefined;
}
