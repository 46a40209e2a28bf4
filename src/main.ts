import { programEnvironment } from './server/config/process-environment.ts';
import { hangUps, surviveLostOutput } from './cli/start/process.ts';
import { packageVersion, serverCommit } from './lib/runtime/server-version.ts';
import { commandList } from './cli/terminal/command-line.ts';

/** Read before a command loads any library. */
const { environment, note } = programEnvironment();

interface Command {
  /** What the list of commands says about it. */
  readonly summary: string;
  /** @param argv the arguments after its name @returns the exit code */
  readonly run: (argv: readonly string[]) => Promise<number>;
}

/** Each command loads only the code it needs. */
const commands: Readonly<Record<string, Command>> = {
  start: {
    summary:
      'serve the catalogues of CONFIGS_PATH and the network of nodes.json, and index from repositories',
    run: async (argv) => {
      // before anything is loaded: a signal would end the process meanwhile
      const hangUp = hangUps();
      const { runStart } = await import('./cli/start/start.ts');
      const { standard } = await import('./standard.ts');
      return runStart(argv, environment, { hangUp, note, capabilities: standard });
    },
  },
  indexing: {
    summary: 'index from repositories, as start does, without serving searches',
    run: async (argv) => (await import('./cli/start/indexing-service.ts')).runIndexing(argv, environment),
  },
  reload: {
    summary:
      'have running servers read their configuration again, as they do by themselves after a file has changed',
    run: async (argv) => (await import('./cli/reload/reload.ts')).runReload(argv, environment),
  },
  load: {
    summary: 'load a file of documents into an index',
    run: async (argv) => (await import('./cli/load/load.ts')).runLoad(argv, environment),
  },
  index: {
    summary: 'manage the indexes: list, info, verify, compact, export, remove documents, ...',
    run: async (argv) => {
      const { runIndex } = await import('./cli/index/index-command.ts');
      return runIndex(argv, environment, async () => (await import('./standard.ts')).standard);
    },
  },
  release: {
    summary: 'compute, audit and publish what guarded callers learn',
    run: async (argv) => (await import('./cli/release/release.ts')).runRelease(argv, environment),
  },
  audit: {
    summary: 'who queried what, and whether anybody altered that',
    run: async (argv) => (await import('./cli/audit/audit.ts')).runAudit(argv, environment),
  },
  invite: {
    summary: 'invite an institution to the network; its server dials this one',
    run: async (argv) => (await import('./cli/joining/invite.ts')).runInvite(argv, environment),
  },
  members: {
    summary: 'who dials into the network, and who waits: accept, refuse',
    run: async (argv) => (await import('./cli/joining/members.ts')).runMembers(argv, environment),
  },
  join: {
    summary: 'join a network by its invitation',
    run: async (argv) => (await import('./cli/joining/join.ts')).runJoin(argv, environment),
  },
  leave: {
    summary: 'leave the network of a hub',
    run: async (argv) => (await import('./cli/joining/leave.ts')).runLeave(argv, environment),
  },
  portal: {
    summary: 'build the portal as a static site, or preview a portal.json that is being edited',
    run: async (argv) => (await import('./cli/portal/portal.ts')).runPortal(argv, environment),
  },
  mcp: {
    summary: 'answer agents on standard input and output',
    run: async (argv) => (await import('./cli/mcp/mcp.ts')).runMcp(argv, environment),
  },
  check: {
    summary: 'test the configuration, the catalogues, repositories and nodes, and report what is wrong',
    run: async (argv) => {
      const { runCheck } = await import('./cli/check/check.ts');
      const { standard } = await import('./standard.ts');
      return runCheck(argv, environment, standard);
    },
  },
  help: {
    summary: 'show this text; help COMMAND or COMMAND --help describes one command',
    run: async ([name = '']) => {
      const isOther = name !== 'help' && Object.hasOwn(commands, name);
      if (isOther) return run([name, '--help']);
      console.log(usage());
      return 0;
    },
  },
};

const usage = (): string =>
  commandList(Object.fromEntries(Object.entries(commands).map(([name, { summary }]) => [name, summary])));

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
    console.error(
      `${first === undefined ? 'a command is missing' : `unknown command ${first}`}\n\n${usage()}`,
    );
    return 2;
  }
  return command.run(argv);
};

surviveLostOutput(process);
const exitCode = await run(process.argv.slice(2));
process.exitCode = exitCode === 0 ? process.exitCode : exitCode;
