import { createInterface } from 'node:readline/promises';
import type { Readable } from 'node:stream';
import { parseArgs, type ParseArgsOptionDescriptor } from 'node:util';
import { fileFailure } from '../../lib/runtime/file-failure.ts';
import { asTributaryError, invalidInput, type TributaryError } from '../../lib/errors/errors.ts';

/**
 * What may follow a command, and what the help says about it. Rows are `--name`, `--name VALUE`, `--name VALUE...` for an
 * option that may be repeated, `-n, --name`, or without dashes an argument as the synopsis shows it: `NAME`, `[NAME]`,
 * `NAME...`, or a word in small letters, with what follows it.
 */
type Options = Readonly<Record<string, string>>;

type NameIn<Row> = Row extends `${string}--${infer Name} ${string}`
  ? Name
  : Row extends `${string}--${infer Name}`
    ? Name
    : never;

type Valued = `--${string} ${string}`;

type ValuesOf<Rows> = {
  readonly [Row in keyof Rows as Row extends Valued ? never : NameIn<Row>]: boolean;
} & {
  readonly [Row in keyof Rows as Row extends Valued ? NameIn<Row> : never]?: Row extends `${string}...`
    ? string[]
    : string;
};

/**
 * The arguments after a command, parsed by Node.js's parseArgs as the rows say.
 * @throws TributaryError INPUT_INVALID with the message of parseArgs, for an argument that is not among the options
 */
export const parseCommandLine = <Rows extends Options>(argv: readonly string[], rows: Rows) => {
  const options = Object.keys(rows).flatMap((row): [string, ParseArgsOptionDescriptor][] => {
    const [, short, name, value] = /^(?:-(\w), )?--(\S+)( .*)?$/.exec(row) ?? [];
    if (name === undefined) return [];
    if (value !== undefined) return [[name, { type: 'string', multiple: value.endsWith('...') }]];
    return [[name, { type: 'boolean', default: false, ...(short !== undefined && { short }) }]];
  });
  const allowPositionals = options.length < Object.keys(rows).length;
  try {
    const parsed = parseArgs({ args: [...argv], options: Object.fromEntries(options), allowPositionals });
    return { values: parsed.values as unknown as ValuesOf<Rows>, positionals: parsed.positionals };
  } catch (cause) {
    throw wrongCommandLine(cause instanceof Error ? cause.message : String(cause), cause);
  }
};

const helpWidth = 120;

const wrapped = (text: string, indent: number): string => {
  const lines = new RegExp(`\\S.{0,${helpWidth - indent - 1}}(?=\\s|$)`, 'g');
  return text.match(lines)!.join(`\n${' '.repeat(indent)}`);
};

interface Help {
  readonly name: string;
  /** What the command does. */
  readonly about: string;
  readonly rows: Options;
  /** Whether one of the words among the rows has to follow. */
  readonly needsWord?: boolean;
  /** The exit codes but 2. */
  readonly exit: string;
}

/** The --help text of a command. */
export const helpOf = ({ name, about, rows, needsWord = false, exit }: Help): string =>
  [
    `Usage: ${synopses(name, Object.keys(rows), needsWord).join('\n       ')}`,
    about.trim(),
    aligned([...Object.entries(rows), ['--help', 'this text']]),
    wrapped(`Exit code: ${exit}, 2 for an invalid command line.`, 0),
  ].join('\n\n');

/** The forms of a command: alone or with its arguments, and with each of its words. */
const synopses = (name: string, rows: readonly string[], needsWord: boolean): readonly string[] => {
  const command = `tributary ${name}`;
  const options = rows.some((row) => row.startsWith('-')) ? ['[options]'] : [];
  const words = rows.filter((row) => /^[a-z]/.test(row));
  const others = rows.filter((row) => !/^[a-z-]/.test(row));
  return [
    ...(needsWord ? [] : [[command, ...others, ...options]]),
    ...words.map((word) => [command, word, ...options]),
  ].map((parts) => parts.join(' '));
};

/** Rows and their texts in two columns. */
const aligned = (rows: readonly (readonly [row: string, text: string])[]): string => {
  const indent = Math.max(...rows.map(([row]) => row.length)) + 4;
  return rows.map(([row, text]) => `  ${row}`.padEnd(indent) + wrapped(text, indent)).join('\n');
};

/** What `tributary help` prints. @param summaries of the commands, by name */
export const commandList = (
  summaries: Readonly<Record<string, string>>,
): string => `usage: tributary <command>

${aligned([...Object.entries(summaries), ['--version', 'show the version']])}

Settings are environment variables, such as SERVER_PORT and CONFIGS_PATH; docs/configuration.md lists them.`;

/** An error that stops a command before it begins; it is printed above the command's usage, and the exit code is 2. */
export const wrongCommandLine = (message: string, cause?: unknown): TributaryError =>
  invalidInput(message, { cause });

/**
 * Asks a question at the terminal; returns whether the answer is yes.
 * @param otherwise the message if there is no terminal: what is wrong, and what to do instead
 * @throws TributaryError INPUT_INVALID without a terminal
 */
export const isConfirmed = async (question: string, otherwise: string): Promise<boolean> => {
  if (!process.stdin.isTTY) throw invalidInput(otherwise);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await terminal.question(`${question} [y/N] `).catch(unlessAborted);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
};

/** Ctrl-C or Ctrl-D instead of an answer means no. */
const unlessAborted = (error: Error): string => {
  if (error.name !== 'AbortError') throw error;
  console.log('');
  return '';
};

/** The lines of a stream. node:readline also splits at U+2028 and U+2029, which JSON and keys may contain. */
export const linesIn = async function* (input: Readable): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of input.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = `${rest}${piece}`.split(/[\r\n]/);
    rest = lines.pop()!;
    yield* lines;
  }
  yield rest;
};

/** A failure described for an administrator; errors of other types are bugs, so their stack is shown. */
export const describeError = (error: unknown): string => {
  const failure = fileFailure(error);
  if (failure !== null) return failure;
  const ours = asTributaryError(error);
  return ours.code === 'INTERNAL_SERVER_ERROR' && error instanceof Error
    ? (error.stack ?? error.message)
    : ours.message;
};

/** Whether a command line requests the help text of its command. */
const isHelp = (argv: readonly string[]): boolean => argv.some((one) => one === '--help' || one === '-h');

/** Runs a command. @param argv the arguments after its name @returns the exit code */
export type Command = (argv: readonly string[], env: NodeJS.ProcessEnv) => Promise<number>;

interface CommandParts<Chosen> extends Help {
  /** The command line as options. @throws TributaryError INPUT_INVALID */
  readonly optionsOf: (argv: readonly string[], env: NodeJS.ProcessEnv) => Chosen;
  /** Resolves to the exit code. Errors are printed on standard error, and the code is 1. */
  readonly work: (options: Chosen, env: NodeJS.ProcessEnv) => Promise<number>;
}

/**
 * Runs a command that has its own options.
 * @returns the exit code: that of `work`, 0 for help, 1 for a failure, 2 for an invalid command line
 */
export const runCommand = async <Chosen>(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  { optionsOf, work, ...help }: CommandParts<Chosen>,
): Promise<number> => {
  const { name } = help;
  if (isHelp(argv)) {
    console.log(helpOf(help));
    return 0;
  }
  let options: Chosen;
  try {
    options = optionsOf(argv, env);
  } catch (error) {
    console.error(`tributary ${name}: ${asTributaryError(error).message}\n\n${helpOf(help)}`);
    return 2;
  }
  try {
    return await work(options, env);
  } catch (error) {
    console.error(`tributary ${name}: ${describeError(error)}`);
    return 1;
  }
};
