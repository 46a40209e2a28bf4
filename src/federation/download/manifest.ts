import { hash } from 'node:crypto';
import { isJsonObject, type JsonValue } from '../../json/json.ts';
import type { FileRequest } from '../../local/download/download-request.ts';
import { printSqon } from '../../sqon/parse.ts';
import { serverVersion } from '../../runtime/server-version.ts';
import { byName } from '../merge/status.ts';
import { isWhole, type NodePart } from './node-part.ts';

/** A written file of a download. */
export interface WrittenFile {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: number;
  /** Digest of the unpacked bytes, hexadecimal. */
  readonly sha256: string;
  /** Rows of data, without the header. */
  readonly rows: number;
}

/** A requested file: its query, its outcome, and each node's part in it. */
export interface ManifestFile {
  readonly request: FileRequest;
  readonly written: WrittenFile;
  readonly parts: readonly NodePart[];
  /** Columns that no node has a field for. */
  readonly unknown: readonly string[];
  readonly limit: number | null;
}

export interface ManifestHead {
  readonly id: string;
  readonly network: string;
  readonly nodesFilter: readonly string[];
  /** ISO 8601. */
  readonly startedAt: string;
  /** Other notices for the caller, such as a filter on a field that no node has. */
  readonly warnings: readonly string[];
}

/** The record of a download: what was requested, from which nodes, when, and the outcome. */
export interface Manifest {
  readonly manifest: 1;
  readonly id: string;
  readonly network: string;
  readonly server: { readonly name: string | null; readonly version: string | null };
  readonly startedAt: string;
  readonly endedAt: string;
  /** Whether the files hold every matching record of every selected node. */
  readonly complete: boolean;
  /** Why the download was aborted; null when it ended normally. */
  readonly brokeOff: string | null;
  readonly question: Question;
  readonly nodes: readonly ManifestNode[];
  readonly files: readonly (WrittenFile & { readonly nodes: readonly FileNode[] })[];
  readonly warnings: readonly string[];
}

interface Question {
  readonly files: readonly JsonValue[];
  readonly nodesFilter: readonly string[];
  /** The query as JSON with sorted keys, of which `sha256` is the hash. */
  readonly text: string;
  readonly sha256: string;
}

/** The outcome of one node in one file. */
interface FileNode {
  readonly nodeId: string;
  readonly state: string;
  readonly matches: number | null;
  readonly records: number;
  readonly rows: number;
  readonly stopped: string | null;
  readonly lastId: string | null;
  readonly rowsComplete: boolean;
  readonly changedDuring: boolean;
}

interface ManifestNode extends Omit<FileNode, 'lastId'> {
  readonly name: string;
  readonly server: string | null;
  readonly version: string | null;
  readonly schema: string | null;
  readonly generation: string | null;
  /** Present only if the node's entry says `publicAddress: true`. */
  readonly address?: string;
  readonly code: string | null;
  readonly uncoveredFields: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * @param described accompanying files that describe the data
 * @param brokeOff why the download was aborted; null when it ended normally
 */
export const manifestOf = (
  { id, network, nodesFilter, startedAt, warnings }: ManifestHead,
  files: readonly ManifestFile[],
  described: readonly WrittenFile[],
  brokeOff: string | null,
): Manifest => {
  const nodes = manifestNodes(files);
  return {
    manifest: 1,
    id,
    network,
    server: serverOf(serverVersion()),
    startedAt,
    endedAt: new Date().toISOString(),
    complete:
      brokeOff === null && nodes.every(({ rowsComplete, state }) => rowsComplete || state === 'excluded'),
    brokeOff,
    question: questionOf(files, nodesFilter),
    nodes,
    files: [
      ...files.map((file) => ({
        ...file.written,
        nodes: file.parts.map((part) => fileNode(part, cutAt(file))),
      })),
      ...described.map((file) => ({ ...file, nodes: [] })),
    ],
    warnings,
  };
};

const questionOf = (files: readonly ManifestFile[], nodesFilter: readonly string[]): Question => {
  const requested = files.map(({ request, limit }): JsonValue => ({
    sqon: request.sqon && (printSqon(request.sqon) as JsonValue),
    fields: request.columns.map(({ fieldName, accessor, jsonPath }) => fieldName || accessor || jsonPath!),
    sort: request.sort.map((key) => ({ ...key })),
    uniqueBy: request.uniqueBy,
    maxRows: limit,
    fileType: request.fileType,
  }));
  const text = JSON.stringify(sorted({ files: requested, nodesFilter }));
  return { files: requested, nodesFilter, text, sha256: hash('sha256', text) };
};

const sorted = (value: JsonValue | undefined): JsonValue | undefined => {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => sorted(item) ?? null);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  ) as JsonValue;
};

/** Across all files: a node's rows are complete only if they are complete in each file. */
const manifestNodes = (files: readonly ManifestFile[]): readonly ManifestNode[] => {
  const order = byName((files[0]?.parts ?? []).map(({ counted }) => counted));
  return order.map(({ plan }) => {
    const { nodeId } = plan.node.config;
    const inFiles = files.flatMap((file) => {
      const part = file.parts.find((one) => one.plan.node.config.nodeId === nodeId);
      return part ? [{ part, unknown: file.unknown, shown: fileNode(part, cutAt(file)) }] : [];
    });
    return manifestNode(inFiles);
  });
};

const manifestNode = (
  inFiles: readonly {
    readonly part: NodePart;
    readonly unknown: readonly string[];
    readonly shown: FileNode;
  }[],
): ManifestNode => {
  const parts = inFiles.map(({ part }) => part);
  const shown = inFiles.map((one) => one.shown);
  const { config } = parts[0]!.plan.node;
  // the reason comes from the first incomplete file
  const telling = inFiles.find((one) => !one.shown.rowsComplete) ?? inFiles[0]!;
  const origins = parts.flatMap(({ origin }) => origin ?? []);
  const generations = new Set(origins.map(({ generation }) => generation));
  const changed = shown.some(({ changedDuring }) => changedDuring) || generations.size > 1;
  return {
    nodeId: config.nodeId,
    name: config.displayName,
    ...named(serverOf(origins[0]?.version ?? null)),
    schema: origins[0]?.schema ?? null,
    generation: origins[0]?.generation ?? null,
    ...(config.publicAddress &&
      config.source.kind === 'remote' &&
      config.source.dialsIn === undefined && { address: addressOf(config.source.graphqlUrl) }),
    state: telling.shown.state,
    code: telling.part.end.kind === 'failed' ? telling.part.end.answer.code : null,
    matches: sum(shown.map(({ matches }) => matches)),
    records: sum(shown.map(({ records }) => records)) ?? 0,
    rows: sum(shown.map(({ rows }) => rows)) ?? 0,
    stopped: telling.shown.stopped,
    rowsComplete: shown.every(({ rowsComplete }) => rowsComplete),
    changedDuring: changed,
    uncoveredFields: [
      ...new Set(inFiles.flatMap(({ part, unknown }) => [...part.plan.uncoveredFields, ...unknown])),
    ],
    warnings: [...new Set(parts.flatMap(({ warnings }) => [...warnings]))],
  };
};

const sum = (numbers: readonly (number | null)[]): number | null =>
  numbers.includes(null) ? null : numbers.reduce<number>((total, one) => total + one!, 0);

/** The limit of a file that has reached it. */
const cutAt = ({ parts, limit }: ManifestFile): number | null => {
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  return limit !== null && rows >= limit ? limit : null;
};

const fileNode = (part: NodePart, limit: number | null): FileNode => {
  const { plan, counted, end, matches, records, rows, lastId, changed } = part;
  const state = end.kind === 'failed' ? end.answer.state : counted.state;
  const rowsComplete = isWhole(part);
  return {
    nodeId: plan.node.config.nodeId,
    state,
    matches,
    records,
    rows,
    stopped: rowsComplete ? null : whyStopped(part, limit),
    lastId: rowsComplete ? null : lastId,
    rowsComplete,
    // fewer or more rows than matched, without a failure: the data changed in the meantime
    changedDuring:
      changed || (limit === null && end.kind === 'whole' && matches !== null && records !== matches),
  };
};

const whyStopped = (
  { end, changed, partial, records, matches }: NodePart,
  limit: number | null,
): string | null => {
  if (partial && end.kind === 'whole')
    return 'some of its own nodes did not answer, or withhold their records';
  switch (end.kind) {
    case 'failed':
      return end.answer.reason;
    case 'window':
      return `has no cursors: cut after the ${end.rows} rows that its offsets reach`;
    case 'limit':
      return `cut after the ${end.rows} rows that it allows in a file`;
    case 'open':
      return limit === null ? 'the download ended before its turn' : cut(limit);
    case 'whole':
      if (changed) return 'its data changed while they were read';
      if (limit !== null) return cut(limit);
      return matches === null || records === matches
        ? null
        : `gave ${records} records although ${matches} matched at first`;
  }
};

const cut = (limit: number): string => `cut at the ${limit} rows of a file`;

const serverOf = (
  version: string | null,
): { readonly name: string | null; readonly version: string | null } => {
  const [, name = null, number = null] = /^(.*?)(?: ([\w.+-]+))?$/.exec(version ?? '') ?? [];
  return { name: name === '' ? null : name, version: number };
};

const named = ({ name, version }: ReturnType<typeof serverOf>) => ({ server: name, version });

/** The address without its query string, which may contain secrets. */
const addressOf = (url: string): string => {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
};
