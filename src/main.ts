import { programEnvironment } from './config/process-environment.ts';
import { hangUps, surviveLostOutput } from './cli/start/process.ts';
import { serverCommit } from './runtime/server-version.ts';
import { packageVersion } from './cli/start/package-root.ts';
import {
  commandUsage,
  isHelp,
  parseCommandLine,
  reloadOptions,
  startOptions,
  usage,
} from './cli/terminal/command-line.ts';

/** Read before a command loads any library. */
const { environment, note } = programEnvironment();

type Command = (argv: readonly string[]) => Promise<number>;

/** Each command loads only the code it needs. */
const commands: Readonly<Record<string, Command>> = {
  start: async (argv) => {
    // before anything is loaded: a signal would end the process meanwhile
    const hangUp = hangUps();
    // an option is either a switch or takes a value: `--sample=guarded` is a switch of its own
    const args = argv.flatMap((one) => (one === '--sample=guarded' ? ['--sample', '--guarded'] : [one]));
    const { values } = parseCommandLine(args, { ...startOptions, '--guarded': '' });
    if (note !== null) console.error(note);
    const { runStart } = await import('./cli/start/start.ts');
    return runStart(environment, hangUp, values);
  },
  indexing: async (argv) => {
    parseCommandLine(argv, {});
    const { runIndexing } = await import('./cli/start/indexing-service.ts');
    return runIndexing(environment);
  },
  reload: async (argv) => {
    const { node } = parseCommandLine(argv, reloadOptions).values;
    const { runReload } = await import('./cli/reload/reload.ts');
    return runReload(environment, node);
  },
  load: async (argv) => (await import('./cli/load/load.ts')).runLoad(argv, environment),
  index: async (argv) => (await import('./cli/index/index-command.ts')).runIndex(argv, environment),
  release: async (argv) => (await import('./cli/release/release.ts')).runRelease(argv, environment),
  audit: async (argv) => (await import('./cli/audit/audit.ts')).runAudit(argv, environment),
  invite: async (argv) => (await import('./cli/joining/invite.ts')).runInvite(argv, environment),
  members: async (argv) => (await import('./cli/joining/members.ts')).runMembers(argv, environment),
  join: async (argv) => (await import('./cli/joining/join.ts')).runJoin(argv, environment),
  leave: async (argv) => (await import('./cli/joining/leave.ts')).runLeave(argv, environment),
  portal: async (argv) => (await import('./cli/portal/portal.ts')).runPortal(argv, environment),
  mcp: async (argv) => (await import('./cli/mcp/mcp.ts')).runMcp(argv, environment),
  check: async (argv) => (await import('./cli/check/check.ts')).runCheck(environment, argv),
  help: async ([name = '']) => {
    const command = name === 'help' || !Object.hasOwn(commands, name) ? undefined : commands[name];
    if (command !== undefined) return run([name, '--help']);
    console.log(usage);
    return 0;
  },
};

const switches: Readonly<Record<string, string>> = { '--help': 'help', '-h': 'help' };

/** Runs one command of the program; the process ends with the code it returns. */
const run = async ([first, ...argv]: readonly string[]): Promise<number> => {
  if (first === '--version' || first === '-v') {
    const commit = serverCommit();
    console.log(packageVersion() + (commit === null ? '' : ` (commit ${commit})`));
    return 0;
  }
  const name = switches[first ?? ''] ?? first ?? '';
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    console.error(`${first === undefined ? 'a command is missing' : `unknown command ${first}`}\n\n${usage}`);
    return 2;
  }
  const help = Object.hasOwn(commandUsage, name) ? commandUsage[name] : undefined;
  if (help !== undefined && isHelp(argv)) {
    console.log(help);
    return 0;
  }
  try {
    return await command(argv);
  } catch (error) {
    // The only errors that commands throw are those of their options.
    console.error(`tributary ${name}: ${(error as Error).message}\n\n${commandUsage[name] ?? usage}`);
    return 2;
  }
};

surviveLostOutput(process);
const exitCode = await run(process.argv.slice(2));
process.exitCode = exitCode === 0 ? process.exitCode : exitCode;
