import type { IndexSummary } from '../../engines/embedded/threads/data-folder.ts';
import { isJsonObject, type JsonObject } from '../../json/json.ts';
import type { StoredText } from '../../indexing/read-documents.ts';
import { formatCount } from '../terminal/format-count.ts';
import { textTable } from '../terminal/text-table.ts';

/** Length of text written at once. */
const pieceLength = 65_536;

/** A table of indexes with a header; a single line if there are none. */
export const listLines = (summaries: readonly IndexSummary[], nowMs: number): readonly string[] => {
  if (summaries.length === 0) return ['no indexes: load documents first'];
  const rows = summaries.map((summary) => [
    summary.name,
    formatCount(summary.documents),
    sizeOf(summary.documentBytes),
    sizeOf(summary.snapshotBytes),
    ageOf(summary.snapshotAt, nowMs),
    summary.aliases.join(', '),
  ]);
  return textTable([['index', 'documents', 'on disk', 'snapshot', 'written', 'aliases'], ...rows]);
};

/** One index and its fields: path and type, in the mapping's order. */
export const detailLines = (summary: IndexSummary, nowMs: number): readonly string[] => [
  ...textTable([
    ['index', summary.name],
    ['aliases', summary.aliases.join(', ') || 'none'],
    ['documents', formatCount(summary.documents)],
    ['on disk', sizeOf(summary.documentBytes)],
    ['snapshot', `${sizeOf(summary.snapshotBytes)}, ${ageOf(summary.snapshotAt, nowMs)}`],
    ['dynamic', String(summary.mapping['dynamic'] ?? 'true')],
  ]),
  'fields',
  ...textTable(fieldRows(summary.mapping, '')).map((line) => `  ${line}`),
];

/** How much space was reclaimed. The snapshot is rewritten and may not have existed before. */
export const compactLine = (before: IndexSummary, after: IndexSummary): string => {
  const snapshot = `the new snapshot takes ${sizeOf(after.snapshotBytes)}`;
  const [was, is] = [sizeOf(before.documentBytes), sizeOf(after.documentBytes)];
  return after.documentBytes < before.documentBytes && was !== is
    ? `${after.name}: ${was} before, ${is} now; ${snapshot}`
    : `${after.name}: nothing to give back of ${is}; ${snapshot}`;
};

/** Action lines and documents, in chunks; `load` and the bulk API of a cluster accept them. */
export async function* bulkLines(
  documents: Iterable<StoredText> | AsyncIterable<StoredText>,
): AsyncGenerator<string> {
  let piece = '';
  for await (const { id, src } of documents) {
    piece += `${JSON.stringify({ index: { _id: id } })}\n${src}\n`;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

const units = ['B', 'KB', 'MB', 'GB', 'TB'];

/** Bytes in the largest unit that keeps them above 1, with one decimal below 10. */
export const sizeOf = (bytes: number): string => {
  let size = bytes;
  let unit = 0;
  for (; size >= 1000 && unit < units.length - 1; unit++) size /= 1000;
  return `${unit > 0 && size < 10 ? size.toFixed(1) : Math.round(size)} ${units[unit]!}`;
};

const ages: readonly (readonly [string, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

const ageOf = (atMs: number | null, nowMs: number): string => {
  if (atMs === null) return 'never';
  const [unit, length] = ages.find(([, min]) => nowMs - atMs >= min) ?? ['', 0];
  if (length === 0) return 'just now';
  const count = Math.floor((nowMs - atMs) / length);
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
};

const fieldRows = (property: JsonObject, prefix: string): readonly (readonly string[])[] =>
  [property['properties'], property['fields']]
    .filter(isJsonObject)
    .flatMap((children) => Object.entries(children))
    .flatMap(([key, child]) => {
      if (!isJsonObject(child)) return [];
      const path = prefix + key;
      return [[path, String(child['type'] ?? 'object')], ...fieldRows(child, `${path}.`)];
    });
