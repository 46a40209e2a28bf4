/** The nodes of one network, and what an admin declares for all of them. */
export interface NetworkConfig {
  readonly displayName: string;
  /** Where this was read, for messages. */
  readonly where: string;
  /** Declared network fields, path -> mapped type: in the schema whatever nodes are up. */
  readonly fields: ReadonlyMap<string, string>;
  /** In the order of the file. */
  readonly nodes: readonly NodeConfig[];
}

export interface NodeConfig {
  readonly nodeId: string;
  readonly displayName: string;
  readonly source: LocalSource | RemoteSource;
  readonly timeoutMs: number;
  /** The whole query fails when this node does not answer. */
  readonly required: boolean;
  /** Network path -> this node's path; anything not listed keeps its name. */
  readonly fields: ReadonlyMap<string, string>;
  /** Network path -> (this node's value -> the network's value); values not listed pass unchanged. */
  readonly values: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** For an existing client: hits of a node without the field as the bucket `___aggregation_not_available___`. */
  readonly unavailableBucket: boolean;
  /** Its address may be told to who downloads its rows. */
  readonly publicAddress?: boolean;
}

export interface LocalSource {
  readonly kind: 'local';
  readonly catalogueId: string;
}

export interface RemoteSource {
  readonly kind: 'remote';
  readonly graphqlUrl: string;
  readonly documentType: string;
  readonly discoveryTimeoutMs: number;
  /** How deep a selection this node accepts. */
  readonly maxDepth: number;
  /** Aliases it accepts in a document of the supergraph. */
  readonly maxAliases: number;
  /** Lower-case names of the caller's headers that are passed on. */
  readonly headers: readonly string[];
  readonly credential: { readonly header: string; readonly variable: string } | null;
}
