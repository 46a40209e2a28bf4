import { loadConfig } from '../../server/config/load.ts';
import type { Config } from '../../server/config/config.ts';
import { asTributaryError, invalidConfig } from '../../lib/errors/errors.ts';
import { acceptedParts, acceptMember, refuseMember } from '../../capabilities/joining/accept-member.ts';
import { readServerNetwork } from '../../server/node/networks.ts';
import { identityIn } from '../../capabilities/joining/open-tunnels.ts';
import {
  openInvitations,
  type Invitation,
  type Invitations,
} from '../../capabilities/joining/invitations.ts';
import { spokenKey } from '../../capabilities/joining/spoken-key.ts';
import { liveNetwork, type LiveNode } from '../reload/live-states.ts';
import { parseCommandLine, runCommand, wrongCommandLine, type Command } from '../terminal/command-line.ts';
import { printTable } from '../terminal/text-table.ts';
import { countOf } from '../../lib/text/plural.ts';

interface MembersOptions {
  readonly action: 'list' | 'show' | 'accept' | 'refuse';
  readonly nodeId: string;
}

/**
 * The command `tributary members`: lists who dials into the network of nodes.json, and who waits to be accepted.
 * @returns the exit code: 0 it is done, 1 it is not, 2 for an invalid command line
 */
export const runMembers: Command = (argv, env) =>
  runCommand(argv, env, {
    name: 'members',
    about: aboutMembers,
    rows: options,
    exit: '0 when it is done, 1 when it is not',
    optionsOf: membersOptions,
    work: members,
  });

const members = async ({ action, nodeId }: MembersOptions, env: NodeJS.ProcessEnv): Promise<number> => {
  const config = loadConfig(env);
  if (config.nodes === null) throw invalidConfig('there is no nodes.json: the network that members join');
  const invitations = openInvitations(config.dataPath);
  if (action === 'list') return list(config, invitations);
  const { file } = config.nodes;
  if (action === 'show') return show(acceptedParts(invitations, nodeId));
  if (action === 'accept') return accept(file, invitations, nodeId);
  await refuseMember(file, nodeId);
  invitations.remove(nodeId);
  console.log(`${file}: the key of node "${nodeId}" is forgotten; its entry stays`);
  return 0;
};

const accept = async (file: string, invitations: Invitations, nodeId: string): Promise<number> => {
  const parts = acceptedParts(invitations, nodeId);
  try {
    await acceptMember(file, invitations, nodeId);
    console.log(`${file}: node "${nodeId}" is accepted; a running server has it within seconds`);
    return 0;
  } catch (error) {
    const { code, message } = asTributaryError(error);
    if (code !== 'CONFIG_INVALID') throw error;
    // e.g. a configuration map that is mounted read-only
    console.error(`${message}: add this to the entry of node "${nodeId}" yourself: ${JSON.stringify(parts)}`);
    return 1;
  }
};

/** Prints the names and values that a member proposes; accepting it takes them over. */
const show = ({ key, fields, values }: ReturnType<typeof acceptedParts>): number => {
  console.log(`key: ${spokenKey(key)}`);
  const paths = [...new Set([...Object.keys(fields), ...Object.keys(values)])];
  const rows = paths.map((path) => {
    const mapped = Object.entries(values[path] ?? {}).map(([own, network]) => `${own} = ${network}`);
    return [path, fields[path] ?? path, mapped.join(', ')];
  });
  printTable(['network', 'there', 'values'], ...rows);
  return 0;
};

const list = async (config: Config, invitations: Invitations): Promise<number> => {
  const network = readServerNetwork(config);
  const { nodes: states } = await liveNetwork(config.dataPath);
  const rows = (network?.nodes ?? []).flatMap(({ nodeId, displayName, source }) => {
    if (source.kind === 'local' || source.dialsIn === undefined) return [];
    const { key } = source.dialsIn;
    const invitation = key === null ? invitations.find(nodeId) : null;
    const waiting = key ?? invitation?.key ?? null;
    return [
      [
        nodeId,
        displayName,
        key === null ? waitingState(invitation) : liveText(states.get(nodeId)),
        waiting === null ? '' : spokenKey(waiting),
        proposedText(invitation),
      ],
    ];
  });
  console.log(`key of this hub: ${spokenKey(identityIn(config).thumbprint)}`);
  if (rows.length === 0)
    console.log('nobody dials into this network: tributary invite NODE_ID invites somebody');
  else printTable(['node', 'name', 'state', 'key', 'proposes'], ...rows);
  return 0;
};

const waitingState = (invitation: Invitation | null): string => {
  if (invitation === null) return 'not invited';
  if (invitation.key !== null) return 'waits to be accepted';
  return invitation.expiresMs < Date.now() ? 'invitation expired' : 'invited';
};

const proposedText = (invitation: Invitation | null): string => {
  const { fields = {}, values = {} } = invitation?.proposal ?? {};
  const count = Object.values(values).reduce((sum, one) => sum + Object.keys(one).length, 0);
  return invitation?.proposal == null
    ? ''
    : `${countOf(Object.keys(fields).length, 'field')}, ${countOf(count, 'value')}`;
};

const liveText = (live: LiveNode | undefined): string => {
  if (live === undefined) return 'accepted';
  const { state, institutions } = live;
  return institutions === undefined
    ? state
    : `${state}, a network of ${countOf(institutions, 'institution')}`;
};

const options = {
  '[NODE_ID]': 'show what a node that waits proposes, field by field and value by value',
  'accept NODE_ID': 'write the key, the names and the values of a node that waits into nodes.json',
  'refuse NODE_ID': 'forget the key of a node, and its invitation; its entry stays',
};

const aboutMembers = `
Lists the nodes that dial into the network of nodes.json: their state, the key they are known by, in words to be read
aloud, and the names and values that they propose.`;

const membersOptions = (argv: readonly string[]): MembersOptions => {
  const { positionals } = parseCommandLine(argv, options);
  const [action, nodeId, more] = positionals;
  if (action === undefined) return { action: 'list', nodeId: '' };
  if (nodeId === undefined) return { action: 'show', nodeId: action };
  if ((action !== 'accept' && action !== 'refuse') || more !== undefined)
    throw wrongCommandLine('give nothing, NODE_ID, accept NODE_ID or refuse NODE_ID');
  return { action, nodeId };
};
