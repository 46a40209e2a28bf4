import { parseArgs } from 'node:util';
import { TributaryError } from '../errors.ts';
import type { ImportFormat } from '../indexing/file-import/detect-format.ts';
import { importFormats } from '../indexing/file-import/detect-format.ts';

/** What `tributary load` was asked to do. */
export interface LoadOptions {
  /** A path, or `-` for standard input. */
  readonly file: string;
  readonly into:
    | { readonly kind: 'catalogue'; readonly id: string }
    | { readonly kind: 'index'; readonly name: string; readonly aliases: readonly string[] };
  readonly mappingFile: string | undefined;
  readonly idField: string | undefined;
  /** undefined: told by the content. */
  readonly format: ImportFormat | undefined;
  readonly replace: boolean;
}

export const loadUsage = `Usage: tributary load FILE --catalogue ID [options]
       tributary load FILE --index NAME [--alias NAME]... [options]

Loads documents from FILE (- is standard input): NDJSON, a JSON array, CSV with a header line, or a bulk body with
action lines; plain or gzipped. What cannot be loaded is written to FILE.rejected.ndjson with its line number.

  --catalogue ID    into the catalogue's index; a starter configuration is written where there is none
  --index NAME      into this index, whatever the catalogues say
  --alias NAME      a further name for the index; may be repeated
  --mapping FILE    an index body ({"mappings": {...}, "aliases": {...}}) to create or extend the index with; a FILE
                    without documents then makes the empty index
  --id-field FIELD  the field that holds each document's key (default: id or _id, if the documents have it)
  --format FORMAT   ${importFormats.join(', ')} (default: told by the content)
  --replace         empty the index first: the old one answers until the new one is complete
  --help            this text
`;

/**
 * The command line as options; null when help was asked for.
 * @throws TributaryError INPUT_INVALID naming the argument
 */
export const loadOptions = (argv: readonly string[]): LoadOptions | null => {
  const { values, positionals } = parsed(argv);
  if (values.help === true) return null;
  const [file, second] = positionals;
  if (file === undefined) throw wrong('no FILE is given: name a file, or - for standard input');
  if (second !== undefined) throw wrong(`${second} is one file too many: load one at a time`);
  return {
    file,
    into: targetOf(values),
    mappingFile: values.mapping,
    idField: values['id-field'],
    format: formatOf(values.format),
    replace: values.replace === true,
  };
};

const parsed = (argv: readonly string[]) => {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        catalogue: { type: 'string' },
        index: { type: 'string' },
        alias: { type: 'string', multiple: true },
        mapping: { type: 'string' },
        'id-field': { type: 'string' },
        format: { type: 'string' },
        replace: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (cause) {
    throw wrong(cause instanceof Error ? cause.message : String(cause), cause);
  }
};

const targetOf = (values: {
  readonly catalogue?: string;
  readonly index?: string;
  readonly alias?: readonly string[];
}): LoadOptions['into'] => {
  const { catalogue, index, alias = [] } = values;
  if ((catalogue === undefined) === (index === undefined))
    throw wrong('give either --catalogue ID or --index NAME');
  if (index !== undefined) return { kind: 'index', name: index, aliases: alias };
  if (alias.length > 0)
    throw wrong('--alias goes with --index; the names of a catalogue are in its base.json');
  return { kind: 'catalogue', id: catalogue ?? '' };
};

const formatOf = (name: string | undefined): ImportFormat | undefined => {
  const format = importFormats.find((known) => known === name);
  if (name !== undefined && format === undefined)
    throw wrong(`--format ${name} is not known: ${importFormats.join(', ')} are`);
  return format;
};

const wrong = (message: string, cause?: unknown): TributaryError =>
  new TributaryError('INPUT_INVALID', message, { cause });
