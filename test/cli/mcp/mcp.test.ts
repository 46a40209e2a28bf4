import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { passOn } from '../../../src/cli/mcp/mcp.ts';
import { servePatients } from '../../capabilities/served-patients.ts';

const messages = async (
  url: string,
  lines: readonly unknown[],
): Promise<readonly Record<string, unknown>[]> => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  input.end(lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));
  await passOn(input, output, { url, token: undefined });
  output.end();
  const all = (await text(output)).split('\n').filter((line) => line !== '');
  return all.map((line) => JSON.parse(line) as Record<string, unknown>);
};

const initialize = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'old', version: '1' } },
};

test('messages on standard input are answered by the server, each by its id', async (t) => {
  const { url } = await servePatients(t);
  const call = {
    name: 'summarise',
    arguments: { catalogue: 'oslo', where: [{ field: 'sex', value: 'Female' }] },
  };
  const answers = await messages(`${url}/mcp`, [
    initialize,
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    '',
    { jsonrpc: '2.0', id: 'two', method: 'tools/call', params: call },
  ]);
  const byId = new Map(answers.map((answer) => [answer['id'], answer]));
  t.like(byId.get(1), { result: { serverInfo: { name: 'tributary' } } });
  t.like(byId.get('two'), { result: { structuredContent: { total: { lower: 20, upper: 20 } } } });
  t.is(answers.length, 2);
});

test('a message with a separator of lines or paragraphs is one message', async (t) => {
  const [answered, ...others] = await messages('http://127.0.0.1:1/mcp', [
    '{"jsonrpc":"2.0","id":"a\u2028b\u2029c","method":"ping"}',
  ]);
  t.is(answered!['id'], 'a\u2028b\u2029c');
  t.deepEqual(others, []);
});

test('a server that is not there, and a message that is none, are errors of the protocol', async (t) => {
  const { url } = await servePatients(t);
  const [unreachable] = await messages('http://127.0.0.1:1/mcp', [initialize]);
  t.like(unreachable, { id: 1, error: { code: -32_000 } });
  const [malformed] = await messages(`${url}/mcp`, ['{']);
  t.like(malformed, { id: null, error: { code: -32_000 } });
});

test('an answer that is not JSON, as of a proxy, is an error that says so', async (t) => {
  const proxy = createServer((_, response) => response.writeHead(502).end('<html>')).listen(0, '127.0.0.1');
  t.teardown(() => proxy.close());
  await once(proxy, 'listening');
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`;
  const [answered] = await messages(url, [initialize]);
  t.like(answered, { id: 1, error: { message: `${url} answered HTTP 502 without JSON` } });
});
