import type { DateParts, DateRounding } from './date-parts.ts';
import { fractionMs, msOfParts, offsetMinutes } from './date-parts.ts';

type Part = keyof DateParts;

/** What a run of one pattern letter parses; the letters are java.time's, limited to numeric ones. */
interface LetterRule {
  readonly part: Part;
  readonly expression: (length: number) => string;
  readonly read: (text: string, length: number) => number | null;
}

const digits = (length: number): string => (length === 1 ? '\\d{1,2}' : `\\d{${length}}`);
const readNumber = (text: string): number => Number(text);

const yearRule: LetterRule = {
  part: 'year',
  expression: (length) => (length === 2 ? '\\d{2}' : length === 1 ? '-?\\d{1,9}' : `-?\\d{${length}}`),
  read: (text, length) => (length === 2 ? 2000 + Number(text) : Number(text)),
};
const zoneRule: LetterRule = {
  part: 'offset',
  expression: () => 'Z|[+-]\\d{2}(?::?\\d{2})?',
  read: offsetMinutes,
};

const rules: Readonly<Record<string, LetterRule>> = {
  y: yearRule,
  u: yearRule,
  M: { part: 'month', expression: digits, read: readNumber },
  d: { part: 'day', expression: digits, read: readNumber },
  H: { part: 'hour', expression: digits, read: readNumber },
  m: { part: 'minute', expression: digits, read: readNumber },
  s: { part: 'second', expression: digits, read: readNumber },
  S: { part: 'ms', expression: (length) => `\\d{${length}}`, read: fractionMs },
  X: zoneRule,
  x: zoneRule,
  Z: zoneRule,
};

/**
 * Parses a date by a pattern such as `yyyy-MM-dd HH:mm:ss`, with `'literal text'` and `[optional parts]`.
 * @returns epoch ms, or null when the text does not fit or the pattern uses an unsupported letter
 */
export const parseDatePattern = (text: string, pattern: string, rounding: DateRounding): number | null => {
  const compiled = patternOf(pattern);
  const match = compiled === null ? null : compiled.expression.exec(text);
  if (compiled === null || match === null) return null;
  const parts: { -readonly [P in Part]?: number } = {};
  for (const [position, { rule, length }] of compiled.groups.entries()) {
    const found = match[position + 1];
    if (found === undefined) continue;
    const value = rule.read(found, length);
    if (value === null) return null;
    parts[rule.part] = value;
  }
  return msOfParts(parts, rounding);
};

/** Whether a pattern is supported and includes at least a year. */
export const isDatePattern = (pattern: string): boolean =>
  patternOf(pattern)?.groups.some(({ rule }) => rule.part === 'year') === true;

interface CompiledPattern {
  readonly expression: RegExp;
  readonly groups: readonly { readonly rule: LetterRule; readonly length: number }[];
}

/** Keyed by pattern; patterns come only from mappings, so there are few. */
const compiledPatterns = new Map<string, CompiledPattern | null>();

const patternOf = (pattern: string): CompiledPattern | null => {
  const known = compiledPatterns.get(pattern);
  if (known !== undefined) return known;
  const compiled = compilePattern(pattern);
  compiledPatterns.set(pattern, compiled);
  return compiled;
};

const compilePattern = (pattern: string): CompiledPattern | null => {
  const groups: { rule: LetterRule; length: number }[] = [];
  let source = '';
  // a quoted text ('' is one quote), a run of one letter, or any other character
  for (const [token, quoted] of pattern.matchAll(/'((?:[^']|'')*)'|([A-Za-z])\2*|[^]/g)) {
    if (quoted !== undefined) source += escaped(quoted === '' ? "'" : quoted.replaceAll("''", "'"));
    else if (/[A-Za-z]/.test(token)) {
      const rule = Object.hasOwn(rules, token[0]!) ? rules[token[0]!]! : null;
      if (rule === null) return null;
      source += `(${rule.expression(token.length)})`;
      groups.push({ rule, length: token.length });
    } else if (token === '[') source += '(?:';
    else if (token === ']') source += ')?';
    else source += escaped(token);
  }
  return balanced(pattern) ? { expression: new RegExp(`^${source}$`), groups } : null;
};

/** Whether the brackets of optional parts are balanced. */
const balanced = (pattern: string): boolean => {
  let open = 0;
  for (const character of pattern.replace(/'(?:[^']|'')*'/g, '')) {
    if (character === '[') open += 1;
    if (character === ']') open -= 1;
    if (open < 0) return false;
  }
  return open === 0;
};

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
