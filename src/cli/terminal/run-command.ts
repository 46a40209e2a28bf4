import { asTributaryError } from '../../errors/errors.ts';
import { describeError } from './describe-error.ts';

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
