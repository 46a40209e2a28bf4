import { createHmac, createPublicKey, hash, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto';
import { CompactSign, compactVerify } from 'jose';
import { z } from 'zod';
import { TributaryError } from '../../lib/errors/errors.ts';
import { thumbprint } from '../../lib/runtime/server-key.ts';
import { escapedText } from '../../lib/text/escaped-text.ts';
import { proposal, type Proposal } from './invitations.ts';

/** The public half of an Ed25519 key (RFC 8037, 2). */
const publicKey = z.strictObject({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string().max(64) });
export type PublicKey = z.output<typeof publicKey>;

const nonce = z.string().min(22).max(64);

/** The first message of a hub. */
const greeting = z.strictObject({
  v: z.literal(1),
  nonce,
  network: z.string().max(200),
  key: publicKey,
  /** The hub's former key, for members that have not dialled in since it changed. */
  former: publicKey.optional(),
});
export type Greeting = z.output<typeof greeting>;

/** The statement that a member signs: whom it dials, who it is, and, with an invitation, that it knows its secret. */
const dial = z.strictObject({
  nonce,
  hub: z.string(),
  aud: z.string(),
  nodeId: z.string().min(1).max(200),
  key: publicKey,
  nonce2: nonce,
  iat: z.int(),
  proof: z.string().optional(),
  proposal: proposal.optional(),
});
type Dial = z.output<typeof dial>;

const maxShown = 200;

/** What a hub tells invited nodes about its network. */
const about = z.strictObject({
  /** Shown in a terminal, next to the keys to be compared. */
  displayName: z.string().transform((text) => escapedText(text, maxShown)),
  documentType: z.string().nullable(),
  fields: z
    .array(
      z.strictObject({
        name: z.string(),
        type: z.string(),
        label: z.string().optional(),
        unit: z.string().optional(),
        description: z.string().optional(),
        values: z.array(z.string()).optional(),
        range: z.tuple([z.number(), z.number()]).optional(),
      }),
    )
    .max(2_000),
});
export type AboutNetwork = z.output<typeof about>;

/** The statement that the hub signs in return. */
const admission = z.strictObject({
  nonce2: nonce,
  nodeId: z.string(),
  state: z.enum(['accepted', 'invited']),
  about: about.optional(),
  /** The hub's new key, for a member that knows its former one. */
  next: publicKey.optional(),
});
export type Admission = z.output<typeof admission>;

/** Each kind of statement has its own type, so that none can be mistaken for another (RFC 8725, 3.11). */
const types = { dial: 'tributary-dial+jws', admission: 'tributary-admission+jws' } as const;

/** How far the clocks of two servers may differ. */
const maxClockMs = 60_000;

/** Why a tunnel is refused or ends: close codes of WebSockets (RFC 6455, 7.4); the code of a lost tunnel is never sent. */
export const closeCodes = {
  goingAway: 1001,
  lost: 1006,
  invited: 4001,
  malformed: 4002,
  keyRefused: 4003,
  unknownNode: 4004,
  wrongAudience: 4005,
  wrongClock: 4006,
  tooSlow: 4008,
  replaced: 4009,
  left: 4010,
} as const;
export type CloseReason = keyof typeof closeCodes;

/** A handshake that failed. The message may be sent to the other end. */
export class HandshakeError extends TributaryError {
  readonly reason: CloseReason;

  constructor(reason: CloseReason, message: string, cause?: unknown) {
    super('NODE_REFUSED', message, { cause });
    this.reason = reason;
  }
}

/** The key that identifies a server at the other end of its tunnels. */
export interface Identity {
  readonly key: KeyObject;
  readonly public: PublicKey;
  readonly thumbprint: string;
}

/** @param key the private Ed25519 key */
export const identityOf = (key: KeyObject): Identity => {
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  return { key, public: { kty: 'OKP', crv: 'Ed25519', x: x! }, thumbprint: thumbprint(key) };
};

const newNonce = (): string => randomBytes(16).toString('base64url');

/** The keys that identify a hub: its own and, in the weeks after a change, its former one. */
export interface HubIdentities {
  readonly identity: Identity;
  readonly former?: Identity | null;
}

export const greet = (network: string, { identity, former }: HubIdentities): Greeting => ({
  v: 1,
  nonce: newNonce(),
  network: network.slice(0, 200),
  key: identity.public,
  ...(former && { former: former.public }),
});

/** The hash of an invitation's secret that the hub stores: the key of a member's proof. */
export const secretHash = (secret: string): string => hash('sha256', secret, 'base64url');

const proofOf = (
  secretHashed: string,
  nonces: Pick<Dial, 'nonce' | 'nonce2'>,
  keys: readonly string[],
): string =>
  createHmac('sha256', secretHashed)
    .update(JSON.stringify([...keys, nonces.nonce, nonces.nonce2]))
    .digest('base64url');

/** A server's membership at one hub. */
export interface Membership {
  readonly nodeId: string;
  /** The hub's address as the member knows it. */
  readonly audience: string;
  /** The thumbprint of the hub's key, pinned at the invitation. */
  readonly hubKey: string;
  /** The secret of an invitation that has not been used. */
  readonly secret?: string | undefined;
  /** Sent with the secret. */
  readonly proposal?: Proposal | undefined;
}

/**
 * A member's answer to the hub's greeting: a compact JWS.
 * @throws HandshakeError when the hub is not the one that invited this member
 */
export const answerGreeting = async (
  text: string,
  { nodeId, audience, hubKey, secret, proposal: proposed }: Membership,
  identity: Identity,
  nowMs = Date.now(),
): Promise<{ readonly statement: string; readonly nonce2: string; readonly hub: PublicKey }> => {
  const hub = parsed(greeting, text, 'the greeting of the hub');
  const pinned = [hub.key, hub.former].find((key) => key !== undefined && keyThumbprint(key) === hubKey);
  if (pinned === undefined)
    throw new HandshakeError('keyRefused', 'the hub has another key than the one that invited this server');
  const nonces = { nonce: hub.nonce, nonce2: newNonce() };
  const own = { nodeId, aud: audience, hub: hubKey, key: identity.public, iat: Math.floor(nowMs / 1000) };
  const proof =
    secret === undefined
      ? {}
      : {
          proof: proofOf(secretHash(secret), nonces, [hubKey, identity.thumbprint]),
          ...(proposed && { proposal: proposed }),
        };
  const statement = await signed(types.dial, { ...own, ...nonces, ...proof }, identity.key);
  return { statement, nonce2: nonces.nonce2, hub: pinned };
};

/** What a hub knows about a node that dials in. */
export interface KnownMember {
  /** The thumbprint of the accepted key; null: none yet. */
  readonly key: string | null;
  /** The hash of the secret of an invitation that is still valid; null: none. */
  readonly secretHashed: string | null;
  /** The key that has used the invitation; no other may use it then. Unset or null: not used. */
  readonly invitedKey?: string | null;
}

/** A member that has proved its identity. */
export interface ProvenMember {
  readonly nodeId: string;
  readonly thumbprint: string;
  readonly key: PublicKey;
  readonly nonce2: string;
  /** The key by which it knows the hub. */
  readonly hub: Identity;
  /** `invitation`: its key is new, and it knows the secret. */
  readonly by: 'key' | 'invitation';
  readonly proposal: Proposal | null;
}

/**
 * Checks a member's answer.
 * @param sent the greeting that it answers
 * @param audience this hub's own address
 * @param memberOf what is known about a node; undefined: it does not dial in here
 * @throws HandshakeError
 */
export const checkDial = async (
  statement: string,
  sent: Greeting,
  { identity, former = null, audience }: HubIdentities & { readonly audience: string },
  memberOf: (nodeId: string) => KnownMember | undefined,
): Promise<ProvenMember> => {
  const claimed = await verified(types.dial, statement, dial);
  const key = keyThumbprint(claimed.key);
  const hub = [identity, former].find((one) => one?.thumbprint === claimed.hub) ?? null;
  if (claimed.nonce !== sent.nonce || hub === null)
    throw new HandshakeError('keyRefused', 'the answer is for another greeting or another hub');
  if (claimed.aud !== audience)
    throw new HandshakeError('wrongAudience', `this hub is ${audience}, and was dialled by another address`);
  const offMs = Math.abs(Date.now() - claimed.iat * 1000);
  if (offMs > maxClockMs)
    throw new HandshakeError(
      'wrongClock',
      `the clocks differ by ${Math.round(offMs / 1000)} s: at most 60 s expected`,
    );
  const known = memberOf(claimed.nodeId);
  if (known === undefined) throw new HandshakeError('unknownNode', 'this hub has no such node that dials in');
  const { nodeId, nonce2, proposal: proposed = null } = claimed;
  const proven = { nodeId, thumbprint: key, key: claimed.key, nonce2, hub, proposal: proposed };
  if (known.key === key) return { ...proven, by: 'key' };
  const isInvited =
    known.key === null &&
    known.secretHashed !== null &&
    (known.invitedKey ?? key) === key &&
    claimed.proof !== undefined &&
    isEqual(claimed.proof, proofOf(known.secretHashed, claimed, [hub.thumbprint, key]));
  if (!isInvited) throw new HandshakeError('keyRefused', 'this key is not accepted here');
  return { ...proven, by: 'invitation' };
};

/**
 * The last message of the hub: a compact JWS, signed with the key that the member knows.
 * @param identity the hub's current key, announced to a member that knows another
 */
export const admit = (
  { nodeId, nonce2, hub }: Pick<ProvenMember, 'nodeId' | 'nonce2' | 'hub'>,
  state: Admission['state'],
  identity: Identity,
  network?: AboutNetwork,
): Promise<string> => {
  const next = hub.thumbprint === identity.thumbprint ? {} : { next: identity.public };
  return signed(
    types.admission,
    { nonce2, nodeId, state, ...(network && { about: network }), ...next },
    hub.key,
  );
};

/**
 * Checks the hub's last message.
 * @param answered what this member sent, as answerGreeting returned it
 * @throws HandshakeError
 */
export const checkAdmission = async (
  statement: string,
  answered: { readonly nonce2: string; readonly hub: PublicKey },
  nodeId: string,
): Promise<Admission> => {
  const answer = await verified(types.admission, statement, admission, answered.hub);
  if (answer.nonce2 !== answered.nonce2 || answer.nodeId !== nodeId)
    throw new HandshakeError('keyRefused', 'the hub has answered somebody else');
  return answer;
};

const signed = (typ: string, payload: object, key: KeyObject): Promise<string> =>
  new CompactSign(Buffer.from(JSON.stringify(payload))).setProtectedHeader({ alg: 'EdDSA', typ }).sign(key);

/**
 * The payload of a signed statement.
 * @param by the server whose signature is expected; unset: the key in the payload
 */
const verified = async <Payload extends z.ZodType>(
  typ: string,
  statement: string,
  schema: Payload,
  by?: PublicKey,
): Promise<z.output<Payload>> => {
  const claimed = parsed(schema, payloadText(statement), 'the statement');
  const key = by ?? (claimed as { readonly key: PublicKey }).key;
  try {
    const { protectedHeader } = await compactVerify(statement, createPublicKey({ key, format: 'jwk' }), {
      algorithms: ['EdDSA'],
    });
    if (protectedHeader.typ === typ) return claimed;
  } catch (cause) {
    throw new HandshakeError('keyRefused', 'the signature is not valid', cause);
  }
  throw new HandshakeError('malformed', 'the statement is of another type');
};

const payloadText = (statement: string): string =>
  Buffer.from(statement.split('.')[1] ?? '', 'base64url').toString('utf8');

const parsed = <Schema extends z.ZodType>(schema: Schema, text: string, what: string): z.output<Schema> => {
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new HandshakeError('malformed', `${what} is not understood`, cause);
  }
};

export const keyThumbprint = (key: PublicKey): string => {
  try {
    return thumbprint(createPublicKey({ key, format: 'jwk' }));
  } catch (cause) {
    throw new HandshakeError('malformed', 'the key is not an Ed25519 key', cause);
  }
};

const isEqual = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
