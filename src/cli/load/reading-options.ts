import { isDatePattern } from '../../introspection/dates/date-pattern.ts';
import { namedDatePattern } from '../../introspection/dates/dates.ts';
import { askableTypes } from '../../indexing/file-import/inference/asked-types.ts';
import type { ReadingOptions } from '../../indexing/file-import/records/reading-options.ts';
import { wrongCommandLine } from '../terminal/command-line.ts';

/** The options of `tributary load` for reading values, as typed. */
export interface ReadingArguments {
  readonly null?: readonly string[];
  readonly types?: readonly string[];
  readonly 'date-format'?: string;
  readonly decimal?: string;
  readonly delimiter?: string;
  readonly sheet?: string;
}

/** @throws TributaryError INPUT_INVALID naming the option and what is accepted */
export const readingOptions = (given: ReadingArguments): ReadingOptions => ({
  nullWords: new Set((given.null ?? []).flatMap((words) => words.split(',')).map((word) => word.trim())),
  types: typesOf(given.types ?? []),
  dateFormat: dateFormatOf(given['date-format']),
  decimal: decimalOf(given.decimal),
  delimiter: delimiterOf(given.delimiter),
  sheet: given.sheet,
});

/** `a=date,b=keyword`; names may contain commas and equals signs. */
const typesOf = (lists: readonly string[]): ReadonlyMap<string, string> => {
  const types = new Map<string, string>();
  for (const list of lists) {
    const entry = /\s*(.+?)\s*=\s*(\w+)\s*(?:,|$)/y;
    while (entry.lastIndex < list.length) {
      const at = entry.lastIndex;
      const [, name, type] = entry.exec(list) ?? [];
      if (name === undefined || type === undefined)
        throw wrongCommandLine(`--types ${list} is not understood from "${list.slice(at)}" on: a form like a=date,b=keyword expected`); // prettier-ignore
      if (!(askableTypes as readonly string[]).includes(type))
        throw wrongCommandLine(`--types gives ${name} the type ${type}, which is not known: one of ${askableTypes.join(', ')} expected`); // prettier-ignore
      if (types.has(name) && types.get(name) !== type)
        throw wrongCommandLine(`--types gives ${name} two types`);
      types.set(name, type);
    }
  }
  return types;
};

const dateFormatOf = (format: string | undefined): string | undefined => {
  const unknown = format
    ?.split('||')
    .find((one) => !isDatePattern(namedDatePattern(one.trim()) ?? one.trim()));
  if (unknown === undefined) return format;
  throw wrongCommandLine(`--date-format ${unknown} is not understood: a pattern such as dd.MM.yyyy, d/M/yy or yyyy-MM-dd HH:mm expected (M is the month, m the minute)`); // prettier-ignore
};

const decimalOf = (sign: string | undefined): '.' | ',' | undefined => {
  if (sign === undefined || sign === '.' || sign === ',') return sign;
  throw wrongCommandLine(`--decimal ${sign} is not understood: a comma or a point expected`);
};

const delimiterOf = (sign: string | undefined): string | undefined => {
  if (sign === undefined) return undefined;
  const named = sign === 'tab' || sign === '\\t' ? '\t' : sign;
  if ([...named].length === 1 && !/["\r\n]/.test(named)) return named;
  throw wrongCommandLine(
    `--delimiter ${JSON.stringify(sign)} is not understood: one character or tab expected`,
  );
};
