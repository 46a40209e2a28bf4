import { badUserInput, type TributaryError } from '../lib/errors/errors.ts';
import type { GroupOp, LeafOp, MultiOp, Sqon, SqonScalar } from './ast.ts';
import { group, leaf, multi } from './ast.ts';
import { malformed } from './malformed.ts';
import { operatorMeant, operatorNames, operators } from './operators/table.ts';
import { isJsonObject, type JsonObject } from '../lib/json/json.ts';
import { documentKey } from '../introspection/fields/field.ts';

/** The limits of a filter; beyond them it is refused before it costs anything. */
export const maxLevels = 1_000;
/** Groups and leaves together. */
export const maxNodes = 10_000;

/**
 * Parses a filter as a client wrote it. Aliases become canonical operators, a scalar value becomes a list of one, the
 * pivots `"."` and `""` are dropped; unknown keys are ignored.
 * @returns null when it matches everything: absent, null, `{}` or an empty group at the root; one with a pivot is kept,
 *   as it needs the catalogue's fields to know whether that is a nested path
 * @throws TributaryError BAD_USER_INPUT naming the JSON path, what was found and what is accepted
 */
export const parseSqon = (input: unknown): Sqon | null => {
  if (input === undefined || input === null) return null;
  if (isJsonObject(input) && Object.keys(input).length === 0) return null;
  const sqon = parseTree(input);
  return sqon.kind === 'group' && sqon.content.length === 0 && sqon.pivot === null ? null : sqon;
};

/** A group whose content is being parsed: on an explicit stack, so that depth does not use the call stack. */
interface OpenGroup {
  readonly op: GroupOp;
  readonly pivot: string | null;
  readonly at: string;
  readonly input: readonly unknown[];
  readonly content: Sqon[];
}

const parseTree = (root: unknown): Sqon => {
  const open: OpenGroup[] = [];
  let nodes = 0;
  let next: { input: unknown; at: string } | null = { input: root, at: '$' };
  for (;;) {
    if (next !== null) {
      if (++nodes > maxNodes) throw tooLarge(next.at, `more than ${maxNodes} nodes`);
      const node: Sqon | OpenGroup = parseNode(next.input, next.at);
      if ('input' in node) {
        if (open.push(node) > maxLevels) throw tooLarge(next.at, `more than ${maxLevels} levels`);
      } else if (open.length === 0) return node;
      else open.at(-1)!.content.push(node);
    }
    const top: OpenGroup = open.at(-1)!;
    if (top.content.length < top.input.length) {
      const position = top.content.length;
      next = { input: top.input[position], at: `${top.at}.content[${position}]` };
      continue;
    }
    open.pop();
    const closed = group(top.op, top.content, top.pivot, top.at);
    if (open.length === 0) return closed;
    open.at(-1)!.content.push(closed);
    next = null;
  }
};

const tooLarge = (at: string, what: string): TributaryError =>
  badUserInput(`filter at ${at.slice(0, 80)}: ${what}; simplify the filter`, {
    details: { path: at.slice(0, 80), accepted: `at most ${maxLevels} levels and ${maxNodes} nodes` },
  });

const parseNode = (input: unknown, at: string): Sqon | OpenGroup => {
  if (!isJsonObject(input)) throw malformed(at, input, 'a filter {op, content}');
  const op = operatorMeant(input.op);
  if (op === undefined) throw malformed(`${at}.op`, input.op, `one of ${operatorNames.join(', ')}`);
  const pivot = parsePivot(input.pivot, `${at}.pivot`);
  const { kind } = operators[op];
  switch (kind) {
    case 'group':
      return openGroup(op as GroupOp, input.content, pivot, at);
    case 'leaf':
      return parseLeaf(op as LeafOp, contentOf(input, '{fieldName, value}', at), pivot, at);
    case 'multi':
      return parseMulti(op as MultiOp, contentOf(input, '{fieldNames, value}', at), pivot, at);
  }
};

const contentOf = ({ content }: JsonObject, form: string, at: string): JsonObject => {
  if (!isJsonObject(content)) throw malformed(`${at}.content`, content, `an object ${form}`);
  return content;
};

const parseLeaf = (op: LeafOp, content: JsonObject, pivot: string | null, at: string): Sqon => {
  const { fieldName, value, field } = content;
  // filters of release 2 have another key
  const isOld = fieldName === undefined && typeof field === 'string';
  const meant = isOld
    ? `, written as fieldName in place of field: "fieldName": ${JSON.stringify(field.slice(0, 80))}`
    : '';
  if (typeof fieldName !== 'string' || fieldName === '')
    throw malformed(`${at}.content.fieldName`, fieldName, `the dotted path of a field${meant}`);
  const parsed = leaf(op, fieldName, parseValues(op, value, at), pivot, at);
  const { except } = content;
  if (operators[op].takesTerms !== true || except === undefined || except === null) return parsed;
  const terms: readonly unknown[] = Array.isArray(except) ? except : [except];
  const exceptTerms = terms.map((term, position) => parseTerm(term, `${at}.content.except[${position}]`));
  return exceptTerms.length === 0 ? parsed : { ...parsed, exceptTerms };
};

const parseTerm = (term: unknown, at: string): string => {
  if (typeof term === 'string' || typeof term === 'number') return String(term);
  throw malformed(at, term, 'the id of a term');
};

const openGroup = (op: GroupOp, content: unknown, pivot: string | null, at: string): OpenGroup => {
  if (!Array.isArray(content)) throw malformed(`${at}.content`, content, 'a list of filters');
  return { op, pivot, at, input: content, content: [] };
};

const parsePivot = (pivot: unknown, at: string): string | null => {
  if (pivot === undefined || pivot === null || pivot === '.' || pivot === '') return null;
  if (typeof pivot !== 'string') throw malformed(at, pivot, 'the dotted path of a nested field');
  return pivot;
};

const parseMulti = (op: MultiOp, content: JsonObject, pivot: string | null, at: string): Sqon => {
  const { fieldNames } = content;
  const listed: unknown[] = typeof fieldNames === 'string' ? [fieldNames] : listOf(fieldNames, at);
  const names = listed.map((name, position) => {
    if (typeof name === 'string' && name !== '') return name;
    throw malformed(`${at}.content.fieldNames[${position}]`, name, 'the dotted path of a field');
  });
  const { value, ...others } = operators[op].parse(content, `${at}.content`);
  return { ...multi(op, names, value, pivot, at), ...others };
};

const listOf = (fieldNames: unknown, at: string): unknown[] => {
  if (Array.isArray(fieldNames)) return fieldNames;
  throw malformed(`${at}.content.fieldNames`, fieldNames, 'a list of field paths');
};

const parseValues = (op: LeafOp, value: unknown, at: string): readonly SqonScalar[] => {
  const where = `${at}.content.value`;
  if (!Array.isArray(value)) return [parseScalar(value, where)];
  if (value.length === 0 && operators[op].needsValues)
    throw malformed(where, value, `at least one bound for ${op}`);
  if (value.every(isScalar)) return value;
  return value.map((item: unknown, position) => parseScalar(item, `${where}[${position}]`));
};

const isScalar = (value: unknown): value is SqonScalar =>
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value));

const parseScalar = (value: unknown, at: string): SqonScalar => {
  if (isScalar(value)) return value;
  throw malformed(at, value, 'a string, a number, a boolean, or a list of these');
};

/**
 * Prints a filter as JSON in canonical form: canonical operators, lists for values, no pivot if there is none. For
 * anything a client can write, `parseSqon(printSqon(x))` equals x. A constant is printed as membership in an empty list
 * of keys: unlike an empty group, it is preserved when a facet drops its own selections and the groups emptied by that.
 */
export const printSqon = (sqon: Sqon | null): JsonObject | null => (sqon === null ? null : printNode(sqon));

const printNode = (sqon: Sqon): JsonObject => {
  const pivot = sqon.pivot === null ? {} : { pivot: sqon.pivot };
  switch (sqon.kind) {
    case 'group':
      return { op: sqon.op, content: sqon.content.map(printNode), ...pivot };
    case 'leaf': {
      const except = sqon.exceptTerms && { except: sqon.exceptTerms };
      return { op: sqon.op, content: { fieldName: sqon.fieldName, value: sqon.values, ...except }, ...pivot };
    }
    case 'multi': {
      const wholeWords = sqon.wholeWords === true && { wholeWords: true };
      const content = { fieldNames: sqon.fieldNames, value: sqon.value, ...wholeWords };
      return { op: sqon.op, content, ...pivot };
    }
    case 'constant':
      return { op: sqon.value ? 'not-in' : 'in', content: { fieldName: documentKey.path, value: [] } };
  }
};
