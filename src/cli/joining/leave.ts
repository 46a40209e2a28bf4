import { loadConfig } from '../../config/load.ts';
import { TributaryError } from '../../errors/errors.ts';
import { hubsIn } from '../../tunnel/hubs-file.ts';
import { parseCommandLine, runCommand, wrongCommandLine } from '../terminal/command-line.ts';
import { editHubs } from './edit-hubs.ts';

/**
 * The command `tributary leave`: forgets a hub, whose network this server leaves.
 * @returns the exit code: 0 it has left, 1 it has not, 2 for an invalid command line
 */
export const runLeave = (argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> =>
  runCommand(
    { name: 'leave', usage: leaveUsage, optionsOf: leaveOptions, work: ({ name }) => leave(name, env) },
    argv,
  );

const leave = async (name: string | undefined, env: NodeJS.ProcessEnv): Promise<number> => {
  const config = loadConfig(env);
  const { hubs } = config;
  const entries = hubsIn(hubs);
  const chosen =
    name === undefined && entries.length === 1 ? entries[0] : entries.find((one) => one.name === name);
  if (hubs === null || chosen === undefined)
    throw new TributaryError(
      'NOT_FOUND',
      `name the hub to leave: ${entries.map((one) => one.name).join(', ') || 'this server has joined none'}`,
    );
  await editHubs(hubs.file, (written) => written.filter((one) => one.name !== chosen.name));
  console.log(`${hubs.file}: ${chosen.name} is removed; a running server hangs up within seconds`);
  return 0;
};

const leaveUsage = `Usage: tributary leave [NAME]

Leaves the network of a hub: removes it from hubs.json, upon which the server hangs up.

  NAME    the hub, as hubs.json names it; may be left out where there is one
  --help  this text

Exit code: 0 when it is removed, 1 when it is not, 2 for an invalid command line.
`;

const leaveOptions = (argv: readonly string[]): { readonly name: string | undefined } | null => {
  const { values, positionals } = parseCommandLine(argv, {
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' } },
  });
  if (values.help === true) return null;
  if (positionals.length > 1) throw wrongCommandLine('give one NAME');
  return { name: positionals[0] };
};
