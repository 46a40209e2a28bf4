import { z } from 'zod';
import { TributaryError } from '../../errors.ts';
import { kindOf } from '../../introspection/fields/field.ts';
import { graphqlSegment } from '../../introspection/fields/names.ts';

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
  /** Lower-case names of the caller's headers that are passed on. */
  readonly headers: readonly string[];
  readonly credential: { readonly header: string; readonly variable: string } | null;
}

export const graphqlName = /^[_A-Za-z][_0-9A-Za-z]*$/;
const text = z.string().trim().min(1);
/** Headers that say how one message travels, not what it is about: passed on, they would break the request. */
const ofTheMessage = new Set(['accept', 'accept-encoding', 'connection', 'content-encoding', 'content-length',
  'content-type', 'expect', 'host', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade']); // prettier-ignore
const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'is not a header name');
/** Names of a caller's headers that are passed on. */
export const headerNames = z.array(
  headerName.refine((name) => !ofTheMessage.has(name.toLowerCase()), 'cannot be passed on'),
);
const milliseconds = z.int().min(1).max(600_000);

/** A histogram takes six: document type, aggregations, field, histogram, buckets, key. */
const levels = z.int().min(6).max(100);

const meaning = (description: string, byDefault?: string) => ({ description, byDefault });
const ofDefaults = (key: string): string => `\`defaults.${key}\``;

const nodeSchema = z.strictObject({
  nodeId: text.meta(meaning('Its id in answers and in `nodesFilter`, and the root field of its own schema.')),
  displayName: text.optional().meta(meaning('Its name for people.', 'the `nodeId`')),
  catalogue: text.optional().meta(meaning('A local node: the id of a catalogue of this server.')),
  graphqlUrl: text.optional().meta(meaning("A remote node: where its catalogue's GraphQL endpoint is.")),
  documentType: z
    .string()
    .regex(graphqlName, 'is not a GraphQL name')
    .optional()
    .meta(meaning('The root field to query at a remote node.', '`network.documentType`')),
  timeoutMs: milliseconds
    .optional()
    .meta(meaning('How long it may take to answer, in milliseconds.', ofDefaults('timeoutMs'))),
  discoveryTimeoutMs: milliseconds
    .optional()
    .meta(meaning('How long its discovery may take, in milliseconds.', ofDefaults('discoveryTimeoutMs'))),
  required: z
    .boolean()
    .optional()
    .meta(meaning('The entire query fails when it does not answer.', ofDefaults('required'))),
  maxDepth: levels
    .optional()
    .meta(meaning('How many levels of fields it accepts in a query.', ofDefaults('maxDepth'))),
  headers: headerNames
    .optional()
    .meta(meaning("Names of the caller's headers to forward to it.", ofDefaults('headers'))),
  credential: z
    .strictObject({
      header: headerName.meta(meaning('The header it is sent in.')),
      env: text.meta(meaning('The environment variable that holds it.')),
    })
    .optional()
    .meta(meaning("This server's own credential at the node.")),
  fields: z
    .record(text, text)
    .default({})
    .meta(meaning("Network field -> the node's own field; a field not listed has the same name.")),
  values: z
    .record(text, z.record(z.string(), z.string()))
    .default({})
    .meta(
      meaning("Network field -> the node's own value -> the network's; a value not listed stays as it is."),
    ),
  unavailableBucket: z
    .boolean()
    .default(false)
    .meta(
      meaning(
        'For existing clients: counts hits without the field in the bucket `___aggregation_not_available___`.',
      ),
    ),
});

/** The form of nodes.json. Unknown keys are refused. */
export const nodesFile = z.strictObject({
  network: z
    .strictObject({
      displayName: text.default('Network').meta(meaning('Its name for people.')),
      documentType: z
        .string()
        .regex(graphqlName, 'is not a GraphQL name')
        .optional()
        .meta(meaning('The root field to query at remote nodes that set none.')),
      fields: z
        .record(text, text)
        .default({})
        .meta(meaning('Field -> mapped type: always in the schema, whichever nodes are up.')),
    })
    .prefault({})
    .meta(meaning('Settings of the network itself.')),
  defaults: z
    .strictObject({
      timeoutMs: milliseconds.default(5_000).meta(meaning('For nodes without their own setting.')),
      discoveryTimeoutMs: milliseconds.default(10_000).meta(meaning('For nodes without their own setting.')),
      headers: headerNames.default([]).meta(meaning('For nodes without their own setting.')),
      required: z.boolean().default(false).meta(meaning('For nodes without their own setting.')),
      maxDepth: levels.default(7).meta(meaning('For nodes without their own setting.')),
    })
    .prefault({})
    .meta(meaning('Settings for nodes without their own.')),
  nodes: z.array(nodeSchema).min(1).meta(meaning('The nodes: each with `catalogue` or `graphqlUrl`.')),
});

type NodesFile = z.infer<typeof nodesFile>;
type NodeEntry = z.infer<typeof nodeSchema>;

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
    nodes: file.nodes.map((entry) => nodeOf(entry, file, where)),
  };
  checkNetwork(config);
  return config;
};

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
      throw invalid(`${at}: has the GraphQL name ${name}, as "${other}" has; choose another nodeId`);
    names.set(name, node.nodeId);
    if (node.source.kind === 'remote') checkRemote(node.source, at);
    checkFieldNames(node, at);
    checkValues(node, config.fields, at);
  }
};

const parseFile = (content: unknown, where: string): NodesFile => {
  const parsed = nodesFile.safeParse(content);
  if (parsed.success) return parsed.data;
  throw invalid(parsed.error.issues.map((issue) => `${where}: ${issueText(issue, content)}`).join('; '));
};

/** A zod issue in words: the node by its id, the key by its path. */
export const issueText = (issue: z.core.$ZodIssue, content: unknown, list = ['nodes']): string => {
  const path = [...issue.path];
  const inList = path.length > list.length && list.every((key, index) => path[index] === key);
  if (!inList) return `${keyPath(path)} ${lowerFirst(issue.message)}`;
  const entry: unknown = path
    .slice(0, list.length + 1)
    .reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown>)[key], content);
  const id = (entry as { nodeId?: unknown } | null)?.nodeId;
  const name = typeof id === 'string' ? `node "${id}"` : `node number ${Number(path[list.length]) + 1}`;
  return `${name}: ${keyPath(path.slice(list.length + 1))} ${lowerFirst(issue.message)}`;
};

const keyPath = (path: readonly PropertyKey[]): string => (path.length === 0 ? 'entry' : path.join('.'));
const lowerFirst = (message: string): string => message.charAt(0).toLowerCase() + message.slice(1);

const nodeOf = (entry: NodeEntry, file: NodesFile, where: string): NodeConfig => ({
  nodeId: entry.nodeId,
  displayName: entry.displayName ?? entry.nodeId,
  source: sourceOf(entry, file, place(where, entry.nodeId)),
  timeoutMs: entry.timeoutMs ?? file.defaults.timeoutMs,
  required: entry.required ?? file.defaults.required,
  fields: new Map(Object.entries(entry.fields)),
  values: new Map(Object.entries(entry.values).map(([path, map]) => [path, new Map(Object.entries(map))])),
  unavailableBucket: entry.unavailableBucket,
});

const remoteKeys = [
  'graphqlUrl',
  'documentType',
  'discoveryTimeoutMs',
  'maxDepth',
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
    headers: (entry.headers ?? file.defaults.headers).map((name) => name.toLowerCase()),
    credential: entry.credential
      ? { header: entry.credential.header.toLowerCase(), variable: entry.credential.env }
      : null,
  };
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

const place = (where: string, nodeId: string): string => `${where}: node "${nodeId}"`;

const invalid = (message: string): TributaryError => new TributaryError('CONFIG_INVALID', message);
