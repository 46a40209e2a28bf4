import type { ParseArgsConfig } from 'node:util';
import { parseArgs } from 'node:util';
import { TributaryError, asTributaryError } from '../../errors/errors.ts';

/**
 * The arguments behind a command, read by Node.js's parseArgs.
 * @throws TributaryError INPUT_INVALID for an argument that is not among the options, in the words of parseArgs
 */
export const parseCommandLine = <const Options extends ParseArgsConfig>(
  argv: readonly string[],
  config: Options,
) => {
  try {
    return parseArgs<Options & { readonly args: string[] }>({ ...config, args: [...argv] });
  } catch (cause) {
    throw wrongCommandLine(cause instanceof Error ? cause.message : String(cause), cause);
  }
};

/** What stops a command before it begins; the program prints it above the command's usage and ends with 2. */
export const wrongCommandLine = (message: string, cause?: unknown): TributaryError =>
  new TributaryError('INPUT_INVALID', message, { cause });

/** What an admin needs to know about a failure; foreign errors are bugs, so they are shown with their stack. */
export const describeError = (error: unknown): string => {
  const ours = asTributaryError(error);
  return ours.code === 'INTERNAL_SERVER_ERROR' && error instanceof Error
    ? (error.stack ?? error.message)
    : ours.message;
};

interface Command<Options> {
  readonly name: string;
  readonly usage: string;
  /** The command line as options; null when help was asked for. @throws TributaryError INPUT_INVALID */
  readonly optionsOf: (argv: readonly string[]) => Options | null;
  /** Does what was asked for; resolves to the exit code. What it throws is said on standard error, and the code is 1. */
  readonly work: (options: Options) => Promise<number>;
}

/**
 * Runs a command that has options of its own.
 * @param argv what follows the command's name
 * @returns the exit code: that of its work, 0 for help, 1 for a failure, 2 for an invalid command line
 */
export const runCommand = async <Options>(
  { name, usage, optionsOf, work }: Command<Options>,
  argv: readonly string[],
): Promise<number> => {
  let options: Options | null;
  try {
    options = optionsOf(argv);
  } catch (error) {
    console.error(`tributary ${name}: ${asTributaryError(error).message}\n\n${usage}`);
    return 2;
  }
  if (options === null) {
    console.log(usage.trimEnd());
    return 0;
  }
  try {
    return await work(options);
  } catch (error) {
    console.error(`tributary ${name}: ${describeError(error)}`);
    return 1;
  }
};
