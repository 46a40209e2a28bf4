import type { Fields, FieldKind } from '../../../src/introspection/fields/field.ts';
import { isJsonObject, type JsonObject } from '../../../src/lib/json/json.ts';
import { group, leaf, wildcard, type LeafOp, type Sqon, type SqonScalar } from '../../../src/sqon/ast.ts';

/**
 * What a filter as written means, read by the rules alone and without the server's parser: a filter, null for
 * everything, `refused` when it must be, and `unsaid` where the plain evaluator has no opinion.
 */
export type Reading = Sqon | null | 'refused' | 'unsaid';

/** Reads a filter of a few levels; recursion is fine for those. */
export const readAsWritten = (input: unknown, fields: Fields): Reading => {
  if (input === null || input === undefined) return null;
  if (isJsonObject(input) && Object.keys(input).length === 0) return null;
  const read = readNode(input, fields);
  return typeof read !== 'string' && read.kind === 'group' && read.content.length === 0 ? null : read;
};

type Read = Sqon | 'refused' | 'unsaid';

const aliases: Readonly<Record<string, string>> = {
  '=': 'in',
  '==': 'in',
  '===': 'in',
  '!=': 'not-in',
  '!==': 'not-in',
  '>': 'gt',
  '>=': 'gte',
  '<': 'lt',
  '<=': 'lte',
  filter: 'wildcard',
};
const leafOps = [
  'in',
  'not-in',
  'some-not-in',
  'all',
  'gt',
  'gte',
  'lt',
  'lte',
  'between',
  'starts-with',
  'is',
];
const rangeOps = ['gt', 'gte', 'lt', 'lte', 'between'];

const readNode = (input: unknown, fields: Fields): Read => {
  if (!isJsonObject(input) || typeof input['op'] !== 'string') return 'refused';
  const op = Object.hasOwn(aliases, input['op']) ? aliases[input['op']]! : input['op'];
  const pivot = input['pivot'];
  const plain = pivot === undefined || pivot === null || pivot === '.' || pivot === '';
  if (!plain && typeof pivot !== 'string') return 'refused';
  if (op === 'and' || op === 'or' || op === 'not') {
    if (!Array.isArray(input['content'])) return 'refused';
    const content = input['content'].map((node) => readNode(node, fields));
    const worst = worstOf(content, plain || fields.get(pivot as string)?.kind === 'nested');
    return worst ?? group(op, content as Sqon[], plain ? null : (pivot as string));
  }
  const content = input['content'];
  if (!isJsonObject(content)) return 'refused';
  const read =
    op === 'wildcard'
      ? readWildcard(content, fields)
      : op === 'search'
        ? readSearch(content)
        : readLeaf(op, content, fields);
  return plain || read === 'refused' ? read : 'unsaid';
};

const worstOf = (content: readonly Read[], pivotFits: boolean): 'refused' | 'unsaid' | null => {
  if (content.includes('refused')) return 'refused';
  // Whether a pivot that is none is an error below a constant is left open.
  return content.includes('unsaid') || !pivotFits ? 'unsaid' : null;
};

const readWildcard = ({ fieldNames, value }: JsonObject, fields: Fields): Read => {
  const names = readNames(fieldNames);
  if (names === null || typeof value !== 'string') return 'refused';
  const known = names.every((name) => kindOf(name, fields) === 'keyword');
  const simple = value === '*' || value === '?' || !/[*?]/.test(value);
  return known && simple ? wildcard(names, value) : 'unsaid';
};

/** What words are is left to the conformance cases. */
const readSearch = ({ fieldNames, value, wholeWords = null }: JsonObject): Read => {
  const isRead = typeof value === 'string' && value.length <= 1_000;
  const isFlag = wholeWords === null || typeof wholeWords === 'boolean';
  return readNames(fieldNames) !== null && isRead && isFlag ? 'unsaid' : 'refused';
};

const readNames = (fieldNames: unknown): readonly string[] | null => {
  const names: readonly unknown[] =
    typeof fieldNames === 'string' ? [fieldNames] : Array.isArray(fieldNames) ? fieldNames : [''];
  return names.every((name) => typeof name === 'string' && name !== '') ? (names as string[]) : null;
};

const readLeaf = (op: string, { fieldName, value }: JsonObject, fields: Fields): Read => {
  if (!leafOps.includes(op) || typeof fieldName !== 'string' || fieldName === '') return 'refused';
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (!values.every(isScalar) || (values.length === 0 && rangeOps.includes(op))) return 'refused';
  const kind = kindOf(fieldName, fields);
  if (kind === undefined) return leaf(op as LeafOp, fieldName, values);
  if (op === 'starts-with' && !['keyword', 'text', 'boolean'].includes(kind)) return 'refused';
  const fitting = values.map((item) => fit(item, kind, rangeOps.includes(op)));
  if (fitting.includes(refused)) return 'refused';
  if (fitting.includes(unsaid)) return 'unsaid';
  if (op === 'between' && !areBounds(fitting as SqonScalar[])) return 'refused';
  return leaf(op as LeafOp, fieldName, fitting as SqonScalar[]);
};

/** One value, two in order, or more that are not sorted. */
const areBounds = (values: readonly SqonScalar[]): boolean => {
  const rises = values.slice(1).map((value, position) => values[position]! <= value);
  const falls = values.slice(1).map((value, position) => values[position]! >= value);
  if (values.length <= 2) return rises.every(Boolean);
  return !rises.every(Boolean) && !falls.every(Boolean);
};

const isScalar = (value: unknown): value is SqonScalar =>
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value));

const kindOf = (path: string, fields: Fields): FieldKind | undefined => fields.get(path)?.kind;

const refused = Symbol('refused');
const unsaid = Symbol('unsaid');

/** The value as documents of the library have it. */
const fit = (
  value: SqonScalar,
  kind: FieldKind,
  inRange: boolean,
): SqonScalar | typeof refused | typeof unsaid => {
  const special = typeof value === 'string' && /\*|^set_id:|^__missing__$/.test(value);
  if (special) return !inRange && (value === '*' || value === '__missing__') ? value : unsaid;
  switch (kind) {
    case 'keyword':
      return inRange ? unsaid : String(value);
    case 'number':
      if (typeof value === 'boolean') return refused;
      if (typeof value === 'number') return value;
      return /^-?\d{1,9}$/.test(value)
        ? Number(value)
        : /^[\w ]*[a-z ][\w ]*$/i.test(value)
          ? refused
          : unsaid;
    default:
      return unsaid;
  }
};
