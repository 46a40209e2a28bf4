import { chownSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import {
  acceptsAlone,
  openInvitations,
  parseInvitation,
  printInvitation,
} from '../../../src/capabilities/joining/invitations.ts';

const one = {
  nodeId: 'oslo/2',
  secretHashed: 'x',
  expiresMs: 1,
  accept: false,
  key: null,
  dialled: null,
  proposal: null,
};

test('invitations are kept for the user of the server only, each in a file of its own', (t) => {
  const dataPath = mkdtempSync(join(tmpdir(), 'tributary-'));
  t.teardown(() => rmSync(dataPath, { recursive: true, force: true }));
  const invitations = openInvitations(dataPath);
  t.is(invitations.find('oslo/2'), null);
  invitations.write(one);
  invitations.write({ ...one, nodeId: 'bergen' });
  const folder = join(dataPath, 'members');
  const modeOf = (path: string): number => statSync(path).mode & 0o777;
  t.is(modeOf(folder), 0o700);
  t.deepEqual(
    readdirSync(folder).map((name) => modeOf(join(folder, name))),
    [0o600, 0o600],
  );
  writeFileSync(join(folder, 'bergen.json'), '{"nodeId":');
  t.deepEqual([invitations.find('bergen'), invitations.find('oslo/2')], [null, one]);
  invitations.remove('oslo/2');
  t.is(invitations.find('oslo/2'), null);
});

test('an invitation that root writes belongs to the user who runs the server', (t) => {
  const dataPath = mkdtempSync(join(tmpdir(), 'tributary-'));
  t.teardown(() => rmSync(dataPath, { recursive: true, force: true }));
  if (process.getuid?.() === 0) chownSync(dataPath, 4_711, 4_712);
  const { uid, gid } = statSync(dataPath);
  openInvitations(dataPath).write({ ...one, nodeId: 'oslo' });
  for (const path of ['members', 'members/oslo.json']) t.like(statSync(join(dataPath, path)), { uid, gid });
});

test('an invitation is one line, read as it was printed', (t) => {
  const line = {
    url: 'https://hub.example/x',
    nodeId: 'ö/2.#',
    secret: 's'.repeat(22),
    hubKey: 'k'.repeat(43),
  };
  t.deepEqual(parseInvitation(` ${printInvitation(line)}\n`), line);
  const broken = printInvitation(line).replace('%', '%%');
  for (const text of [
    '',
    'https://hub.example/x',
    broken,
    printInvitation({ ...line, hubKey: 'k' }),
    printInvitation({ ...line, url: 'ftp://hub' }),
  ])
    t.is(parseInvitation(text), null, text);
});

test('an invitation accepts without a person for as long as it is valid, although its key may wait for longer', (t) => {
  const used = { ...one, key: 'k', accept: true, expiresMs: 1_000 };
  t.true(acceptsAlone(used, 999));
  t.false(acceptsAlone(used, 1_000));
  t.false(acceptsAlone({ ...used, accept: false }, 999));
});
