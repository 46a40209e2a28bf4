import { createRequire } from 'node:module';
import type { UTCDate } from '@date-fns/utc';
import type { format } from 'date-fns/format';
import { TributaryError } from '../../errors/errors.ts';
import { parseDate } from '../../introspection/dates/dates.ts';
import { plainDate } from './plain-date.ts';

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
