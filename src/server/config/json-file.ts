import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileReason } from '../../lib/runtime/file-failure.ts';
import { faultAt, noticeAt, problemsError, type Problem } from '../../lib/text/problem.ts';

export type JsonFile =
  /** `repeated`: the key that occurs twice, in words; JSON.parse only keeps its last value. */
  | {
      readonly kind: 'read';
      /** Without a byte order mark. */
      readonly text: string;
      readonly content: unknown;
      readonly repeated: string | null;
    }
  | { readonly kind: 'missing' }
  | { readonly kind: 'broken'; readonly reason: string };

/** A JSON file, with or without a byte order mark. Never throws: the caller reports problems. */
export const readJsonFile = (path: string): JsonFile => {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT'
      ? { kind: 'missing' }
      : { kind: 'broken', reason: `cannot be read: ${fileReason(error) ?? code ?? 'no reason is known'}` };
  }
  // wrong characters would match nothing, and would be lost when the file is written again
  if (!isUtf8(bytes)) return { kind: 'broken', reason: 'is not UTF-8: save it as UTF-8' };
  const json = bytes.toString().replace(/^\uFEFF/, '');
  try {
    const content: unknown = JSON.parse(json);
    return { kind: 'read', text: json, content, repeated: repeatedKey(json) };
  } catch {
    return { kind: 'broken', reason: `is not JSON${faultOf(json)}` };
  }
};

/** A file of the server's configuration. */
export interface ConfigFile {
  readonly content: unknown;
  /** The path as configured, for messages. */
  readonly file: string;
  /** The key that occurs twice, in words. */
  readonly repeated: string | null;
}

/**
 * The file that a variable names, else the usual one, which may be missing.
 * @param usual unset: only what the variable names is read
 * @param cure what to do where the file that is named is missing
 * @returns null if there is none
 * @throws TributaryError CONFIG_INVALID for a file that is named and missing, or cannot be read as JSON
 */
export const readConfigFile = (
  variable: string,
  path: string | undefined,
  usual?: string,
  cure = '',
): ConfigFile | null => {
  const file = path ?? usual;
  if (file === undefined) return null;
  const read = readJsonFile(resolve(file));
  switch (read.kind) {
    case 'read':
      return { content: read.content, file, repeated: read.repeated };
    case 'missing':
      if (path === undefined) return null;
      throw problemsError([
        faultAt(null, variable, `names ${JSON.stringify(file)}, which does not exist${cure}`),
      ]);
    case 'broken':
      throw problemsError([faultAt(file, '', read.reason)]);
  }
};

/** A warning about the key that occurs twice in a file, if any. */
export const repeatedNotice = ({ file, repeated }: ConfigFile): readonly Problem[] =>
  repeated === null ? [] : [noticeAt(file, '', `${repeated}; the last is read`)];

const faultOf = (json: string): string => {
  const fault = jsonSyntaxError(json);
  return fault === null
    ? ''
    : ` (line ${fault.line} column ${fault.column}): ${json.trim() === '' ? 'the file is empty' : `${fault.expected} expected`}`;
};

/** The position of a syntax error in JSON, and what was expected there. */
export interface JsonSyntaxError {
  /** From 1. */
  readonly line: number;
  /** From 1, in characters. */
  readonly column: number;
  readonly expected: string;
}

type Expecting = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'colon' | 'commaOrEnd' | 'end';

const tokens =
  /[ \t\r\n]*(?:(?<mark>[{}[\],:])|(?<text>"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(?<scalar>(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])))/y; // eslint-disable-line no-control-regex -- what a JSON text must escape

/**
 * The first syntax error in a text that JSON.parse refused, whose own messages quote the text and give no position for
 * short or truncated texts. Null if there is none.
 */
export const jsonSyntaxError = (text: string): JsonSyntaxError | null => {
  const open: ('{' | '[')[] = [];
  let expecting: Expecting = 'value';
  let at = 0;
  while (at < text.length) {
    tokens.lastIndex = at;
    const found = tokens.exec(text);
    const next: Expecting | null = found === null ? null : after(found.groups!, expecting, open);
    if (found === null || next === null) break;
    at = tokens.lastIndex;
    expecting = next;
  }
  const rest = /[^ \t\r\n]/.exec(text.slice(at));
  if (rest === null && expecting === 'end') return null;
  // a premature end is reported at the end of the text, not after its last line break
  return { ...positionOf(text, rest === null ? at : at + rest.index), expected: wordsOf(expecting, open) };
};

/** Describes the first key that an object has twice; null if there is none. @param text valid JSON */
const repeatedKey = (text: string): string | null => {
  const open: Set<string>[] = [];
  let last = '';
  tokens.lastIndex = 0;
  for (let found = tokens.exec(text); found !== null; found = tokens.exec(text)) {
    const { mark, text: quoted } = found.groups!;
    if (mark === '{' || mark === '[') open.push(new Set());
    else if (mark === '}' || mark === ']') open.pop();
    else if (mark === ':' && open.at(-1)!.has(last)) {
      const { line } = positionOf(text, found.index);
      return `has the key ${last} twice in one object (line ${line}): keep one`;
    } else if (mark === ':') open.at(-1)!.add(last);
    if (quoted !== undefined) last = String(JSON.parse(quoted));
  }
  return null;
};

/** What is expected after a token; null if the token is unexpected. Modifies `open`. */
const after = (
  { mark, text }: Readonly<Record<string, string | undefined>>,
  expecting: Expecting,
  open: ('{' | '[')[],
): Expecting | null => {
  const closed = (): Expecting => {
    open.pop();
    return afterValue(open);
  };
  switch (expecting) {
    case 'colon':
      return mark === ':' ? 'value' : null;
    case 'keyOrEnd':
    case 'key':
      if (text !== undefined) return 'colon';
      return expecting === 'keyOrEnd' && mark === '}' ? closed() : null;
    case 'commaOrEnd':
      if (mark === ',') return open.at(-1) === '{' ? 'key' : 'value';
      return mark === (open.at(-1) === '{' ? '}' : ']') ? closed() : null;
    case 'valueOrEnd':
    case 'value':
      if (mark === undefined) return afterValue(open);
      if (mark === ']' && expecting === 'valueOrEnd') return closed();
      if (mark !== '{' && mark !== '[') return null;
      open.push(mark);
      return mark === '{' ? 'keyOrEnd' : 'valueOrEnd';
    case 'end':
      return null;
  }
};

const afterValue = (open: readonly string[]): Expecting => (open.length === 0 ? 'end' : 'commaOrEnd');

const positionOf = (text: string, at: number): { readonly line: number; readonly column: number } => {
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1 };
};

const wordsOf = (expecting: Expecting, open: readonly string[]): string => {
  switch (expecting) {
    case 'value':
      return 'a value';
    case 'valueOrEnd':
      return 'a value or ]';
    case 'key':
      return 'a key in double quotes';
    case 'keyOrEnd':
      return 'a key in double quotes or }';
    case 'colon':
      return 'a colon';
    case 'commaOrEnd':
      return open.at(-1) === '{' ? 'a comma or }' : 'a comma or ]';
    case 'end':
      return 'nothing more';
  }
};
