import type { CatalogueSwitches } from '../../introspection/fields/catalogue-config.ts';

/** What the HTTP edge needs of the configuration. */
export interface HttpSettings {
  /** Lower case, without a slash at the end; null allows every origin. */
  readonly allowedOrigins: readonly string[] | null;
  /** The origin of this server's own pages as browsers know it; null: this machine's names, at the server's port. */
  readonly publicOrigin: string | null;
  readonly bodyLimitBytes: number;
  /** The largest body of an answer; downloads are streams and have none. */
  readonly maxResponseBytes: number;
  /** How long one request may take, in milliseconds: all searches together, the nodes it asks included. */
  readonly searchTimeoutMs: number;
  /** What questions may cost; unset: whatever they do. */
  readonly cost?: CostSettings;
  readonly pingPath: string;
  readonly readyPath: string;
  /** The bearer token of GET /metrics; without one there are no metrics. */
  readonly metricsToken?: string | undefined;
  /** For /network/graphql; a catalogue's own are in its configuration. */
  readonly network: QueryLimits & {
    readonly switches: CatalogueSwitches;
    /** How many documents of each node a download has in memory at a time; unset: 200. */
    readonly downloadBufferRows?: number;
  };
}

/** Costs are in microseconds of a processor, about and at most. */
export interface CostSettings {
  /** Of one request; 0 is no limit. */
  readonly maxQueryCost: number;
  /** Of all requests of one caller, for each second; 0 is no limit. */
  readonly queryCostPerSecond: number;
  /** Proxies before this server, each of which adds to X-Forwarded-For whom it was asked by. */
  readonly trustedProxies: number;
}

/** What a GraphQL document may ask for. */
export interface QueryLimits {
  /** Aliased fields in the whole document. */
  readonly maxAliases: number;
  /** Levels of fields, the root field and the leaf counted, fragments counted where they are used. */
  readonly maxDepth: number;
  readonly introspectionDisabled: boolean;
}
