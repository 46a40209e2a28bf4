import test, { type ExecutionContext } from 'ava';
import type { RunningNode } from '../end-to-end/processes.ts';
import { answersPing, attackers, startVictim, until } from './victim.ts';
import { containerBytes, inContainer, peakBytes } from './container.ts';

const mebibyte = 1024 * 1024;
const token = 'collector';

const memoryOf = async ({ url }: RunningNode): Promise<{ used: number; limit: number }> => {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  const text = await response.text();
  const valueOf = (name: string): number =>
    Number(new RegExp(`^tributary_requests_memory_${name}bytes (\\d+)`, 'm').exec(text)![1]);
  return { used: valueOf(''), limit: valueOf('limit_') };
};

const settings = { ...inContainer, METRICS_TOKEN: token };

/** A body of 5 MB without its last byte. */
const unfinished = (unit: string): Buffer => {
  const content = unit.repeat(Math.floor(5_000_000 / unit.length));
  const head = `POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${content.length + 1}\r\n\r\n`;
  return Buffer.from(head + content);
};

/** Each body is of too many bytes for what one caller's may hold, or of too many parts. */
const holdMuch = async (t: ExecutionContext, bodies: readonly Uint8Array[]): Promise<void> => {
  const victim = await startVictim(t, { settings });
  let most = 0;
  for (const body of bodies) {
    const opened = await attackers(t, victim, 250, body);
    const refused = (): number => opened.filter(({ line }) => /^HTTP\/1\.1 (400|503) /.test(line())).length;
    await until(async () => {
      const { used, limit } = await memoryOf(victim);
      most = Math.max(most, used);
      t.true(used <= limit, `${used} of ${limit} bytes`);
      return refused() > 0;
    });
    await until(() => answersPing(victim));
    opened.forEach(({ socket }) => socket.destroy());
    await until(async () => (await memoryOf(victim)).used === 0);
  }
  const peak = peakBytes(victim.pid);
  t.true(most > 0);
  t.log(`${Math.round(peak / mebibyte)} MiB`);
  t.true(peak < containerBytes, `${Math.round(peak / mebibyte)} MiB`);
};

test('bodies that never end fit into a container of 1 GiB, however many there are', async (t) => {
  t.timeout(240_000);
  await holdMuch(t, [unfinished('"'), unfinished('[],')]);
});

test('bodies that stall keep no other body out', async (t) => {
  t.timeout(240_000);
  const victim = await startVictim(t, { settings: { ...settings, MEMORY_LIMIT: `${64 * mebibyte}` } });
  await attackers(t, victim, 20, unfinished('"'));
  // a body that is refused meets the end of its connection
  await until(() =>
    fetch(`${victim.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ __typename }', variables: { long: 'x'.repeat(4_000_000) } }),
    }).then(
      ({ status }) => status === 200,
      () => false,
    ),
  );
  t.pass();
});
