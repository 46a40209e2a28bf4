import type { Config } from '../../server/config/config.ts';
import { loadConfig } from '../../server/config/load.ts';
import { TributaryError } from '../../lib/errors/errors.ts';
import { identityIn, membershipOf } from '../../capabilities/joining/open-tunnels.ts';
import { hubsIn, type HubEntry } from '../../capabilities/joining/hubs-file.ts';
import { sayGoodbye } from '../../capabilities/joining/member.ts';
import { runningServers } from '../reload/reload.ts';
import { parseCommandLine, runCommand, wrongCommandLine, type Command } from '../terminal/command-line.ts';
import { blockedBy } from './blocked-by.ts';
import { editHubs } from './edit-hubs.ts';

interface LeaveOptions {
  readonly name: string | undefined;
}

/**
 * The command `tributary leave`: removes a hub, so that this server leaves its network.
 * @returns the exit code: 0 it has left, 1 it has not, 2 for an invalid command line
 */
export const runLeave: Command = (argv, env) =>
  runCommand(argv, env, {
    name: 'leave',
    about: aboutLeave,
    rows: options,
    exit: '0 when it is removed, 1 when it is not',
    optionsOf: leaveOptions,
    work: leave,
  });

const leave = async ({ name }: LeaveOptions, env: NodeJS.ProcessEnv): Promise<number> => {
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
  await noteLeaving(config, chosen, env);
  await editHubs(hubs.file, (written) => written.filter((one) => one.name !== chosen.name));
  const isRunning = runningServers(config.dataPath).length > 0;
  console.log(
    `${hubs.file}: ${chosen.name} is removed${isRunning ? '; the running server hangs up within seconds' : ''}`,
  );
  return 0;
};

/** Dials the hub once to tell it. A hub that cannot be reached does not prevent leaving. */
const noteLeaving = async (config: Config, entry: HubEntry, env: NodeJS.ProcessEnv): Promise<void> => {
  // what is proposed could be accepted at once
  const membership = { ...membershipOf(entry, config.catalogues), proposal: undefined };
  try {
    const state = await sayGoodbye({ membership, identity: identityIn(config), env });
    console.log(
      state === 'invited'
        ? `${entry.url} has not accepted this server, which may join again with its invitation`
        : `${entry.url} knows that this server has left`,
    );
  } catch (error) {
    console.error(
      `${entry.url} does not know yet: ask its administrator to run: tributary members refuse ${entry.nodeId} (${await blockedBy(error, entry.url, env)})`,
    );
  }
};

const options = { '[NAME]': 'the hub, as hubs.json names it; may be left out where there is one' };

const aboutLeave = `
Leaves the network of a hub: dials it once to say so, and removes it from hubs.json, upon which a running server hangs
up. If the hub cannot be reached, its administrator has to run: tributary members refuse NODE.`;

const leaveOptions = (argv: readonly string[]): LeaveOptions => {
  const { positionals } = parseCommandLine(argv, options);
  if (positionals.length > 1) throw wrongCommandLine('give one NAME');
  return { name: positionals[0] };
};
