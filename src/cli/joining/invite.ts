import { randomBytes } from 'node:crypto';
import { loadConfig } from '../../server/config/load.ts';
import { asTributaryError, invalidConfig, TributaryError } from '../../lib/errors/errors.ts';
import { addMember, newEntry, refuseMember } from '../../capabilities/joining/accept-member.ts';
import { readServerNetwork } from '../../server/node/networks.ts';
import { identityIn } from '../../capabilities/joining/open-tunnels.ts';
import { secretHash } from '../../capabilities/joining/handshake.ts';
import { openInvitations, printInvitation } from '../../capabilities/joining/invitations.ts';
import { spokenKey } from '../../capabilities/joining/spoken-key.ts';
import { parseCommandLine, runCommand, wrongCommandLine, type Command } from '../terminal/command-line.ts';

const dayMs = 24 * 60 * 60 * 1000;
const validMs = 7 * dayMs;
/** How long an invitation is valid that is accepted without a person checking it. */
const acceptingMs = dayMs / 24;

interface InviteOptions {
  readonly nodeId: string;
  readonly displayName: string | undefined;
  readonly accept: boolean;
  readonly rekey: boolean;
}

/**
 * The command `tributary invite`: prints the line with which an institution joins the network of nodes.json.
 * @returns the exit code: 0 it is printed, 1 it is not, 2 for an invalid command line
 */
export const runInvite: Command = (argv, env) =>
  runCommand(argv, env, {
    name: 'invite',
    about: aboutInvite,
    rows: options,
    exit: '0 when the line is printed, 1 when it is not',
    optionsOf: inviteOptions,
    work: invite,
  });

const invite = async (options: InviteOptions, env: NodeJS.ProcessEnv): Promise<number> => {
  const config = loadConfig(env);
  const { publicUrl } = config.server;
  if (publicUrl === undefined)
    throw invalidConfig(
      'PUBLIC_URL is not set: the address at which members reach this server, which the invitation names',
    );
  if (config.nodes === null) throw invalidConfig('there is no nodes.json: the network that members join');
  const { file } = config.nodes;
  await writeEntry(file, options, readServerNetwork(config));
  const secret = randomBytes(24).toString('base64url');
  const expiresMs = Date.now() + (options.accept ? acceptingMs : validMs);
  openInvitations(config.dataPath).write({
    ...{ nodeId: options.nodeId, secretHashed: secretHash(secret), expiresMs, accept: options.accept },
    ...{ key: null, dialled: null, proposal: null },
  });
  const { thumbprint: hubKey } = identityIn(config);
  console.error(`key of this hub, which "tributary join" shows as well: ${spokenKey(hubKey)}`);
  console.error(`send this line to the institution; it is valid once, until ${dateOf(expiresMs)}:`);
  console.log(printInvitation({ url: publicUrl, nodeId: options.nodeId, secret, hubKey }));
  return 0;
};

/** Adds the entry, or verifies that the existing one may be invited. */
const writeEntry = async (
  file: string,
  { nodeId, displayName, rekey }: InviteOptions,
  network: ReturnType<typeof readServerNetwork>,
): Promise<void> => {
  const source = network?.nodes.find((node) => node.nodeId === nodeId)?.source;
  if (source === undefined) return addOrPrint(file, nodeId, displayName);
  if (source.kind === 'local' || source.dialsIn === undefined)
    throw new TributaryError(
      'CONFLICT',
      `node "${nodeId}" of ${file} does not dial in: choose another id, or remove its entry`,
    );
  if (source.dialsIn.key === null) return;
  if (!rekey)
    throw new TributaryError(
      'CONFLICT',
      `node "${nodeId}" has an accepted key: --rekey forgets it and invites the node again`,
    );
  await refuseMember(file, nodeId);
};

const addOrPrint = async (file: string, nodeId: string, displayName: string | undefined): Promise<void> => {
  try {
    await addMember(file, nodeId, displayName);
    console.error(`added node "${nodeId}" to ${file}`);
  } catch (error) {
    const { code, message } = asTributaryError(error);
    if (code !== 'CONFIG_INVALID') throw error;
    // e.g. a configuration map that is mounted read-only
    console.error(
      `${message}: add this to its nodes yourself: ${JSON.stringify(newEntry(nodeId, displayName))}`,
    );
  }
};

const dateOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const options = {
  NODE_ID: 'the id that the network knows the institution by',
  '--display-name NAME': 'its display name',
  '--accept': 'accept its key and its names at once, without "tributary members accept"; valid for an hour',
  '--rekey': 'forget the accepted key of the node, for one that has lost its disk',
};

const aboutInvite = `
Invites an institution to the network of nodes.json: adds its entry and prints one line, valid once and for 7 days, with
which its administrator runs "tributary join". Its server then dials this one at PUBLIC_URL; nothing has to reach it.`;

const inviteOptions = (argv: readonly string[]): InviteOptions => {
  const { values, positionals } = parseCommandLine(argv, options);
  const [nodeId, second] = positionals;
  if (nodeId === undefined || second !== undefined) throw wrongCommandLine('give one NODE_ID');
  const { accept, rekey, 'display-name': displayName } = values;
  return { nodeId, displayName, accept, rekey };
};
