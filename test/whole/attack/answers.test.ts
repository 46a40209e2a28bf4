import { readdirSync, readlinkSync } from 'node:fs';
import test from 'ava';
import { answersPing, attackers, startVictim, until } from './victim.ts';
import { containerBytes, inContainer, peakBytes } from './container.ts';

const mebibyte = 1024 * 1024;
const documents = 2_000;
/** A busy machine takes its time over so much. */
const timeoutMs = 240_000;
const books = Array.from({ length: documents }, (_, n) =>
  JSON.stringify({ id: `b${n}`, title: `${n} ${'x'.repeat(4_000)}` }),
).join('\n');

const page = `hits(first: ${documents}) { edges { node { title } } }`;

/** A file may be closed between its name and a look at it. */
const openSockets = (pid: number): number =>
  readdirSync(`/proc/${pid}/fd`).filter((file) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${file}`).startsWith('socket:');
    } catch {
      return false;
    }
  }).length;

test('clients that request much and never read are disconnected, and memory stays bounded', async (t) => {
  t.timeout(timeoutMs);
  const victim = await startVictim(t, { books, settings: inContainer });
  const body = JSON.stringify({ query: `{ book { ${page} } }` });
  const request =
    'POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n' +
    `content-length: ${body.length}\r\n\r\n${body}`;
  const idle = openSockets(victim.pid);
  const opened = await attackers(t, victim, 45, '');
  for (const { socket } of opened) {
    socket.pause();
    socket.write(request);
  }
  for (let attempt = 0; attempt < 5; attempt++) t.true(await answersPing(victim));
  await until(() => openSockets(victim.pid) <= idle);
  const peak = peakBytes(victim.pid);
  t.log(`${Math.round(peak / mebibyte)} MiB`);
  t.true(peak < containerBytes, `${Math.round(peak / mebibyte)} MiB`);
});
