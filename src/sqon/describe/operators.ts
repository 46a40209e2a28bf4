import { kindOf } from '../../introspection/fields/field.ts';

/** SQON's group operators. */
export const combinationOperators = ['and', 'or', 'not'] as const;
/** SQON's operators on one field. */
export const fieldOperators = [
  'in', 'not-in', 'some-not-in', 'all', 'gt', 'gte', 'lt', 'lte', 'between',
] as const; // prettier-ignore

/** Other spellings the contract accepts, and what they stand for. */
export const operatorAliases = {
  filter: 'wildcard',
  '>': 'gt',
  '>=': 'gte',
  '=': 'in',
  '==': 'in',
  '===': 'in',
  '<': 'lt',
  '<=': 'lte',
  '!=': 'not-in',
  '!==': 'not-in',
} as const;

const ranges = ['in', 'not-in', 'gt', 'gte', 'lt', 'lte', 'between'] as const;
const sets = ['in', 'not-in', 'some-not-in', 'all', 'filter'] as const;
const basic = ['in', 'not-in', 'filter'] as const;

/** The types whose operators clients know to be exactly these. */
const listed: Readonly<Record<string, readonly string[]>> = {
  date: ranges,
  double: ranges,
  float: ranges,
  integer: ranges,
  long: ranges,
  boolean: sets,
  keyword: sets,
};

/** The SQON operators the introspection payload offers for a mapped type, in the established order. */
export const operatorsOf = (type: string): readonly string[] => {
  if (Object.hasOwn(listed, type)) return listed[type]!;
  const kind = kindOf(type);
  if (kind === 'number' || kind === 'date') return [...ranges, 'filter'];
  return kind === 'keyword' ? sets : basic;
};
