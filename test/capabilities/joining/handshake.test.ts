import test from 'ava';
import type { Greeting, Membership } from '../../../src/capabilities/joining/handshake.ts';
import {
  admit,
  answerGreeting,
  checkAdmission,
  checkDial,
  greet,
  secretHash,
  type KnownMember,
} from '../../../src/capabilities/joining/handshake.ts';
import { newIdentity } from './tunnels.ts';

const audience = 'https://hub.example.org';
const [hub, member] = [newIdentity(), newIdentity()];
const membership: Membership = { nodeId: 'oslo', audience, hubKey: hub.thumbprint };
const accepted: KnownMember = { key: member.thumbprint, secretHashed: null };

const dial = async (sent: Greeting, changed: Partial<Membership> = {}, own = member, nowMs = Date.now()) =>
  answerGreeting(JSON.stringify(sent), { ...membership, ...changed }, own, nowMs);

const check = (statement: string, sent: Greeting, known: KnownMember | undefined = accepted) =>
  checkDial(statement, sent, { identity: hub, audience }, () => known);

test('a member whose key is accepted and a hub whose key is pinned know each other', async (t) => {
  const sent = greet('Libraries', { identity: hub });
  const { statement, ...answered } = await dial(sent);
  const proven = await check(statement, sent);
  t.like(proven, { nodeId: 'oslo', thumbprint: member.thumbprint, by: 'key' });
  t.is((await checkAdmission(await admit(proven, 'accepted', hub), answered, 'oslo')).state, 'accepted');
});

test('what a hub calls its network cannot overwrite the keys that are shown beside it', async (t) => {
  const sent = greet('Libraries', { identity: hub });
  const { statement, ...answered } = await dial(sent);
  const proven = await check(statement, sent);
  const about = { displayName: 'Libraries\u001b[1B\nkey', documentType: null, fields: [] };
  const admission = await checkAdmission(await admit(proven, 'invited', hub, about), answered, 'oslo');
  t.is(admission.about?.displayName, 'Libraries\\u{001b}[1B\\u{000a}key');
});

test('the secret of an invitation proves a member with a new key, and never travels', async (t) => {
  const sent = greet('Libraries', { identity: hub });
  const known = { key: null, secretHashed: secretHash('s3cret') };
  const { statement } = await dial(sent, { secret: 's3cret' });
  t.is((await check(statement, sent, known)).by, 'invitation');
  t.false(Buffer.from(statement.split('.')[1]!, 'base64url').toString().includes('s3cret'));
  for (const secret of ['other', undefined]) {
    const wrong = await dial(sent, { secret });
    await t.throwsAsync(check(wrong.statement, sent, known), { message: /key is not accepted/ });
  }
});

test('an invitation does not replace a key that is accepted', async (t) => {
  const sent = greet('Libraries', { identity: hub });
  const { statement } = await dial(sent, { secret: 's3cret' }, newIdentity());
  const known = { key: member.thumbprint, secretHashed: secretHash('s3cret') };
  await t.throwsAsync(check(statement, sent, known), { message: /key is not accepted/ });
});

test('replayed, foreign, expired and altered answers are refused', async (t) => {
  const sent = greet('Libraries', { identity: hub });
  const { statement } = await dial(sent);
  await t.throwsAsync(check(statement, greet('Libraries', { identity: hub })), {
    message: /another greeting/,
  });
  const elsewhere = await dial(sent, { audience: 'https://other.example.org' });
  await t.throwsAsync(check(elsewhere.statement, sent), { message: /dialled by another address/ });
  for (const offMs of [-61_000, 62_000]) {
    const late = await dial(sent, {}, member, Date.now() + offMs);
    await t.throwsAsync(check(late.statement, sent), { message: /clocks differ/ });
  }
  const [head, payload, signature] = statement.split('.') as [string, string, string];
  const altered = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
  const as = (changed: object): string =>
    [head, Buffer.from(JSON.stringify({ ...altered, ...changed })).toString('base64url'), signature].join(
      '.',
    );
  await t.throwsAsync(check(as({ nodeId: 'bergen' }), sent), { message: /signature/ });
  await t.throwsAsync(check(as({ key: newIdentity().public }), sent), { message: /signature/ });
  await t.throwsAsync(check('x', sent), { message: /not understood/ });
});

test('a statement of one kind is not taken for another', async (t) => {
  const sent = greet('Libraries', { identity: hub });
  const { statement, ...answered } = await dial(sent);
  await t.throwsAsync(checkAdmission(statement, answered, 'oslo'), { message: /not understood|signature/ });
});

test('a member refuses a hub with another key, and a hub an unknown node', async (t) => {
  await t.throwsAsync(dial(greet('Libraries', { identity: newIdentity() })), { message: /another key/ });
  const sent = greet('Libraries', { identity: hub });
  const { statement } = await dial(sent);
  await t.throwsAsync(
    checkDial(statement, sent, { identity: hub, audience }, () => undefined),
    { message: /no such node/ },
  );
});

test('a hub that has another key is known by the former key, and announces the new key by it', async (t) => {
  const next = newIdentity();
  const hubs = { identity: next, former: hub };
  const sent = greet('Libraries', hubs);
  const knows = async (hubKey: string) => {
    const { statement, ...answered } = await dial(sent, { hubKey });
    const proven = await checkDial(statement, sent, { ...hubs, audience }, () => accepted);
    return checkAdmission(await admit(proven, 'accepted', next), answered, 'oslo');
  };
  t.deepEqual((await knows(hub.thumbprint)).next, next.public);
  t.is((await knows(next.thumbprint)).next, undefined);
  await t.throwsAsync(dial(sent, { hubKey: newIdentity().thumbprint }), { message: /another key/ });
  // whoever has the new key alone cannot announce it to those who know the former
  const forged = greet('Libraries', { identity: next });
  await t.throwsAsync(dial(forged), { message: /another key/ });
});

test('an announcement that the former key has not signed is refused', async (t) => {
  const next = newIdentity();
  const sent = greet('Libraries', { identity: next, former: hub });
  const { statement, ...answered } = await dial(sent);
  const proven = await checkDial(statement, sent, { identity: next, former: hub, audience }, () => accepted);
  const forged = await admit({ ...proven, hub: next }, 'accepted', next);
  await t.throwsAsync(checkAdmission(forged, answered, 'oslo'), { message: /signature/ });
});
