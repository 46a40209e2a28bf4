import type { Field } from '../../introspection/fields/field.ts';
import type { Sqon, SqonLeaf, SqonScalar, SqonWildcard } from '../../sqon/ast.ts';
import { MISSING, SET_PREFIX, group, leaf, wildcard } from '../../sqon/ast.ts';
import { fieldValue } from '../../sqon/field-values.ts';
import { matchesText } from '../../sqon/leaf-filter.ts';
import { isSearchValue } from '../../sqon/without.ts';
import { patternTest } from './pattern-test.ts';
import type { ValueMap } from '../nodes/renaming.ts';

/**
 * Membership in a node's values, each judged as the network shows it: a network value may stand for several of them or
 * for none, a pattern for those listed that show as a match and for those not listed that match themselves.
 * @param sqon in the node's names, with the network's values
 */
export const translatedLeaf = (sqon: SqonLeaf, field: Field, map: ValueMap): Sqon => {
  const made = nodeValues(sqon.values, field, map);
  const isSearch = sqon.values.some(isSearchValue);
  if (sqon.op !== 'all') return leafOf(sqon, sqon.op, made, isSearch);
  const each = sqon.values.map((value) => nodeValues([value], field, map));
  if (each.every(({ special, exact }) => special.length + exact.length === 1) && made.except.length === 0)
    return leafOf(sqon, 'all', made, isSearch);
  const parts = each.map((one) => leafOf({ ...sqon, pivot: null }, 'in', one, isSearch));
  return group('and', parts, sqon.pivot, sqon.at);
};

/** A search in a field of which the node translates the values. */
export const translatedWildcard = (sqon: SqonWildcard, field: Field, map: ValueMap): Sqon => {
  const shownMatches = patternTest(sqon.value, true);
  const found = [...map.listed].filter(([, shown]) => shownMatches(shown)).map(([own]) => own);
  const listed = leafOf(
    { kind: 'leaf', op: 'in', fieldName: field.path, values: [], pivot: sqon.pivot, at: sqon.at },
    'in',
    { special: [], exact: found.filter((value) => canHold(value, field)), except: [] },
    true,
  );
  if (!matchesText(field)) return listed;
  const except = [...map.listed.keys()].filter(shownMatches);
  const open = { ...wildcard([field.path], sqon.value, sqon.pivot, sqon.at), ...(except.length > 0 && { except }) };
  return found.length === 0 ? open : group('or', [listed, open], null, sqon.at);
}; // prettier-ignore

interface NodeValues {
  /** Patterns, saved sets and `__missing__`. */
  readonly special: readonly SqonScalar[];
  readonly exact: readonly SqonScalar[];
  /** Listed values that match a pattern but show as something else. */
  readonly except: readonly string[];
}

const leafOf = (
  sqon: SqonLeaf,
  op: SqonLeaf['op'],
  { special, exact, except }: NodeValues,
  isSearch: boolean,
): SqonLeaf => ({
  ...leaf(op, sqon.fieldName, [...special, ...exact], sqon.pivot, sqon.at),
  ...(isSearch || exact.some(isSearchValue) ? { exactFrom: special.length, isSearch } : {}),
  ...(except.length > 0 && { except }),
});

const nodeValues = (values: readonly SqonScalar[], field: Field, map: ValueMap): NodeValues => {
  const patterns = values.filter(isPattern);
  const aside = values.filter((value) => value === MISSING || isSetReference(value));
  const plain = values.filter((value) => !patterns.includes(value) && !aside.includes(value));
  const tests = patterns.map((pattern) => patternTest(String(pattern), false));
  const matches = (value: string): boolean => tests.some((test) => test(value));
  const found = [...map.listed].filter(([, shown]) => matches(shown)).map(([own]) => own);
  const exact = [...new Set([...found, ...plain.flatMap((value) => ownValues(value, map))])];
  return {
    special: [...aside, ...(matchesText(field) ? patterns : [])],
    exact: exact.filter((value) => canHold(value, field)),
    except: matchesText(field) ? [...map.listed.keys()].filter((own) => matches(own) && !exact.includes(own)) : [],
  };
}; // prettier-ignore

const isPattern = (value: SqonScalar): boolean =>
  typeof value === 'string' && value.includes('*') && !value.startsWith(SET_PREFIX);

const isSetReference = (value: SqonScalar): boolean =>
  typeof value === 'string' && value.startsWith(SET_PREFIX);

/** A value that the node does not list keeps its type. */
const ownValues = (value: SqonScalar, map: ValueMap): readonly SqonScalar[] =>
  map.toNode(String(value)).map((own) => (own === String(value) ? value : own));

/** Whether the node's field could hold the value at all; it would refuse others. */
const canHold = (value: SqonScalar, field: Field): boolean => {
  try {
    fieldValue(value, field, '$');
    return true;
  } catch {
    return false;
  }
};
