import { badUserInput, type TributaryError } from '../../lib/errors/errors.ts';
import { graphqlSegment, type Field, type Fields } from '../../introspection/fields/field.ts';
import { isJsonObject, valueAt, type JsonValue } from '../../lib/json/json.ts';
import { storedValues } from '../hits/stored-document.ts';

/** A step from an object into its content: a key, or one item of a list. Lists on the way are flattened. */
export type Step = { readonly key: string } | { readonly at: number };

/** The location of a column's values in a stored document. */
export interface ColumnPath {
  readonly steps: readonly Step[];
  /** The mapped field there. */
  readonly field: Field | undefined;
  /** The longest part of the path that is mapped; null when no part is. */
  readonly mapped: string | null;
  /** `<nested path>.hits.total`: the number of objects there instead of the objects. */
  readonly isCount: boolean;
  /** Ends in `[*]`: the items of a list there are separate values. */
  readonly isOpened: boolean;
}

/**
 * Parses the path of a portal's column: a field's path, whatever characters it has, another dotted path, the location
 * in a GraphQL `node` (`donors.hits.edges[*].node.donor_id`, with the schema's names), or one of these as a JSONPath of
 * keys, `[*]` and indexes.
 * An unmapped path is not an error: portals keep columns of removed fields.
 * @throws TributaryError BAD_USER_INPUT for any other JSONPath
 */
export const columnPath = (text: string, fields: Fields): ColumnPath => {
  const exact = fields.get(text);
  if (exact?.storedAt !== undefined && exact.indexField.keyOf === undefined)
    return { ...columnPath(exact.storedAt, fields), field: exact };
  const tokens = exact === undefined ? tokensOf(text) : text.split('.').map((name): Token => `.${name}`);
  const steps: Step[] = [];
  let path = '';
  let mapped: string | null = null;
  for (let position = 0; position < tokens.length; position++) {
    const token = tokens[position]!;
    if (token === 'each') continue;
    if (typeof token !== 'string') {
      steps.push(token);
      continue;
    }
    const name = token.slice(1);
    const rest = tokens.slice(position);
    if (fields.get(path)?.kind === 'flattened' && rest.every((step) => typeof step === 'string')) {
      // documents hold it as one key, with the dots, or as objects in each other
      const key = rest.flatMap((step) => (step === 'each' ? [] : step.slice(1))).join('.');
      const field = fields.get(joined(path, key));
      const isOpened = rest.at(-1) === 'each';
      return { steps: [...steps, { key }], field, mapped: field?.path ?? path, isCount: false, isOpened };
    }
    if (isConnection(name, path, fields)) {
      if (tokens[position + 1] === '.total')
        return { steps, field: fields.get(path), mapped: path, isCount: true, isOpened: false };
      position = skipConnection(tokens, position, steps, text);
      continue;
    }
    const known = mappedChild(path, name, fields);
    path = known ?? joined(path, name);
    mapped = known ?? mapped;
    steps.push({ key: known === undefined ? name : known.slice(known.lastIndexOf('.') + 1) });
  }
  return { steps, field: fields.get(path), mapped, isCount: false, isOpened: tokens.at(-1) === 'each' };
};

/** `.key` for a key, so that no key is mistaken for `each`. */
type Token = `.${string}` | 'each' | { readonly at: number };

const tokenPattern = /\.?\[(?:'([^']*)'|"([^"]*)"|(\d+)|(\*?))\]|\.?([^.[\]]+)|\.$/y;

const tokensOf = (text: string): readonly Token[] => {
  const path = text.startsWith('$') ? text.slice(1) : text;
  const tokens: Token[] = [];
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < path.length) {
    const token = tokenPattern.exec(path);
    if (token === null) throw unreadable(text);
    const [, quoted, doubleQuoted, at, each, plain] = token;
    const key = quoted ?? doubleQuoted ?? plain;
    if (key?.startsWith('?') || key === '*') throw unreadable(text);
    if (key !== undefined) tokens.push(`.${key}`);
    else if (at !== undefined) tokens.push({ at: Number(at) });
    else if (each !== undefined) tokens.push('each');
  }
  return tokens;
};

const unreadable = (text: string): TributaryError =>
  badUserInput(
    `${JSON.stringify(text.slice(0, 200))} is not the path of a column: keys, [*] and positions such as [0] expected`,
  );

const joined = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** The path of a child, by its own name or its name in the schema. */
const mappedChild = (path: string, name: string, fields: Fields): string | undefined => {
  const childPath = joined(path, name);
  if (fields.has(childPath)) return childPath;
  const prefix = path === '' ? '' : `${path}.`;
  for (const candidate of fields.keys()) {
    if (!candidate.startsWith(prefix)) continue;
    const child = candidate.slice(prefix.length);
    if (!child.includes('.') && graphqlSegment(child) === name) return candidate;
  }
  return undefined;
};

const isConnection = (name: string, path: string, fields: Fields): boolean =>
  name === 'hits' && fields.get(path)?.kind === 'nested' && !fields.has(`${path}.hits`);

/** `hits.edges[*].node` stands for the objects themselves. Returns the index of its last token. */
const skipConnection = (tokens: readonly Token[], position: number, steps: Step[], text: string): number => {
  let at = position + 1;
  if (at === tokens.length) return position;
  if (tokens[at] !== '.edges') throw unreadable(text);
  const item = tokens[at + 1];
  if (item === 'each') at++;
  else if (typeof item === 'object') {
    steps.push(item);
    at++;
  }
  return tokens[at + 1] === '.node' ? at + 1 : at;
};

/**
 * The values at the end of the steps, one for each way to reach it: lists on the way are flattened, one at the end is
 * returned as it is. An object of a list without a value keeps its position as null, so that columns of the same
 * objects correspond; [] when no object has a value.
 */
export const valuesAt = (value: JsonValue | undefined, steps: readonly Step[]): readonly JsonValue[] => {
  const values: JsonValue[] = [];
  walk(value, steps, 0, values);
  return values.every((value) => value === null) ? [] : values;
};

const walk = (
  value: JsonValue | undefined,
  steps: readonly Step[],
  position: number,
  values: JsonValue[],
): void => {
  if (value === undefined || value === null) return;
  const step = steps[position];
  if (step === undefined) {
    values.push(value);
  } else if ('at' in step) {
    // a single object stored in place of a list counts as its first item
    walk(storedValues(value)[step.at], steps, position + 1, values);
  } else if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) {
      const before = values.length;
      walk(item, steps, position, values);
      if (values.length === before && isJsonObject(item)) values.push(null);
    }
  } else walk(valueAt(value, step.key), steps, position + 1, values);
};
