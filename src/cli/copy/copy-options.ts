import { parseCommandLine, wrongCommandLine } from '../terminal/command-line.ts';

/** What a copy can come from and go to. */
export const copyEngines = ['embedded', 'opensearch', 'elasticsearch'] as const;
export type CopyEngine = (typeof copyEngines)[number];

/** The options of `tributary copy`. */
export interface CopyOptions {
  readonly from: CopyEngine;
  readonly to: CopyEngine;
  /** null for all. */
  readonly names: readonly string[] | null;
  readonly mappingFile: string | undefined;
  readonly mode: 'refuse' | 'resume' | 'replace';
  /** Folders of the embedded engine, if not DATA_PATH. */
  readonly fromDataPath: string | undefined;
  readonly toDataPath: string | undefined;
}

/** What `tributary copy --help` prints. */
export const copyUsage = `Usage: tributary copy --from ENGINE --to ENGINE --index NAME [--index NAME]... [options]
       tributary copy --from ENGINE --to ENGINE --all [options]

Copies indexes with their mappings and aliases. ENGINE is ${copyEngines.join(', ')}. The copy has a name of
its own until it has as many documents as the source, and then answers to NAME; do not write to the source meanwhile.

  --index NAME       an index, or an alias of one; may be repeated
  --all              from embedded: all of the data folder; from a search server: those of CONFIGS_PATH
  --resume           continue an interrupted copy; indexes that are already copied are skipped
  --replace          start over, and replace what the target has under NAME
  --mapping FILE     create the target's index with this body ({"mappings": {...}, "settings": {...}})
  --data-path DIR    the embedded engine's folder (default: DATA_PATH)
  --to-data-path DIR the folder to copy to, when both are embedded
  --help             this text

ES_HOST, ES_USER, ES_PASS, ES_API_KEY and ES_CA name the search server. If there are two, use FROM_ES_HOST, TO_ES_HOST
and so on.
`;

/**
 * The command line as options; null when help was requested.
 * @throws TributaryError INPUT_INVALID naming the argument
 */
export const copyOptions = (argv: readonly string[]): CopyOptions | null => {
  const values = parsed(argv);
  if (values.help === true) return null;
  const [from, to] = [engineOf('from', values.from), engineOf('to', values.to)];
  if (values.resume === true && values.replace === true)
    throw wrongCommandLine('--resume continues a copy and --replace starts over: give one of them');
  const dataPath = values['data-path'];
  const toDataPath = values['to-data-path'];
  if (toDataPath !== undefined && to !== 'embedded')
    throw wrongCommandLine(`--to-data-path is for --to embedded, not for ${to}`);
  if (dataPath !== undefined && from !== 'embedded' && to !== 'embedded')
    throw wrongCommandLine('--data-path is a folder of the embedded engine, which is not part of this copy');
  return {
    from,
    to,
    names: namesOf(values),
    mappingFile: values.mapping,
    mode: values.resume === true ? 'resume' : values.replace === true ? 'replace' : 'refuse',
    fromDataPath: dataPath,
    toDataPath: toDataPath ?? dataPath,
  };
};

const parsed = (argv: readonly string[]) =>
  parseCommandLine(argv, {
    options: {
      from: { type: 'string' },
      to: { type: 'string' },
      index: { type: 'string', multiple: true },
      all: { type: 'boolean' },
      resume: { type: 'boolean' },
      replace: { type: 'boolean' },
      mapping: { type: 'string' },
      'data-path': { type: 'string' },
      'to-data-path': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  }).values;

const engineOf = (option: string, name: string | undefined): CopyEngine => {
  if (name === undefined) throw wrongCommandLine(`--${option} is missing: ${copyEngines.join(', ')}`);
  const engine = copyEngines.find((known) => known === name);
  if (engine === undefined)
    throw wrongCommandLine(`--${option} ${name} is not known: one of ${copyEngines.join(', ')} expected`);
  return engine;
};

const namesOf = ({
  index = [],
  all = false,
  mapping,
}: {
  readonly index?: readonly string[];
  readonly all?: boolean;
  readonly mapping?: string;
}): readonly string[] | null => {
  if (all === index.length > 0) throw wrongCommandLine('give either --index NAME, once or more, or --all');
  if (mapping !== undefined && index.length !== 1) throw wrongCommandLine('--mapping goes with one --index');
  return all ? null : [...new Set(index)];
};
