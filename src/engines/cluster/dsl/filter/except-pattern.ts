import type { PatternPart } from '../../../../sqon/filter.ts';
import { maxExpressionLength } from './folded-expression.ts';

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

const escaped = (char: string): string => (/[\p{ASCII}--[a-zA-Z0-9]]/v.test(char) ? `\\${char}` : char);

/** A Lucene regular expression that matches anything except the given texts. */
export const otherThanExpression = (texts: readonly string[]): string => otherThan(trieOf(texts));

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
