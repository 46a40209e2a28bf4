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
    const text = match[position + 1];
    if (text === undefined) continue;
    const value = rule.read(text, length);
    if (value === null) return null;
    parts[rule.part] = value;
  }
  return msOfParts(parts, rounding);
};

/** Whether a pattern is supported and includes at least a year. */
export const isDatePattern = (pattern: string): boolean =>
  patternOf(pattern)?.groups.some(({ rule }) => rule.part === 'year') === true;

/** Whether the omitted parts of a date mean its first or last moment: `2020` is its start or its end. */
export type DateRounding = 'down' | 'up';

/** The parts of a date text; omitted ones are absent. Years before the common era count down from 0. */
export interface DateParts {
  readonly year?: number;
  readonly month?: number;
  readonly day?: number;
  readonly hour?: number;
  readonly minute?: number;
  readonly second?: number;
  readonly ms?: number;
  /** Minutes east of UTC. */
  readonly offset?: number;
}

const first = { year: 1970, month: 1, hour: 0, minute: 0, second: 0, ms: 0 };

const last = { year: 1970, month: 12, hour: 23, minute: 59, second: 59, ms: 999 };

/** Epoch ms of the parts, omitted ones filled by rounding; null when there is no such date. */
export const msOfParts = (parts: DateParts, rounding: DateRounding): number | null => {
  const open = rounding === 'up' ? last : first;
  const year = parts.year ?? open.year;
  const month = parts.month ?? open.month;
  const day = parts.day ?? (rounding === 'up' ? daysInMonth(year, month) : 1);
  const hour = parts.hour ?? open.hour;
  const minute = parts.minute ?? open.minute;
  const second = parts.second ?? open.second;
  const ms = parts.ms ?? open.ms;
  const exists =
    month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month) && hour < 24 && minute < 60;
  if (!exists || second >= 60) return null;
  return utcMs(year, month, day) + ((hour * 60 + minute - (parts.offset ?? 0)) * 60 + second) * 1000 + ms;
};

/** Epoch ms of midnight UTC; unlike in Date.UTC, years 0 to 99 are taken literally. Months may overflow into other years. */
export const utcMs = (year: number, month: number, day: number): number => {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getTime();
};

/** Days of a month (1 to 12) in the proleptic Gregorian calendar. */
export const daysInMonth = (year: number, month: number): number => {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 ? (leap ? 29 : 28) : month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
};

/** Minutes east of UTC of `Z`, `+02`, `+0200`, `+02:00`; null for anything else. */
export const offsetMinutes = (zone: string): number | null => {
  if (zone === 'Z' || zone === 'z') return 0;
  const match = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone);
  if (match === null) return null;
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0);
  return minutes > 18 * 60 ? null : match[1] === '-' ? -minutes : minutes;
};

/** Milliseconds from the digits after a decimal point; finer digits are truncated. */
export const fractionMs = (digits: string): number => Number(digits.slice(0, 3).padEnd(3, '0'));

type Part = keyof DateParts;

/** What a run of one pattern letter parses; the letters are java.time's, with text for English months only. */
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

const monthName = '\\p{L}{3,9}\\.?';
const months: readonly RegExp[] = [
  /^jan(uary)?$/i,
  /^feb(ruary)?$/i,
  /^mar(ch)?$/i,
  /^apr(il)?$/i,
  /^may$/i,
  /^june?$/i,
  /^july?$/i,
  /^aug(ust)?$/i,
  /^sept?(ember)?$/i,
  /^oct(ober)?$/i,
  /^nov(ember)?$/i,
  /^dec(ember)?$/i,
];

/** The month (1 to 12) of an English name, short or full; null if it is not one. */
const monthNumber = (name: string): number | null => {
  const month = months.findIndex((pattern) => pattern.test(name.replace('.', '')));
  return month < 0 ? null : month + 1;
};

const zoneRule: LetterRule = {
  part: 'offset',
  expression: () => 'Z|[+-]\\d{2}(?::?\\d{2})?',
  read: offsetMinutes,
};

const rules: Readonly<Record<string, LetterRule>> = {
  y: yearRule,
  u: yearRule,
  M: {
    part: 'month',
    expression: (length) => (length > 2 ? monthName : digits(length)),
    read: (text, length) => (length > 2 ? monthNumber(text) : Number(text)),
  },
  d: { part: 'day', expression: digits, read: readNumber },
  H: { part: 'hour', expression: digits, read: readNumber },
  m: { part: 'minute', expression: digits, read: readNumber },
  s: { part: 'second', expression: digits, read: readNumber },
  S: { part: 'ms', expression: (length) => `\\d{${length}}`, read: fractionMs },
  X: zoneRule,
  x: zoneRule,
  Z: zoneRule,
};

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
  return balanced(pattern) ? { expression: new RegExp(`^${source}$`, 'u'), groups } : null;
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

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
