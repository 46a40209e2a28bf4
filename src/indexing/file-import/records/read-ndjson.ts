import { isUtf8 } from 'node:buffer';
import { isJsonObject, type JsonObject } from '../../../lib/json/json.ts';
import { parseLosslessJson, flawIn } from './lossless-json.ts';
import { badRecord, zeroByte, type SourceRecord } from './source-record.ts';
import { notUtf8, splitLines, type Line } from './decode-text.ts';

/**
 * One JSON object per line. Empty lines are skipped; anything else is a bad record, and reading continues.
 * @throws TributaryError INPUT_INVALID bytes that are not UTF-8
 */
export const readNdjson = async function* (
  chunks: AsyncIterable<Buffer>,
  maxRecordBytes: number,
): AsyncGenerator<SourceRecord> {
  for await (const line of splitLines(chunks, maxRecordBytes)) {
    const parsed = parseLine(line, maxRecordBytes);
    if (parsed.kind === 'empty') continue;
    yield parsed.kind === 'bad' ? badRecord(line.number, parsed.reason, parsed.text) : parsed.record;
  }
};

type ParsedLine =
  | { readonly kind: 'empty' }
  | { readonly kind: 'bad'; readonly reason: string; readonly text: string }
  | { readonly kind: 'object'; readonly record: Extract<SourceRecord, { kind: 'document' }> };

/** A line as a JSON object, or the reason why it is not one. A byte order mark before the first line is dropped. */
const parseLine = (line: Line, maxRecordBytes: number): ParsedLine => {
  if (line.bytes === null) return bad(`longer than ${String(maxRecordBytes)} bytes`, '');
  const text = (
    line.number === 1 ? line.bytes.toString().replace(/^\uFEFF/, '') : line.bytes.toString()
  ).trim();
  if (text === '') return { kind: 'empty' };
  if (!isUtf8(line.bytes)) throw notUtf8(line.bytes);
  try {
    const { value, rounded, repeated } = parseLosslessJson(text);
    if (!isJsonObject(value)) return bad('not a JSON object', text);
    const flaw = flawIn(value, repeated);
    if (flaw !== null) return bad(flaw, text);
    const record = {
      kind: 'document' as const,
      line: line.number,
      id: null,
      document: value,
      rounded: isJsonObject(rounded) ? rounded : null,
      bytes: line.bytes.length,
    };
    return { kind: 'object', record };
  } catch {
    return bad(
      text.includes('\0') ? zeroByte : 'not JSON: a comma, quote or bracket is missing or too much',
      text,
    );
  }
};

const bad = (reason: string, text: string): ParsedLine => ({ kind: 'bad', reason, text });

/**
 * A bulk body: action lines, each `index` or `create` followed by its document. The action's `_index` is ignored; the
 * caller decides the target. After a line that is not an action, lines are bad until the next action.
 */
export const readBulk = async function* (
  chunks: AsyncIterable<Buffer>,
  maxRecordBytes: number,
): AsyncGenerator<SourceRecord> {
  let action: BulkAction | null = null;
  let actionLine = 0;
  for await (const line of splitLines(chunks, maxRecordBytes)) {
    const parsed = parseLine(line, maxRecordBytes);
    if (parsed.kind === 'empty') continue;
    const waiting: BulkAction | null = action;
    action = null;
    if (parsed.kind === 'bad') yield badRecord(line.number, parsed.reason, parsed.text);
    else if (waiting?.verb === 'index') yield { ...parsed.record, id: waiting.id };
    else if (waiting?.verb === 'update') yield badRecord(line.number, noUpdate, '');
    else {
      const found = bulkAction(parsed.record.document);
      if (found === null) yield badRecord(line.number, notAnAction, JSON.stringify(parsed.record.document));
      else if (found.verb === 'delete') yield badRecord(line.number, noDeletion, '');
      else [action, actionLine] = [found, line.number];
    }
  }
  if (action !== null)
    yield badRecord(actionLine, 'the file ends after this action, without its document', '');
};

const noUpdate = 'update actions are not loaded: give the complete document with an index action';
const noDeletion = 'delete actions are not loaded: tributary index remove deletes documents';
const notAnAction = 'not an action line: {"index": {"_id": ...}} was expected here';

/** An action line of a bulk body. `create` is treated as `index`: loading a file twice gives the same index. */
export interface BulkAction {
  readonly verb: 'index' | 'delete' | 'update';
  readonly id: string | null;
}

const verbs: Readonly<Record<string, BulkAction['verb']>> = {
  index: 'index',
  create: 'index',
  delete: 'delete',
  update: 'update',
};

/** Keys that an action may have in addition to `_id`, `_index` and others with an underscore. */
const options = new Set([
  'routing',
  'version',
  'version_type',
  'pipeline',
  'require_alias',
  'retry_on_conflict',
  'if_seq_no',
  'if_primary_term',
]);

/** The object as an action line, or null if it is not one: a single known verb whose value has only metadata. */
export const bulkAction = (line: JsonObject): BulkAction | null => {
  const [entry, second] = Object.entries(line);
  if (entry === undefined || second !== undefined) return null;
  const verb = Object.hasOwn(verbs, entry[0]) ? verbs[entry[0]] : undefined;
  const metadata = entry[1];
  if (verb === undefined || !isJsonObject(metadata)) return null;
  if (!Object.keys(metadata).every((key) => key.startsWith('_') || options.has(key))) return null;
  const id = metadata['_id'];
  return { verb, id: typeof id === 'string' || typeof id === 'number' ? String(id) : null };
};
