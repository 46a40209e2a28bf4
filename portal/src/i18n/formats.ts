import { isoDay, timeOf } from '../api/fields.ts';

/** Numbers, dates and sizes as written in a language. */
export interface Formats {
  readonly number: (value: number) => string;
  /** A number for editing: all its digits, without group separators. */
  readonly typed: (value: number) => string;
  /** Parses typed input; NaN if it is not a number, or is ambiguous. */
  readonly readNumber: (text: string) => number;
  /** With an SI prefix for thousands: 12.5 k, 3 M. */
  readonly short: (value: number) => string;
  readonly percent: (share: number) => string;
  /** A date, with the time of one that names it. */
  readonly day: (value: string | number) => string;
  readonly time: (value: string | number) => string;
  /** Like `time`; without the day if it is today. */
  readonly moment: (value: string | number) => string;
  readonly bytes: (value: number) => string;
  /** A time in milliseconds, in milliseconds or seconds. */
  readonly seconds: (ms: number) => string;
  readonly list: (values: readonly string[]) => string;
}

/** The time of dates that are written as times. */
const isMidnight = /^00:00(:00([.,]0+)?)?(Z|[+-]00:?00)?$/;
const firstYearMs = timeOf('0001-01-01');

/** A pseudo-locale writes numbers as English does. */
const tagOf = (language: string): string =>
  language === 'ar' ? 'en' : language === 'en' ? 'en-GB' : language;

export const formatsOf = (language: string): Formats => {
  const tag = tagOf(language);
  const numbers = new Intl.NumberFormat(tag, {
    maximumFractionDigits: 3,
    // small values are not shown as 0
    maximumSignificantDigits: 3,
    roundingPriority: 'morePrecision',
  });
  const percents = new Intl.NumberFormat(tag, {
    style: 'percent',
    // a fixed number of decimals: shares are read in columns
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  const { decimal, group } = separatorsOf(numbers);
  const days = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: 'UTC' });
  const times = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'medium' });
  const clock = new Intl.DateTimeFormat(tag, { timeStyle: 'medium' });
  const lists = new Intl.ListFormat(tag, { type: 'conjunction' });
  const day = (value: string | number): string => {
    const at = typeof value === 'string' ? timeOf(value) : value;
    const isWhole = typeof value === 'number' || /\d-\d\d-\d\d/.test(value);
    if (!isWhole || Number.isNaN(new Date(at).getTime())) return String(value);
    const [, date, time = ''] = /^(.+?)T(.+)$/.exec(String(value)) ?? [];
    // in the zone that the record names, whatever that of the browser is
    if (date !== undefined && !isMidnight.test(time)) return `${day(date)}, ${time}`;
    // years in the language's format have no sign
    return at < firstYearMs ? isoDay(at) : days.format(at);
  };
  return {
    number: (value) => numbers.format(value),
    typed: (value) => String(value).replace('.', decimal),
    readNumber: (text) => readNumber(text.trim(), decimal, group),
    short: (value) => {
      const power = Math.min(4, Math.max(0, Math.floor(Math.log10(Math.abs(value) || 1) / 3 + 1e-9)));
      return `${numbers.format(value / 1000 ** power)}${['', ' k', ' M', ' G', ' T'][power]}`;
    },
    percent: (share) => {
      // small shares are not shown as 0 %, and nearly all not as 100 %
      if (share > 0 && share < 0.0005) return `< ${percents.format(0.001)}`;
      return share >= 0.9995 && share < 1 ? `> ${percents.format(0.999)}` : percents.format(share);
    },
    day,
    time: (value) => times.format(new Date(value)),
    moment: (value) => {
      const at = new Date(value);
      return (at.toDateString() === new Date().toDateString() ? clock : times).format(at);
    },
    bytes: (value) => {
      const power = Math.min(4, value < 1000 ? 0 : Math.floor(Math.log10(value) / 3));
      const unit = (['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const)[power]!;
      const format = new Intl.NumberFormat(tag, {
        style: 'unit',
        unit,
        unitDisplay: 'short',
        maximumFractionDigits: 1,
      });
      return format.format(value / 1000 ** power);
    },
    seconds: (ms) => {
      const unit = ms < 1000 ? 'millisecond' : 'second';
      const value = ms < 1000 ? Math.round(ms) : Math.round(ms / 100) / 10;
      return new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'short' }).format(value);
    },
    list: (values) => lists.format(values),
  };
};

/** Units that are words in every language, by how they are written: the others are symbols. */
const namedUnits = {
  year: /^(a|yrs?|years?)$/i,
  month: /^(mo|months?)$/i,
  week: /^(wk|weeks?)$/i,
  day: /^(d|days?)$/i,
  hour: /^(h|hours?)$/i,
  minute: /^(min|minutes?)$/i,
  second: /^(s|seconds?)$/i,
  byte: /^(B|bytes?)$/,
} as const;

/** The name of a unit in a language, as after several: "years" for "year". */
export const unitIn = (unit: string, language: string): string => {
  const [known] = Object.entries(namedUnits).find(([, written]) => written.test(unit)) ?? [];
  if (known === undefined) return unit;
  const format = new Intl.NumberFormat(tagOf(language), { style: 'unit', unit: known, unitDisplay: 'long' });
  return format.formatToParts(2).find(({ type }) => type === 'unit')?.value ?? unit;
};

const separatorsOf = (numbers: Intl.NumberFormat): { readonly decimal: string; readonly group: string } => {
  const parts = numbers.formatToParts(12_345.6);
  const valueOf = (type: 'decimal' | 'group'): string => parts.find((part) => part.type === type)!.value;
  return { decimal: valueOf('decimal'), group: valueOf('group') };
};

/** Groups may be separated by spaces in all languages. */
const readNumber = (text: string, decimal: string, group: string): number => {
  const groups = new RegExp(`^([-+−]?[1-9]\\d{0,2})((?:[${group}\\s]\\d{3})+)(?![${group}\\s\\d])`);
  const plain = text
    .replace(groups, (_, first: string, others: string) => first + others.replaceAll(/\D/g, ''))
    .replace('−', '-');
  // thousands in some languages, three decimals in others
  const isEither = decimal !== '.' && /^[-+]?[1-9]\d{0,2}\.\d{3}$/.test(plain);
  const written = plain.replace(decimal, '.');
  return !isEither && /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(written) ? Number(written) : NaN;
};
