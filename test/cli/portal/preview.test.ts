import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { once } from 'node:events';
import test from 'ava';
import { openPreview } from '../../../src/cli/portal/preview.ts';
import { readLook } from '../../../src/server/config/portal.ts';
import type { Problem } from '../../../src/lib/text/problem.ts';
import { temporaryFolder } from '../../server/config/temporary-folder.ts';
import { listening } from '../../listening.ts';

test('a preview is the server with the look of the file, which it reads whenever it is saved', async (t) => {
  const api = createServer((request, response) => {
    const isConfig = request.url === '/portal/config.json';
    response.setHeader('content-type', isConfig ? 'application/json' : 'text/html; charset=utf-8');
    response.setHeader('content-security-policy', "script-src 'self'");
    response.end(
      isConfig ? '{"version":"1","look":{"name":"Old"}}' : `<head></head>${request.method} ${request.url}`,
    );
  });
  api.listen(0, '127.0.0.1');
  await once(api, 'listening');
  const file = join(temporaryFolder(t, {}), 'portal.json');
  writeFileSync(file, '{"name": "First"}');
  const problems: (string | null)[] = [];
  const preview = await openPreview({
    api: `http://127.0.0.1:${(api.address() as AddressInfo).port}/`,
    port: 0,
    file,
    // as for ./portal.json, which may be missing
    readLook: (warnings) => (existsSync(file) ? readLook(file, warnings) : {}),
    onChange: (problem) => problems.push(problem),
  });
  t.teardown(() => {
    preview.close();
    api.close();
    api.closeAllConnections();
  });
  const name = async (): Promise<unknown> =>
    ((await (await fetch(`${preview.url}portal/config.json`)).json()) as { look: { name: unknown } }).look
      .name;
  t.is(await name(), 'First');
  const page = await fetch(`${preview.url}explore`);
  t.is(
    await page.text(),
    '<head><script type="module" src="/portal/assets/preview.js"></script>\n</head>GET /explore',
  );
  t.is(page.headers.get('content-security-policy'), "script-src 'self'");
  const elsewhere = await fetch(`${preview.url}http://127.0.0.1:1/a:b`);
  t.regex(await elsewhere.text(), /GET \/http:\/\/127\.0\.0\.1:1\/a:b$/);

  const events = (await fetch(`${preview.url}portal/preview`)).body!.getReader();
  const next = async (): Promise<string> => new TextDecoder().decode((await events.read()).value);
  writeFileSync(file, '{"nam": "Second"}');
  t.regex(await next(), /^data: ".*nam is unknown: did you mean name\?"\n\n$/);
  t.is(await name(), 'First');
  writeFileSync(file, '{"name": "Second", "name": "Third"}');
  t.regex(
    await next(),
    /portal\.json has the key name twice in one object \(line 1\): keep one; the last is read"\n\n$/,
  );
  t.is(await name(), 'Third');
  writeFileSync(file, '{"name": "Third one"}');
  t.is(await next(), 'data: null\n\n');
  t.is(await name(), 'Third one');
  rmSync(file);
  t.regex(await next(), /portal\.json is missing"\n\n$/);
  t.is(await name(), 'Third one');
  api.close();
  api.closeAllConnections();
  const away = await fetch(`${preview.url}explore`);
  t.is(away.status, 502);
  t.regex(await away.text(), /^http:\/\/127\.0\.0\.1:\d+\/ does not answer: connection (refused|closed)\n$/);
  t.deepEqual(
    problems.map((problem) => problem === null),
    [true, false, false, true, false],
  );
});

test('a preview tells the fields of the file that the server does not have', async (t) => {
  const answers: Record<string, unknown> = {
    '/portal/config.json': {
      sources: [
        { id: 'network', kind: 'network', path: 'network' },
        { id: 'a b', kind: 'catalogue', path: 'a%20b' },
      ],
    },
    '/network/introspection/fields': { fields: { vital_status: {} } },
    '/introspection/a%20b': { fields: { sex: {} } },
  };
  const { url } = await listening(
    t,
    createServer((request, response) => void response.end(JSON.stringify(answers[request.url!]))),
  );
  const file = join(temporaryFolder(t, {}), 'portal.json');
  writeFileSync(file, '{"charts": ["sex", "vital_stauts"]}');
  const told = new Promise<string>((resolve) => {
    const onChange = (problem: string | null) => void (problem !== null && resolve(problem));
    const readFile = (warnings: Problem[]) => readLook(file, warnings);
    void openPreview({ api: `${url}/`, port: 0, file, readLook: readFile, onChange }).then(({ close }) =>
      t.teardown(close),
    );
  });
  t.is(await told, 'portal.json, charts[1]: there is no field "vital_stauts": did you mean "vital_status"?');
});
