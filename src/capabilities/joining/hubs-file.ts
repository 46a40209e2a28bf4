import { z } from 'zod';
import { invalidConfig } from '../../lib/errors/errors.ts';
import { problemsError, schemaProblems } from '../../lib/text/problem.ts';
import { proposal } from './invitations.ts';

/** The thumbprint that a member claims before proving it, by which its failures are counted. */
export const memberKeyHeader = 'tributary-member-key';

const text = z.string().trim().min(1);
const meaning = (description: string) => ({ description });

const hub = z.strictObject({
  name: text.meta(meaning('Its name in access rules and logs.')),
  url: z.url({ protocol: /^https?$/ }).meta(meaning('Its address.')),
  nodeId: text.meta(meaning('The id of this node there.')),
  key: z
    .string()
    .regex(/^[\w-]{43}$/, 'is not the thumbprint of a key')
    .meta(meaning("The thumbprint of the hub's key.")),
  catalogue: text.meta(meaning('The only catalogue that it may query.')),
  invitation: z.string().optional().meta(meaning('The secret of the invitation, until accepted.')),
  fields: proposal.shape.fields.default({}).meta(meaning('Proposed: network field -> the field here.')),
  values: proposal.shape.values
    .default({})
    .meta(meaning("Proposed: network field -> the value here -> the network's.")),
});

/** The schema of hubs.json: the networks that this server has joined by dialling in. */
export const hubsFile = z.strictObject({
  hubs: z.array(hub).meta(meaning('The hubs.')),
});
export type HubEntry = z.output<typeof hub>;
/** An entry as written in the file. */
export type WrittenHub = z.input<typeof hub>;

/**
 * The content of hubs.json, checked.
 * @param where the file's name, for messages
 * @throws TributaryError CONFIG_INVALID
 */
export const readHubs = (content: unknown, where: string): readonly HubEntry[] => {
  const parsed = hubsFile.safeParse(content);
  if (!parsed.success) throw problemsError(schemaProblems(hubsFile, parsed.error.issues, content, where));
  const { hubs } = parsed.data;
  for (const [at, one] of hubs.entries()) {
    const { protocol, hostname } = new URL(one.url);
    if (protocol === 'http:' && !isLoopback(hostname))
      throw invalidConfig(`${where}: hub "${one.name}": url must be https, except on this machine`);
    if (hubs.findIndex(({ name }) => name === one.name) < at)
      throw invalidConfig(`${where}: two hubs are named "${one.name}": give each a name of its own`);
  }
  return hubs;
};

/** The hubs of a configuration; none if hubs.json is missing or not to be read. */
export const hubsIn = (
  hubs: { readonly content: unknown; readonly file: string } | null,
): readonly HubEntry[] => (hubs?.content === undefined ? [] : readHubs(hubs.content, hubs.file));

/**
 * Whether two entries are one membership: a hub is known by its key, whatever its address; at the same address it may have
 * another key now.
 */
export const isSameMembership = (
  one: Pick<HubEntry, 'nodeId' | 'key' | 'url'>,
  other: Pick<HubEntry, 'nodeId' | 'key' | 'url'>,
): boolean => one.nodeId === other.nodeId && (one.key === other.key || one.url === other.url);

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host);
