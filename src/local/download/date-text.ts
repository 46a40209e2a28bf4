import { createRequire } from 'node:module';
import type { UTCDate } from '@date-fns/utc';
import type { format } from 'date-fns/format';
import { TributaryError } from '../../errors/errors.ts';
import { parseDate } from '../../introspection/dates/dates.ts';

interface DateFns {
  readonly format: typeof format;
  readonly UTCDate: typeof UTCDate;
}

const require = createRequire(import.meta.url);
let loaded: DateFns | null = null;

/** Loaded when a format first needs it: few do, and it takes a tenth of the time of a start. */
const dateFns = (): DateFns =>
  (loaded ??= { ...require('date-fns/format'), ...require('@date-fns/utc') } as DateFns);

const defaultPattern = 'yyyy-MM-dd';

/** Week years and days of the year, which date-fns treats as mistakes and warns about on the terminal. */
const unsupportedTokens = /YY|D/;

/**
 * Formats dates in UTC.
 * @param displayFormat Unicode date tokens; default `yyyy-MM-dd`
 * @param storedFormat the mapping's format of the stored values
 * @returns a formatter for stored dates that returns null for anything else
 * @throws TributaryError BAD_USER_INPUT for an unusable format
 */
export const dateText = (
  displayFormat: string | null | undefined,
  storedFormat: string | undefined,
): ((stored: string | number) => string | null) => {
  const pattern = displayFormat || defaultPattern;
  const plain = plainDate(pattern);
  const written = (ms: number): string => {
    const { format: formatted, UTCDate: InUtc } = dateFns();
    return formatted(new InUtc(ms), pattern);
  };
  try {
    if (unsupportedTokens.test(pattern.replace(/'[^']*'/g, ''))) throw new RangeError('YY or D is used');
    if (plain === null) written(0);
  } catch (error) {
    throw new TributaryError(
      'BAD_USER_INPUT',
      `displayFormat ${JSON.stringify(pattern.slice(0, 100))} cannot be used: Unicode date tokens such as ${defaultPattern} expected`,
      { cause: error },
    );
  }
  return (stored) => {
    const ms = parseDate(stored, storedFormat, 'down');
    return ms === null ? null : (plain?.(ms) ?? written(ms));
  };
};

/** Where the parts of a date stand in `2010-12-31T23:59:59.999Z`. */
const positions: Readonly<Record<string, readonly [from: number, to: number]>> = {
  yyyy: [0, 4],
  MM: [5, 7],
  dd: [8, 10],
  HH: [11, 13],
  mm: [14, 16],
  ss: [17, 19],
  SSS: [20, 23],
};

/** As date-fns cuts them: repeated letters, quoted text, anything else. */
const tokens = /(\w)\1*|'[^']+'|[^\w']/g;

/** The years 1 to 9999, which ISO dates write in four digits. */
const firstMs = Date.UTC(2001, 0, 1) - 2000 * 365.2425 * 86_400_000;
const endMs = Date.UTC(10_000, 0, 1);

/**
 * Formats dates in UTC by a pattern of whole numbers only, such as `yyyy-MM-dd HH:mm`. date-fns takes several times as
 * long, and what it leaves behind outlives the row it was for.
 * @returns a formatter that returns null for a date it cannot write; null when the pattern has other parts
 */
export const plainDate = (pattern: string): ((ms: number) => string | null) | null => {
  const parts: ((iso: string) => string)[] = [];
  const found = pattern.match(tokens) ?? [];
  if (found.join('') !== pattern || pattern.includes("''")) return null;
  for (const token of found) {
    const position = positions[token];
    if (position !== undefined) parts.push((iso) => iso.slice(...position));
    else if (/^\w/.test(token)) return null;
    else {
      const literal = token.replaceAll("'", '');
      parts.push(() => literal);
    }
  }
  return (ms) => {
    if (!(ms >= firstMs && ms < endMs)) return null;
    const iso = new Date(ms).toISOString();
    return parts.reduce((text, part) => text + part(iso), '');
  };
};
