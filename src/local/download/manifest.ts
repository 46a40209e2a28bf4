import { hash } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts';
import { printSqon } from '../../sqon/parse.ts';
import { serverVersion } from '../../lib/runtime/server-version.ts';
import type { AnswerOrigin } from '../../search/query.ts';
import { utf8Order } from '../../lib/text/text-comparison.ts';
import type { FileRequest } from './parse-download.ts';
import { isTruncated, type FilePlan } from './file-plan.ts';
import { countOf } from '../../lib/text/plural.ts';

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

/** What one node gave to a file; a catalogue is its only node. */
export interface PartReport {
  readonly nodeId: string;
  readonly name: string;
  readonly origin: AnswerOrigin | null;
  readonly uncoveredFields: readonly string[];
  readonly warnings: readonly string[];
  readonly state: string;
  readonly code: string | null;
  /** Number of matching records; null if it did not report it. */
  readonly matches: number | null;
  readonly records: number;
  readonly rows: number;
  /** Why not all of its records are in the file; null: they are, or it is not known before the file is made. */
  readonly stopped: string | null;
  readonly lastId: string | null;
  readonly rowsComplete: boolean;
  readonly changedDuring: boolean;
}

/** A requested file: its query, and each node's part in it. */
export interface PlannedFile {
  readonly name: string;
  readonly request: FileRequest;
  readonly plan: FilePlan;
  /** Number of matching records. */
  readonly total: number;
  readonly parts: readonly PartReport[];
}

/** A file that is made. */
export interface ManifestFile extends PlannedFile {
  readonly written: WrittenFile;
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
type FileNode = Omit<PartReport, 'name' | 'origin' | 'uncoveredFields' | 'warnings' | 'code'>;

interface ManifestNode extends Omit<FileNode, 'lastId'> {
  readonly name: string;
  readonly server: string | null;
  readonly version: string | null;
  readonly schema: string | null;
  readonly generation: string | null;
  readonly code: string | null;
  readonly uncoveredFields: readonly string[];
  readonly warnings: readonly string[];
}

/** What is known of a download before its files are made: nothing about rows, which nobody has read yet. */
export interface PlannedManifest extends Omit<Manifest, 'endedAt' | 'complete' | 'nodes' | 'files'> {
  readonly nodes: readonly PlannedNode[];
  readonly files: readonly (Pick<WrittenFile, 'name' | 'contentType'> & {
    readonly isTruncated: boolean | null;
    readonly nodes: readonly Pick<FileNode, 'nodeId' | 'state' | 'matches' | 'stopped'>[];
  })[];
}

type PlannedNode = Omit<ManifestNode, 'records' | 'rows' | 'rowsComplete' | 'changedDuring'>;

export const manifestOf = (head: ManifestHead, files: readonly ManifestFile[]): Manifest => {
  const nodes = byNode(files).map(manifestNode);
  return {
    ...headOf(head, files),
    endedAt: new Date().toISOString(),
    complete: isComplete(nodes),
    nodes,
    files: files.map(({ written, parts }) => ({ ...written, nodes: parts.map(fileNode) })),
  };
};

/** Whether nodes gave all of their records that match. */
export const isComplete = (nodes: readonly Pick<PartReport, 'rowsComplete' | 'state'>[]): boolean =>
  nodes.every(({ rowsComplete, state }) => rowsComplete || state === 'excluded');

export const plannedManifest = (head: ManifestHead, files: readonly PlannedFile[]): PlannedManifest => ({
  ...headOf(head, files),
  nodes: byNode(files).map(plannedNode),
  files: files.map(({ name, plan, total, parts }) => ({
    ...{ name, contentType: plan.format.contentType, isTruncated: isTruncated(plan, total) },
    nodes: parts.map(({ nodeId, state, matches, stopped }) => ({ nodeId, state, matches, stopped })),
  })),
});

const headOf = (
  { network, nodesFilter, startedAt, warnings }: ManifestHead,
  files: readonly PlannedFile[],
): Pick<Manifest, 'manifest' | 'network' | 'server' | 'startedAt' | 'question' | 'warnings'> => ({
  manifest: 1,
  network,
  server: serverOf(serverVersion()),
  startedAt,
  question: questionOf(files, nodesFilter),
  warnings,
});

const questionOf = (files: readonly PlannedFile[], nodesFilter: readonly string[]): Question => {
  const requested = files.map(({ request, plan }): AskedFile => ({
    sqon: request.sqon && (printSqon(request.sqon) as JsonValue),
    fields: request.columns.map(({ fieldName, accessor, jsonPath }) => fieldName || accessor || jsonPath!),
    sort: request.sort.map((key) => ({ ...key })),
    uniqueBy: request.uniqueBy,
    maxRows: plan.limit,
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

/** Each node's parts in all files, in the order of the nodes' names. */
const byNode = (files: readonly PlannedFile[]): readonly (readonly PartReport[])[] =>
  (files[0]?.parts ?? [])
    .toSorted((a, b) => utf8Order(a.name, b.name) || utf8Order(a.nodeId, b.nodeId))
    .map(({ nodeId }) => files.flatMap(({ parts }) => parts.filter((part) => part.nodeId === nodeId)));

/** Across all files: a node's rows are complete only if they are complete in each file. */
const manifestNode = (parts: readonly PartReport[]): ManifestNode => {
  // the reason comes from the first incomplete file
  const telling = parts.find(({ rowsComplete }) => !rowsComplete) ?? parts[0]!;
  const generations = new Set(
    parts.flatMap(({ origin }) => origin ?? []).map(({ generation }) => generation),
  );
  return {
    ...describedNode(parts),
    state: telling.state,
    code: telling.code,
    records: sum(parts.map(({ records }) => records)) ?? 0,
    rows: sum(parts.map(({ rows }) => rows)) ?? 0,
    stopped: telling.stopped,
    rowsComplete: parts.every(({ rowsComplete }) => rowsComplete),
    changedDuring: parts.some(({ changedDuring }) => changedDuring) || generations.size > 1,
  };
};

const plannedNode = (parts: readonly PartReport[]): PlannedNode => {
  const { state, code, stopped } = parts.find((part) => part.stopped !== null) ?? parts[0]!;
  return { ...describedNode(parts), state, code, stopped };
};

const fileNode = (part: PartReport): FileNode => {
  const { nodeId, state, matches, records, rows, stopped, lastId, rowsComplete, changedDuring } = part;
  return {
    ...{ nodeId, state, matches, records, rows, stopped },
    lastId: rowsComplete ? null : lastId,
    ...{ rowsComplete, changedDuring },
  };
};

const describedNode = (parts: readonly PartReport[]) => {
  const { nodeId, name } = parts[0]!;
  const [origin] = parts.flatMap((part) => part.origin ?? []);
  return {
    nodeId,
    name,
    ...named(serverOf(origin?.version ?? null)),
    schema: origin?.schema ?? null,
    generation: origin?.generation ?? null,
    matches: sum(parts.map(({ matches }) => matches)),
    uncoveredFields: [...new Set(parts.flatMap(({ uncoveredFields }) => uncoveredFields))],
    warnings: [...new Set(parts.flatMap(({ warnings }) => warnings))],
  };
};

const sum = (numbers: readonly (number | null)[]): number | null =>
  numbers.includes(null) ? null : numbers.reduce<number>((total, number) => total + number!, 0);

/** Why a part ends where the rows of a file do. */
export const cutAtFile = (limit: number): string => `cut at the ${countOf(limit, 'row')} of a file`;

/** Why a part has other records than matched at first, without a failure. */
export const otherRecords = (records: number, matches: number): string =>
  `gave ${countOf(records, 'record')} although ${matches} matched at first`;

const serverOf = (
  version: string | null,
): { readonly name: string | null; readonly version: string | null } => {
  const [, name = null, number = null] = /^(.*?)(?: ([\w.+-]+))?$/.exec(version ?? '') ?? [];
  return { name: name === '' ? null : name, version: number };
};

const named = ({ name, version }: ReturnType<typeof serverOf>) => ({ server: name, version });
