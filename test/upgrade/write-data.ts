/**
 * Packs what a version writes, small, for upgrade.test.ts: run once for each released version, by its own checkout.
 *
 *   node test/upgrade/write-data.ts NAME CHECKOUT
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { announcedUrl } from '../announced-url.ts';
import { programEnvironment } from '../program.ts';

const [name, checkout] = process.argv.slice(2);
if (name === undefined || checkout === undefined) throw new Error('a name and a checkout are missing');
const program = resolve(checkout, 'src/main.ts');
const folder = mkdtempSync(join(tmpdir(), 'tributary-upgrade-'));
cpSync(join(import.meta.dirname, 'configs'), join(folder, 'configs'), { recursive: true });
cpSync(join(import.meta.dirname, 'nodes.json'), join(folder, 'nodes.json'));

const env = {
  ...programEnvironment,
  ...{ SERVER_PORT: '0', SERVER_HOST: '127.0.0.1', INDEXING_PORT: 'off' },
  ...{ ENABLE_SETS: 'true', LOG_LEVEL: 'error', AUDIT: 'on' },
};
const run = (...args: readonly string[]): string =>
  execFileSync(process.execPath, [program, ...args], { cwd: folder, env, encoding: 'utf8' });

for (const index of ['donors', 'patients'])
  run(
    'load',
    join(import.meta.dirname, 'donors.ndjson'),
    '--index',
    index,
    '--mapping',
    join(import.meta.dirname, 'mapping.json'),
  );

/** What this version has besides documents. */
const written: Record<string, unknown> = {};
const attempt = async (what: string, write: () => unknown): Promise<void> => {
  try {
    written[what] = await write();
  } catch (error) {
    console.log(`${what}: not in this version (${String(error).split('\n').at(-1)})`);
  }
};

await attempt('release', () => run('release', '--catalogue', 'patients').split('\n').length > 1);
const server = spawn(process.execPath, [program, 'start'], { cwd: folder, env });
const url = await announcedUrl(server);
const send = async (path: string, body?: object): Promise<Record<string, unknown>> => {
  const response = await fetch(url + path, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    headers: { 'content-type': 'application/json' },
  });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return (await response.json()) as Record<string, unknown>;
};
await attempt('set', async () => {
  const query =
    'mutation ($sqon: JSON!) { saveSet(type: donor, userId: "ann", path: "donor_id", sqon: $sqon) { setId } }';
  const sqon = { op: 'in', content: { fieldName: 'sex', value: ['female'] } };
  const { data } = (await send('/donors/graphql', { query, variables: { sqon } })) as {
    data: { saveSet: { setId: string } };
  };
  return data.saveSet.setId;
});
await attempt('link', async () => (await send('/portal/links', { sort: 'age' }))['id']);
await attempt('key', async () => {
  const { key } = await send('/service-info');
  if (key === undefined) throw new Error('no key');
  return key;
});
await attempt('released', async () => {
  const { data } = await send('/patients/graphql', { query: '{ patients { hits { total } } }' });
  return data;
});
server.kill('SIGTERM');
await once(server, 'exit');
await attempt(
  'audited',
  () => existsSync(join(folder, 'data/audit')) || Promise.reject(new Error('no trail')),
);
writeFileSync(join(folder, 'written.json'), `${JSON.stringify(written, null, 2)}\n`);
const archive = join(import.meta.dirname, 'data', `${name}.tgz`);
execFileSync('tar', ['-c', '-I', 'gzip -9n', '--owner=0', '--group=0', '-f', archive, '-C', folder, '.']);
rmSync(folder, { recursive: true });
console.log(archive, JSON.stringify(written));
