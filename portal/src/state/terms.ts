import { MISSING, type SqonScalar } from '../../../src/sqon/ast.ts';
import type { Field } from '../api/fields.ts';
import { bareOf, isGroup, isSearch, type Condition, type Filter } from '../api/filter.ts';
import { chosenOf } from './chosen.ts';
import { choiceOf, replaceOn, withValues } from './edit.ts';
import type { View } from './view.ts';

/** The selection of a field whose values are terms of a hierarchy. */
export interface Terms {
  /** With all descendants. */
  readonly under: readonly string[];
  /** Branches that are excluded from those. */
  readonly except: readonly string[];
  /** Without descendants. */
  readonly only: readonly string[];
  readonly isExcluded: boolean;
}

const nothing: Terms = { under: [], except: [], only: [], isExcluded: false };

/** The selected terms of a field. */
export const termsOf = (view: View, path: string): Terms =>
  (view.filters ?? []).map((filter) => termsIn(filter, path)).find((one) => one !== null) ?? nothing;

const termsIn = (part: Filter, path: string): Terms | null => {
  const filter = bareOf(part);
  if (isSearch(filter)) return null;
  if (!isGroup(filter)) return termsOfCondition(filter, path);
  if (filter.op === 'and' || filter.pivot !== undefined || filter.content.length === 0) return null;
  const parts = filter.content.map((one) => termsIn(one, path));
  if (parts.some((one) => one === null || one.isExcluded)) return null;
  const all = (which: 'under' | 'except' | 'only'): readonly string[] =>
    parts.flatMap((one) => one?.[which] ?? []);
  return { under: all('under'), except: all('except'), only: all('only'), isExcluded: filter.op === 'not' };
};

const termsOfCondition = ({ op, content }: Condition, path: string): Terms | null => {
  if (content.fieldName !== path) return null;
  const values = [content.value].flat().map(String);
  if (op === 'under') return { ...nothing, under: values, except: (content.except ?? []).map(String) };
  const isExcluded = op === 'not-in';
  return op === 'in' || op === 'is' || isExcluded ? { ...nothing, only: values, isExcluded } : null;
};

/**
 * Also selects a value of a field, or a term with all descendants if the field has a hierarchy. If others are excluded, it
 * replaces them.
 * @param above the known ancestors of a term: an excluded branch above it is included again
 */
export const withMore = (
  view: View,
  { path, hierarchy }: Pick<Field, 'path' | 'hierarchy'>,
  key: string,
  above: readonly string[] = [],
): View => {
  const more = (chosen: readonly string[]): readonly string[] => [...new Set([...chosen, key])];
  if (hierarchy === undefined) {
    const { values, isExcluded } = chosenOf(view, path);
    return withValues(view, path, more(isExcluded ? [] : values));
  }
  const chosen = termsOf(view, path);
  const terms = chosen.isExcluded ? nothing : chosen;
  if (key === MISSING) return withTerms(view, path, { ...terms, only: more(terms.only) });
  const except = terms.except.filter((one) => one !== key && !above.includes(one));
  return withTerms(view, path, { ...terms, under: more(terms.under), except });
};

/** Selects these terms of a field instead of the previous ones; an empty selection removes its condition. */
export const withTerms = (view: View, path: string, { under, except, only, isExcluded }: Terms): View => {
  const parts: readonly Filter[] = [
    ...(under.length === 0 ? [] : [underOf(path, under, except)]),
    ...(only.length === 0 ? [] : [choiceOf(path, only)]),
  ];
  const [first] = parts;
  const part: Filter | null =
    first === undefined
      ? null
      : isExcluded
        ? { op: 'not', content: parts }
        : parts.length === 1
          ? first
          : { op: 'or', content: parts };
  return replaceOn(view, (filter) => termsIn(filter, path) !== null, part);
};

const underOf = (fieldName: string, value: readonly SqonScalar[], except: readonly SqonScalar[]): Filter => ({
  op: 'under',
  content: { fieldName, value, ...(except.length > 0 && { except }) },
});

/** How a term is selected: with all descendants, in part, or not at all. */
export type Ticked = 'all' | 'some' | 'none';

/**
 * How a term is selected.
 * @param above its ancestors
 * @param aboveOf the known ancestors of selected terms
 */
export const tickOf = (
  { under, except, only }: Terms,
  id: string,
  above: readonly string[],
  aboveOf: (chosen: string) => readonly string[],
): Ticked => {
  const own = [...above, id];
  const isLeftOut = own.some((one) => except.includes(one));
  const isIn = !isLeftOut && own.some((one) => under.includes(one));
  const isAbove = (chosen: string): boolean => aboveOf(chosen).includes(id);
  if (isIn) return except.some(isAbove) ? 'some' : 'all';
  return only.includes(id) || [...under, ...only].some(isAbove) ? 'some' : 'none';
};

/** Selects a term with all descendants, or deselects it: within a selected branch, it is excluded. */
export const toggled = (
  terms: Terms,
  id: string,
  above: readonly string[],
  aboveOf: (chosen: string) => readonly string[],
): Terms => {
  const isBelow = (chosen: string): boolean => chosen === id || aboveOf(chosen).includes(id);
  const cleared = {
    ...terms,
    under: terms.under.filter((one) => !isBelow(one)),
    except: terms.except.filter((one) => !isBelow(one)),
    only: terms.only.filter((one) => !isBelow(one)),
  };
  const isInBranch = above.some((one) => terms.under.includes(one));
  if (tickOf(terms, id, above, aboveOf) === 'all')
    return isInBranch ? { ...cleared, except: [...cleared.except, id] } : withoutStray(cleared);
  // an excluded branch is included again
  const except = cleared.except.filter((one) => !above.includes(one));
  return isInBranch ? { ...cleared, except } : { ...cleared, except, under: [...cleared.under, id] };
};

/** Without a selection there are no exclusions. */
const withoutStray = (terms: Terms): Terms => (terms.under.length === 0 ? { ...terms, except: [] } : terms);

/** Selects only the term, without descendants, or deselects it. */
export const toggledOnly = (terms: Terms, id: string): Terms => ({
  ...terms,
  only: terms.only.includes(id) ? terms.only.filter((one) => one !== id) : [...terms.only, id],
});
