import test from 'ava';
import { answersPing, attackers, startVictim, until } from './victim.ts';

/** As many as a small container may have; less what the server needs, fewer than there are attackers. */
const maxFiles = 256;
const many = 300;

const refused = [
  ['sent no HTTP', 'hello\r\n\r\n', /^HTTP\/1\.1 400 /],
  ['sent headers without end', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(40_000)}`, /^HTTP\/1\.1 431 /],
  ['expected what cannot be', 'GET / HTTP/1.1\r\nhost: a\r\nexpect: more\r\n\r\n', /^HTTP\/1\.1 417 /],
  ['named two hosts', 'GET /ping HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n', /^HTTP\/1\.1 400 /],
  ['named no host', 'GET /ping HTTP/1.1\r\n\r\n', /^HTTP\/1\.1 400 /],
] as const;

test('connections that are refused are gone, though their clients keep them open', async (t) => {
  t.timeout(240_000);
  const victim = await startVictim(t, { maxFiles });
  for (const [name, bytes, line] of refused) {
    const opened = await attackers(t, victim, many, bytes);
    await until(() => opened.every(({ socket }) => socket.readableEnded || socket.closed));
    t.true(await answersPing(victim), name);
    const turnedAway = opened.filter(({ line: first }) => line.test(first()));
    t.true(turnedAway.length >= 50, `${turnedAway.length} of ${many} that ${name} were told`);
  }
});

const slow = [
  ['say nothing', ''],
  ['send their headers one by one', 'GET /ping HTTP/1.1\r\nhost: a\r\n'],
  ['send half a body', 'POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n\r\n{'],
] as const;

test('slow connections keep no other client out', async (t) => {
  t.timeout(240_000);
  const victim = await startVictim(t, { maxFiles });
  for (const [name, bytes] of slow) {
    const opened = await attackers(t, victim, many, bytes);
    const dripping = setInterval(() => opened.forEach(({ socket }) => socket.write('x: y\r\n')), 200);
    for (let attempt = 0; attempt < 5; attempt++) t.true(await answersPing(victim), name);
    clearInterval(dripping);
  }
});

test('requests sent ahead of their answers without end are not collected', async (t) => {
  t.timeout(240_000);
  const victim = await startVictim(t);
  const ahead = 'GET /introspection HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(1_000);
  const opened = await attackers(t, victim, 20, ahead);
  await until(() => opened.every(({ socket }) => socket.readableEnded || socket.closed));
  t.true(await answersPing(victim));
});
