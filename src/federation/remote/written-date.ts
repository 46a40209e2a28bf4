import { isDatePattern } from '../../introspection/dates/date-pattern.ts';
import {
  defaultDateFormat,
  isoMoment,
  namedDatePattern,
  parseDate,
  type DateRounding,
} from '../../introspection/dates/dates.ts';
import { dateText } from '../../local/download/date-text.ts';

const isoFormats: ReadonlySet<string> = new Set([
  ...['strict_date_optional_time', 'strict_date_optional_time_nanos', 'date_optional_time', 'iso8601'],
]);

/**
 * A moment as the engine of an established server reads it: in the format of its mapping.
 * @param rounding to the date before or after the moment, if the format has no date that is as precise
 * @param format the mapping's `format`; the engines' default if unknown
 * @returns ISO 8601, which the engine may refuse, for a format that this server cannot write
 */
export const writtenDate = (ms: number, rounding: DateRounding, format = defaultDateFormat): string => {
  const formats = format.split('||').map((one) => one.trim());
  if (formats.some((one) => isoFormats.has(one))) return isoMoment(ms);
  if (formats.includes('epoch_millis')) return String(ms);
  const seconds = ms / 1_000;
  if (formats.includes('epoch_second'))
    return String(rounding === 'up' ? Math.ceil(seconds) : Math.floor(seconds));
  const [finest] = formats
    .flatMap((one) => inPattern(ms, rounding, one))
    .toSorted((left, right) => right.from - left.from);
  return finest?.text ?? isoMoment(ms);
};

interface PatternDate {
  readonly text: string;
  /** The start of the date before the moment, epoch ms. */
  readonly from: number;
}

/** The moment in one format; empty if that is not a pattern, or cannot express the moment. */
const inPattern = (ms: number, rounding: DateRounding, format: string): readonly PatternDate[] => {
  const pattern = namedDatePattern(format) ?? format;
  if (!isDatePattern(pattern)) return [];
  const write = dateText(pattern.replace(/'[^']*'|[[\]Z]/g, (token) => asDateFns[token] ?? token));
  const before = write(isoMoment(ms)) ?? '';
  const from = parseDate(before, format, 'down');
  if (from === null || from > ms) return [];
  if (rounding === 'down' || from === ms) return [{ text: before, from }];
  const next = isoMoment(parseDate(before, format, 'up')! + 1);
  return [{ text: write(next) ?? before, from }];
};

/** Brackets enclose parts that may be absent when parsing. */
const asDateFns: Readonly<Record<string, string>> = { '[': '', ']': '', Z: 'xx' };
