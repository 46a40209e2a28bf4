import { invalidInput } from '../../../lib/errors/errors.ts';
import { firstOf } from '../../../lib/text/escaped-text.ts';
import { isJsonObject, type JsonObject } from '../../../lib/json/json.ts';
import { decodeText, mebibytes } from './decode-text.ts';
import { rejectDescription } from './json-descriptions.ts';
import { findRecords, recordsAt } from './json-envelope.ts';
import { parseLosslessJson, flawIn, type LosslessJson, type RepeatedNames } from './lossless-json.ts';
import { readJsonArray } from './read-json-array.ts';
import { badRecord, plainReading, type ReadingOptions, type SourceRecord } from './source-record.ts';
import { plural } from '../../../lib/text/plural.ts';

const maxValueBytes = 128 * 1024 * 1024;

/**
 * JSON of one value or several: an array of objects, one object, an object with the records inside, or objects one
 * after another on any number of lines. `line` is the record's number from 1.
 * @throws TributaryError INPUT_INVALID a syntax error, an object of more than 128 MiB, no records at the requested path
 */
export const readJson = async function* (
  chunks: AsyncIterable<Buffer>,
  maxRecordBytes: number,
  _properties: JsonObject | null,
  reading: ReadingOptions = plainReading,
): AsyncGenerator<SourceRecord> {
  const { first, bytes } = await beginning(chunks);
  if (first === '[' && reading.records === undefined) yield* readJsonArray(bytes, maxRecordBytes);
  else if (reading.records === undefined) yield* readValues(bytes, reading);
  else yield* readInside(bytes, reading.records, reading);
};

/** The first character that is not white space. */
const beginning = async (
  chunks: AsyncIterable<Buffer>,
): Promise<{ readonly first: string; readonly bytes: AsyncIterable<Buffer> }> => {
  const iterator = chunks[Symbol.asyncIterator]();
  const taken: Buffer[] = [];
  let first = '';
  while (first === '') {
    const next = await iterator.next();
    if (next.done === true) break;
    taken.push(next.value);
    first = Buffer.concat(taken)
      .toString()
      .replace(/^\uFEFF/, '')
      .trimStart()
      .slice(0, 1);
  }
  const bytes = async function* (): AsyncGenerator<Buffer> {
    yield* taken;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  };
  return { first, bytes: bytes() };
};

/** The records of the first value, unless others follow: then each value is a record. */
const readValues = async function* (
  chunks: AsyncIterable<Buffer>,
  reading: ReadingOptions,
): AsyncGenerator<SourceRecord> {
  let first: TopValue | null = null;
  for await (const value of valuesOf(chunks)) {
    if (value.line === 1) {
      first = value;
      continue;
    }
    if (first !== null) yield recordOf(first);
    first = null;
    yield recordOf(value);
  }
  if (first === null) return;
  rejectDescription(first.value);
  const found = findRecords(first.value);
  if (found.path === null) {
    if (found.others.length > 0)
      reading.onNotice?.(
        `the file is one JSON object and loaded as one record (--records ${quoted(found.others[0]!)} loads the records inside)`,
      );
    yield recordOf(first);
    return;
  }
  const where = found.path === '*' ? 'the members of the object' : `those in ${found.path}`;
  reading.onNotice?.(`the records are ${where} (--records names another path)`);
  yield* recordsIn(first, found.path, 0);
};

/** The records at a path of each value, e.g. pages of an API, the last of which may be empty. */
const readInside = async function* (
  chunks: AsyncIterable<Buffer>,
  path: string,
  { onNotice }: ReadingOptions,
): AsyncGenerator<SourceRecord> {
  const empty: number[] = [];
  let others: readonly string[] = [];
  let line = 0;
  for await (const value of valuesOf(chunks)) {
    const before = line;
    for (const record of recordsIn(value, path, before)) {
      line = record.line;
      yield record;
    }
    if (line === before && empty.push(value.line) === 1) others = findRecords(value.value).others;
  }
  if (empty.length === 0) return;
  if (line === 0)
    throw invalidInput(
      `--records ${path}: there are no objects${others.length === 0 ? '' : `; there are some in ${others.map(quoted).join(', ')}`}`,
    );
  onNotice?.(
    `--records ${path}: there are no objects in ${plural(empty.length, 'value')} ${firstOf(empty.map(String), shownValues)} of the file`,
  );
};

const shownValues = 5;

/** Quoted for a shell if needed. */
const quoted = (path: string): string => (path.includes('*') ? `'${path}'` : path);

/** A value at the top of a file. */
interface TopValue extends LosslessJson {
  /** Its number, from 1. */
  readonly line: number;
  /** The length of its text. */
  readonly bytes: number;
}

const valuesOf = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<TopValue> {
  let line = 0;
  for await (const text of valueTexts(decodeText(chunks))) {
    line += 1;
    yield { ...parsed(text, line), line, bytes: text.length };
  }
};

const parsed = (text: string, position: number): LosslessJson => {
  try {
    return parseLosslessJson(text);
  } catch (cause) {
    throw invalidInput(
      `value ${String(position)} of the file is not JSON: a comma, quote or bracket is missing or too much`,
      { cause },
    );
  }
};

/** @param before the records of earlier values */
const recordsIn = function* (
  { value, rounded, repeated, bytes }: TopValue,
  path: string,
  before: number,
): Generator<SourceRecord> {
  const records = recordsAt(value, path);
  if (!records.some(({ record }) => isJsonObject(record))) return;
  const around = repetitionAround(
    records.map(({ record }) => record),
    repeated,
  );
  if (around !== null)
    throw invalidInput(
      `the name ${JSON.stringify(around)} occurs more than once in an object around the records`,
    );
  const roundedRecords = rounded === undefined ? [] : recordsAt(rounded, path);
  for (const [at, { record, key }] of records.entries()) {
    const read = recordOf({
      value: record,
      rounded: roundedRecords[at]?.record,
      repeated,
      line: before + at + 1,
      bytes: bytes / records.length,
    });
    yield read.kind === 'document' ? { ...read, id: key } : read;
  }
};

/** A name that is repeated in an object outside the records; null if none is. */
const repetitionAround = (
  records: readonly unknown[],
  repeated: RepeatedNames = new Map(),
): string | null => {
  const inside = new Set<unknown>();
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    inside.add(value);
    Object.values(value).forEach(walk);
  };
  if (repeated.size > 0) walk(records);
  return [...repeated].find(([object]) => !inside.has(object))?.[1] ?? null;
};

const recordOf = ({ value, rounded, repeated, line, bytes }: TopValue): SourceRecord => {
  if (!isJsonObject(value)) return badRecord(line, 'not a JSON object', JSON.stringify(value));
  const flaw = flawIn(value, repeated);
  if (flaw !== null) return badRecord(line, flaw, JSON.stringify(value));
  return {
    kind: 'document',
    line,
    id: null,
    document: value,
    rounded: isJsonObject(rounded) ? rounded : null,
    bytes,
  };
};

/** The top-level values of a text, as texts; there may be white space between them. */
const valueTexts = async function* (texts: AsyncIterable<string>): AsyncGenerator<string> {
  let held = '';
  let depth = 0;
  let inString = false;
  for await (const text of texts) {
    let from = 0;
    const marks = /["\\{}[\]]/g;
    if (held.endsWith('\\') && inString && isEscaping(held)) marks.lastIndex = 1;
    for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
      if (inString) {
        if (mark[0] === '\\') marks.lastIndex += 1;
        else if (mark[0] === '"') inString = false;
        continue;
      }
      if (mark[0] === '"') inString = true;
      else if (mark[0] === '{' || mark[0] === '[') depth += 1;
      else if (mark[0] !== '\\') depth -= 1;
      if (depth > 0 || inString || mark[0] === '"') continue;
      yield held + text.slice(from, marks.lastIndex);
      [held, from] = ['', marks.lastIndex];
    }
    held += text.slice(from);
    if (held.length > maxValueBytes)
      throw invalidInput(
        `an object of the file has more than ${mebibytes(maxValueBytes)}: write its records one a line (jq -c '.results[]')`,
      );
  }
  if (depth > 0 || inString) throw invalidInput('the text ends inside an object');
  if (held.trim() !== '') yield held;
};

/** Whether the last backslash begins an escape. */
const isEscaping = (text: string): boolean => /\\*$/.exec(text)![0].length % 2 === 1;
