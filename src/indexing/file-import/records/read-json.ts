import { invalidInput } from '../../../errors/errors.ts';
import { isJsonObject, type JsonObject } from '../../../json/json.ts';
import { decodeText, mebibytes } from './decode-text.ts';
import { findRecords, recordsAt } from './json-envelope.ts';
import { parseLosslessJson, flawIn, type LosslessJson, type RepeatedNames } from './lossless-json.ts';
import { readJsonArray } from './read-json-array.ts';
import { badRecord, plainReading, type ReadingOptions, type SourceRecord } from './source-record.ts';

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
  else yield* readValues(bytes, reading);
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
    first = Buffer.concat(taken).toString().replace(/^\uFEFF/, '').trimStart().slice(0, 1); // prettier-ignore
  }
  const bytes = async function* (): AsyncGenerator<Buffer> {
    yield* taken;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  };
  return { first, bytes: bytes() };
};

/** The records of the first value, unless others follow: then each of them is a record. */
const readValues = async function* (
  chunks: AsyncIterable<Buffer>,
  reading: ReadingOptions,
): AsyncGenerator<SourceRecord> {
  let first: LosslessJson | null = null;
  let line = 0;
  for await (const text of valueTexts(decodeText(chunks))) {
    line += 1;
    const value = parsed(text, line);
    if (reading.records !== undefined) {
      yield* recordsIn(value, reading.records, text.length);
      continue;
    }
    if (line === 1) {
      first = value;
      continue;
    }
    if (first !== null) yield recordOf(first, 1, text.length);
    first = null;
    yield recordOf(value, line, text.length);
  }
  if (first === null) return;
  const found = findRecords(first.value);
  if (found.path === null) {
    if (found.others.length > 0)
      reading.onNotice?.(`the file is one JSON object and loaded as one record (--records ${quoted(found.others[0]!)} loads the records inside)`); // prettier-ignore
    yield recordOf(first, 1, 0);
    return;
  }
  const where = found.path === '*' ? 'the members of the object' : `those in ${found.path}`;
  reading.onNotice?.(`the records are ${where} (--records names another path)`);
  yield* recordsIn(first, found.path, 0);
};

/** As a shell takes it. */
const quoted = (path: string): string => (path.includes('*') ? `'${path}'` : path);

const parsed = (text: string, position: number): LosslessJson => {
  try {
    return parseLosslessJson(text);
  } catch (cause) {
    throw invalidInput(`value ${String(position)} of the file is not JSON: a comma, quote or bracket is missing or too much`, { cause }); // prettier-ignore
  }
};

const recordsIn = function* (
  { value, rounded, repeated }: LosslessJson,
  path: string,
  bytes: number,
): Generator<SourceRecord> {
  const records = recordsAt(value, path);
  if (records.length === 0) {
    const { others } = findRecords(value);
    throw invalidInput(`--records ${path}: there are no objects${others.length === 0 ? '' : `; there are some in ${others.map(quoted).join(', ')}`}`); // prettier-ignore
  }
  const around = repetitionAround(records.map(({ record }) => record), repeated); // prettier-ignore
  if (around !== null)
    throw invalidInput(
      `the name ${JSON.stringify(around)} occurs more than once in an object around the records`,
    );
  const roundedRecords = rounded === undefined ? [] : recordsAt(rounded, path);
  for (const [at, { record, key }] of records.entries()) {
    const read = recordOf({ value: record, rounded: roundedRecords[at]?.record, repeated }, at + 1, bytes / records.length); // prettier-ignore
    yield read.kind === 'document' ? { ...read, id: key } : read;
  }
};

/** A name that occurs more than once in an object outside the records; null if none does. */
const repetitionAround = (
  records: readonly JsonObject[],
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

const recordOf = ({ value, rounded, repeated }: LosslessJson, line: number, bytes: number): SourceRecord => {
  if (!isJsonObject(value)) return badRecord(line, 'not a JSON object', JSON.stringify(value));
  const flaw = flawIn(value, repeated);
  if (flaw !== null) return badRecord(line, flaw, JSON.stringify(value));
  return { kind: 'document', line, id: null, document: value, rounded: isJsonObject(rounded) ? rounded : null, bytes }; // prettier-ignore
};

/** The texts of the values at the top of a text, which may have white space between them. */
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
      throw invalidInput(`an object of the file has more than ${mebibytes(maxValueBytes)}: write its records one a line (jq -c '.results[]')`); // prettier-ignore
  }
  if (depth > 0 || inString) throw invalidInput('the text ends inside an object');
  if (held.trim() !== '') yield held;
};

/** Whether the last backslash begins an escape. */
const isEscaping = (text: string): boolean => /\\*$/.exec(text)![0].length % 2 === 1;
