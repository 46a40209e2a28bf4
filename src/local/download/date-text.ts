import { createRequire } from 'node:module';
import type { UTCDate } from '@date-fns/utc';
import type { format } from 'date-fns/format';
import { badUserInput } from '../../lib/errors/errors.ts';
import { parseDate } from '../../introspection/dates/dates.ts';

interface DateFns {
  readonly format: typeof format;
  readonly UTCDate: typeof UTCDate;
}

const require = createRequire(import.meta.url);
let loaded: DateFns | null = null;

/** Loaded when a format first needs it: few do, and loading takes a tenth of the startup time. */
const dateFns = (): DateFns =>
  (loaded ??= { ...require('date-fns/format'), ...require('@date-fns/utc') } as DateFns);

const defaultPattern = 'yyyy-MM-dd';

/** Week years and days of the year, which date-fns treats as mistakes and warns about on the terminal. */
const unsupportedTokens = /YY|D/;

/**
 * Formats dates in UTC.
 * @param displayFormat Unicode date tokens; default `yyyy-MM-dd`
 * @returns a formatter for dates in ISO 8601 or milliseconds that returns null for anything else
 * @throws TributaryError BAD_USER_INPUT for an unusable format
 */
export const dateText = (
  displayFormat: string | null | undefined,
): ((stored: string | number) => string | null) => {
  const pattern = displayFormat || defaultPattern;
  const isDefault = pattern === defaultPattern;
  const written = (ms: number): string => {
    const { format: formatted, UTCDate: InUtc } = dateFns();
    return formatted(new InUtc(ms), pattern);
  };
  try {
    if (unsupportedTokens.test(pattern.replace(/'[^']*'/g, ''))) throw new RangeError('YY or D is used');
    if (!isDefault) written(0);
  } catch (error) {
    throw badUserInput(
      `displayFormat ${JSON.stringify(pattern.slice(0, 100))} cannot be used: Unicode date tokens such as ${defaultPattern} expected`,
      { cause: error },
    );
  }
  return (stored) => {
    const ms = parseDate(stored, undefined, 'down');
    return ms === null ? null : ((isDefault ? isoDay(ms) : null) ?? written(ms));
  };
};

/** The years 1 to 9999, which ISO dates write in four digits. */
const firstMs = Date.UTC(2001, 0, 1) - 2000 * 365.2425 * 86_400_000;
const endMs = Date.UTC(10_000, 0, 1);

/** The default pattern without date-fns, which takes several times as long for each cell; null for other years. */
const isoDay = (ms: number): string | null =>
  ms >= firstMs && ms < endMs ? new Date(ms).toISOString().slice(0, 10) : null;
