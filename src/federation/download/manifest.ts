import { hash } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json.ts';
import type { FileRequest } from '../../local/download/download-request.ts';
import { isTruncated, type FilePlan } from '../../local/download/file-plan.ts';
import { printSqon } from '../../sqon/parse.ts';
import { serverVersion } from '../../runtime/server-version.ts';
import { byName } from '../merge/status.ts';
import { hasLackingNodes, isWhole, type NodePart } from './node-part.ts';

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

/** A requested file that is not made yet. */
export interface PlannedFile extends Omit<ManifestFile, 'written'> {
  readonly name: string;
  readonly contentType: string;
  readonly levels: FilePlan['levels'];
  /** Whether a limit omits some of the matching records; null: only reading them shows it. */
  readonly isTruncated: boolean | null;
}

export interface ManifestHead {
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
  readonly network: string;
  readonly server: { readonly name: string | null; readonly version: string | null };
  readonly startedAt: string;
  readonly endedAt: string;
  /** Whether the files hold every matching record of every selected node. */
  readonly complete: boolean;
  readonly question: Question;
  readonly nodes: readonly ManifestNode[];
  readonly files: readonly (WrittenFile & { readonly nodes: readonly FileNode[] })[];
  readonly warnings: readonly string[];
}

type RequestedFile = Omit<ManifestFile, 'written'>;

/** The parts of one node, with the files that they are of. */
type InFiles<File> = readonly { readonly part: NodePart; readonly file: File }[];

type AskedFile = {
  readonly sqon: JsonValue;
  readonly fields: readonly string[];
  readonly sort: readonly JsonObject[];
  readonly uniqueBy: string | null;
  /** null: no limit. */
  readonly maxRows: number | null;
  readonly fileType: string;
};

interface Question {
  readonly files: readonly AskedFile[];
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

/** What is known of a download before its files are made: nothing about rows, which nobody has read yet. */
export interface PlannedManifest extends Omit<Manifest, 'endedAt' | 'complete' | 'nodes' | 'files'> {
  readonly nodes: readonly PlannedNode[];
  readonly files: readonly (Pick<PlannedFile, 'name' | 'contentType' | 'isTruncated'> & {
    readonly nodes: readonly Pick<FileNode, 'nodeId' | 'state' | 'matches' | 'stopped'>[];
  })[];
}

type PlannedNode = Omit<ManifestNode, 'records' | 'rows' | 'rowsComplete' | 'changedDuring'>;

export const manifestOf = (head: ManifestHead, files: readonly ManifestFile[]): Manifest => {
  const nodes = inOrder(files).map(manifestNode);
  return {
    ...headOf(head, files),
    endedAt: new Date().toISOString(),
    complete: nodes.every(({ rowsComplete, state }) => rowsComplete || state === 'excluded'),
    nodes,
    files: files.map((file) => ({
      ...file.written,
      nodes: file.parts.map((part) => fileNode(part, cutAt(file))),
    })),
  };
};

export const plannedManifest = (head: ManifestHead, files: readonly PlannedFile[]): PlannedManifest => ({
  ...headOf(head, files),
  nodes: inOrder(files).map(plannedNode),
  files: files.map(({ name, contentType, isTruncated: isCut, levels, parts }) => ({
    ...{ name, contentType, isTruncated: isCut },
    nodes: parts.map((part) => ({
      ...{ nodeId: part.plan.node.config.nodeId, state: part.counted.state },
      ...{ matches: part.matches, stopped: whyLacking(part, levels) },
    })),
  })),
});

const headOf = (
  { network, nodesFilter, startedAt, warnings }: ManifestHead,
  files: readonly RequestedFile[],
): Pick<Manifest, 'manifest' | 'network' | 'server' | 'startedAt' | 'question' | 'warnings'> => ({
  manifest: 1,
  network,
  server: serverOf(serverVersion()),
  startedAt,
  question: questionOf(files, nodesFilter),
  warnings,
});

const questionOf = (files: readonly RequestedFile[], nodesFilter: readonly string[]): Question => {
  const requested = files.map(({ request, limit }): AskedFile => ({
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

/** Each node's parts, in the order of their names. */
const inOrder = <File extends RequestedFile>(files: readonly File[]): readonly InFiles<File>[] => {
  const order = byName((files[0]?.parts ?? []).map(({ counted }) => counted));
  return order.map(({ plan }) => {
    const { nodeId } = plan.node.config;
    return files.flatMap((file) => {
      const part = file.parts.find((one) => one.plan.node.config.nodeId === nodeId);
      return part ? [{ part, file }] : [];
    });
  });
};

/** Across all files: a node's rows are complete only if they are complete in each file. */
const manifestNode = (inFiles: InFiles<ManifestFile>): ManifestNode => {
  const shown = inFiles.map(({ part, file }) => fileNode(part, cutAt(file)));
  // the reason comes from the first incomplete file
  const telling = Math.max(
    0,
    shown.findIndex(({ rowsComplete }) => !rowsComplete),
  );
  const generations = new Set(
    inFiles.flatMap(({ part }) => part.origin ?? []).map(({ generation }) => generation),
  );
  return {
    ...describedNode(inFiles),
    state: shown[telling]!.state,
    code: codeOf(inFiles[telling]!.part),
    records: sum(shown.map(({ records }) => records)) ?? 0,
    rows: sum(shown.map(({ rows }) => rows)) ?? 0,
    stopped: shown[telling]!.stopped,
    rowsComplete: shown.every(({ rowsComplete }) => rowsComplete),
    changedDuring: shown.some(({ changedDuring }) => changedDuring) || generations.size > 1,
  };
};

const plannedNode = (inFiles: InFiles<PlannedFile>): PlannedNode => {
  const reasons = inFiles.map(({ part, file }) => whyLacking(part, file.levels));
  const telling = Math.max(
    0,
    reasons.findIndex((reason) => reason !== null),
  );
  const { part } = inFiles[telling]!;
  return {
    ...describedNode(inFiles),
    state: part.counted.state,
    code: codeOf(part),
    stopped: reasons[telling]!,
  };
};

const describedNode = (inFiles: InFiles<RequestedFile>) => {
  const parts = inFiles.map(({ part }) => part);
  const { config } = parts[0]!.plan.node;
  const [origin] = parts.flatMap((part) => part.origin ?? []);
  return {
    nodeId: config.nodeId,
    name: config.displayName,
    ...named(serverOf(origin?.version ?? null)),
    schema: origin?.schema ?? null,
    generation: origin?.generation ?? null,
    ...(config.publicAddress &&
      config.source.kind === 'remote' &&
      config.source.dialsIn === undefined && { address: addressOf(config.source.graphqlUrl) }),
    matches: sum(parts.map(({ matches }) => matches)),
    uncoveredFields: [
      ...new Set(inFiles.flatMap(({ part, file }) => [...part.plan.uncoveredFields, ...file.unknown])),
    ],
    warnings: [...new Set(parts.flatMap(({ warnings }) => [...warnings]))],
  };
};

const codeOf = ({ end }: NodePart): string | null => (end.kind === 'failed' ? end.answer.code : null);

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

/** Why not all of a node's records will be in a file, as far as that is known before it is made; null: not known. */
const whyLacking = (
  { end, partial, matches, rowLimit }: NodePart,
  levels: FilePlan['levels'],
): string | null => {
  if (end.kind === 'failed') return end.answer.reason;
  if (partial) return hasLackingNodes;
  const isCut = isTruncated({ limit: rowLimit, levels }, matches ?? 0) === true;
  return isCut ? cutByNode(rowLimit!) : null;
};

const cutByNode = (rows: number): string => `cut after the ${rows} rows that it allows in a file`;

const whyStopped = (
  { end, changed, partial, records, matches }: NodePart,
  limit: number | null,
): string | null => {
  if (partial && end.kind === 'whole') return hasLackingNodes;
  switch (end.kind) {
    case 'failed':
      return end.answer.reason;
    case 'window':
      return `has no cursors: cut after the ${end.rows} rows that its offsets reach`;
    case 'limit':
      return cutByNode(end.rows);
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
