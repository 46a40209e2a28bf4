import type { Sqon, SqonLeaf, SqonMulti, SqonScalar, Operator } from '../../../sqon/ast.ts';
import { MISSING, group, leaf, multi, wildcard } from '../../../sqon/ast.ts';
import { operators, operatorNames } from '../../../sqon/operators/table.ts';
import { isSearchValue } from '../../../sqon/without-field.ts';
import type { GraphQLSchema } from 'graphql';
import { isEnumType } from 'graphql';
import { nameInEnum, operatorEnumName } from '../../../sqon/describe/operators.ts';

/**
 * Rewrites a node's filter for a remote node, using only what its clients can write. A value that a pattern excepts is
 * excluded by a separate condition, so a record whose list holds both a matching and an excepted value is not found.
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
    case 'multi':
      return sqon.except === undefined
        ? sqon
        : excepting(plainMulti(sqon), sqon, nestedPathOf(sqon.fieldNames[0]!));
    case 'constant':
      return sqon;
  }
};

/** An established node decides from the first entry of a pivot's group whether it is one for nested objects. */
const constantsLast = (left: Sqon, right: Sqon): number =>
  Number(left.kind === 'constant') - Number(right.kind === 'constant');

const wireLeaf = (sqon: SqonLeaf, nestedPath: string | null): Sqon => {
  const { takesSpecialValues, asSearch } = operators[sqon.op];
  const searched = asSearch(sqon, (values) => anyOf(sqon, values, nestedPath), nestedPath);
  // the values of others are excepted one by one, among their patterns
  return takesSpecialValues || sqon.except === undefined ? searched : excepting(searched, sqon, nestedPath);
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
 * Membership in a form that no facet mistakes for its own selection. The additional search for each value remains where
 * a facet drops the membership; searches fold case, so there, and only there, a value in different case counts too.
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

const plainMulti = ({ op, fieldNames, value, wholeWords, pivot, at }: SqonMulti): Sqon => ({
  ...multi(op, fieldNames, value, pivot, at),
  ...(wholeWords === true && { wholeWords }),
});

/** One object, or the record, that matches and has none of the excepted values. */
const excepting = (matching: Sqon, sqon: SqonLeaf | SqonMulti, nestedPath: string | null): Sqon => {
  const fieldName = sqon.kind === 'leaf' ? sqon.fieldName : sqon.fieldNames[0]!;
  const excepted = searchIn({ fieldName, at: sqon.at }, sqon.except!);
  return group('and', [matching, group('not', [excepted], null, sqon.at)], nestedPath, sqon.at);
};

/** The operators that a node supports: from the enum in its schema, or, without one, those that every server has. */
export const knownOperators = (schema: GraphQLSchema): ReadonlySet<Operator> => {
  const type = schema.getType(operatorEnumName);
  const named = new Set(isEnumType(type) ? type.getValues().map(({ name }) => name) : []);
  return new Set(operatorNames.filter((op) => olderOf(op) === null || named.has(nameInEnum(op))));
};

/**
 * Rewrites a filter for a node that may not support all of it, replacing operators by conditions it supports.
 * @param replaced receives every operator that was replaced
 */
export const olderFilter = (
  sqon: Sqon,
  known: ReadonlySet<Operator>,
  replaced: (op: Operator) => void,
): Sqon => {
  switch (sqon.kind) {
    case 'group':
      return { ...sqon, content: sqon.content.map((one) => olderFilter(one, known, replaced)) };
    case 'leaf':
    case 'multi': {
      if (known.has(sqon.op)) return sqon;
      replaced(sqon.op);
      const meaning =
        sqon.kind === 'leaf' ? operators[sqon.op].older?.means(sqon) : operators[sqon.op].older?.means(sqon);
      return meaning ?? sqon;
    }
    case 'constant':
      return sqon;
  }
};

/** The warning to the caller about a replaced operator. */
export const olderWarning = (op: Operator): string =>
  `this node does not know the operator ${op}: ${olderOf(op)?.warning ?? 'it is queried without it'}`;

const olderOf = (op: Operator) => {
  const operator = operators[op];
  return operator.kind === 'group' ? null : operator.older;
};
