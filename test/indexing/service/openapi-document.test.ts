import test from 'ava';
import { isJsonObject } from '../../../src/lib/json/json.ts';
import { answers } from '../../../src/indexing/service/answer-schemas.ts';
import { openApiDocument } from '../../../src/indexing/service/openapi-document.ts';
import { runService } from './running-service.ts';

test('the served document declares whether a token is required', async (t) => {
  const open = await (await runService(t)).send('GET', '/api-docs/openapi.json');
  t.deepEqual(open.body, JSON.parse(JSON.stringify(openApiDocument({ requiresToken: false }))));
  t.like(open.body, { openapi: '3.1.0', security: undefined });
  const closed = await (await runService(t, { token: 'x' })).send('GET', '/api-docs/openapi.json');
  t.like(closed.body, {
    security: [{ token: [] }],
    components: { securitySchemes: { token: { scheme: 'bearer' } } },
  });
});

test('every reference leads somewhere, and every schema is referred to', (t) => {
  const document = openApiDocument({ requiresToken: true });
  const references = new Set(
    [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
      ([, name]) => name!,
    ),
  );
  const { schemas } = document['components'] as { readonly schemas: object };
  t.deepEqual([...references].sort(), Object.keys(schemas).sort());
});

test('every path parameter is described, and 401 is answered exactly where a token is needed', (t) => {
  for (const requiresToken of [true, false]) {
    const { paths } = openApiDocument({ requiresToken }) as unknown as {
      readonly paths: Record<string, Record<string, unknown> & { parameters?: { name: string }[] }>;
    };
    for (const [path, { parameters = [], ...operations }] of Object.entries(paths)) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      t.deepEqual(
        parameters.map(({ name }) => name),
        names,
      );
      for (const operation of Object.values(operations)) {
        if (!isJsonObject(operation) || !isJsonObject(operation['responses'])) return t.fail(path);
        const isOpen = !requiresToken || operation['security'] !== undefined;
        t.is('401' in operation['responses'], !isOpen, path);
      }
    }
  }
});

test('responses match the document', async (t) => {
  const { send } = await runService(t);
  const read = async (schema: keyof typeof answers, method: string, path: string): Promise<void> => {
    const { body } = await send(method, path);
    t.deepEqual(answers[schema].parse(body), body as never, `${method} ${path}`);
  };
  await read('Accepted', 'POST', '/index/repository/archive');
  await read('JobList', 'GET', '/jobs');
  await read('Job', 'GET', '/jobs/j1');
  await read('Refusal', 'GET', '/jobs/j9');
  await read('Health', 'GET', '/health');
  await read('Description', 'GET', '/api-docs/openapi.json');
});
