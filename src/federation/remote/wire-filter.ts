import type { Sqon, SqonLeaf, SqonScalar, SqonWildcard } from '../../sqon/ast.ts';
import { MISSING, group, leaf, wildcard } from '../../sqon/ast.ts';
import { isSearchValue } from '../../sqon/without.ts';

/**
 * A node's filter in what a client of that node can write, for a remote one. A value that a pattern excepts is
 * excluded by a condition of its own, so on lists of values a record with both one that counts and one that does not
 * is not found.
 * @param nestedPathOf the innermost nested path of a node's field; null for a field of the record itself
 */
export const wireFilter = (sqon: Sqon, nestedPathOf: (path: string) => string | null): Sqon => {
  switch (sqon.kind) {
    case 'group': {
      const content = sqon.content.map((one) => wireFilter(one, nestedPathOf));
      return { ...sqon, content: [...content].sort(constantsLast) };
    }
    case 'leaf':
      return sqon.except === undefined && sqon.isSearch !== true
        ? sqon
        : wireLeaf(sqon, nestedPathOf(sqon.fieldName));
    case 'wildcard':
      return sqon.except === undefined
        ? sqon
        : excepting(plainWildcard(sqon), sqon, nestedPathOf(sqon.fieldNames[0]!));
    case 'constant':
      return sqon;
  }
};

/** An established node takes a pivot's group for one of nested objects by what stands first in it. */
const constantsLast = (left: Sqon, right: Sqon): number =>
  Number(left.kind === 'constant') - Number(right.kind === 'constant');

const wireLeaf = (sqon: SqonLeaf, nestedPath: string | null): Sqon => {
  switch (sqon.op) {
    case 'not-in':
      // some object without any of them
      return group('and', [group('not', [anyOf(sqon, sqon.values, nestedPath)])], nestedPath, sqon.at);
    case 'some-not-in': {
      const values = sqon.values.filter((value) => value !== MISSING);
      const without = group('not', [anyOf(sqon, values, nestedPath)], null, sqon.at);
      if (values.length === sqon.values.length) return without;
      return group('and', [without, leaf('not-in', sqon.fieldName, [MISSING], null, sqon.at)], null, sqon.at);
    }
    case 'in':
      return anyOf(sqon, sqon.values, nestedPath);
    default:
      return leaf(sqon.op, sqon.fieldName, sqon.values, sqon.pivot, sqon.at);
  }
};

const anyOf = (sqon: SqonLeaf, values: readonly SqonScalar[], nestedPath: string | null): Sqon => {
  if (sqon.except === undefined) return searchIn(sqon, values);
  const patterns = values.filter((value, at) => at < (sqon.exactFrom ?? Infinity) && isPattern(value));
  const others = values.filter((value) => !patterns.includes(value));
  const matching = excepting(
    leaf('in', sqon.fieldName, patterns, null, sqon.at),
    { ...sqon, except: sqon.except },
    nestedPath,
  );
  return others.length === 0
    ? matching
    : group('or', [searchIn(sqon, others), matching], null, sqon.at);
}; // prettier-ignore

const isPattern = (value: SqonScalar): boolean => typeof value === 'string' && value.includes('*');

/**
 * Membership that no facet takes for its own selection. A search for each value beside it stays where a facet drops the
 * membership; searches fold case, so there, and only there, a value in another case counts too.
 */
const searchIn = (
  { fieldName, at }: Pick<SqonLeaf, 'fieldName' | 'at'>,
  values: readonly SqonScalar[],
): Sqon => {
  const member = leaf('in', fieldName, values, null, at);
  if (values.length === 0 || values.some(isSearchValue)) return member;
  const searches = values.map((value) =>
    value === MISSING ? leaf('in', fieldName, [MISSING], null, at) : wildcard([fieldName], String(value), null, at),
  );
  return group('and', [member, group('or', searches, null, at)], null, at);
}; // prettier-ignore

const plainWildcard = ({ fieldNames, value, pivot, at }: SqonWildcard): Sqon =>
  wildcard(fieldNames, value, pivot, at);

/** One object, or the record, that matches and has none of the excepted values. */
const excepting = (matching: Sqon, sqon: SqonLeaf | SqonWildcard, nestedPath: string | null): Sqon => {
  const fieldName = sqon.kind === 'leaf' ? sqon.fieldName : sqon.fieldNames[0]!;
  const excepted = searchIn({ fieldName, at: sqon.at }, sqon.except!);
  return group('and', [matching, group('not', [excepted], null, sqon.at)], nestedPath, sqon.at);
};
