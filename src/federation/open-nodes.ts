import { isDeepStrictEqual } from 'node:util';
import { TributaryError } from '../errors/errors.ts';
import type { CatalogueState } from '../search/catalogue.ts';
import type { BuiltNetwork, NetworkLog, NetworkSettings } from './built-network.ts';
import { builtNetwork } from './built-network.ts';
import type { NetworkConfig } from './config/nodes.ts';
import { unknownTypes } from './nodes/declared-names.ts';
import { localNode } from './nodes/local-node.ts';
import type { NodeHandle, NodeObserver, NodeChange } from './nodes/node-view.ts';
import { RemoteNode } from './nodes/remote-node.ts';
import { repeatedLeaves, repeatedWarning } from './query/repeated-leaves.ts';
import type { Transport } from './remote/http-client.ts';
import type { TrackedState } from '../search/node-states.ts';

/** The nodes of one configuration, and what was built of them. */
export interface OpenNodes {
  readonly config: NetworkConfig;
  /** In file order. */
  readonly sources: readonly NodeHandle[];
  readonly now: () => BuiltNetwork;
  /** Resolves once discovery has ended; never rejects. */
  readonly ready: Promise<void>;
  /** ISO 8601. */
  readonly since: string;
}

/** What the nodes of one configuration share with those of the next. */
export interface NodeSurroundings {
  readonly local: (catalogueId: string) => CatalogueState | undefined;
  readonly transport: Transport;
  readonly told: NodeObserver;
  readonly all: NetworkSettings;
}

/**
 * @param before the nodes in use: those with an equal entry are taken over
 * @throws TributaryError CONFIG_INVALID when a credential's variable is not set; no discovery has started then
 */
export const openNodes = (
  config: NetworkConfig,
  before: Pick<OpenNodes, 'config' | 'sources'> | null,
  { local, transport, told, all }: NodeSurroundings,
): OpenNodes => {
  const { log, secret } = all;
  const known = new Map(
    before?.config.nodes.map((node, at) => [node.nodeId, { node, source: before.sources[at]! }]),
  );
  const credentials = config.nodes.map(({ nodeId, source }) =>
    source.kind === 'local' ? {} : credentialOf(config, nodeId, source.credential, secret),
  );
  const sources = config.nodes.map((node, at): NodeHandle => {
    const same = known.get(node.nodeId);
    if (same && isDeepStrictEqual(same.node, node)) return same.source;
    return node.source.kind === 'local'
      ? localNode(node, node.source, local, told, all.key)
      : new RemoteNode({
          config: node,
          source: node.source,
          transport,
          credential: credentials[at]!,
          observer: told,
          recheckMs: all.recheckMs,
        });
  });
  const settings = { ...all, maxResultsWindow: windowOf(config) ?? all.maxResultsWindow };
  const now = builtNetwork(config, sources, local, settings);
  const added = sources.filter((source) => before?.sources.includes(source) !== true);
  const ready = Promise.all(sources.map((source) => source.ready))
    .then(() => {
      const built = now();
      const repeated = repeatedLeaves(built.nodes).map(repeatedWarning);
      const warnings = [...unknownTypes(config), ...built.warnings(), ...repeated];
      if (log) logWarnings(log, config.displayName, added, warnings);
    })
    // every query reports it again; awaiting the nodes must not fail because of it
    .catch((error: unknown) =>
      log?.warn({ network: config.displayName, err: error }, 'network cannot be built'),
    );
  return { config, sources, now, ready, since: new Date().toISOString() };
};

/** The table says what portals may reach, so that is what there is. */
const windowOf = ({ limits, sections }: NetworkConfig): number | undefined =>
  sections?.table?.maxResultsWindow ?? limits?.maxResultsWindow;

/** The catalogue id of each local node, by node id. */
export const catalogueNodes = ({ nodes }: NetworkConfig): ReadonlyMap<string, string> =>
  new Map(
    nodes.flatMap(({ nodeId, source }) =>
      source.kind === 'local' ? [[nodeId, source.catalogueId] as const] : [],
    ),
  );

const credentialOf = (
  config: NetworkConfig,
  nodeId: string,
  credential: { readonly header: string; readonly variable: string } | null,
  secret: NetworkSettings['secret'],
): Readonly<Record<string, string>> => {
  if (!credential) return {};
  const value = secret(credential.variable);
  if (value) return { [credential.header]: value };
  throw new TributaryError(
    'CONFIG_INVALID',
    `${config.where}: node "${nodeId}": credential.env names ${credential.variable}, which is not set`,
  );
};

const messages: Readonly<Record<TrackedState, string>> = {
  discovering: 'node is being discovered',
  ok: 'node is well',
  failing: 'node fails',
  discoveryFailed: 'node failed discovery and is not queried until its entry changes or the server restarts',
  unavailable: 'node is unavailable',
  circuitOpen: 'node paused after repeated failures',
};

/** One line per change: the node, its new state with reason and time, its previous state and the start of that. */
export const logChange = (log: NetworkLog, network: string, change: NodeChange): void => {
  const { nodeId, kind, state, code, reason, since, was, wasSince } = change;
  const failure = code === null ? {} : { code, reason };
  const line = { network, node: nodeId, kind, state, ...failure, since, was, wasSince };
  if (state === 'ok') log.info(line, was === 'discovering' ? 'node joined' : 'node recovered');
  else log.warn(line, messages[state]);
};

/** The warnings left by discovery: field conflicts, guesses. */
const logWarnings = (
  log: NetworkLog,
  network: string,
  sources: readonly NodeHandle[],
  ofFields: readonly string[],
): void => {
  for (const { nodeId, warnings } of sources.map((source) => source.report()))
    for (const warning of warnings) log.warn({ network, node: nodeId }, `node has a warning: ${warning}`);
  for (const warning of ofFields) log.warn({ network }, `network has a warning: ${warning}`);
};
