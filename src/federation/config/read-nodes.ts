import { checkNetwork, invalid, place } from './check-network.ts';
import { profileOf } from './disclosure-profile.ts';
import type { NodeEntry, NodesFile } from './nodes-file.ts';
import { issueText, nodesFile } from './nodes-file.ts';
import type { LocalSource, NetworkConfig, NodeConfig, RemoteSource } from './nodes.ts';
import { sectionsIn, withBareFacets } from './nodes.ts';

/**
 * The content of nodes.json as a checked configuration.
 * @param content the parsed JSON; @param where the file, for messages
 * @throws TributaryError CONFIG_INVALID naming the file, the node and the key
 */
export const readNodes = (content: unknown, where: string): NetworkConfig => {
  const file = parseFile(content, where);
  const config: NetworkConfig = {
    displayName: file.network.displayName,
    where,
    fields: new Map(Object.entries(file.network.fields)),
    sections: sectionsIn(file.network),
    nodes: file.nodes.map((entry) => nodeOf(entry, file, where)),
    documentType: file.network.documentType,
    disclosure: file.network.disclosure && profileOf(file.network.disclosure),
    limits: {
      maxDepth: file.network.maxDepth,
      maxAliases: file.network.maxAliases,
      maxResultsWindow: file.network.maxResultsWindow,
      disableGraphQLIntrospection: file.network.disableGraphQLIntrospection,
    },
  };
  checkNetwork(config);
  return config;
};

const parseFile = (content: unknown, where: string): NodesFile => {
  const parsed = nodesFile.safeParse(withBareFacets(content));
  if (parsed.success) return parsed.data;
  throw invalid(parsed.error.issues.map((issue) => `${where}: ${issueText(issue, content)}`).join('; '));
};

const nodeOf = (entry: NodeEntry, file: NodesFile, where: string): NodeConfig => ({
  nodeId: entry.nodeId,
  displayName: entry.displayName ?? entry.nodeId,
  source: sourceOf(entry, file, place(where, entry.nodeId)),
  timeoutMs: typeof entry.timeoutMs === 'number' ? entry.timeoutMs : file.defaults.timeoutMs,
  ...(entry.timeoutMs === 'auto' && { adaptive: true }),
  required: entry.required ?? file.defaults.required,
  fields: new Map(Object.entries(entry.fields)),
  values: new Map(Object.entries(entry.values).map(([path, map]) => [path, new Map(Object.entries(map))])),
  unavailableBucket: entry.unavailableBucket,
  publicAddress: entry.publicAddress,
});

const remoteKeys = [
  'graphqlUrl',
  'documentType',
  'discoveryTimeoutMs',
  'maxDepth',
  'maxAliases',
  'headers',
  'credential',
] as const;

const sourceOf = (entry: NodeEntry, file: NodesFile, at: string): LocalSource | RemoteSource => {
  if (entry.catalogue !== undefined) {
    const extra = remoteKeys.find((key) => entry[key] !== undefined);
    if (extra)
      throw invalid(`${at}: ${extra} is for remote nodes, but catalogue names a local one; drop one`);
    return { kind: 'local', catalogueId: entry.catalogue };
  }
  if (entry.graphqlUrl === undefined) throw invalid(`${at}: needs catalogue (local) or graphqlUrl (remote)`);
  const documentType = entry.documentType ?? file.network.documentType;
  if (documentType === undefined)
    throw invalid(`${at}: documentType is missing: the root field to query there`);
  return {
    kind: 'remote',
    graphqlUrl: entry.graphqlUrl,
    documentType,
    discoveryTimeoutMs: entry.discoveryTimeoutMs ?? file.defaults.discoveryTimeoutMs,
    maxDepth: entry.maxDepth ?? file.defaults.maxDepth,
    maxAliases: entry.maxAliases ?? file.defaults.maxAliases,
    headers: (entry.headers ?? file.defaults.headers).map((name) => name.toLowerCase()),
    credential: entry.credential
      ? { header: entry.credential.header.toLowerCase(), variable: entry.credential.env }
      : null,
  };
};
