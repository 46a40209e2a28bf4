import { badUserInput, type TributaryError } from '../../../../lib/errors/errors.ts';
import { kindOf } from '../../../../introspection/fields/field.ts';
import type { JsonObject } from '../../../../lib/json/json.ts';
import type { Filter, PatternPart } from '../../../../sqon/filter.ts';
import { tokensOf } from '../../../semantics/analyser.ts';
import { fold } from '../../../../lib/text/fold.ts';
import { foldedParts, ideographClass, separatorClass } from '../../../../lib/text/text-comparison.ts';
import { escaped, foldedExpression, maxExpressionLength } from './folded-expression.ts';

type WordFilter = Extract<Filter, { kind: 'word' }>;

/**
 * A search word as a query clause. A keyword is matched by a regular expression of all spellings.
 * @throws TributaryError BAD_USER_INPUT for a word of keywords whose expression is longer than servers accept
 */
export const wordQuery = (filter: WordFilter): JsonObject => {
  if (kindOf(filter.field.type) === 'text') return textQuery(filter);
  const expression = wordExpression(filter);
  return expression === null ? { match_none: {} } : keywordQuery(filter, expression);
};

/**
 * Text has the words as its analyser makes them, or in other spellings: most analysers ignore case, few ignore accents.
 * Words whose spellings are longer than servers accept are only found as the analyser makes them.
 */
const textQuery = ({ field, word, isPrefix }: WordFilter): JsonObject => {
  const { path } = field;
  const analysed = {
    [isPrefix ? 'match_bool_prefix' : 'match']: { [path]: { query: word, operator: 'and' } },
  };
  const tokens = tokensOf(word).map(fold);
  const spelt = tokens.map((token, at) =>
    isPrefix && at === tokens.length - 1 ? `${foldedExpression(token)}.*` : foldedExpression(token),
  );
  if (spelt.length === 0 || spelt.some(({ length }) => length > maxExpressionLength)) return analysed;
  const filter = spelt.map((value) => ({ regexp: { [path]: { value, flags: 'NONE' } } }));
  return { bool: { should: [analysed, { bool: { filter } }], minimum_should_match: 1 } };
};

const keywordQuery = ({ field, word, except = [] }: WordFilter, expression: string): JsonObject => {
  if (expression.length > maxExpressionLength) throw tooLong(word, expression.length);
  const regexp = (value: string, flags: string) => ({ regexp: { [field.path]: { value, flags } } });
  if (except.length === 0) return regexp(expression, 'NONE');
  const both = `(${expression})&(${otherThanExpression(except)})`;
  if (both.length <= maxExpressionLength) return regexp(both, 'INTERSECTION');
  return { bool: { filter: [regexp(expression, 'NONE')], must_not: [{ terms: { [field.path]: except } }] } };
};

/** A boundary is an end of the value, a separator, or an ideograph on either side. null for a word without letters. */
const wordExpression = ({ word, isPrefix }: WordFilter): string | null => {
  const parts = foldedParts(word);
  const [first = ''] = parts[0] ?? '';
  const last = Array.from(parts.at(-1) ?? '').at(-1) ?? '';
  if (first === '') return null;
  const border = `[${separatorClass}${ideographClass}]`;
  const before = startsAlone.test(parts[0]!) ? '.*' : `(.*${border})?`;
  const behind = isPrefix || startsAlone.test(last) ? '.*' : `(${border}.*)?`;
  return `${before}${parts.map(foldedExpression).join(`[${separatorClass}]+`)}${behind}`;
};

const startsAlone = new RegExp(`^[${ideographClass}]`, 'u');

const tooLong = (word: string, length: number): TributaryError =>
  badUserInput(
    `filter: this search server takes at most ${maxExpressionLength} characters in one expression, and all spellings of "${shortened(word)}" take ${length}; search for a shorter word`,
    { details: { found: length, accepted: maxExpressionLength } },
  );

const shortened = (word: string): string => (word.length > 40 ? `${word.slice(0, 40)}…` : word);

/**
 * A Lucene regular expression for the values that match a pattern and are not in an exclusion list: the intersection of
 * both. Lucene's complement operator is avoided because newer servers lack it.
 * @returns null if it would be longer than servers accept
 */
export const exceptPattern = (
  pattern: readonly PatternPart[],
  caseInsensitive: boolean,
  except: readonly string[],
): string | null => {
  const matching = pattern.map((part) => partText(part, caseInsensitive)).join('');
  const expression = `(${matching})&(${otherThanExpression(except)})`;
  return expression.length > maxExpressionLength ? null : expression;
};

const partText = (part: PatternPart, caseInsensitive: boolean): string => {
  if ('wildcard' in part) return part.wildcard === 'any' ? '.*' : '.';
  const charText = (char: string): string =>
    caseInsensitive && /[a-zA-Z]/.test(char) ? `[${char.toLowerCase()}${char.toUpperCase()}]` : escaped(char);
  return Array.from(part.literal, charText).join('');
};

/** A Lucene regular expression that matches anything except these texts. */
const otherThanExpression = (texts: readonly string[]): string => otherThan(trieOf(texts));

/** Texts by their characters. */
interface Trie {
  isEnd: boolean;
  readonly next: Map<string, Trie>;
}

const trieOf = (texts: readonly string[]): Trie => {
  const root: Trie = { isEnd: false, next: new Map() };
  for (const text of texts) {
    let at = root;
    for (const char of text) {
      const below: Trie = at.next.get(char) ?? { isEnd: false, next: new Map() };
      at.next.set(char, below);
      at = below;
    }
    at.isEnd = true;
  }
  return root;
};

/**
 * Continuations that keep the whole from being one of the texts: the end, a different character, or the same one
 * followed recursively.
 */
const otherThan = ({ isEnd, next }: Trie): string => {
  const chars = [...next.keys()].map(escaped);
  const another = chars.length === 0 ? '.+' : `[^${chars.join('')}].*`;
  const same = [...next].map(([char, below]) => `${escaped(char)}(${otherThan(below)})`);
  return [...(isEnd ? [] : ['()']), another, ...same].join('|');
};
