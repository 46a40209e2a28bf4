import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { giveTo, privateFolder } from '../../lib/runtime/private-file.ts';

/** Names and values that a member proposes, in the formats of nodes.json. */
export const proposal = z.strictObject({
  documentType: z.string().optional(),
  fields: z.record(z.string(), z.string()),
  values: z.record(z.string(), z.record(z.string(), z.string())),
});
export type Proposal = z.output<typeof proposal>;

const invitation = z.strictObject({
  nodeId: z.string(),
  /** The hash of its secret, which is not stored here. */
  secretHashed: z.string(),
  expiresMs: z.number(),
  /** Whether the first key that proves the secret is accepted at once. */
  accept: z.boolean(),
  /** The key that proved the secret, and when; no other key may use it afterwards. */
  key: z.string().nullable(),
  dialled: z.string().nullable(),
  proposal: proposal.nullable(),
});
export type Invitation = z.output<typeof invitation>;

/** Whether a member is accepted without an operator's decision: while its invitation is valid. */
export const acceptsAlone = ({ accept, expiresMs }: Invitation, nowMs: number): boolean =>
  accept && nowMs < expiresMs;

/** The invitations of a hub, in its data folder: commands write them, the server reads them at each handshake. */
export interface Invitations {
  /** null: there is none. */
  readonly find: (nodeId: string) => Invitation | null;
  readonly write: (invitation: Invitation) => void;
  readonly remove: (nodeId: string) => void;
}

export const openInvitations = (dataPath: string): Invitations => {
  const folder = join(dataPath, 'members');
  const fileOf = (nodeId: string): string => join(folder, `${encodeURIComponent(nodeId)}.json`);
  return {
    find: (nodeId) => {
      try {
        return invitation.parse(JSON.parse(readFileSync(fileOf(nodeId), 'utf8')));
      } catch {
        // none, or one that nothing here has written
        return null;
      }
    },
    write: (one) => {
      mkdirSync(folder, { recursive: true, mode: privateFolder });
      const file = fileOf(one.nodeId);
      writeFileSync(`${file}.draft`, JSON.stringify(one, null, 2), { mode: 0o600 });
      for (const path of [folder, `${file}.draft`]) giveTo(statSync(dataPath), path);
      renameSync(`${file}.draft`, file);
    },
    remove: (nodeId) => rmSync(fileOf(nodeId), { force: true }),
  };
};

/** The line for an administrator: the hub, the node, the secret and the hub's key, after `#` so that no log contains it. */
export interface InvitationLine {
  readonly url: string;
  readonly nodeId: string;
  readonly secret: string;
  readonly hubKey: string;
}

export const printInvitation = ({ url, nodeId, secret, hubKey }: InvitationLine): string =>
  `${url}/#${encodeURIComponent(nodeId)}.${secret}.${hubKey}`;

/** @returns null when the text is not an invitation */
export const parseInvitation = (text: string): InvitationLine | null => {
  const [, url, node, secret, hubKey] =
    /^(https?:\/\/\S+?)\/?#(\S+)\.([\w-]{22,64})\.([\w-]{43})$/.exec(text.trim()) ?? [];
  if (url === undefined || !URL.canParse(url)) return null;
  try {
    return { url, nodeId: decodeURIComponent(node!), secret: secret!, hubKey: hubKey! };
  } catch {
    // invalid percent-encoding
    return null;
  }
};
