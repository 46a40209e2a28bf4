import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { temporaryFolder } from '../config/temporary-folder.ts';
import { postQuery } from '../end-to-end/processes.ts';

const run = promisify(execFile);
const checkout = fileURLToPath(new URL('../../', import.meta.url));

/** An application of someone else's: a router for the members of a club, mounted in a Koa app. */
const application = `
import Koa from 'koa';
import createRouter, { createRouter as named } from 'tributary';
if (createRouter !== named) throw new Error('the default export is another function');
const router = await createRouter({
  configs: { documentType: 'book', esIndex: 'books' },
  env: { DATA_PATH: 'data', LOG_LEVEL: 'error' },
  getServerSideFilter: (context) =>
    context.get('x-club') === 'yes' ? null : { op: 'in', content: { fieldName: 'title', value: ['Atlas'] } },
});
const app = new Koa();
app.use(router.routes());
app.use((context) => void (context.body = 'the rest of the application'));
const server = app.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port));
process.on('SIGTERM', () => server.close(() => router.close()));
server.keepAliveTimeout = 1;
`;

const consumer = `
import {
  createRouter,
  TributaryError,
  type CatalogueObject,
  type CatalogueObjects,
  type CatalogueRouter,
  type Environment,
  type ErrorCode,
  type ErrorContext,
  type GetServerSideFilter,
  type NodesConfig,
  type RequestContext,
  type RequestState,
  type RouterOptions,
} from 'tributary';
const router = await createRouter({
  configs: { books: { documentType: 'book', esIndex: 'books' } },
  getServerSideFilter: (context, catalogueId) => (context.get('x-club') === catalogueId ? null : undefined),
});
const close: () => Promise<void> = router.close;
await close();
// @ts-expect-error no catalogues
await createRouter({ configs: 5 });
const book: CatalogueObject = { documentType: 'book', esIndex: 'books' };
const configs: CatalogueObjects = { books: book };
const env: Environment = { DATA_PATH: 'data' };
const nodes: NodesConfig = { nodes: [{ nodeId: 'here', catalogue: 'books', values: { title: { A: 'Atlas' } } }] };
// @ts-expect-error a key that nodes.json does not have
const misspelt: NodesConfig = { nodes: [{ nodeID: 'here', catalogue: 'books' }] };
const subject = ({ subject: name }: RequestState): string | undefined => name;
const getServerSideFilter: GetServerSideFilter = (context: RequestContext) => subject(context.state) ?? null;
const options: RouterOptions = { configs, env, nodes, getServerSideFilter };
const open: Promise<CatalogueRouter> = createRouter(options);
const context: ErrorContext = { details: { at: 'nodes' } };
const code: ErrorCode = new TributaryError('CONFIG_INVALID', 'no nodes', context).code;
// @ts-expect-error no code of ours
new TributaryError('TEAPOT', 'short and stout');
export { code, misspelt, open };
`;

/** The files that other programs load from the package. */
interface PackageFiles {
  readonly types: string;
  readonly exports: { readonly '.': { readonly types: string; readonly default: string } };
}

const offline = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTCACHED/;

/** @returns false when there is no network to install from */
const installs = async (tarball: string, project: string): Promise<boolean> => {
  const options = ['--no-audit', '--no-fund', '--prefer-offline', '--fetch-retries=0'];
  try {
    await run('npm', ['install', ...options, tarball], { cwd: project });
    return true;
  } catch (error) {
    if (offline.test((error as { stderr?: string }).stderr ?? '')) return false;
    throw error;
  }
};

/** The package alone, beside links to what the checkout has installed. */
const unpack = async (tarball: string, project: string): Promise<void> => {
  const modules = join(project, 'node_modules');
  mkdirSync(join(modules, 'tributary'), { recursive: true });
  await run('tar', ['xzf', tarball, '-C', join(modules, 'tributary'), '--strip-components=1']);
  for (const name of readdirSync(join(checkout, 'node_modules')))
    if (!existsSync(join(modules, name)))
      symlinkSync(join(checkout, 'node_modules', name), join(modules, name));
};

test('the packed package installs into an empty project, loads, and serves through its router', async (t) => {
  t.timeout(300_000);
  const project = temporaryFolder(t, {
    'package.json': { name: 'application', version: '1.0.0', private: true, type: 'module' },
    'serve.js': application,
    'consumer.ts': consumer,
    'books.ndjson': '{"id":"b1","title":"Atlas"}\n{"id":"b2","title":"Bees"}\n',
  });
  const packed = await run('npm', ['pack', '--silent', '--pack-destination', project], { cwd: checkout });
  const tarball = join(project, packed.stdout.trim().split('\n').at(-1)!);
  if (await installs(tarball, project)) {
    const tree = await run('npm', ['ls', '--all', '--json'], { cwd: project });
    t.deepEqual((JSON.parse(tree.stdout) as { problems?: string[] }).problems ?? [], []);
    const delegate = join(project, 'node_modules/@graphql-tools/delegate/package.json');
    t.is((JSON.parse(readFileSync(delegate, 'utf8')) as { version: string }).version, '12.2.1');
  } else {
    t.log('no package registry here: the dependencies are those of the checkout');
    await unpack(tarball, project);
  }

  const named = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as PackageFiles;
  for (const file of [named.types, named.exports['.'].types, named.exports['.'].default])
    t.true(existsSync(join(project, 'node_modules/tributary', file)), file);

  // what pages load comes from packages that are not installed with this one
  for (const file of ['indexing/service/swagger-ui/swagger-ui.css', 'http/graphql/graphiql/graphiql.js'])
    t.true(existsSync(join(project, 'node_modules/tributary/dist', file)), file);

  // built for production, whatever NODE_ENV of this process is
  const pages = join(project, 'node_modules/tributary/portal/dist/portal/assets');
  const scripts = readdirSync(pages).filter((name) => name.endsWith('.js'));
  t.true(scripts.length > 10);
  t.regex(readFileSync(join(pages, 'third-party-licenses.txt'), 'utf8'), /^react-dom .*\(MIT\)$/m);
  for (const name of scripts)
    t.notRegex(
      readFileSync(join(pages, name), 'utf8'),
      /react_stack_bottom_frame|Each child in a list/,
      name,
    );

  const program = join(project, 'node_modules/tributary/bin/tributary.js');
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATA_PATH: 'data', NODES_PATH: 'off' };
  await run(process.execPath, [program, 'load', 'books.ndjson', '--index', 'books'], { cwd: project, env });

  const child = spawn(process.execPath, ['serve.js'], {
    cwd: project,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  const [first] = (await once(child.stdout, 'data')) as [Buffer];
  const url = first.toString().trim();
  const query = '{ book { hits { total } aggregations { title { buckets { key } } } } }';
  t.deepEqual((await postQuery(`${url}/graphql`, query)).data, {
    book: { hits: { total: 1 }, aggregations: { title: { buckets: [{ key: 'Atlas' }] } } },
  });
  const member = await fetch(`${url}/graphql?query=${encodeURIComponent('{ book { hits { total } } }')}`, {
    headers: { 'x-club': 'yes' },
  });
  t.deepEqual(await member.json(), { data: { book: { hits: { total: 2 } } } });
  t.is(await (await fetch(`${url}/elsewhere`)).text(), 'the rest of the application');
  child.kill('SIGTERM');
  t.deepEqual(await once(child, 'close'), [0, null]);

  const compiler = fileURLToPath(import.meta.resolve('typescript/bin/tsc'));
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2024'];
  await t.notThrowsAsync(run(process.execPath, [compiler, ...options, 'consumer.ts'], { cwd: project }));
});
