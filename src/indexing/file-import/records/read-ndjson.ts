import { isUtf8 } from 'node:buffer';
import { isJsonObject } from '../../../json/json.ts';
import { parseLosslessJson } from './lossless-json.ts';
import type { SourceRecord } from './source-record.ts';
import { badRecord } from './source-record.ts';
import type { Line } from './split-lines.ts';
import { splitLines } from './split-lines.ts';

/** One JSON object per line. Empty lines are skipped; anything else is a bad record, and reading continues. */
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

export type ParsedLine =
  | { readonly kind: 'empty' }
  | { readonly kind: 'bad'; readonly reason: string; readonly text: string }
  | { readonly kind: 'object'; readonly record: Extract<SourceRecord, { kind: 'document' }> };

/** A line as a JSON object, or why it is not one. A byte order mark before the first line is dropped. */
export const parseLine = (line: Line, maxRecordBytes: number): ParsedLine => {
  if (line.bytes === null) return bad(`longer than ${String(maxRecordBytes)} bytes`, '');
  const text = (
    line.number === 1 ? line.bytes.toString().replace(/^\uFEFF/, '') : line.bytes.toString()
  ).trim();
  if (text === '') return { kind: 'empty' };
  if (!isUtf8(line.bytes)) return bad('not UTF-8', text);
  try {
    const { value, rounded } = parseLosslessJson(text);
    if (!isJsonObject(value)) return bad('not a JSON object', text);
    const record = {
      kind: 'document' as const,
      line: line.number,
      id: null,
      document: value,
      rounded: isJsonObject(rounded) ? rounded : null,
      bytes: line.bytes.length,
    };
    return { kind: 'object', record };
  } catch (error) {
    return bad(`not JSON: ${error instanceof Error ? error.message : String(error)}`, text);
  }
};

const bad = (reason: string, text: string): ParsedLine => ({ kind: 'bad', reason, text });
