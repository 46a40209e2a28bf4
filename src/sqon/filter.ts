import type { IndexField } from '../introspection/fields/field.ts';

/**
 * The input of an engine: a boolean algebra over conditions on one document or nested object. compile.ts turns SQON
 * into it, so the rules of SQON live in one place and every engine has to run only these few nodes.
 *
 * A filter is evaluated on an object: initially the document, an object at `path` below a `nested` node. The innermost
 * nested path of a leaf's field is always the path of the object on which it is evaluated.
 */
export type Filter =
  | { readonly kind: 'all' }
  | { readonly kind: 'none' }
  | { readonly kind: 'and'; readonly of: readonly Filter[] }
  | { readonly kind: 'or'; readonly of: readonly Filter[] }
  | { readonly kind: 'not'; readonly of: Filter }
  /** Some object at `path` (any number of levels) below the current one satisfies `of`. */
  | { readonly kind: 'nested'; readonly path: string; readonly of: Filter }
  /** Some value of the field equals one of these. */
  | { readonly kind: 'terms'; readonly field: IndexField; readonly values: readonly FilterValue[] }
  /** Some value is within the bounds: epoch ms for dates, digits of nanoseconds for date_nanos. */
  | ({ readonly kind: 'range'; readonly field: IndexField } & RangeBounds)
  /**
   * Some value (for text: some token) matches the whole pattern and is not excepted; `case_insensitive` folds ASCII as
   * the engines do.
   */
  | {
      readonly kind: 'pattern';
      readonly field: IndexField;
      readonly pattern: readonly PatternPart[];
      readonly caseInsensitive: boolean;
      readonly except?: readonly string[];
    }
  /**
   * Some value contains the word, ignoring case and accents, and is not excepted: text/text-comparison.ts.
   * A text contains all words that the analyser makes of it, in any order; a prefix is the last of them.
   */
  | {
      readonly kind: 'word';
      readonly field: IndexField;
      readonly word: string;
      /** The match may continue after the word. */
      readonly isPrefix: boolean;
      readonly except?: readonly string[];
    }
  /** The field has a value; null and [] are not values, "" is one. */
  | { readonly kind: 'exists'; readonly field: IndexField };

/** By the field's kind: text and keyword strings, numbers (a long past 2^53 as its digits), booleans, dates. */
export type FilterValue = string | number | boolean;
export type RangeBound = string | number;
export const boundNames = ['gt', 'gte', 'lt', 'lte'] as const;
export type BoundName = (typeof boundNames)[number];
export type RangeBounds = { readonly [Name in BoundName]?: RangeBound };
/** Whether a value is within a bound, by how it compares with it. */
export const isWithin: Readonly<Record<BoundName, (order: number) => boolean>> = {
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
};
/** Whether a value is within all of the bounds, by how it compares with each. */
export const isWithinAll = (bounds: RangeBounds, orderTo: (bound: RangeBound) => number): boolean =>
  boundNames.every((name) => bounds[name] === undefined || isWithin[name](orderTo(bounds[name])));
/** A pattern is literal text and wildcards: `any` is any run of characters, possibly empty, `one` exactly one. */
export type PatternPart = { readonly literal: string } | { readonly wildcard: 'any' | 'one' };

/** Matches everything. */
export const all: Filter = { kind: 'all' };
/** Matches nothing. */
export const none: Filter = { kind: 'none' };

/** The conjunction, constants folded, negations joined: [] is `all`. */
export const and = (of: readonly Filter[]): Filter => {
  if (of.some((filter) => filter.kind === 'none')) return none;
  const others = of.filter((filter) => filter.kind !== 'all');
  const rest = joined(others, (filter) => (filter.kind === 'not' ? joinable(filter.of) : null), not);
  return rest.length === 0 ? all : rest.length === 1 ? rest[0]! : { kind: 'and', of: rest };
};

/** The disjunction, constants folded, conditions on one field or path joined: [] is `none`. */
export const or = (of: readonly Filter[]): Filter => {
  if (of.some((filter) => filter.kind === 'all')) return all;
  const others = of.filter((filter) => filter.kind !== 'none');
  const rest = joined(others, joinable, (filter) => filter);
  return rest.length === 0 ? none : rest.length === 1 ? rest[0]! : { kind: 'or', of: rest };
};

/** A condition that is one with others on the same values or objects: engines go through all records for each. */
type Joinable = Extract<Filter, { kind: 'terms' | 'nested' }>;

/** Longer lists are not copied, as case splits may join the same conditions thousands of times. */
const maxJoinedValues = 32;

const joinable = (filter: Filter): Joinable | null =>
  filter.kind === 'nested' || (filter.kind === 'terms' && filter.values.length <= maxJoinedValues)
    ? filter
    : null;

/** Filters of which those are one whose joinable parts are alternatives of each other. */
const joined = (
  of: readonly Filter[],
  partOf: (filter: Filter) => Joinable | null,
  wrap: (joint: Filter) => Filter,
): readonly Filter[] => {
  const groups = Map.groupBy(new Set(of), (filter) => {
    const part = partOf(filter);
    if (part === null) return filter;
    return part.kind === 'nested' ? `objects ${part.path}` : `values ${part.field.path}`;
  });
  return Array.from(groups.values(), (group) =>
    group.length === 1 ? group[0]! : wrap(alternatives(group.map((filter) => partOf(filter)!))),
  );
};

const alternatives = (parts: readonly Joinable[]): Filter => {
  const first = parts[0]!;
  if (first.kind === 'nested')
    return nested(first.path, or(parts.flatMap((part) => (part.kind === 'nested' ? [part.of] : []))));
  const values = parts.flatMap((part) => (part.kind === 'terms' ? part.values : []));
  return { ...first, values: [...new Set(values)] };
};

/** The negation; constants and double negations are folded. */
export const not = (of: Filter): Filter =>
  of.kind === 'all' ? none : of.kind === 'none' ? all : of.kind === 'not' ? of.of : { kind: 'not', of };

/** Some object at `path` satisfies `of`; with `all`, at least one object exists. */
export const nested = (path: string, of: Filter): Filter =>
  of.kind === 'none' ? none : { kind: 'nested', path, of };

/**
 * The pattern of a value of in, not-in, some-not-in or all that ends in `*`: one at its start is a wildcard then too, any
 * other star is literal.
 */
export const valuePattern = (value: string): readonly PatternPart[] =>
  value.length > 1 && value.startsWith('*')
    ? [{ wildcard: 'any' }, ...prefixPattern(value.replace(/^\*+/, ''))]
    : prefixPattern(value);

/** The pattern of values that begin with a text, which ends in `*`; other stars are literal. */
export const prefixPattern = (value: string): readonly PatternPart[] => {
  const prefix = value.replace(/\*$/, '');
  const literal = prefix === '' ? [] : [{ literal: prefix }];
  return prefix === value ? literal : [...literal, { wildcard: 'any' }];
};

/** Escapes a text for the value of a wildcard, where it is literal. */
export const escapedWildcard = (text: string): string => text.replaceAll(/[\\*?]/g, '\\$&');

/** Parses the value of a wildcard: `*` is any run of characters, `?` any one; a backslash makes either literal. */
export const wildcardPattern = (value: string): readonly PatternPart[] => {
  const parts: PatternPart[] = [];
  let literal = '';
  for (const [text] of value.matchAll(/\\[*?\\]|\*+|[^]/gu)) {
    const isWildcard = text.startsWith('*') || text === '?';
    if (!isWildcard) literal += text.length === 2 && text.startsWith('\\') ? text.slice(1) : text;
    else {
      if (literal !== '') parts.push({ literal });
      parts.push({ wildcard: text === '?' ? 'one' : 'any' });
      literal = '';
    }
  }
  return literal === '' ? parts : [...parts, { literal }];
};

/** A character, any one character, or any run of them. */
type Step = { readonly char: string } | 'one' | 'any';

/**
 * Tests whole values against a pattern.
 * @param fold makes different characters equal in both, such as by lower-casing
 */
export const patternMatcher = (
  pattern: readonly PatternPart[],
  fold: (text: string) => string,
): ((value: string) => boolean) => {
  const steps = pattern.flatMap((part): readonly Step[] =>
    'wildcard' in part ? [part.wildcard] : [...fold(part.literal)].map((char) => ({ char })),
  );
  return (value) => matches(steps, [...fold(value)]);
};

/** Backtracks only to the last `any`: at worst the product of both lengths, where a regular expression takes a power. */
const matches = (steps: readonly Step[], text: readonly string[]): boolean => {
  let step = 0;
  let at = 0;
  let lastAny = -1;
  let resume = 0;
  while (at < text.length) {
    const wanted = steps[step];
    if (wanted === 'any') {
      lastAny = step++;
      resume = at;
    } else if (wanted === 'one' || (wanted !== undefined && wanted.char === text[at])) {
      step++;
      at++;
    } else if (lastAny >= 0) {
      step = lastAny + 1;
      at = ++resume;
    } else return false;
  }
  return steps.slice(step).every((rest) => rest === 'any');
};
