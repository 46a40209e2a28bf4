import type { ParseArgsConfig } from 'node:util';
import { parseArgs } from 'node:util';
import { TributaryError } from '../../errors/errors.ts';

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
