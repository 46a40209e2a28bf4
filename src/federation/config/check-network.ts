import { TributaryError } from '../../errors/errors.ts';
import { kindOf } from '../../introspection/fields/field.ts';
import { graphqlSegment } from '../../introspection/fields/names.ts';
import type { NetworkConfig, NodeConfig, RemoteSource } from './nodes.ts';

/**
 * Checks that hold for every form of the configuration.
 * @throws TributaryError CONFIG_INVALID
 */
export const checkNetwork = (config: NetworkConfig): void => {
  const seen = new Set<string>();
  const names = new Map<string, string>();
  for (const node of config.nodes) {
    const at = place(config.where, node.nodeId);
    if (seen.has(node.nodeId)) throw invalid(`${at}: nodeId is used twice; give every node its own`);
    seen.add(node.nodeId);
    const name = graphqlSegment(node.nodeId);
    if (name === 'network')
      throw invalid(`${at}: nodeId "network" is the merged field's name; choose another`);
    const other = names.get(name);
    if (other !== undefined)
      throw invalid(`${at}: shares the GraphQL name ${name} with "${other}"; choose another nodeId`);
    names.set(name, node.nodeId);
    if (node.source.kind === 'remote') checkRemote(node.source, at);
    checkFieldNames(node, at);
    checkValues(node, config.fields, at);
  }
};

const checkRemote = (source: RemoteSource, at: string): void => {
  if (!URL.canParse(source.graphqlUrl)) throw invalid(`${at}: graphqlUrl is not a URL`);
  const url = new URL(source.graphqlUrl);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw invalid(`${at}: graphqlUrl must start with http:// or https://`);
  if (url.username || url.password)
    throw invalid(`${at}: graphqlUrl must not hold a name or password; use credential`);
  const secret = source.headers.find((name) => name === 'authorization' || name === 'cookie');
  if (secret && url.protocol !== 'https:' && !isLoopback(url.hostname))
    throw invalid(`${at}: headers may pass ${secret} on only to https or loopback addresses`);
};

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d+){3}$/.test(host);

const checkFieldNames = (node: NodeConfig, at: string): void => {
  const takenBy = new Map<string, string>();
  for (const [networkPath, nodePath] of node.fields) {
    const other = takenBy.get(nodePath);
    if (other !== undefined)
      throw invalid(`${at}: fields.${networkPath} and fields.${other} both name "${nodePath}"; keep one`);
    takenBy.set(nodePath, networkPath);
  }
};

const checkValues = (node: NodeConfig, declared: ReadonlyMap<string, string>, at: string): void => {
  for (const path of node.values.keys()) {
    const kind = kindOf(declared.get(path) ?? 'keyword');
    if (kind !== 'keyword' && kind !== 'text' && kind !== 'boolean')
      throw invalid(`${at}: values.${path}: the field is declared ${kind}; values fit membership only`);
  }
};

/** A node of the configuration, for messages. */
export const place = (where: string, nodeId: string): string => `${where}: node "${nodeId}"`;

/** A CONFIG_INVALID error. */
export const invalid = (message: string): TributaryError => new TributaryError('CONFIG_INVALID', message);
