import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import test from 'ava';
import { rejectMalformed } from '../../../../src/server/http/koa/http-server.ts';

/** Everything that comes back for these bytes. */
const answerTo = async (bytes: string): Promise<string> => {
  const server = createServer((_, response) => response.end('served'));
  rejectMalformed(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  socket.write(bytes);
  await once(socket, 'close');
  server.close();
  return received;
};

const statusAndBody = (answer: string): [string, unknown] => {
  const [head, body] = answer.split('\r\n\r\n');
  return [head!.split('\r\n')[0]!, JSON.parse(body!)];
};

for (const [name, bytes, line, code] of [
  ['no HTTP', 'hello\r\n\r\n', 'HTTP/1.1 400 Bad Request', 'BAD_USER_INPUT'],
  [
    'headers past every bound',
    `GET / HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`,
    'HTTP/1.1 431 Request Header Fields Too Large',
    'PAYLOAD_TOO_LARGE',
  ],
] as const)
  test(`refused before it is a request, in JSON: ${name}`, async (t) => {
    const [status, body] = statusAndBody(await answerTo(bytes));
    t.is(status, line);
    t.like(body, { error: { code } });
  });

test('an expectation that cannot be met is refused in JSON', async (t) => {
  const answer = await answerTo('GET / HTTP/1.1\r\nhost: a\r\nexpect: more\r\n\r\n');
  t.regex(answer, /^HTTP\/1\.1 417 /);
  t.regex(answer, /content-type: application\/json/);
  t.regex(answer, /\{"error":\{"code":"BAD_USER_INPUT"/);
});
