import { addressBlock, addressOfDigits } from '../introspection/terms/term-forms.ts';
import { isWideType, memberOf, type Field, type Fields } from '../introspection/fields/field.ts';
import type { SqonLeaf, SqonScalar, SqonMulti } from './ast.ts';
import { isPrefixPattern, isSpecialValue, MISSING, SET_PREFIX } from './ast.ts';
import { canEqual, fieldValue, momentOf, valuesNamed } from './field-values.ts';
import type { Filter, FilterValue, PatternPart } from './filter.ts';
import { all, nested, none, not, or, patternMatcher, valuePattern, wildcardPattern } from './filter.ts';
import { malformed } from './malformed.ts';

/**
 * Tests whether one object has any of the values: the condition of `in`, evaluated on the object that holds the field.
 * Values that end in `*` and `__missing__` are further alternatives.
 * @param options.missing false omits `__missing__`
 * @throws TributaryError BAD_USER_INPUT when a value does not fit the field
 */
export const anyValueFilter = (
  leaf: SqonLeaf,
  field: Field,
  fields: Fields,
  options: { missing: boolean } = { missing: true },
): Filter => {
  const isPlain = plainValues(field);
  let arePlain = true;
  const exact: FilterValue[] = [];
  const patterns: Filter[] = [];
  leaf.values.forEach((value, position) => {
    if (isPlain(value)) {
      exact.push(value);
      return;
    }
    arePlain = false;
    const read = readValue(value, leaf, position, field);
    if (read.kind === 'exact') exact.push(read.value);
    else if (read.kind === 'pattern') patterns.push(read.filter);
  });
  const missing = options.missing && matchesMissing(leaf) ? [not(existsFilter(field, fields))] : [];
  return or([exactFilter(exact, field, arePlain), ...patterns, ...missing]);
};

/** Tests for literal values that the field can hold unchanged: nearly all of millions. */
const plainValues = (field: Field): ((value: SqonScalar) => boolean) => {
  if (field.kind === 'keyword' && field.type !== 'ip')
    return (value) => typeof value === 'string' && !isSpecialValue(value);
  if (field.kind !== 'number') return () => false;
  return isWideType(field.type)
    ? (value) => Number.isSafeInteger(value) && (value as number) > 0
    : (value) => typeof value === 'number' && canEqual(value, field) && Number.isFinite(value) && value !== 0;
};

/**
 * Tests whether one object has each single value, in the order of the values.
 * @throws TributaryError BAD_USER_INPUT when a value does not fit the field
 */
export const valueFilters = (leaf: SqonLeaf, field: Field, fields: Fields): readonly Filter[] =>
  leaf.values.map((value, position) => {
    const read = readValue(value, leaf, position, field);
    switch (read.kind) {
      case 'exact':
        return exactFilter([read.value], field);
      case 'pattern':
        return read.filter;
      case 'missing':
        return not(existsFilter(field, fields));
      case 'never':
        return none;
    }
  });

type ReadValue =
  | { readonly kind: 'exact'; readonly value: FilterValue }
  | { readonly kind: 'pattern'; readonly filter: Filter }
  | { readonly kind: 'missing' }
  | { readonly kind: 'never' };

const readValue = (value: SqonScalar, leaf: SqonLeaf, position: number, field: Field): ReadValue => {
  try {
    return readValueAt('', value, leaf, position, field);
  } catch {
    // there may be millions of values: the path of one is only written out where it is needed
    return readValueAt(`${leaf.at}.content.value[${position}]`, value, leaf, position, field);
  }
};

const readValueAt = (
  at: string,
  value: SqonScalar,
  leaf: SqonLeaf,
  position: number,
  field: Field,
): ReadValue => {
  if (position >= exactFrom(leaf)) return exactValue(value, field, at);
  if (isSetReference(value)) throw malformed(at, value, 'a value (saved sets are not enabled here)');
  if (value === MISSING) return { kind: 'missing' };
  if (isPattern(value, field))
    return { kind: 'pattern', filter: valuePatternFilter(field, value, leaf.except) };
  return exactValue(value, field, at);
};

/** Objects have no values of their own, so nothing equals them. */
const exactValue = (value: SqonScalar, field: Field, at: string): ReadValue =>
  holdsValues(field) ? { kind: 'exact', value: fieldValue(value, field, at) } : { kind: 'never' };

const exactFrom = (leaf: SqonLeaf): number => (leaf.op === 'is' ? 0 : (leaf.exactFrom ?? Infinity));

/** Whether a value refers to a saved set. */
export const isSetReference = (value: SqonScalar): boolean =>
  typeof value === 'string' && value.startsWith(SET_PREFIX);

const isPattern = (value: SqonScalar, field: Field): value is string =>
  isPrefixPattern(value) && matchesText(field);

const holdsValues = (field: Field): boolean =>
  field.kind !== 'object' && field.kind !== 'nested' && field.kind !== 'json';

/** Whether patterns can match anything in the field. */
export const matchesText = (field: Field): boolean =>
  (field.kind === 'keyword' && field.type !== 'ip') || ['text', 'boolean', 'flattened'].includes(field.kind);

/** @param arePlain whether the field can hold all of the values */
const exactFilter = (values: readonly FilterValue[], field: Field, arePlain = false): Filter => {
  if (field.kind === 'date') return periodsFilter(values, field);
  if (field.kind === 'text') return or(values.map((value) => wordsFilter(field, String(value), false)));
  if (field.kind === 'range') return or(values.map((value) => holdingFilter(value, field)));
  const possible = arePlain ? values : values.filter((value) => canEqual(value, field));
  return possible.length === 0 ? none : { kind: 'terms', field: field.indexField, values: possible };
};

/** Some value of the field is one of these texts. */
export const namedFilter = (texts: readonly string[], field: Field): Filter =>
  exactFilter(valuesNamed(texts, field), field, field.kind === 'keyword' && field.type !== 'ip');

/** Some range holds the value, or a part of a block of addresses or of the period of a date. */
const holdingFilter = (value: FilterValue, field: Field): Filter => {
  const member = memberOf(field);
  if (member.kind === 'date') return periodsFilter([value], member);
  if (!canEqual(value, member)) return none;
  const [first = value, last = value] = addressBlock(String(value))?.map(addressOfDigits) ?? [];
  const [gte, lte] = [first, last].map((end) => (typeof end === 'number' ? end : String(end)));
  return { kind: 'range', field: field.indexField, gte: gte!, lte: lte! };
};

/** A date without a time is that whole day, so dates are compared by range. */
const periodsFilter = (values: readonly FilterValue[], field: Field): Filter => {
  const nowMs = Date.now();
  return or(
    values.map((value) => ({
      kind: 'range',
      field: field.indexField,
      gte: momentOf(value, field, 'down', nowMs),
      lte: momentOf(value, field, 'up', nowMs),
    })),
  );
};

/** Whether the object that holds the field has a value for it; for an object, anything inside it. */
export const existsFilter = (field: Field, fields: Fields): Filter => {
  if (field.type === '_id') return all;
  if (field.kind === 'json') return none;
  if (field.kind !== 'object') return { kind: 'exists', field: field.indexField };
  const inside = [...fields.values()].filter((part) => part.path.startsWith(`${field.path}.`));
  return or(inside.map((part) => existsBelow(part, field)));
};

const existsBelow = (part: Field, object: Field): Filter => {
  if (part.kind === 'object' || part.kind === 'json' || part.nestedIn.length > object.nestedIn.length)
    return none;
  if (part.kind === 'nested') return nested(part.indexField.path, all);
  return { kind: 'exists', field: part.indexField };
};

/** The wildcard condition on one field that patterns can match, evaluated on the object that holds it. */
export const wildcardFilter = (leaf: SqonMulti, field: Field): Filter =>
  patternFilter(field, wildcardPattern(leaf.value), true, leaf.except);

/**
 * Values that begin with a value of `starts-with`, or with one of `in` that ends in `*`. In text, its words are searched,
 * the last of which may be incomplete.
 */
export const prefixFilter = (field: Field, prefix: string, except: readonly string[] = []): Filter =>
  field.kind === 'text' && except.length === 0
    ? wordsFilter(field, prefix, true)
    : patternFilter(field, [{ literal: prefix }, { wildcard: 'any' }], field.kind === 'text', except);

const valuePatternFilter = (field: Field, value: string, except?: readonly string[]): Filter =>
  value.startsWith('*')
    ? patternFilter(field, valuePattern(value), field.kind === 'text', except)
    : prefixFilter(field, value.slice(0, -1), except);

/** The one rule for words in text: it holds all words of the value, in any case, with or without accents. */
const wordsFilter = (field: Field, word: string, isPrefix: boolean): Filter => ({
  kind: 'word',
  field: field.indexField,
  word,
  isPrefix,
});

/** Some value of a field that patterns can match fits the pattern and is not excepted. */
const patternFilter = (
  field: Field,
  pattern: readonly PatternPart[],
  caseInsensitive: boolean,
  except: readonly string[] = [],
): Filter => {
  if (field.kind !== 'boolean') {
    if (pattern.length === 0)
      return except.includes('') ? none : { kind: 'terms', field: field.indexField, values: [''] };
    return {
      kind: 'pattern',
      field: field.indexField,
      pattern: field.kind === 'text' ? pattern.map(inSmallLetters) : pattern,
      caseInsensitive,
      ...(except.length > 0 && { except }),
    };
  }
  // engines support no patterns of booleans
  const fits = patternMatcher(pattern, (text) => (caseInsensitive ? text.toLowerCase() : text));
  const values = [false, true].filter((value) => fits(String(value)) && !except.includes(String(value)));
  return values.length === 0 ? none : { kind: 'terms', field: field.indexField, values };
};

/** Engines fold only ASCII in patterns, but analysers lowercase all letters of words. */
const inSmallLetters = (part: PatternPart): PatternPart =>
  'literal' in part ? { literal: part.literal.toLowerCase() } : part;

/** Whether the leaf matches missing values. */
export const matchesMissing = (leaf: SqonLeaf): boolean => {
  const index = leaf.values.indexOf(MISSING);
  return index >= 0 && index < exactFrom(leaf);
};
