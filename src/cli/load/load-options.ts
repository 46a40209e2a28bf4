import { importFormats, type ImportFormat } from '../../indexing/file-import/records/detect-format.ts';
import type { FieldReading, ReadingOptions } from '../../indexing/file-import/records/source-record.ts';
import { parseCommandLine, wrongCommandLine } from '../terminal/command-line.ts';
import { isDatePattern } from '../../introspection/dates/date-pattern.ts';
import { namedDatePattern } from '../../introspection/dates/dates.ts';
import { requestableTypes } from '../../indexing/file-import/inference/requested-types.ts';

/** The options of `tributary load`. */
export interface LoadOptions {
  /** Paths of files and folders, or `-` for standard input. */
  readonly files: readonly string[];
  readonly into:
    | { readonly kind: 'catalogue'; readonly id: string }
    | { readonly kind: 'index'; readonly name: string; readonly aliases: readonly string[] };
  readonly mappingFile: string | undefined;
  readonly codebookFile: string | undefined;
  readonly idField: string | undefined;
  /** undefined: detected from the content. */
  readonly format: ImportFormat | undefined;
  readonly replace: boolean;
  /** Whether records without a key are always new, even if the index has equal ones. */
  readonly append: boolean;
  /** Only reports what would be loaded, and with which types. */
  readonly dryRun: boolean;
  /** The encoding of the text; undefined: UTF-8, or UTF-16 detected from the content. */
  readonly encoding: string | undefined;
  readonly reading: ReadingOptions;
  /** The arguments after `load`, as typed. */
  readonly argv: readonly string[];
}

export const loadRows = {
  'FILE...': 'what to load; - is standard input',
  '--catalogue ID': "into the catalogue's index; a starter configuration is written where there is none",
  '--index NAME': 'into this index, whatever the catalogues say',
  '--alias NAME...': 'a further name for the index',
  '--mapping FILE':
    'an index body ({"mappings": {...}, "aliases": {...}}) to create or extend the index with; a FILE without documents then creates an empty index; the catalogue\'s mapping.json is updated',
  '--codebook FILE':
    "what the columns and values mean: a REDCap data dictionary, or a CSV file with the columns field, value, label, unit, description; goes into the catalogue's extended.json; without a FILE to load, only that",
  '--id-field FIELD':
    "the field that holds each document's key (default: id or _id, if every record has another one)",
  '--format FORMAT': `${importFormats.join(', ')} (default: detected from the content)`,
  '--replace': 'empty the index first: the old one answers until the new one is complete',
  '--append': 'add records without a key to what the index has; loading them twice gives them twice',
  '--dry-run': 'show the inferred types and what would be rejected; write nothing',
  '--null WORDS...':
    'words that mean no value, separated by commas: --null "N/A,unknown"; of one column only: --null age=NA,-9',
  '--types NAME=TYPE,...': 'the type of columns or fields: --types year=long,born=date',
  '--date-format FORMAT...':
    'how dates are written: --date-format dd.MM.yyyy; they are stored as 2020-12-31; of one column only: --date-format born=d/M/yy; years of two digits are 1930 to 2029',
  '--decimal SIGN...': 'the decimal sign of numbers, a comma or a point: --decimal , reads 1.234,5',
  '--split NAME=SIGN...':
    'a column whose cells hold several values, and what separates them: --split "genes=; pheno=|"; NAME=json for JSON arrays',
  '--delimiter SIGN': 'what separates the cells of a CSV file, or tab (default: detected from the header)',
  '--records PATH': 'where the records are in a JSON file: --records data.items (default: found by looking)',
  '--header-row N': 'the line of the header (3-4: two lines, joined); what is above it is not loaded',
  '--no-header': 'the file has no header: the columns are column_1, column_2, ...',
  '--row-names': 'the header lacks the name of the first column, as in tables of R',
  '--skip N': 'do not read the first N lines',
  '--comment SIGN': 'lines that begin with it are not read (default: # above the header)',
  '--dots WORD':
    'objects if dots in a header make objects, text if not (default: where names share their first part)',
  '--quote SIGN': `'"' if quotes enclose cells, none if they are text (default: '"'; with tabs, decided by looking)`,
  '--encoding NAME':
    'the encoding of a text file, such as windows-1252 (default: UTF-8, or UTF-16 with a byte order mark)',
  '--sheet NAME': 'the sheet of a workbook that has several',
};

/** What `tributary load` does. */
export const aboutLoad = `
Loads records from FILE (- is standard input): NDJSON, JSON (an array, or an object with the records inside), a bulk body
with action lines, CSV with a header line, an Excel workbook (.xlsx) or Parquet; plain or gzipped. They go into the index
of a catalogue or one by its name: --catalogue or --index is needed. What cannot be loaded is written to
FILE.rejected.ndjson with its line number. Several FILEs are loaded as one, and a folder with all files in it.
docs/loading.md has a worked example, and forms of public files.`;

/**
 * The command line as options.
 * @throws TributaryError INPUT_INVALID naming the argument
 */
export const loadOptions = (argv: readonly string[]): LoadOptions => {
  const { values, positionals } = parseCommandLine(argv, loadRows);
  if (values.codebook === undefined) {
    if (positionals.length === 0)
      throw wrongCommandLine('FILE is missing: name a file, or - for standard input');
  } else if (values.catalogue === undefined)
    throw wrongCommandLine('--codebook goes with --catalogue: its labels are part of a catalogue');
  else if (positionals.some((file) => file === '-'))
    throw wrongCommandLine('--codebook is compared with the data first, so these must be in a file');
  if (values.replace && values.append)
    throw wrongCommandLine('--replace empties the index, and --append adds to it: give one of them');
  return {
    files: positionals,
    into: targetOf(values),
    mappingFile: values.mapping,
    codebookFile: values.codebook,
    idField: values['id-field'],
    format: formatOf(values.format),
    replace: values.replace,
    append: values.append,
    dryRun: values['dry-run'],
    encoding: encodingOf(values.encoding),
    reading: readingOptions(values),
    argv,
  };
};

const targetOf = (values: {
  readonly catalogue?: string;
  readonly index?: string;
  readonly alias?: readonly string[];
}): LoadOptions['into'] => {
  const { catalogue, index, alias = [] } = values;
  if ((catalogue === undefined) === (index === undefined))
    throw wrongCommandLine('give either --catalogue ID or --index NAME');
  if (alias.includes('')) throw wrongCommandLine('--alias is empty: a name expected');
  if (index !== undefined) return { kind: 'index', name: index, aliases: alias };
  if (alias.length > 0)
    throw wrongCommandLine('--alias goes with --index; the names of a catalogue are in its base.json');
  return { kind: 'catalogue', id: catalogue ?? '' };
};

const formatOf = (name: string | undefined): ImportFormat | undefined => {
  const format = importFormats.find((known) => known === name);
  if (name !== undefined && format === undefined)
    throw wrongCommandLine(`--format ${name} is not known: one of ${importFormats.join(', ')} expected`);
  return format;
};

const encodingOf = (name: string | undefined): string | undefined => {
  if (name === undefined) return undefined;
  try {
    return new TextDecoder(name).encoding;
  } catch (cause) {
    throw wrongCommandLine(
      `--encoding ${name} is not known: utf-8, utf-16le, windows-1252, iso-8859-1 or another web encoding expected`,
      cause,
    );
  }
};

/** The options of `tributary load` for reading values, as typed. */
export interface ReadingArguments {
  readonly null?: readonly string[];
  readonly types?: readonly string[];
  readonly 'date-format'?: string | readonly string[];
  readonly decimal?: string | readonly string[];
  readonly split?: readonly string[];
  readonly delimiter?: string;
  readonly quote?: string;
  readonly dots?: string;
  readonly 'header-row'?: string;
  readonly 'no-header'?: boolean;
  readonly 'row-names'?: boolean;
  readonly skip?: string;
  readonly comment?: string;
  readonly records?: string;
  readonly sheet?: string;
}

/** @throws TributaryError INPUT_INVALID naming the option and what is accepted */
export const readingOptions = (args: ReadingArguments): ReadingOptions => ({
  nullWords: new Set((args.null ?? []).filter((words) => !words.includes('=')).flatMap(wordsOf)),
  ...fieldReadings(args),
  types: typesOf(args.types ?? []),
  dateFormat: dateFormatOf([args['date-format'] ?? []].flat().filter((format) => !format.includes('='))),
  decimal: decimalOf([args.decimal ?? []].flat().findLast((sign) => !sign.includes('='))),
  ...(args.split !== undefined && { split: splitOf(args.split) }),
  delimiter: delimiterOf(args.delimiter),
  quotes: quotesOf(args.quote),
  dots: dotsOf(args.dots),
  header: headerOf(args['header-row'], args['no-header']),
  ...(args['row-names'] === true && { rowNames: true }),
  skipLines: skipOf(args.skip),
  records: args.records,
  comment: args.comment === '' ? undefined : args.comment,
  sheet: args.sheet,
});

/** Adds alternatives for one column or field. */
const alternative = ({ dateFormat, ...before }: FieldReading, format: string): FieldReading => ({
  ...before,
  dateFormat: dateFormatOf([...(dateFormat === undefined ? [] : [dateFormat]), format]),
});

const wordsOf = (words: string): readonly string[] => words.split(',').map((word) => word.trim());

/** `--null age=NA,-9`, `--decimal weight=,` and `--date-format born=d.M.yy` hold for one column or field each. */
const fieldReadings = (args: ReadingArguments): Pick<ReadingOptions, 'ofField'> => {
  const readings = new Map<string, FieldReading>();
  const amend = (option: string, change: (before: FieldReading, value: string) => FieldReading): void => {
    const at = option.indexOf('=');
    const name = option.slice(0, at).trim();
    if (at > 0)
      readings.set(name, change(readings.get(name) ?? { nullWords: new Set() }, option.slice(at + 1)));
  };
  for (const option of args.null ?? [])
    amend(option, (before, words) => ({
      ...before,
      nullWords: new Set([...before.nullWords, ...wordsOf(words)]),
    }));
  for (const option of [args.decimal ?? []].flat())
    amend(option, (before, sign) => ({ ...before, decimal: decimalOf(sign) }));
  for (const option of [args['date-format'] ?? []].flat()) amend(option, alternative);
  return readings.size === 0 ? {} : { ofField: readings };
};

/** `a=date,b=keyword`; names may contain commas and equals signs. */
const typesOf = (lists: readonly string[]): ReadonlyMap<string, string> => {
  const types = new Map<string, string>();
  for (const list of lists) {
    const entry = /\s*(.+?)\s*=\s*(\w+)\s*(?:,|$)/y;
    while (entry.lastIndex < list.length) {
      const at = entry.lastIndex;
      const [, name, type] = entry.exec(list) ?? [];
      if (name === undefined || type === undefined)
        throw wrongCommandLine(
          `--types ${list} is not understood from "${list.slice(at)}" on: a form like a=date,b=keyword expected`,
        );
      if (!(requestableTypes as readonly string[]).includes(type))
        throw wrongCommandLine(
          `--types gives ${name} the type ${type}, which is not known: one of ${requestableTypes.join(', ')} expected`,
        );
      if (types.has(name) && types.get(name) !== type)
        throw wrongCommandLine(`--types gives ${name} two types`);
      types.set(name, type);
    }
  }
  return types;
};

const dateFormatOf = (formats: readonly string[]): string | undefined => {
  const format = formats.length === 0 ? undefined : formats.join('||');
  const unknown = format
    ?.split('||')
    .find((one) => !isDatePattern(namedDatePattern(one.trim()) ?? one.trim()));
  if (unknown === undefined) return format;
  throw wrongCommandLine(
    `--date-format ${unknown} is not understood: a pattern such as dd.MM.yyyy, d/M/yy or yyyy-MM-dd HH:mm expected (M is the month, m the minute)`,
  );
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

const quotesOf = (sign: string | undefined): boolean | undefined => {
  if (sign === undefined) return undefined;
  if (sign === '"' || sign === 'none') return sign === '"';
  throw wrongCommandLine(`--quote ${sign} is not understood: '"' or none expected`);
};

const dotsOf = (word: string | undefined): 'text' | 'objects' | undefined => {
  if (word === undefined || word === 'text' || word === 'objects') return word;
  throw wrongCommandLine(`--dots ${word} is not understood: text or objects expected`);
};

const headerOf = (lines: string | undefined, none: boolean | undefined): ReadingOptions['header'] => {
  if (none === true && lines !== undefined)
    throw wrongCommandLine(
      '--header-row names a line, and --no-header says that there is none: give one of them',
    );
  if (lines === undefined) return none === true ? 'none' : undefined;
  const [, from, to = from] = /^([1-9]\d{0,5})(?:-([1-9]\d{0,5}))?$/.exec(lines) ?? [];
  if (from !== undefined && Number(to) >= Number(from)) return [Number(from), Number(to)];
  throw wrongCommandLine(
    `--header-row ${lines} is not understood: a line such as 3, or 3-4 for two, expected`,
  );
};

const skipOf = (lines: string | undefined): number | undefined => {
  if (lines === undefined || /^\d{1,9}$/.test(lines)) return lines === undefined ? undefined : Number(lines);
  throw wrongCommandLine(`--skip ${lines} is not understood: a number of lines expected`);
};

/** `genes=; pheno=|`; names may contain spaces. */
const splitOf = (lists: readonly string[]): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  for (const list of lists) {
    const entry = /\s*(.+?)=(\S+|\t)(?:\s+|$)/y;
    while (entry.lastIndex < list.length) {
      const at = entry.lastIndex;
      const [, name, sign] = entry.exec(list) ?? [];
      if (name === undefined || sign === undefined)
        throw wrongCommandLine(
          `--split ${list} is not understood from "${list.slice(at)}" on: a form like "genes=; pheno=|" expected`,
        );
      found.set(name, sign);
    }
  }
  return found;
};
