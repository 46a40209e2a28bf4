import type { Field } from '../../introspection/fields/field.ts';
import type { Sqon, SqonLeaf, SqonMulti, SqonScalar, MultiOp } from '../../sqon/ast.ts';
import { MISSING, group, leaf } from '../../sqon/ast.ts';
import { isSetReference, matchesText } from '../../sqon/leaf-filter.ts';
import type { LeafOperator } from '../../sqon/operators/operator.ts';
import { operators } from '../../sqon/operators/table.ts';
import { isSearchValue } from '../../sqon/without-field.ts';
import type { ValueMap } from '../../facets/row/value-map.ts';
import { canHold } from '../sorting/sort-groups.ts';
import { keywordTest } from '../../engines/semantics/search-word.ts';
import { patternMatcher, wildcardPattern } from '../../sqon/pattern.ts';

/**
 * Membership in a node's values, each tested as the network shows it: a network value may stand for several of them or
 * none; a pattern stands for the listed values shown as a match and the unlisted ones that match themselves.
 * @param sqon in the node's names, with the network's values
 */
export const translateLeaf = (sqon: SqonLeaf, field: Field, map: ValueMap): Sqon => {
  const operator = operators[sqon.op];
  const made = nodeValues(sqon.values, field, map, operator);
  if (!operator.takesSpecialValues) return translatedParts(sqon, field, made);
  const isSearch = sqon.values.some(isSearchValue);
  if (operator.quantifier === 'some') return leafOf(sqon, sqon.op, made, isSearch);
  const each = sqon.values.map((value) => nodeValues([value], field, map, operator));
  if (each.every(({ special, exact }) => special.length + exact.length === 1) && made.except.length === 0)
    return leafOf(sqon, sqon.op, made, isSearch);
  const parts = each.map((one) => leafOf({ ...sqon, pivot: null }, 'in', one, isSearch));
  return group('and', parts, sqon.pivot, sqon.at);
};

/** A search for part of a value: matches listed values by the value shown, unlisted ones by their own. */
const translatedParts = (sqon: SqonLeaf, field: Field, { special, exact, except }: NodeValues): Sqon => {
  const listed = leafOf(sqon, 'in', { special: [], exact, except: [] }, true);
  if (!matchesText(field)) return listed;
  const open = leafOf(sqon, sqon.op, { special, exact: [], except }, false);
  return exact.length === 0 ? open : group('or', [listed, open], null, sqon.at);
};

/** One part of a search in a field whose values the node translates. */
export const translatedPart = (part: SqonMulti, field: Field, map: ValueMap): Sqon => {
  const shownMatches = shownTests[part.op](part);
  const found = [...map.listed].filter(([, shown]) => shownMatches(shown)).map(([own]) => own);
  const listed = leafOf(
    { kind: 'leaf', op: 'in', fieldName: field.path, values: [], pivot: part.pivot, at: part.at },
    'in',
    { special: [], exact: found.filter((value) => canHold(value, field)), except: [] },
    true,
  );
  if (!operators[part.op].finds(field)) return listed;
  const except = [...map.listed.keys()].filter(shownMatches);
  const open = { ...part, fieldNames: [field.path], ...(except.length > 0 && { except }) };
  return found.length === 0 ? open : group('or', [listed, open], null, part.at);
};

interface NodeValues {
  /** Patterns, saved sets and `__missing__`. */
  readonly special: readonly SqonScalar[];
  readonly exact: readonly SqonScalar[];
  /** Listed values that match a pattern but are shown as something else. */
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

const nodeValues = (
  values: readonly SqonScalar[],
  field: Field,
  map: ValueMap,
  { partTest, takesSpecialValues }: LeafOperator,
): NodeValues => {
  const patterns = values.filter((value) => partTest(value) !== null);
  const tests = patterns.map((pattern) => partTest(pattern)!);
  const aside = takesSpecialValues
    ? values.filter((value) => value === MISSING || isSetReference(value))
    : [];
  const plain = values.filter((value) => !patterns.includes(value) && !aside.includes(value));
  const matches = (value: string): boolean => tests.some((test) => test(value));
  const found = [...map.listed].filter(([, shown]) => matches(shown)).map(([own]) => own);
  const exact = [...new Set([...found, ...plain.flatMap((value) => ownValues(value, map))])];
  return {
    special: [...aside, ...(matchesText(field) ? patterns : [])],
    exact: exact.filter((value) => canHold(value, field)),
    except: matchesText(field)
      ? [...map.listed.keys()].filter((own) => matches(own) && !exact.includes(own))
      : [],
  };
};

/** A value that the node does not list keeps its type. */
const ownValues = (value: SqonScalar, map: ValueMap): readonly SqonScalar[] =>
  map.toNode(String(value)).map((own) => (own === String(value) ? value : own));

/** Tests whether a value, as the network shows it, matches a part of a search, by search operator. */
export const shownTests: { readonly [Op in MultiOp]: (part: SqonMulti) => (shown: string) => boolean } = {
  wildcard: ({ value }) => patternMatcher(wildcardPattern(value), foldAscii),
  search: ({ value, wholeWords }) => keywordTest({ word: value, isPrefix: wholeWords !== true }),
};

/** Folds case as engines do in a catalogue. */
const foldAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
