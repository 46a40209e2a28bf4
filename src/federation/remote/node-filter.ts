import type { Sqon, SqonLeaf, SqonScalar, SqonMulti, Operator } from '../../sqon/ast.ts';
import {
  group,
  isPrefixPattern,
  isSpecialValue,
  leaf,
  MISSING,
  SET_PREFIX,
  multi,
  wildcard,
} from '../../sqon/ast.ts';
import { operators } from '../../sqon/operators/table.ts';
import { mapConditions } from '../../sqon/rewrite.ts';

/**
 * Rewrites a node's filter for a remote node, using only what its clients can write. Values excluded from a pattern become
 * a separate condition, so a record whose list holds both a matching and an excluded value is not found.
 * @param nestedPathOf the innermost nested path of a node's field; null for a field of the record itself
 * @param isNetwork some of its own nodes may lack the field
 */
export const wireFilter = (
  sqon: Sqon,
  nestedPathOf: (path: string) => string | null,
  isNetwork = false,
): Sqon => {
  switch (sqon.kind) {
    case 'group': {
      const content = sqon.content.map((child) => wireFilter(child, nestedPathOf, isNetwork));
      return { ...sqon, content: [...content].sort(constantsLast) };
    }
    case 'leaf': {
      if (sqon.except === undefined && sqon.isSearch !== true) return sqon;
      const nestedPath = nestedPathOf(sqon.fieldName);
      const written = wireLeaf(sqon, nestedPath);
      const isOfObjects = nestedPath !== null && operators[sqon.op].complement?.on === 'object';
      return isNetwork && isOfObjects ? orLacked(written, sqon) : written;
    }
    case 'multi':
      return sqon.except === undefined
        ? sqon
        : excepting(plainMulti(sqon), sqon, nestedPathOf(sqon.fieldNames[0]!));
    case 'constant':
      return sqon;
  }
};

/** An established node decides from the first entry of a pivot's group whether the group is for nested objects. */
const constantsLast = (left: Sqon, right: Sqon): number =>
  Number(left.kind === 'constant') - Number(right.kind === 'constant');

/**
 * A negation is true at nodes that lack its field, unlike that some object satisfies it. So the negation of at least the same
 * values is an alternative, which changes nothing where there are objects.
 */
const orLacked = (written: Sqon, { op, fieldName, values, exactFrom = Infinity, at }: SqonLeaf): Sqon => {
  const isTaken = (value: SqonScalar, index: number): boolean => index >= exactFrom && isSpecialValue(value);
  const others = values.map((value, index) => (isTaken(value, index) ? '*' : value));
  return group('or', [written, leaf(op, fieldName, others, null, at)], null, at);
};

const wireLeaf = (sqon: SqonLeaf, nestedPath: string | null): Sqon => {
  const { takesSpecialValues, asSearch } = operators[sqon.op];
  const searched = asSearch(sqon, (values) => anyOf(sqon, values, nestedPath), nestedPath);
  // other operators exclude the values one by one, among their patterns
  return takesSpecialValues || sqon.except === undefined ? searched : excepting(searched, sqon, nestedPath);
};

const anyOf = (sqon: SqonLeaf, values: readonly SqonScalar[], nestedPath: string | null): Sqon => {
  if (sqon.except === undefined) return searchIn(sqon, values);
  const patterns = values.filter((value, at) => at < (sqon.exactFrom ?? Infinity) && isPrefixPattern(value));
  const others = values.filter((value) => !patterns.includes(value));
  const matching = excepting(
    leaf('in', sqon.fieldName, patterns, null, sqon.at),
    { ...sqon, except: sqon.except },
    nestedPath,
  );
  return others.length === 0 ? matching : group('or', [searchIn(sqon, others), matching], null, sqon.at);
};

/**
 * Membership in a form that no facet mistakes for its own selection. The additional search for each value remains where
 * a facet drops the membership; searches fold case, so there, and only there, a value in different case counts too.
 */
const searchIn = (
  { op, fieldName, at }: Pick<SqonLeaf, 'op' | 'fieldName' | 'at'>,
  values: readonly SqonScalar[],
): Sqon => {
  const member = leaf(op === 'is' ? 'is' : 'in', fieldName, values, null, at);
  if (values.length === 0 || values.some((value) => isNoWildcard(value, op))) return member;
  const searches = values.map((value) =>
    value === MISSING
      ? leaf('in', fieldName, [MISSING], null, at)
      : wildcard([fieldName], String(value), null, at),
  );
  return group('and', [member, group('or', searches, null, at)], null, at);
};

/** Values that a wildcard does not find, on servers with and without an escape. */
const isNoWildcard = (value: SqonScalar, op: Operator): boolean =>
  typeof value === 'string' &&
  (/[*\\]/.test(value) || value.startsWith(SET_PREFIX) || (op === 'is' && value === MISSING));

const plainMulti = ({ op, fieldNames, value, wholeWords, pivot, at }: SqonMulti): Sqon => ({
  ...multi(op, fieldNames, value, pivot, at),
  ...(wholeWords === true && { wholeWords }),
});

/** One object, or the record, that matches and has none of the excluded values. */
const excepting = (matching: Sqon, sqon: SqonLeaf | SqonMulti, nestedPath: string | null): Sqon => {
  const fieldName = sqon.kind === 'leaf' ? sqon.fieldName : sqon.fieldNames[0]!;
  const op = sqon.except!.some(isSpecialValue) ? 'is' : 'in';
  const excepted = searchIn({ op, fieldName, at: sqon.at }, sqon.except!);
  return group('and', [matching, group('not', [excepted], null, sqon.at)], nestedPath, sqon.at);
};

/** A filter with its lists of literal values as clients can write them. */
export const literalFilter = (sqon: Sqon): Sqon =>
  mapConditions(sqon, (condition) => (condition.kind === 'leaf' ? literalLeaf(condition) : condition));

/** A list of literal values as clients can write it, where `in` would interpret a value as a pattern or marker. */
export const literalLeaf = (sqon: SqonLeaf): SqonLeaf => {
  const { exactFrom, ...written } = sqon;
  const isLiteral = sqon.op === 'in' && exactFrom === 0 && sqon.values.some(isSpecialValue);
  return isLiteral ? { ...written, op: 'is', isSearch: sqon.isSearch ?? true } : sqon;
};
