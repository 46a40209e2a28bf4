import { parseCommandLine, wrongCommandLine } from '../terminal/command-line.ts';

/** The options of `tributary delete`. */
export interface DeleteOptions {
  readonly catalogue: string;
  readonly what:
    | { readonly kind: 'ids'; /** A path, or `-` for standard input. */ readonly file: string }
    | { readonly kind: 'filter'; /** JSON. */ readonly text: string };
  /** No confirmation. */
  readonly yes: boolean;
}

/** What `tributary delete --help` prints. */
export const deleteUsage = `Usage: tributary delete --catalogue ID --ids FILE [--yes]
       tributary delete --catalogue ID --filter SQON [--yes]

Deletes documents of a catalogue's index, after showing how many there are and asking for confirmation. A server that
uses the same index no longer shows them.

  --catalogue ID   the catalogue, as base.json or its folder names it
  --ids FILE       the documents' keys, one on each line (- is standard input, which needs --yes)
  --filter SQON    the documents that match this filter, JSON as clients send it:
                   '{"op":"in","content":{"fieldName":"donor_id","value":["D1","D2"]}}'
  --yes            delete without asking; required without a terminal
  --help           this text

Exit code: 0 when the documents are gone, 1 when they could not be deleted or the answer was no, 2 for an invalid
command line.
`;

/**
 * The command line as options; null when help was requested.
 * @throws TributaryError INPUT_INVALID naming the argument
 */
export const deleteOptions = (argv: readonly string[]): DeleteOptions | null => {
  const { catalogue, ids, filter, yes = false, help } = parsed(argv);
  if (help === true) return null;
  if (catalogue === undefined) throw wrongCommandLine('give --catalogue ID');
  if (ids !== undefined && filter === undefined)
    return { catalogue, what: { kind: 'ids', file: ids }, yes: yesWith(ids, yes) };
  if (filter !== undefined && ids === undefined)
    return { catalogue, what: { kind: 'filter', text: filter }, yes };
  throw wrongCommandLine('give either --ids FILE or --filter SQON');
};

const parsed = (argv: readonly string[]) =>
  parseCommandLine(argv, {
    options: {
      catalogue: { type: 'string' },
      ids: { type: 'string' },
      filter: { type: 'string' },
      yes: { type: 'boolean', short: 'y' },
      help: { type: 'boolean', short: 'h' },
    },
  }).values;

/** Standard input cannot supply both the keys and the confirmation. */
const yesWith = (file: string, yes: boolean): boolean => {
  if (file === '-' && !yes)
    throw wrongCommandLine('--ids - reads the keys from standard input, so give --yes too');
  return yes;
};
