import { connect, type AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { pricedEngine } from '../../../src/engines/cost/query-cost.ts';
import { libraryEngine, read, runApp, type RunningApp } from '../../server/http/running-app.ts';
import { until } from './victim.ts';

const clients = 60;
const rows = 10_000;

/** A server whose engine counts its searches and the values that are read of its documents. */
const startLibrary = async (t: ExecutionContext) => {
  const work = { searches: 0, reads: 0 };
  let isHeld = Promise.resolve();
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
      await isHeld;
      return { hits: { total: rows, hits }, facets: [], tookMs: 1, warnings: [] };
    },
  };
  /** Searches end only once that was called. */
  const hold = (): (() => void) => {
    let release = (): void => undefined;
    isHeld = new Promise((resolve) => (release = resolve));
    return release;
  };
  return { work, hold, app: await runApp(t, { engine: { ...engine, ...pricedEngine(engine) } }) };
};

const query = `{ book { hits(first: ${rows}) { edges { node { title } } } } }`;

/** Sends a request, and disconnects as soon as `isBegun`. */
const hangUp = async ({ server }: RunningApp, isBegun: () => boolean): Promise<void> => {
  const body = JSON.stringify({ query });
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
  const { work, hold, app } = await startLibrary(t);
  const page = async (): Promise<number> => {
    const { reads } = work;
    t.is((await read(app.query('/graphql', query))).status, 200);
    return work.reads - reads;
  };
  const alone = await page();
  t.true(alone >= rows);
  const { searches } = work;
  const release = hold();
  await Promise.all(
    Array.from({ length: clients }, () => hangUp(app, () => work.searches === searches + clients)),
  );
  await until(() => new Promise((resolve) => app.server.getConnections((_, open) => resolve(open <= 1))));
  release();
  t.is(await page(), alone);
  await new Promise((resolve) => setTimeout(resolve, 100));
  t.is(work.reads, 2 * alone);
});
