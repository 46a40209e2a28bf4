import type { z } from 'zod';
import type { Hierarchy } from '../../introspection/hierarchies/hierarchy.ts';
import type { AboutInstitution } from '../../introspection/fields/about.ts';
import type { ReleasedDimension } from '../../introspection/fields/catalogue-config.ts';
import { defaultDocumentLimits } from '../../introspection/fields/catalogue-config.ts';
import { readLeniently } from '../../introspection/sections/lenient-values.ts';
import { portalSections, type PortalSections } from '../../introspection/fields/portal-sections.ts';
import { withNamedFacets } from '../../introspection/sections/sections.ts';
import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '../../lib/json/json.ts';

/** The nodes of one network, and the settings that apply to all of them. */
export interface NetworkConfig {
  readonly displayName: string;
  /** The file this was read from, for messages. */
  readonly where: string;
  /** Declared network fields, path -> mapped type: in the schema regardless of which nodes are up. */
  readonly fields: ReadonlyMap<string, string>;
  /** Values in the file that could not be read as they are. */
  readonly warnings?: readonly string[];
  /** The portal sections that the file contains. */
  readonly sections?: Partial<PortalSections>;
  /** In file order. */
  readonly nodes: readonly NodeConfig[];
  /** The root field of the network as a catalogue, if the file names one. */
  readonly documentType?: string | undefined;
  /** The catalogue whose own network this is: the last source of a document type. */
  readonly belongsTo?: string;
  readonly limits?: NetworkLimits;
  /** The files of its hierarchies, by name; paths are relative to the folder of the network's file. */
  readonly hierarchyFiles?: ReadonlyMap<
    string,
    { readonly file: string; readonly relations: readonly string[] }
  >;
  /** The hierarchies of its fields by path, as read from those files. */
  readonly hierarchies?: ReadonlyMap<string, Hierarchy>;
  /** What its nodes have agreed to release. */
  readonly disclosure?: DisclosureProfile | undefined;
}

/** What the nodes of a network release if they withhold their records; unset keys are left to each node. */
export interface DisclosureProfile {
  readonly threshold?: number | undefined;
  /** The network's field whose values are counted, or `record`. */
  readonly unit?: string | undefined;
  readonly dimensions: readonly ProfileDimension[];
}

/** A network's field, with ascending `edges`, which are in epoch ms for dates. */
export interface ProfileDimension extends ReleasedDimension {
  readonly isDate: boolean;
}

/** Limits of GraphQL documents, where the file sets its own instead of the server's. */
export interface NetworkLimits {
  readonly maxDepth?: number | undefined;
  readonly maxAliases?: number | undefined;
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
  /** Network path -> the file with its values, relative to the folder of the network's file. */
  readonly valueFiles?: ReadonlyMap<string, string>;
  /** Network path -> the conversion from this node's number to the network's; unset: none is converted. */
  readonly units?: ReadonlyMap<string, NodeUnit>;
  /** Network path -> the value that all records of this node have; unset: none. */
  readonly constants?: ReadonlyMap<string, string | number | boolean>;
  /** For an existing client: counts hits of a node without the field as `___aggregation_not_available___`. */
  readonly unavailableBucket: boolean;
  /** What the portal shows about the node. */
  readonly about?: AboutInstitution;
}

/** The conversion of a number: the network's is `factor * number + offset`. */
export interface NodeUnit {
  /** Not 0. */
  readonly factor: number;
  readonly offset: number;
  /** The node's own unit, for display. */
  readonly from?: string | undefined;
}

/** The mapped type of a constant. */
export const constantType = (value: string | number | boolean): string => {
  if (typeof value === 'string') return 'keyword';
  if (typeof value === 'boolean') return 'boolean';
  return Number.isSafeInteger(value) ? 'long' : 'double';
};

export interface LocalSource {
  readonly kind: 'local';
  readonly catalogueId: string;
}

/** The defaults for nodes whose entry and file set nothing. */
export const nodeDefaults = {
  ...defaultDocumentLimits,
  timeoutMs: 5_000,
  discoveryTimeoutMs: 10_000,
} as const;

/** The URL of requests to a node that dials in: its end of the tunnel knows the catalogue. */
export const tunnelUrl = 'http://tunnel/graphql';

export interface RemoteSource {
  readonly kind: 'remote';
  /** For a node that dials in, a placeholder URL that means its tunnel. */
  readonly graphqlUrl: string;
  /** Set if the node dials in: the thumbprint of its accepted key, null before; unset: it has a URL. */
  readonly dialsIn?: { readonly key: string | null };
  readonly documentType: string;
  readonly discoveryTimeoutMs: number;
  /** How long after a failed discovery the next one starts; unset: it stays failed. */
  readonly rediscoverMs?: number;
  /** The selection depth that this node accepts. */
  readonly maxDepth: number;
  /** The number of aliases that it accepts in a document. */
  readonly maxAliases: number;
  /** Lower-case names of the caller's headers to forward. */
  readonly headers: readonly string[];
  readonly credential: { readonly header: string; readonly variable: string } | null;
}

/** The catalogue id of each local node, by node id. */
export const catalogueNodes = ({ nodes }: NetworkConfig): ReadonlyMap<string, string> =>
  new Map(
    nodes.flatMap(({ nodeId, source }) =>
      source.kind === 'local' ? [[nodeId, source.catalogueId] as const] : [],
    ),
  );

/** One line for each node that joined, left or changed, and one for everything else. */
export const changesBetween = (before: NetworkConfig, after: NetworkConfig): readonly string[] => {
  const [old, now] = [before, after].map(({ nodes }) => new Map(nodes.map((node) => [node.nodeId, node])));
  return [
    ...[...now!].flatMap(([nodeId, node]) => {
      const earlier = old!.get(nodeId);
      if (earlier === undefined) return [`node "${nodeId}" joined`];
      return isDeepStrictEqual(earlier, node) ? [] : [`node "${nodeId}" has a changed entry`];
    }),
    ...[...old!.keys()].filter((nodeId) => !now!.has(nodeId)).map((nodeId) => `node "${nodeId}" left`),
    ...(isDeepStrictEqual({ ...before, nodes: null }, { ...after, nodes: null })
      ? []
      : ['the settings of the network changed']),
  ];
};

/** The portal sections in the network part of a file. */
export const sectionsIn = (network: Readonly<Partial<PortalSections>>): Partial<PortalSections> => {
  const { extended, table, facets, survival, charts, matchbox, downloads, catalogue } = network;
  return { extended, table, facets, survival, charts, matchbox, downloads, catalogue };
};

/** The content of a network's file as read, and notes about portal values that have other types than expected. */
export interface LenientNetwork {
  readonly content: unknown;
  readonly warnings: readonly string[];
}

/**
 * Reads the portal sections of a network's file as those of a catalogue's files: values with only one possible meaning
 * are converted, others are left out. A bare list of facets is taken as that of their aggregations.
 */
export const readNetworkLeniently = (content: unknown, where: string): LenientNetwork => {
  if (!isJsonObject(content) || !isJsonObject(content['network'])) return { content, warnings: [] };
  const network: Record<string, unknown> = { ...withNamedFacets(content['network']) };
  const warnings: string[] = [];
  for (const [key, schema] of Object.entries<z.ZodType>(portalSections)) {
    if (!Object.hasOwn(network, key)) continue;
    network[key] = readLeniently(key, schema, network[key], ({ path, outcome }) =>
      warnings.push(`${where}: network.${path.join('.')}: ${outcome}`),
    );
  }
  return { content: { ...content, network }, warnings };
};
