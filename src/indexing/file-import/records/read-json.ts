import { invalidInput, type TributaryError } from '../../../lib/errors/errors.ts';
import { firstOf } from '../../../lib/text/escaped-text.ts';
import { isJsonObject, type JsonObject } from '../../../lib/json/json.ts';
import { decodeText, mebibytes } from './decode-text.ts';
import { rejectDescription } from './json-descriptions.ts';
import { findRecords, recordsAt } from './json-envelope.ts';
import { parseLosslessJson, flawIn, type LosslessJson, type RepeatedNames } from './lossless-json.ts';
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
  if (first === '[' && reading.records === undefined) yield* readArray(bytes, maxRecordBytes);
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
  const { path, others } = findRecords(first.value);
  if (path === null) {
    if (others.length > 0)
      reading.onNotice?.(
        `the file is one JSON object and loaded as one record (--records ${quoted(others[0]!)} loads the records inside)`,
      );
    yield recordOf(first);
    return;
  }
  const where = path === '*' ? 'the members of the object' : `those in ${path}`;
  reading.onNotice?.(`the records are ${where} (--records names another path)`);
  yield* recordsIn(first, path, 0);
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
const valueTexts = (texts: AsyncIterable<string>): AsyncGenerator<string> =>
  cutTexts(texts, {
    isCut: (mark, open) => open <= 0 && /[}\]]/.test(mark),
    maxLength: maxValueBytes,
    tooLong: () =>
      invalidInput(
        `an object of the file has more than ${mebibytes(maxValueBytes)}: write its records one a line (jq -c '.results[]')`,
      ),
    cutOff: () => invalidInput('the text ends inside an object'),
  });

/**
 * Streams the elements of a JSON array; `line` is the element's number from 1.
 * @throws TributaryError INPUT_INVALID a syntax error, or an element longer than `maxRecordBytes`
 */
const readArray = async function* (
  chunks: AsyncIterable<Buffer>,
  maxRecordBytes: number,
): AsyncGenerator<SourceRecord> {
  let element = 0;
  // the mark that ended the piece before
  let behind = '[';
  const broken = (what: string, cause?: unknown): TributaryError =>
    invalidInput(`${what}, after element ${String(element)} of the array`, { cause });
  const pieces = cutTexts(decodeText(chunks), {
    isCut: (mark, open) => (open === 1 && /[[,}]/.test(mark)) || (open <= 0 && /[}\]]/.test(mark)),
    maxLength: maxRecordBytes,
    tooLong: () => broken(`the next element is longer than ${String(maxRecordBytes)} bytes`),
    cutOff: () => broken('the text ends inside the array'),
  });
  // the bracket that begins the array
  await pieces.next();
  for await (const piece of pieces) {
    const before = behind;
    behind = piece.at(-1)!;
    const text = (behind === '}' ? piece : piece.slice(0, -1)).trim();
    // behind an object, only a comma or the end of the array may follow
    const mayBeBlank = before === '}' || (before === '[' && behind === ']');
    if (before === ']' || (text === '' ? !mayBeBlank : before === '}'))
      throw broken('what follows is not JSON');
    if (text === '') continue;
    let value: LosslessJson;
    try {
      value = parseLosslessJson(text);
    } catch (cause) {
      throw broken('what follows is not JSON', cause);
    }
    element += 1;
    yield recordOf({ ...value, line: element, bytes: text.length });
  }
};

/** How a text is cut into pieces. */
interface Cutting {
  /** Whether a piece ends behind a mark outside strings, behind which this many brackets are open. */
  readonly isCut: (mark: string, open: number) => boolean;
  /** The maximum length of a piece, and the error for a longer piece. */
  readonly maxLength: number;
  readonly tooLong: () => TributaryError;
  /** The error for a text that ends with an open bracket. */
  readonly cutOff: () => TributaryError;
}

/** The pieces of a JSON text, with the marks at their ends; at the end, what follows the last piece, unless it is blank. */
const cutTexts = async function* (
  texts: AsyncIterable<string>,
  { isCut, maxLength, tooLong, cutOff }: Cutting,
): AsyncGenerator<string> {
  let [piece, open, inString] = ['', 0, false];
  const grow = (text: string): void => {
    piece += text;
    if (piece.length > maxLength) throw tooLong();
  };
  for await (const text of texts) {
    let from = 0;
    const marks = /["\\{}[\],]/g;
    if (inString && isEscaping(piece)) marks.lastIndex = 1;
    for (let mark = marks.exec(text)?.[0]; mark !== undefined; mark = marks.exec(text)?.[0]) {
      if (inString) {
        if (mark === '\\') marks.lastIndex += 1;
        else if (mark === '"') inString = false;
        continue;
      }
      if (mark === '"') inString = true;
      else if (mark === '{' || mark === '[') open += 1;
      else if (mark === '}' || mark === ']') open -= 1;
      if (!isCut(mark, open)) continue;
      grow(text.slice(from, marks.lastIndex));
      yield piece;
      [piece, from] = ['', marks.lastIndex];
    }
    grow(text.slice(from));
  }
  if (open > 0 || inString) throw cutOff();
  if (piece.trim() !== '') yield piece;
};

/** Whether the last backslash begins an escape. */
const isEscaping = (text: string): boolean => text.endsWith('\\') && /\\*$/.exec(text)![0].length % 2 === 1;
