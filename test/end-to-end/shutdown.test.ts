import { Agent, get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { temporaryFolder } from '../config/temporary-folder.ts';
import { run, startNode, type RunningNode, type Settings } from './processes.ts';

const start = async (t: ExecutionContext, settings: Settings = {}): Promise<RunningNode> => {
  const folder = temporaryFolder(t, {
    'configs/books/base.json': { documentType: 'book', esIndex: 'books' },
    'books.ndjson': '{"id":"b1","title":"Atlas"}\n',
  });
  const own = {
    CONFIGS_PATH: join(folder, 'configs'),
    DATA_PATH: join(folder, 'data'),
    NODES_PATH: 'off',
    ...settings,
  };
  const loaded = await run(['load', join(folder, 'books.ndjson'), '--index', 'books'], own);
  t.is(loaded.code, 0, loaded.output);
  const node = await startNode(own);
  t.teardown(() => node.kill());
  return node;
};

const answerOf = async (url: string, agent: Agent): Promise<{ status: number; connection: string }> => {
  const [response] = (await once(get(url, { agent }), 'response')) as [IncomingMessage];
  await text(response);
  return { status: response.statusCode!, connection: response.headers.connection ?? '' };
};

test('after SIGTERM a server is not ready at once, and answers every request until its delay is over', async (t) => {
  const node = await start(t, { SHUTDOWN_DELAY_MS: '6000' });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.teardown(() => agent.destroy());
  t.deepEqual(await answerOf(`${node.url}/ping`, agent), { status: 200, connection: 'keep-alive' });
  const ended = node.stop();
  while (!node.output().includes('stopping')) t.is((await answerOf(`${node.url}/ping`, agent)).status, 200);
  const ready = await fetch(`${node.url}/ready`);
  t.is(ready.status, 503);
  t.deepEqual(await ready.json(), { status: 'unhealthy', reason: 'this server is stopping' });
  for (let n = 0; n < 20; n++)
    t.deepEqual(await answerOf(`${node.url}/ping`, agent), { status: 200, connection: 'close' });
  t.is(await ended, 0);
});

test('a start that other machines can reach says that it is open, and where it listens', async (t) => {
  const open = await start(t, { SERVER_HOST: '0.0.0.0' });
  const { port } = new URL(open.url);
  t.regex(open.output(), new RegExp(`THIS SERVER IS OPEN[^]*127\\.0\\.0\\.1:${port}[^]*OPEN=true`));
  t.regex(open.output(), new RegExp(`listening on [^\\n]*127\\.0\\.0\\.1:${port}`));
  await open.stop();
  const meant = await start(t, { SERVER_HOST: '0.0.0.0', OPEN: 'true' });
  t.notRegex(meant.output(), /THIS SERVER IS OPEN/);
  const own = await start(t);
  t.notRegex(own.output(), /THIS SERVER IS OPEN/);
});
