import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { fieldsOf, searchOf } from '../../federation/collection.ts';
import { serveCatalogue } from '../../federation/remote-server.ts';
import { runHere } from '../../cli/run-here.ts';
import { loadedBooks } from './books.ts';
import { postQuery, run, startNode, type RunningNode } from './processes.ts';

const table = (...names: readonly string[]) => ({
  columns: names.map((fieldName) => ({ fieldName, show: true })),
});

/** A server over one catalogue and a network of its remote trees, and its folder. */
const serve = async (
  t: Pick<ExecutionContext, 'teardown'>,
  {
    access,
    secrets = {},
  }: {
    readonly access?: { readonly content: object; readonly key: string };
    readonly secrets?: Readonly<Record<string, string>>;
  } = {},
) => {
  const fields = fieldsOf({ id: 'keyword', genus: 'keyword' });
  const remote = await serveCatalogue('tree', fields, searchOf([{ id: 't1', genus: 'Acer' }]));
  t.teardown(remote.close);
  const nodes = (...ids: readonly string[]) => ({
    defaults: { timeoutMs: 60_000, discoveryTimeoutMs: 60_000 },
    nodes: ids.map((nodeId) => ({ nodeId, documentType: 'tree', graphqlUrl: remote.url })),
  });
  const loaded = await loadedBooks(t, undefined, {
    'configs/books/table.json': { table: table('title') },
    'nodes.json': nodes('One'),
    ...secrets,
    ...(access && { 'access.json': access.content, 'key.pem': access.key }),
  });
  const { folder } = loaded;
  const settings = {
    ...loaded.settings,
    LOG_LEVEL: 'info',
    ...Object.fromEntries(Object.keys(secrets).map((name) => [`${name}_FILE`, join(folder, name)])),
    ...(access && {
      ACCESS_FILTER_PATH: join(folder, 'access.json'),
      JWKS_URL: pathToFileURL(join(folder, 'key.pem')).href,
    }),
  };
  const node = await startNode(settings);
  t.teardown(node.kill);
  const write = (name: string, content: unknown): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  };
  const remove = (name: string): void => rmSync(join(folder, name), { recursive: true });
  return { node, settings, nodes, write, remove };
};

const total = async ({ url }: RunningNode): Promise<unknown> =>
  (
    (await postQuery(`${url}/network/graphql`, '{ network { total } }')) as {
      data: { network: { total: unknown } };
    }
  ).data.network.total;

const columns = async ({ url }: RunningNode): Promise<unknown> =>
  (
    (await postQuery(`${url}/graphql`, '{ book { configs { table { columns { fieldName } } } } }')) as {
      data: { book: { configs: { table: { columns: unknown } } } };
    }
  ).data.book.configs.table.columns;

const configuration = async ({ url }: RunningNode): Promise<{ problem: string | null }> => {
  const response = await fetch(`${url}/network`, { headers: { accept: 'application/json' } });
  return ((await response.json()) as { configuration: { problem: string | null } }).configuration;
};

const until = async (holds: () => Promise<boolean>): Promise<void> => {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 50));
};

/** The server of all tests but the last, one after another; the last of those ends it. */
let served: Awaited<ReturnType<typeof serve>>;
const closing: (() => unknown)[] = [];

test.before(async (t) => {
  t.timeout(300_000);
  const secrets = { METRICS_TOKEN: 'first' };
  served = await serve({ teardown: (close) => closing.unshift(close) }, { secrets });
});

test.after.always(async () => {
  for (const close of closing) await close();
});

test.serial(
  'files that change are served without a restart: by themselves, by the command, by SIGHUP',
  async (t) => {
    const { node, settings, nodes, write } = served;
    t.is(await total(node), 1);
    write('nodes.json', nodes('One', 'Two'));
    await until(async () => (await total(node)) === 2);
    write('configs/books/table.json', { table: table('title', 'id') });
    await until(
      async () => JSON.stringify(await columns(node)) === '[{"fieldName":"title"},{"fieldName":"id"}]',
    );
    write('nodes.json', nodes('Two', 'Three', 'Four'));
    const printed = await run(['reload'], settings);
    t.is(printed.code, 0, printed.output);
    t.is(await total(node), 3);
    process.kill(node.pid, 'SIGHUP');
    t.deepEqual(await runHere(['reload'], settings), {
      code: 0,
      output: `${node.url}: nothing has changed\n`,
    });
  },
);

test.serial('invalid files change nothing, and are reported', async (t) => {
  const { node, settings, nodes, write } = served;
  write('nodes.json', nodes('One'));
  write('configs/books/table.json', { table: table('title') });
  t.is((await runHere(['reload'], settings)).code, 0);
  write('nodes.json', '{ "nodes": [');
  const { code, output } = await runHere(['reload'], settings);
  t.is(code, 1);
  t.regex(output, /without effect: .*nodes\.json is not JSON \(line 1 column 13\)/);
  t.regex((await configuration(node)).problem!, /^nodes\.json is not JSON/);
  t.is(await total(node), 1);
  write('nodes.json', nodes('One', 'Two'));
  write('configs/books/table.json', '{');
  const second = await runHere(['reload'], settings);
  t.is(second.code, 1);
  t.regex(second.output, /without effect: catalogue books: table\.json is not JSON/);
  t.deepEqual(await columns(node), [{ fieldName: 'title' }]);
  t.is(await total(node), 1);
  write('configs/books/table.json', { table: table('id') });
  t.is((await runHere(['reload'], settings)).code, 0);
  t.deepEqual(await columns(node), [{ fieldName: 'id' }]);
  t.is(await total(node), 2);
  t.is((await configuration(node)).problem, null);
});

test.serial('files that were there and are missing change nothing, and are reported', async (t) => {
  const { node, settings, nodes, remove, write } = served;
  write('nodes.json', nodes('One', 'Two'));
  write('configs/books/table.json', { table: table('title') });
  write('configs/books/facets.json', { facets: { aggregations: [] } });
  t.is((await runHere(['reload'], settings)).code, 0);
  remove('nodes.json');
  remove('configs/books/table.json');
  write('configs/books/facets.json', { facets: { aggregations: [{ fieldName: 'id', show: true }] } });
  const { code, output } = await runHere(['reload'], settings);
  t.is(code, 1);
  t.regex(output, /without effect: .*nodes\.json.* does not exist/);
  t.is(await total(node), 2);
  write('nodes.json', nodes('One'));
  const second = await runHere(['reload'], settings);
  t.is(second.code, 1);
  t.regex(
    second.output,
    /without effect: catalogue books: table\.json is missing: what it said before holds/,
  );
  t.deepEqual(await columns(node), [{ fieldName: 'title' }]);
  t.is(await total(node), 2);
  write('configs/books/table.json', { table: table('id') });
  t.is((await runHere(['reload'], settings)).code, 0);
  t.deepEqual(await columns(node), [{ fieldName: 'id' }]);
  t.is(await total(node), 1);
});

test.serial('catalogues come and go while the server runs', async (t) => {
  const { node, settings, write, remove } = served;
  const statusOf = async (path: string): Promise<number> =>
    (await fetch(`${node.url}${path}`, { headers: { accept: 'application/json' } })).status;
  write('configs/maps/base.json', { documentType: 'map', esIndex: 'books' });
  const { code, output } = await runHere(['reload'], settings);
  t.deepEqual([code, output], [0, `${node.url}: catalogue maps: is served from now on\n`]);
  t.is(await statusOf('/introspection/maps'), 200);
  remove('configs/maps');
  t.is((await runHere(['reload'], settings)).code, 0);
  t.is(await statusOf('/introspection/maps'), 404);
});

test.serial('secrets in files are exchanged while the server runs', async (t) => {
  const { node, write } = served;
  const statusWith = async (token: string) =>
    (await fetch(`${node.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).status;
  t.deepEqual([await statusWith('first'), await statusWith('second')], [200, 401]);
  write('METRICS_TOKEN', 'second\n');
  // found by looking at the file
  await until(async () => (await statusWith('second')) === 200);
  t.is(await statusWith('first'), 401);
  const metrics = await (
    await fetch(`${node.url}/metrics`, { headers: { authorization: 'Bearer second' } })
  ).text();
  for (const name of [
    'tributary_disk_free_bytes',
    'tributary_disk_size_bytes',
    'tributary_http_connections',
    'tributary_snapshot_timestamp_seconds{index="books"}',
    'tributary_configuration_problems',
  ])
    t.true(
      metrics.split('\n').some((line) => line.startsWith(`${name} `)),
      name,
    );
});

test.serial('a server whose terminal has hung up goes on, and ends in order', async (t) => {
  const { node, settings, nodes, write } = served;
  node.hangUp();
  write('nodes.json', nodes('One', 'Two', 'Three'));
  // reported in the log, which has no reader
  await until(async () => (await total(node)) === 3);
  t.is(await node.stop(), 0);
  const { code, output } = await runHere(['reload'], settings);
  t.is(code, 1);
  t.regex(output, /no server runs over DATA_PATH/);
});

test('withdrawn access rules and keys have effect at once, also while other files are invalid, and the audit trail says when', async (t) => {
  const keyOf = () =>
    generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const content = (title: object | string) => ({
    token: { algorithms: ['EdDSA'] },
    catalogues: { books: { public: title } },
  });
  const { node, settings, write } = await serve(t, {
    access: { content: content('everything'), key: keyOf() },
  });
  const hits = async () =>
    (
      (await postQuery(`${node.url}/graphql`, '{ book { hits { total } } }')) as {
        data: { book: { hits: { total: number } } };
      }
    ).data.book.hits.total;
  t.is(await hits(), 1);
  write('access.json', content({ op: 'in', content: { fieldName: 'title', value: ['none'] } }));
  // found by looking at the file
  await until(async () => (await hits()) === 0);
  write('access.json', content('everything'));
  const widened = await runHere(['reload'], settings);
  t.is(widened.code, 0, widened.output);
  t.is(await hits(), 1);
  write('access.json', { ...content('everything'), misspelt: true });
  const invalid = await runHere(['reload'], settings);
  t.is(invalid.code, 1);
  t.regex(
    invalid.output,
    /without effect: .*access\.json: .*misspelt.*the access rules and keys before hold until this is corrected/,
  );
  t.is(await hits(), 1);
  const readiness = async () => (await fetch(`${node.url}/ready`)).json();
  t.deepEqual(await readiness(), {
    status: 'degraded',
    problems: ['changed access rules are not in effect'],
  });
  write('nodes.json', '{');
  write('access.json', content({ op: 'in', content: { fieldName: 'title', value: ['none'] } }));
  const withdrawn = await runHere(['reload'], settings);
  t.is(withdrawn.code, 1);
  t.regex(withdrawn.output, /nodes\.json is not JSON/);
  t.is(await hits(), 0);
  t.deepEqual(await readiness(), { status: 'healthy' });
  write('key.pem', keyOf());
  await runHere(['reload'], settings);
  const listed = (await runHere(['audit'], settings)).output;
  t.is(listed.match(/access rules in effect/g)?.length, 5, listed);
});
