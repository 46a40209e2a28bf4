import { jsonParser, type Token } from 'stream-json/parser.js';
import { invalidInput, type TributaryError } from '../../../lib/errors/errors.ts';
import { isJsonObject, type JsonObject } from '../../../lib/json/json.ts';
import { decodeText } from './decode-text.ts';
import { LosslessAssembler, flawIn } from './lossless-json.ts';
import { badRecord, type SourceRecord } from './source-record.ts';

/**
 * Streams the elements of a JSON array; `line` is the element's number from 1.
 * @throws TributaryError INPUT_INVALID a syntax error (elements after it cannot be separated), or an element longer
 *   than `maxRecordBytes`
 */
export const readJsonArray = async function* (
  chunks: AsyncIterable<Buffer>,
  maxRecordBytes: number,
): AsyncGenerator<SourceRecord> {
  const assembler = new LosslessAssembler();
  const tokensOf = tokenizer();
  let element = 0;
  let bytesSince = 0;
  for await (const chunk of decodeText(chunks))
    for (const text of chunk.split(behindObjects)) {
      bytesSince += text.length;
      for (const token of tokensOf(text, element)) {
        assembler.consume(token);
        const value = assembler.depth === 1 ? takeElement(assembler.current, element) : undefined;
        if (value === undefined) continue;
        element += 1;
        const flaw = flawIn(value, assembler.repeated);
        assembler.repeated.clear();
        const kept = assembler.takeKeptDigits();
        yield flaw === null
          ? elementRecord(element, value, kept, bytesSince)
          : badRecord(element, flaw, JSON.stringify(value));
        bytesSince = 0;
      }
      if (bytesSince > maxRecordBytes)
        throw broken(element, `the next element is longer than ${String(maxRecordBytes)} bytes`);
    }
  if (!assembler.done || element + bytesSince === 0) throw broken(element, 'the text ends inside the array');
};

/** The parser returns nothing from a text with an error, so texts are split after each object. */
const behindObjects = /(?<=\})/;

const tokenizer = (): ((text: string, element: number) => readonly Token[]) => {
  const parse = jsonParser({ streamValues: false });
  return (text, element) => {
    try {
      const tokens = parse(text);
      return typeof tokens === 'object' ? tokens.values : [];
    } catch (cause) {
      throw broken(element, 'what follows is not JSON', cause);
    }
  };
};

/** The element just completed, removed so that the array never grows; undefined if there is none. */
const takeElement = (current: unknown, element: number): unknown => {
  if (!Array.isArray(current)) throw broken(element, 'the text is not an array of objects');
  return current.length === 0 ? undefined : (current.pop() as unknown);
};

const elementRecord = (
  line: number,
  value: unknown,
  kept: ReadonlySet<string>,
  bytes: number,
): SourceRecord => {
  if (!isJsonObject(value)) return badRecord(line, 'not a JSON object', JSON.stringify(value));
  const rounded = kept.size === 0 ? null : rounding(value, kept);
  return { kind: 'document', line, id: null, document: value, rounded, bytes };
};

const rounding = (document: JsonObject, kept: ReadonlySet<string>): JsonObject =>
  JSON.parse(JSON.stringify(document), (_key, value: unknown) =>
    typeof value === 'string' && kept.has(value) ? Number(value) : value,
  ) as JsonObject;

const broken = (element: number, what: string, cause?: unknown): TributaryError =>
  invalidInput(`${what}, after element ${String(element)} of the array`, { cause });
