import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import test from 'ava';
import { runApp } from '../running-app.ts';

for (const [name, path, host] of [
  ['a path', '//a@#/graphql', 'library'],
  ['a host', '/graphql?query=%7B__typename%7D', 'a b:c'],
] as const)
  test(`an address that cannot be read is refused: ${name}`, async (t) => {
    const app = await runApp(t);
    const { hostname, port } = new URL(app.url);
    const sent = request({ hostname, port, path, headers: { host } }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    t.is(answer.statusCode, 400);
    const text = (await answer.toArray()).join('');
    t.like(JSON.parse(text), { error: { code: 'BAD_USER_INPUT' } });
    t.notRegex(app.log(), /"level":[3-6]0(?!.*"msg":"request")/);
  });
