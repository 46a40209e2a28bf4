import { z } from 'zod';
import { TributaryError } from '../errors.ts';
import type { NetworkConfig, NodeConfig } from './nodes.ts';
import { checkNetwork, graphqlName, headerNames, issueText } from './nodes.ts';

const headers = headerNames.default([]);

const networkFile = z.object({
  network: z.object({
    localNode: z.object({ displayName: z.string().optional(), nodeId: z.string().min(1) }),
    remoteNodes: z
      .array(
        z.object({
          nodeId: z.string().min(1),
          displayName: z.string().optional(),
          documentType: z.string().regex(graphqlName, 'is not a GraphQL name'),
          graphqlUrl: z.string(),
          requests: z.object({ headers }).prefault({}),
        }),
      )
      .default([]),
    remoteRequests: z.object({ headers }).prefault({}),
  }),
});

/**
 * The established form, a catalogue's own network.json: the catalogue itself and remote nodes. Keys it does not know
 * are ignored, as the established server does.
 * @throws TributaryError CONFIG_INVALID naming the file, the node and the key
 */
export const readNetworkJson = (content: unknown, where: string, catalogueId: string): NetworkConfig => {
  const parsed = networkFile.safeParse(content);
  if (!parsed.success) {
    const issues = parsed.error.issues.map((issue) => issueText(issue, content, ['network', 'remoteNodes']));
    throw new TributaryError('CONFIG_INVALID', issues.map((issue) => `${where}: ${issue}`).join('; '));
  }
  const { localNode, remoteNodes, remoteRequests } = parsed.data.network;
  const local = nodeOf(localNode, { kind: 'local', catalogueId });
  const remotes = remoteNodes.map((node) =>
    nodeOf(node, {
      kind: 'remote',
      graphqlUrl: node.graphqlUrl,
      documentType: node.documentType,
      discoveryTimeoutMs: 10_000,
      maxDepth: 7,
      headers: [...new Set([...remoteRequests.headers, ...node.requests.headers])].map((name) =>
        name.toLowerCase(),
      ),
      credential: null,
    }),
  );
  const config = { displayName: 'Network', where, fields: new Map(), nodes: [local, ...remotes] };
  checkNetwork(config);
  return config;
};

const nodeOf = (
  entry: { readonly nodeId: string; readonly displayName?: string | undefined },
  source: NodeConfig['source'],
): NodeConfig => ({
  nodeId: entry.nodeId,
  displayName: entry.displayName ?? entry.nodeId,
  source,
  timeoutMs: 5_000,
  required: false,
  fields: new Map(),
  values: new Map(),
  unavailableBucket: false,
});
