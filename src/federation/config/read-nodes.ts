import { nodeKey, nodesFile, profileOf, type NodeEntry, type NodesFile } from './nodes-file.ts';
import type { LocalSource, NetworkConfig, NodeConfig, RemoteSource } from './nodes.ts';
import { constantType, readNetworkLeniently, sectionsIn, tunnelUrl } from './nodes.ts';
import { TributaryError } from '../../lib/errors/errors.ts';
import { graphqlSegment, isIntegerType, kindOf } from '../../introspection/fields/field.ts';
import { problemsError, schemaProblems } from '../../lib/text/problem.ts';

/**
 * The content of nodes.json as a checked configuration.
 * @param content the parsed JSON; @param where the file, for messages
 * @throws TributaryError CONFIG_INVALID naming the file, the node and the key
 */
export const readNodes = (content: unknown, where: string): NetworkConfig => {
  const lenient = readNetworkLeniently(content, where);
  const file = parseFile(lenient.content, where);
  const config: NetworkConfig = {
    displayName: file.network.displayName,
    where,
    fields: new Map(Object.entries(file.network.fields)),
    ...(lenient.warnings.length > 0 && { warnings: lenient.warnings }),
    sections: sectionsIn(file.network),
    nodes: file.nodes.map((entry) => nodeOf(entry, file, where)),
    documentType: file.network.documentType,
    ...(Object.keys(file.network.hierarchies).length > 0 && {
      hierarchyFiles: new Map(
        Object.entries(file.network.hierarchies).map(([name, { file: path, relations = [] }]) => [
          name,
          { file: path, relations: relations ?? [] },
        ]),
      ),
    }),
    disclosure: file.network.disclosure && profileOf(file.network.disclosure),
    limits: {
      maxDepth: file.network.maxDepth,
      maxAliases: file.network.maxAliases,
    },
  };
  checkNetwork(config);
  return config;
};

const parseFile = (content: unknown, where: string): NodesFile => {
  const parsed = nodesFile.safeParse(content);
  if (parsed.success) return parsed.data;
  throw problemsError(
    schemaProblems(nodesFile, parsed.error.issues, content, where, (path) => nodeKey(path, content)),
  );
};

const nodeOf = (entry: NodeEntry, file: NodesFile, where: string): NodeConfig => ({
  nodeId: entry.nodeId,
  displayName: entry.displayName ?? entry.nodeId,
  source: sourceOf(entry, file, place(where, entry.nodeId)),
  timeoutMs: entry.timeoutMs ?? file.defaults.timeoutMs,
  required: entry.required ?? file.defaults.required,
  fields: new Map(Object.entries(entry.fields)),
  values: new Map(
    Object.entries(entry.values).map(([path, map]) => [
      path,
      new Map(typeof map === 'string' ? [] : Object.entries(map)),
    ]),
  ),
  ...valueFilesIn(entry),
  ...(Object.keys(entry.units).length > 0 && { units: new Map(Object.entries(entry.units)) }),
  ...(Object.keys(entry.constants).length > 0 && { constants: new Map(Object.entries(entry.constants)) }),
  unavailableBucket: entry.unavailableBucket,
  ...(entry.about && { about: entry.about }),
});

const valueFilesIn = ({ values }: NodeEntry): Pick<NodeConfig, 'valueFiles'> => {
  const files = Object.entries(values).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return files.length === 0 ? {} : { valueFiles: new Map(files) };
};

const remoteKeys = [
  'graphqlUrl',
  'dialsIn',
  'key',
  'documentType',
  'discoveryTimeoutMs',
  'rediscover',
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
  const { graphqlUrl = entry.dialsIn && tunnelUrl } = entry;
  if (graphqlUrl === undefined)
    throw invalid(
      `${at}: needs catalogue (local), graphqlUrl (remote) or dialsIn (remote, without an address)`,
    );
  if (entry.dialsIn && entry.graphqlUrl !== undefined)
    throw invalid(`${at}: graphqlUrl is an address, but a node that dials in has none; drop one`);
  if (entry.key !== undefined && !entry.dialsIn)
    throw invalid(`${at}: key is for nodes that dial in; add "dialsIn": true or drop it`);
  // for a node that has not been accepted, the document type is neither known nor needed
  const unknown = entry.dialsIn && entry.key === undefined ? '_' : undefined;
  const documentType = entry.documentType ?? file.network.documentType ?? unknown;
  if (documentType === undefined)
    throw invalid(`${at}: documentType is missing: the root field to query there`);
  const rediscoverMs = entry.rediscover ?? file.defaults.rediscover;
  return {
    kind: 'remote',
    graphqlUrl,
    ...(entry.dialsIn && { dialsIn: { key: entry.key ?? null } }),
    documentType,
    discoveryTimeoutMs: entry.discoveryTimeoutMs ?? file.defaults.discoveryTimeoutMs,
    ...(rediscoverMs !== undefined && { rediscoverMs }),
    maxDepth: entry.maxDepth ?? file.defaults.maxDepth,
    maxAliases: entry.maxAliases ?? file.defaults.maxAliases,
    headers: (entry.headers ?? file.defaults.headers).map((name) => name.toLowerCase()),
    credential: entry.credential
      ? { header: entry.credential.header.toLowerCase(), variable: entry.credential.env }
      : null,
  };
};

/** Checks that apply to every form of the configuration. @throws TributaryError CONFIG_INVALID */
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
    checkUnits(node, config.fields, at);
    checkConstants(node, config.fields, at);
  }
};

const checkRemote = (source: RemoteSource, at: string): void => {
  if (source.dialsIn !== undefined) return;
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
    const type = declared.get(path) ?? 'keyword';
    const kind = kindOf(type);
    if (kind !== 'keyword' && kind !== 'text' && kind !== 'boolean')
      throw invalid(
        `${at}: values.${path}: the field is declared ${kindOf(type)}; values fit membership only`,
      );
  }
};

const checkUnits = (
  { units = new Map(), values }: NodeConfig,
  declared: ReadonlyMap<string, string>,
  at: string,
): void => {
  for (const path of units.keys()) {
    const type = declared.get(path) ?? 'double';
    if (kindOf(type) !== 'number')
      throw invalid(`${at}: units.${path}: the field is declared ${kindOf(type)}; only numbers have a unit`);
    if (values.has(path))
      throw invalid(`${at}: units.${path} and values.${path} exclude each other; keep one`);
  }
};

const checkConstants = (node: NodeConfig, declared: ReadonlyMap<string, string>, at: string): void => {
  for (const [path, value] of node.constants ?? []) {
    const other = (['fields', 'values', 'units'] as const).find((key) => node[key]?.has(path));
    if (other !== undefined)
      throw invalid(`${at}: constants.${path} and ${other}.${path} exclude each other; keep one`);
    const type = declared.get(path) ?? constantType(value);
    if (!fitsConstant(value, type))
      throw invalid(
        `${at}: constants.${path}: ${JSON.stringify(value)} is not a value of the declared type ${type}; a constant is a text, a number or a boolean`,
      );
  }
};

const fitsConstant = (value: string | number | boolean, type: string): boolean => {
  const kind = kindOf(type);
  if (kind === 'keyword' || kind === 'text') return typeof value === 'string';
  if (kind === 'number')
    return typeof value === 'number' && (!isIntegerType(type) || Number.isInteger(value));
  return kind === 'boolean' && typeof value === 'boolean';
};

/** A node of the configuration, for messages. */
export const place = (where: string, nodeId: string): string => `${where}: node "${nodeId}"`;

/** A CONFIG_INVALID error. */
const invalid = (message: string): TributaryError => new TributaryError('CONFIG_INVALID', message);
