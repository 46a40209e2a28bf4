import { z } from 'zod';
import { invalidConfig } from '../../lib/errors/errors.ts';
import { problemsError, schemaProblems } from '../../lib/text/problem.ts';
import { key } from '../../introspection/fields/key.ts';
import { checkNetwork } from './read-nodes.ts';
import {
  nodeDefaults,
  readNetworkLeniently,
  sectionsIn,
  type NetworkConfig,
  type NodeConfig,
} from './nodes.ts';
import { graphqlName, headerNames, nodeKey, portalKeys } from './nodes-file.ts';

const nodeId = z.string().min(1).optional();
const displayName = z.string().min(1).optional();

const localNode = z.object({
  displayName: key(displayName, 'Its display name.', { byDefault: 'its `nodeId`' }),
  nodeId: key(nodeId, 'Its id in answers.', { byDefault: 'its `displayName`' }),
});

const remoteNode = z.object({
  displayName: key(displayName, 'Its display name.', { byDefault: 'its `nodeId`' }),
  nodeId: key(nodeId, 'Its id in answers.', { byDefault: 'its `displayName`' }),
  documentType: key(z.string().regex(graphqlName, 'is not a GraphQL name'), 'The root field to query there.'),
  graphqlUrl: key(z.string(), 'Its GraphQL address.'),
  requests: key(
    z
      .object({
        headers: key(headerNames.optional(), "The caller's headers to forward.", {
          byDefault: 'those of `remoteRequests`',
        }),
      })
      .prefault({}),
    'Requests to it: `headers` of the caller to forward; default: those of `remoteRequests`.',
    { form: '`{headers?}`', isDescribedElsewhere: true },
  ),
});

/** The established form of a network: the value of its key in a catalogue's network.json. */
export const networkJson = z.object({
  localNode: key(localNode.optional(), 'The catalogue as a node.', {
    byDefault: 'it is none',
  }),
  remoteNodes: key(z.array(remoteNode).default([]), 'The other nodes.'),
  remoteRequests: key(
    z
      .object({
        headers: key(headerNames.default([]), "The caller's headers to forward."),
      })
      .prefault({}),
    'Requests to all nodes.',
  ),
  ...portalKeys,
});

const networkFile = z.object({ network: networkJson });

/**
 * The established form, a catalogue's own network.json: the catalogue itself and remote nodes. Unknown keys are left to
 * the callers, which report them.
 * @throws TributaryError CONFIG_INVALID naming the file, the node and the key
 */
export const readNetworkJson = (content: unknown, where: string, catalogueId: string): NetworkConfig => {
  const lenient = readNetworkLeniently(content, where);
  const parsed = networkFile.safeParse(lenient.content);
  if (!parsed.success) {
    const keyOf = (path: readonly PropertyKey[]) => nodeKey(path, content, ['network', 'remoteNodes']);
    throw problemsError(schemaProblems(networkFile, parsed.error.issues, content, where, keyOf));
  }
  const { localNode, remoteNodes, remoteRequests } = parsed.data.network;
  const local = localNode === undefined ? [] : [nodeOf(localNode, { kind: 'local', catalogueId }, where)];
  const remotes = remoteNodes.map((node) =>
    nodeOf(
      node,
      {
        kind: 'remote',
        graphqlUrl: node.graphqlUrl,
        documentType: node.documentType,
        discoveryTimeoutMs: nodeDefaults.discoveryTimeoutMs,
        maxDepth: nodeDefaults.maxDepth,
        maxAliases: nodeDefaults.maxAliases,
        headers: lowerCase(node.requests.headers ?? remoteRequests.headers),
        credential: null,
      },
      where,
    ),
  );
  const config = {
    displayName: 'Network',
    where,
    fields: new Map(),
    ...(lenient.warnings.length > 0 && { warnings: lenient.warnings }),
    sections: sectionsIn(parsed.data.network),
    nodes: [...local, ...remotes],
    belongsTo: catalogueId,
  };
  checkNetwork(config);
  return config;
};

const lowerCase = (names: readonly string[]): readonly string[] => [
  ...new Set(names.map((name) => name.toLowerCase())),
];

const nodeOf = (
  entry: { readonly nodeId?: string | undefined; readonly displayName?: string | undefined },
  source: NodeConfig['source'],
  where: string,
): NodeConfig => {
  const nodeId = entry.nodeId ?? entry.displayName;
  if (nodeId === undefined) throw invalidConfig(`${where}: ${unnamed(source)} needs a nodeId`);
  return {
    nodeId,
    displayName: entry.displayName ?? nodeId,
    source,
    timeoutMs: nodeDefaults.timeoutMs,
    required: false,
    fields: new Map(),
    values: new Map(),
    unavailableBucket: false,
  };
};

const unnamed = (source: NodeConfig['source']): string =>
  source.kind === 'local' ? 'localNode' : `the node at ${source.graphqlUrl}`;
