import { createServer } from 'node:http';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import Koa from 'koa';
import { pino } from 'pino';
import { openEngine } from '../src/engines/open/open-engine.ts';
import createDefault, { createRouter, type RouterOptions } from '../src/library.ts';
import { temporaryFolder } from './server/config/temporary-folder.ts';
import { listening } from './listening.ts';

const documents = ['Atlas', 'Bees', 'Clouds'].map((title, place) => {
  return { kind: 'upsert', id: `b${place}`, document: { title, rank: place } } as const;
});

interface Served {
  readonly send: (path: string, query: string) => Promise<{ data?: unknown; errors?: readonly Failure[] }>;
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Response>;
  readonly log: () => string;
}

interface Failure {
  readonly extensions: { readonly code: string };
}

/** An application that serves the router until the test is over. */
const serve = async (t: ExecutionContext, options: RouterOptions): Promise<Served> => {
  const folder = temporaryFolder(t, { 'configs/base.json': { documentType: 'tome', esIndex: 'books' } });
  const dataPath = join(folder, 'data');
  const engine = await openEngine({ kind: 'embedded', dataPath });
  const properties = { title: { type: 'keyword' }, rank: { type: 'integer' } };
  await engine.manage({ kind: 'create', index: 'books', mapping: { properties } });
  await engine.write('books', documents);
  await engine.close();
  let logged = '';
  const router = await createRouter({
    env: { DATA_PATH: dataPath, CONFIGS_PATH: join(folder, 'configs'), ...options.env },
    logger: pino({ level: 'warn' }, { write: (line: string) => void (logged += line) }),
    ...options,
    ...(options.configsSource === undefined ? {} : { configsSource: join(folder, options.configsSource) }),
  });
  t.teardown(router.close);
  const app = new Koa().use(router.routes() as unknown as Koa.Middleware);
  const { url } = await listening(t, createServer(app.callback()));
  return {
    send: async (path, query) => {
      const body = JSON.stringify({ query });
      const headers = { 'content-type': 'application/json' };
      return (await (await fetch(url + path, { method: 'POST', headers, body })).json()) as object;
    },
    get: (path, headers = {}) => fetch(url + path, { headers }),
    log: () => logged,
  };
};

const book = { documentType: 'book', esIndex: 'books' };
const totals = '{ book { hits { total } aggregations { title { bucket_count } } } }';

test('catalogues as objects: one, several, or with their files side by side', async (t) => {
  t.is(createDefault, createRouter);
  const one = await serve(t, {
    configs: { ...book, extended: [{ fieldName: 'title', displayName: 'Name' }] },
  });
  t.deepEqual((await one.send('/graphql', totals)).data, {
    book: { hits: { total: 3 }, aggregations: { title: { bucket_count: 3 } } },
  });
  const fields = (await (await one.get('/introspection/fields')).json()) as Record<string, unknown>;
  t.like(fields, { fields: { title: { displayName: 'Name' } }, meta: { authFiltered: false } });
  const several = await serve(t, {
    configs: {
      first: { base: book },
      second: { ...book, documentType: 'tome' },
      broken: { documentType: 'x' },
    },
  });
  t.like(await (await several.get('/introspection')).json(), {
    catalogs: {
      first: { status: 'available' },
      second: { documentType: 'tome' },
      broken: { status: 'failed' },
    },
  });
  t.like(await several.send('/second/graphql', '{ tome { hits { total } } }'), {
    data: { tome: { hits: { total: 3 } } },
  });
  t.is((await several.get('/nowhere')).status, 404);
});

test('the portal is served where the application enables it', async (t) => {
  const browser = { accept: 'text/html' };
  const without = await serve(t, { configs: book });
  t.is((await without.get('/', browser)).status, 404);
  const portal = await serve(t, { configs: book, portal: true });
  t.is((await portal.get('/', browser)).status, 200);
  const { sources } = (await (await portal.get('/portal/config.json')).json()) as {
    sources: { id: string }[];
  };
  t.is(sources.length, 1);
});

test('configsSource still names a folder, with a warning', async (t) => {
  const served = await serve(t, { configsSource: 'configs' });
  t.like(await served.send('/graphql', '{ tome { hits { total } } }'), {
    data: { tome: { hits: { total: 3 } } },
  });
  t.regex(served.log(), /configsSource is deprecated/);
});

test('getServerSideFilter narrows every query; it may answer later', async (t) => {
  const served = await serve(t, {
    configs: book,
    getServerSideFilter: async () => ({ op: 'in', content: { fieldName: 'title', value: ['Atlas'] } }),
  });
  t.deepEqual((await served.send('/graphql', totals)).data, {
    book: { hits: { total: 1 }, aggregations: { title: { bucket_count: 1 } } },
  });
  t.like(await (await served.get('/introspection/fields')).json(), { meta: { authFiltered: true } });
  const params = encodeURIComponent(
    JSON.stringify({ files: [{ fileType: 'tsv', columns: [{ fieldName: 'title' }] }] }),
  );
  t.is(await (await served.get(`/download?params=${params}`)).text(), 'Title\nAtlas\n');
});

test('null and an empty group mean everything; any invalid filter denies', async (t) => {
  let answer: () => unknown = () => null;
  const served = await serve(t, { configs: book, getServerSideFilter: () => answer() });
  for (const everything of [null, { op: 'and', content: [] }, { op: 'not', content: [] }]) {
    answer = () => everything;
    t.like(await served.send('/graphql', totals), { data: { book: { hits: { total: 3 } } } });
  }
  const nothing = { book: { hits: null, aggregations: null } };
  for (const noAnswer of [
    () => undefined,
    () => ({}),
    () => [],
    () => 'title',
    () => ({ op: 'in' }),
    () => ({ op: 'in', content: { fieldName: 'study', value: ['A'] } }),
    () => Promise.resolve(undefined),
    () => {
      throw new Error('no session');
    },
  ]) {
    answer = noAnswer;
    const { data, errors } = await served.send('/graphql', totals);
    t.deepEqual(data ?? nothing, nothing, String(noAnswer));
    t.deepEqual([...new Set(errors!.map(({ extensions }) => extensions.code))], ['FORBIDDEN']);
  }
  t.regex(served.log(), /no session/);
  const misspelt = { configs: book, getServerSideFilter: undefined } as RouterOptions;
  await t.throwsAsync(createRouter({ ...misspelt, env: {} }), {
    code: 'CONFIG_INVALID',
    message: /is not a function/,
  });
});
