import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { acceptMember, addMember, refuseMember } from '../../../src/capabilities/joining/accept-member.ts';
import type { Invitation, Invitations } from '../../../src/capabilities/joining/invitations.ts';
import { temporaryFolder } from '../../server/config/temporary-folder.ts';

const nodesFile = (t: ExecutionContext, nodes: readonly object[]): string =>
  join(temporaryFolder(t, { 'nodes.json': JSON.stringify({ nodes }) }), 'nodes.json');

for (const [what, nodeId, displayName, message] of [
  ['an empty id', '', undefined, /node "": nodeId too small.*: nothing is written$/],
  ['an empty name', 'oslo', '', /node "oslo": displayName too small.*: nothing is written$/],
] as const)
  test(`${what} is not written, since no server could start with it`, async (t) => {
    const file = nodesFile(t, []);
    const before = readFileSync(file, 'utf8');
    await t.throwsAsync(addMember(file, nodeId, displayName), { code: 'INPUT_INVALID', message });
    t.is(readFileSync(file, 'utf8'), before);
  });

for (const [what, proposal, message] of [
  ['a document type', { documentType: 'no name' }, /documentType is not a GraphQL name/],
  ['a field', { fields: { '': 'sex' } }, /fields\./],
  ['a name of a field', { fields: { sex: ' ' } }, /fields\.sex too small/],
] as const)
  test(`${what} that a member proposes and nodes.json cannot have is not accepted`, async (t) => {
    const file = nodesFile(t, [{ nodeId: 'oslo', dialsIn: true }]);
    const before = readFileSync(file, 'utf8');
    const waiting = { key: 'k'.repeat(43), proposal: { fields: {}, values: {}, ...proposal } };
    const invitations = {
      find: () => waiting as unknown as Invitation,
    } as Partial<Invitations> as Invitations;
    await t.throwsAsync(acceptMember(file, invitations, 'oslo'), { code: 'INPUT_INVALID', message });
    t.is(readFileSync(file, 'utf8'), before);
  });

test('what a person has written stays, and what is proposed beside it has to fit it', async (t) => {
  const byHand = {
    ...{ nodeId: 'oslo', dialsIn: true, fields: { gender: 'Geschlecht' }, values: { vital: { a: 'Alive' } } },
    ...{ units: { size: { factor: 10 } }, constants: { country: 'Norway' } },
  };
  const file = nodesFile(t, [byHand]);
  const proposal = {
    ...{ documentType: 'donors', fields: { sex: 'Geschlecht', country: 'Land', age: 'Alter' } },
    values: { vital: { t: 'Dead' }, size: { gross: 'tall' }, country: { N: 'Norway' }, sex: { w: 'Female' } },
  };
  const invitations = {
    find: () => ({ key: 'k'.repeat(43), proposal }) as unknown as Invitation,
  } as Partial<Invitations> as Invitations;
  await acceptMember(file, invitations, 'oslo');
  const { nodes } = JSON.parse(readFileSync(file, 'utf8')) as { nodes: readonly object[] };
  t.like(nodes[0], {
    ...{ key: 'k'.repeat(43), documentType: 'donors', units: byHand.units, constants: byHand.constants },
    fields: { age: 'Alter', gender: 'Geschlecht' },
    values: { sex: { w: 'Female' }, vital: { a: 'Alive' } },
  });
});

test('a node that does not dial in has no key that could be forgotten', async (t) => {
  const file = nodesFile(t, [
    { nodeId: 'here', catalogue: 'a' },
    { nodeId: 'oslo', dialsIn: true, key: 'k'.repeat(43) },
  ]);
  await t.throwsAsync(refuseMember(file, 'here'), {
    code: 'CONFLICT',
    message: /"here" .* does not dial in/,
  });
  await refuseMember(file, 'oslo');
  const { nodes } = JSON.parse(readFileSync(file, 'utf8')) as { nodes: readonly object[] };
  t.deepEqual(nodes[1], { nodeId: 'oslo', dialsIn: true });
});
