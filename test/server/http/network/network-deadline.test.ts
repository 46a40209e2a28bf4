import { once } from 'node:events';
import test from 'ava';
import { openTrees } from '../../../federation/trees.ts';
import { read, runApp } from '../running-app.ts';

// long enough for the other nodes to answer on a busy machine
const settings = { searchTimeoutMs: 1500 };
const late = 'the request took longer than the 1500 ms allowed: ask for less at a time';

/** A network one of whose nodes takes requests and never answers, and may take longer than the server. */
const withSilentNode = async (t: Parameters<typeof openTrees>[0]) => {
  const { opened, remote } = await openTrees(t, { timeoutMs: 600_000 });
  const abandoned: Promise<unknown>[] = [];
  remote.fault = (_request, response) => {
    abandoned.push(once(response, 'close'));
    return true;
  };
  return { opened, abandoned };
};

for (const path of ['/network/graphql', '/graphql'])
  test(`a request that queries nodes ends by the server's own timeout and reports what is missing: ${path}`, async (t) => {
    const { opened, abandoned } = await withSilentNode(t);
    const app = await runApp(t, { network: opened, settings });
    const question = '{ network { total partial nodes { nodeId state errors } } }';
    const { status, body } = await read(app.query(path, question));
    t.is(status, 200);
    t.like(body, {
      data: {
        network: {
          total: 4,
          partial: true,
          nodes: [
            { nodeId: 'city', state: 'timeout', errors: late },
            { nodeId: 'gone', state: 'discoveryFailed' },
            { nodeId: 'park', state: 'ok', errors: '' },
          ],
        },
      },
    });
    t.is(abandoned.length, 1);
    await Promise.all(abandoned);
  });

test('so does one to a single node: its part is an error', async (t) => {
  const { opened, abandoned } = await withSilentNode(t);
  const app = await runApp(t, { network: opened, settings });
  const { body } = await read(
    app.query('/network/graphql', '{ city { tree { hits { total } } } network { total } }'),
  );
  const { data, errors } = body as { data: object; errors: { message: string; path: string[] }[] };
  t.like(data, { network: { total: 4 } });
  t.deepEqual(
    errors.map(({ path, message }) => [path[0], message]),
    [['city', late]],
  );
  await Promise.all(abandoned);
});
