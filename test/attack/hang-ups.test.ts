import { connect, type AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { libraryEngine, read, runApp, type RunningApp } from '../http/running-app.ts';
import { until } from './victim.ts';

const clients = 60;
const rows = 10_000;

/** A server whose engine counts its searches and the values that are read of its documents. */
const startLibrary = async (t: ExecutionContext) => {
  const work = { searches: 0, reads: 0 };
  const source = {
    get title() {
      work.reads += 1;
      return 'Atlas';
    },
  };
  const hits = Array.from({ length: rows }, (_, at) => ({ id: `b${at}`, source, cursor: [at] }));
  const engine = {
    ...libraryEngine(),
    search: async () => {
      work.searches += 1;
      return { hits: { total: rows, hits }, facets: [], tookMs: 1, warnings: [] };
    },
  };
  return { work, app: await runApp(t, { engine }) };
};

const page = `{ book { hits(first: ${rows}) { edges { node { title } } } } }`;

/** Sends a request, and disconnects as soon as `isBegun`. */
const hangUp = async ({ server }: RunningApp, isBegun: () => boolean): Promise<void> => {
  const body = JSON.stringify({ query: page });
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    `POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  while (!isBegun()) await new Promise((resolve) => setImmediate(resolve));
  socket.destroy();
};

test('what clients that hang up have begun is not completed, and the next page does not wait for it', async (t) => {
  t.timeout(240_000);
  const { work, app } = await startLibrary(t);
  const before = async (): Promise<number> => {
    const { reads } = work;
    t.is((await read(app.query('/graphql', page))).status, 200);
    return work.reads - reads;
  };
  const alone = await before();
  t.true(alone >= rows);
  const searches = work.searches;
  await Promise.all(
    Array.from({ length: clients }, () => hangUp(app, () => work.searches === searches + clients)),
  );
  await until(() => new Promise((resolve) => app.server.getConnections((_, open) => resolve(open <= 1))));
  const next = await before();
  t.true(next <= 2 * alone, `${next} values were read instead of ${alone}`);
  // each result is converted once, as a whole
  const completed = work.reads - clients * rows;
  const { reads } = work;
  await new Promise((resolve) => setTimeout(resolve, 100));
  t.is(work.reads, reads);
  t.true(completed < (clients * rows) / 4, `${completed} values were read for pages`);
});
