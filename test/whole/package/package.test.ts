import { execFile, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { announcedUrl } from '../../announced-url.ts';
import { temporaryFolder } from '../../server/config/temporary-folder.ts';
import { postQuery } from '../end-to-end/processes.ts';

const run = promisify(execFile);
const checkout = fileURLToPath(new URL('../../../', import.meta.url));

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

let packing: Promise<string> | undefined;

/** The file that npm packs, once for all tests. */
const packed = async (): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-package-'));
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: checkout });
  return join(folder, stdout.trim().split('\n').at(-1)!);
};

const pack = (): Promise<string> => (packing ??= packed());

test.after.always(async () => {
  if (packing !== undefined) rmSync(dirname(await packing), { recursive: true });
});

test('the packed package installs into an empty project, loads, and serves through its router', async (t) => {
  t.timeout(300_000);
  const project = temporaryFolder(t, {
    'package.json': { name: 'application', version: '1.0.0', private: true, type: 'module' },
    'serve.js': application,
    'consumer.ts': consumer,
    'books.ndjson': '{"id":"b1","title":"Atlas"}\n{"id":"b2","title":"Bees"}\n',
  });
  const tarball = await pack();
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
  for (const file of [
    'indexing/service/swagger-ui/swagger-ui.css',
    'server/http/graphql/graphiql/graphiql.js',
  ])
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

test('the package holds the program, its pages, samples and documents, and nothing of how it is made', async (t) => {
  t.timeout(300_000);
  const { stdout } = await run('tar', ['tzf', await pack()], { maxBuffer: 2 ** 26 });
  const files = stdout
    .trim()
    .split('\n')
    .map((path) => path.replace('package/', ''));
  const folders = new Set(files.map((path) => path.split('/')[0]!));
  t.deepEqual([...folders].sort(), [
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'SECURITY.md',
    'bin',
    'configs',
    'deploy',
    'dist',
    'docs',
    'nodes.json',
    'package.json',
    'portal',
    'samples',
  ]);
  t.deepEqual(
    files.filter((path) =>
      /^portal\/(?!dist\/)|\.(map|tsbuildinfo|test\.js)$|(?<!\.d)\.tsx?$|(^|\/)\.|README\.md$/.test(path),
    ),
    ['docs/museums/README.md', 'docs/README.md', 'README.md'],
  );
  for (const file of ['dist/main.js', 'dist/commit', 'portal/dist/index.html', 'docs/operations.md'])
    t.true(files.includes(file), file);
});

const dockerfile = readFileSync(join(checkout, 'Dockerfile'), 'utf8');

/** What a line of the Dockerfile says, as the list it is written in. */
const listOf = (instruction: string): readonly string[] =>
  JSON.parse(new RegExp(`^${instruction} (\\[.*\\])$`, 'm').exec(dockerfile)![1]!) as readonly string[];

/** A root with a shell and what the dynamic linker loads for Node, no Node, no /proc and no /tmp. */
const emptyRoot = (t: ExecutionContext, release: string): string => {
  const root = temporaryFolder(t, { 'tributary/books.ndjson': '{"id":"b1","title":"Atlas"}\n' });
  mkdirSync(join(root, 'opt'));
  renameSync(release, join(root, 'opt/tributary'));
  mkdirSync(join(root, 'bin'));
  copyFileSync('/bin/sh', join(root, 'bin/sh'));
  const libraries = execFileSync('ldd', [join(root, 'opt/tributary/lib/node'), '/bin/sh'], {
    encoding: 'utf8',
  });
  for (const [library] of libraries.matchAll(/\/\S+\.so\S*/g)) {
    mkdirSync(join(root, dirname(library)), { recursive: true });
    copyFileSync(library, join(root, library));
  }
  return root;
};

const isRoot = process.getuid?.() === 0;

/** As root, the program runs as another user, to whom the root file system is read-only. */
const into = (root: string): readonly string[] =>
  isRoot
    ? ['unshare', `--root=${root}`, '--setuid=1000', '--setgid=1000', '--wd=/tributary']
    : ['unshare', '--map-root-user', `--root=${root}`, '--wd=/tributary'];

test('a version that the changelog does not have is refused in one line', async (t) => {
  const script = join(checkout, 'scripts/release.js');
  const { code, stdout, stderr } = (await t.throwsAsync(
    run(process.execPath, [script, '--version', '9.9.9'], { cwd: checkout }),
  )) as Error & Readonly<Record<'code' | 'stdout' | 'stderr', unknown>>;
  const line = 'release: CHANGELOG.md has no section "## 9.9.9": write what its users need to know first\n';
  t.deepEqual({ code, stdout, stderr }, { code: 1, stdout: '', stderr: line });
});

test('a release runs in a root without Node as the image starts it, and says what it contains', async (t) => {
  t.timeout(300_000);
  const out = temporaryFolder(t, {});
  const platform = `linux-${process.arch}`;
  const script = join(checkout, 'scripts/release.js');
  const packed = await pack();
  const how = ['--out', out, '--platform', platform, '--folder', '--package', packed];
  const { stderr } = await run(process.execPath, [script, ...how], { cwd: checkout });
  t.regex(stderr, new RegExp(`^\\d+ s  ${platform}: its packages and its Node$`, 'm'));
  const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { version: string };
  const release = join(out, `tributary-${version}-${platform}`);

  // the same files as in the npm package
  const listed = execFileSync('tar', ['xzf', packed, '-C', out, '--to-command', 'sha256sum'], {
    encoding: 'utf8',
  });
  const sums = listed.trim().split('\n').sort();
  const program = join(release, 'lib/tributary');
  const shipped = readdirSync(program, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !entry.parentPath.startsWith(join(program, 'node_modules')),
  );
  const sum = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');
  t.deepEqual(shipped.map(({ parentPath, name }) => `${sum(join(parentPath, name))}  -`).sort(), sums);

  const { components } = JSON.parse(readFileSync(join(release, 'sbom.cdx.json'), 'utf8')) as {
    components: readonly { readonly name: string; readonly group?: string; readonly version: string }[];
  };
  const contained = new Set(components.map(({ name, version: which }) => `${name}@${which}`));
  const licences = readFileSync(join(release, 'LICENSES.txt'), 'utf8');
  t.regex(licences, /^Node\.js$/m);
  const tree = JSON.parse(readFileSync(join(program, 'node_modules/.package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, { readonly version: string }>>;
  };
  const installed = Object.entries(tree.packages).map(
    ([path, one]) => [path.split('node_modules/').at(-1)!, one] as const,
  );
  t.true(installed.length > 60);
  t.deepEqual(
    installed.filter(([name, one]) => !contained.has(`${name}@${one.version}`)).map(([name]) => name),
    [],
  );
  t.deepEqual(
    installed.filter(([name, one]) => !licences.includes(`\n${name} ${one.version} (`)).map(([name]) => name),
    [],
  );
  for (const name of ['react-dom', 'node'])
    t.true(
      components.some((one) => one.name === name),
      name,
    );

  const root = emptyRoot(t, release);
  for (const folder of ['data', 'configs']) {
    mkdirSync(join(root, 'tributary', folder));
    if (isRoot) chownSync(join(root, 'tributary', folder), 1000, 1000);
  }
  chmodSync(root, 0o755);
  const [unshare, ...rest] = into(root);
  const env = { SERVER_PORT: '0', SERVER_HOST: '127.0.0.1', INDEXING_PORT: 'off', NODES_PATH: 'off' };
  const load = ['/opt/tributary/bin/tributary', 'load', 'books.ndjson', '--catalogue', 'books'];
  t.regex((await run(unshare!, [...rest, ...load], { env })).stdout, /loaded 1 document into books/);

  const command = [...listOf('ENTRYPOINT'), ...listOf('CMD')];
  const server = spawn(unshare!, [...rest, ...command], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  t.teardown(() => server.kill('SIGKILL'));
  const url = await announcedUrl(server);
  t.deepEqual((await postQuery(`${url}/graphql`, '{ books { hits { total } } }')).data, {
    books: { hits: { total: 1 } },
  });
  const page = await fetch(url, { headers: { accept: 'text/html' } });
  t.regex(await page.text(), /<!doctype html>/i);
  server.kill('SIGTERM');
  t.deepEqual(await once(server, 'exit'), [0, null]);
});
