import { matchesText, wildcardFilter, prefixFilter } from '../leaf-filter.ts';
import { malformed } from '../malformed.ts';
import type { MultiOperator, LeafOperator } from './operator.ts';
import type { SqonScalar, SqonMulti } from '../ast.ts';
import { leaf as leafOf, constant, group, wildcard as wildcardOf } from '../ast.ts';
import { or } from '../filter.ts';
import { placed } from '../scope.ts';

/** A case-insensitive pattern for whole values: `*` is any run of characters, `?` any one, `\*` a star. */
export const wildcard: MultiOperator = {
  kind: 'multi',
  aliases: ['filter'],
  introspection: {
    listedFor: ['measured', 'named', 'other'],
    listedAs: 'filter',
    applicableTo: 'all',
    valueType: 'string',
  },
  older: null,
  properties: {
    value: {
      type: 'string',
      description: '`*` is any run of characters, `?` any one; `\\*`, `\\?` and `\\\\` are the characters.',
    },
  },
  parse: ({ value }, at) => {
    if (typeof value !== 'string') throw malformed(`${at}.value`, value, 'a string with * or ?');
    return { value };
  },
  finds: matchesText,
  notice: () => null,
  parts: (sqon) => [sqon],
  compilePart: wildcardFilter,
};

/** Some value begins with any of these, taken literally; in text, the last word of one of these may be incomplete. */
export const startsWith: LeafOperator = {
  kind: 'leaf',
  aliases: [],
  introspection: null,
  older: {
    means: (sqon) => ({
      ...leafOf('in', sqon.fieldName, sqon.values.map(asPattern), sqon.pivot, sqon.at),
      ...(sqon.except !== undefined && { except: sqon.except }),
    }),
    warning: 'it matches values as patterns, in which a star stands for any characters',
  },
  complement: null,
  takesSpecialValues: false,
  needsValues: false,
  quantifier: 'some',
  isSearch: true,
  fits: { accepts: matchesText, others: 'has no text' },
  bounds: null,
  notice: () => null,
  compile: ({ leaf, field, scope, context }) => {
    const each = leaf.values.map((value) => prefixFilter(field, String(value), leaf.except));
    return placed(or(each), field, scope, context);
  },
  partTest: (value) => (text) => text.startsWith(String(value)),
  asSearch: (sqon) => leafOf(sqon.op, sqon.fieldName, sqon.values, sqon.pivot, sqon.at),
};

const asPattern = (value: SqonScalar): string => `${String(value)}*`;

/** A sentence or two: the length of typical search box input. */
const maxLength = 1_000;

/** Every word in any of the fields, ignoring case and accents; the last one may be incomplete, as it is being typed. */
export const search: MultiOperator = {
  kind: 'multi',
  aliases: [],
  introspection: null,
  older: {
    means: (sqon) => {
      const words = wordsOf(sqon.value).map((word) => ({
        ...wildcardOf(sqon.fieldNames, `*${plain(word)}*`, sqon.pivot, sqon.at),
        ...(sqon.except !== undefined && { except: sqon.except }),
      }));
      if (words.length === 0) return constant(false, sqon.at);
      return words.length === 1 ? words[0]! : group('and', words, null, sqon.at);
    },
    warning: 'it matches words as patterns, also inside other words, and distinguishes accents',
  },
  properties: {
    value: {
      type: 'string',
      maxLength,
      description:
        'Words, each of which must occur in at least one of the fields; the last one may be a prefix.',
    },
    wholeWords: {
      type: 'boolean',
      description: 'Whether the last word must be complete too; false by default.',
    },
  },
  parse: ({ value, wholeWords }, at) => {
    if (typeof value !== 'string') throw malformed(`${at}.value`, value, 'a string of words');
    if (value.length > maxLength)
      throw malformed(`${at}.value`, value, `words of at most ${maxLength} characters together`);
    if (wholeWords !== undefined && wholeWords !== null && typeof wholeWords !== 'boolean')
      throw malformed(`${at}.wholeWords`, wholeWords, 'true or false');
    return { value, ...(wholeWords === true && { wholeWords }) };
  },
  finds: (field) => field.kind !== 'boolean' && matchesText(field),
  notice: ({ value }) =>
    wordsOf(value).length === 0 ? 'no words to search for, the condition matches nothing' : null,
  parts: (sqon) => {
    const words = wordsOf(sqon.value);
    return words.map((value, position): SqonMulti => {
      const isLast = position === words.length - 1;
      return isLast ? { ...sqon, value } : { ...sqon, value, wholeWords: true };
    });
  },
  compilePart: ({ value, wholeWords, except = [] }, field) => ({
    kind: 'word',
    field: field.indexField,
    word: value,
    isPrefix: wholeWords !== true,
    ...(except.length > 0 && { except }),
  }),
};

/** The parts between white space that contain a letter, a digit or an emoji. */
const wordsOf = (value: string): readonly string[] =>
  value.split(/\s+/).filter((word) => /[\p{L}\p{N}\p{Emoji_Presentation}]/u.test(word));

/** A word as a pattern for itself: patterns cannot escape a star, but `?` matches any character. */
const plain = (word: string): string => word.replaceAll('*', '?');
