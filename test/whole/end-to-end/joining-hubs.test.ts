import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { runHere } from '../../cli/run-here.ts';
import { temporaryFolder } from '../../server/config/temporary-folder.ts';
import { freePort } from '../../listening.ts';
import { acceptedMember, emptyHub, identityAt } from './accepted-members.ts';
import { countAt, sexesAt, until } from './institutions.ts';
import { startNode } from './processes.ts';

const access = {
  token: { algorithms: ['ES256'], issuer: 'https://login.example.org', audience: 'records' },
  catalogues: {
    person: {
      rules: [
        { hub: 'first', filter: { op: 'in', content: { fieldName: 'sex', value: ['Female'] } } },
        { hub: 'second', filter: 'everything' },
      ],
    },
  },
};

const isThere = (url: string) => (): Promise<boolean> =>
  countAt(url).then(({ nodes }) => nodes.every(({ state }) => state === 'ok'));

test('a member of two networks shows each hub what its rules say, and follows the new key of one', async (t) => {
  t.timeout(600_000);
  const folder = temporaryFolder(t, {});
  const folders = [join(folder, 'first'), join(folder, 'second')] as const;
  const hubs = [];
  for (const own of folders) hubs.push(emptyHub(own, await freePort()));
  const [first, second] = hubs;
  const urls = hubs.map((hub) => hub['PUBLIC_URL']!);
  const settings = await acceptedMember(folder, 'oslo', 30, {
    hubs: [
      { name: 'first', folder: folders[0], url: urls[0]! },
      { name: 'second', folder: folders[1], url: urls[1]! },
    ],
    env: {
      ACCESS_FILTER_PATH: join(folder, 'access.json'),
      JWKS_URL: pathToFileURL(join(folder, 'tokens.pem')).href,
    },
  });
  writeFileSync(join(folder, 'access.json'), JSON.stringify(access));
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writeFileSync(join(folder, 'tokens.pem'), publicKey.export({ type: 'spki', format: 'pem' }));
  let hub = await startNode(first!);
  t.teardown(() => hub.kill());
  const other = await startNode(second!);
  t.teardown(() => other.kill());
  const member = await startNode(settings);
  t.teardown(() => member.kill());
  for (const url of urls) await until(isThere(url));
  t.deepEqual(await sexesAt(urls[0]!), [{ key: 'Female', doc_count: 10 }]);
  t.deepEqual(await sexesAt(urls[1]!), [
    { key: 'Male', doc_count: 20 },
    { key: 'Female', doc_count: 10 },
  ]);

  await hub.stop();
  const data = join(folders[0], 'data');
  const { privateKey } = generateKeyPairSync('ed25519');
  const nextKey = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const keyFile = join(folder, 'hub.pem');
  writeFileSync(keyFile, nextKey + readFileSync(join(data, '@server.key'), 'utf8'));
  hub = await startNode({ ...first!, SERVER_KEY_PATH: keyFile });
  await until(isThere(urls[0]!));
  const next = identityAt(data, keyFile).thumbprint;
  await until(async () => readFileSync(settings['HUBS_PATH']!, 'utf8').includes(next));
  // by the new key alone
  await hub.stop();
  writeFileSync(keyFile, nextKey);
  hub = await startNode({ ...first!, SERVER_KEY_PATH: keyFile });
  await until(isThere(urls[0]!));
  t.deepEqual(await sexesAt(urls[0]!), [{ key: 'Female', doc_count: 10 }]);
});

/** A member that one hub has accepted, and both of their servers. */
const openPair = async (t: ExecutionContext) => {
  t.timeout(600_000);
  const folder = temporaryFolder(t, {});
  const hubFolder = join(folder, 'hub');
  const hubSettings = emptyHub(hubFolder, await freePort());
  const url = hubSettings['PUBLIC_URL']!;
  const joined = { hubs: [{ name: 'hub', folder: hubFolder, url }] };
  const settings = await acceptedMember(folder, 'oslo', 3, joined);
  const hub = await startNode(hubSettings);
  t.teardown(() => hub.kill());
  const member = await startNode(settings);
  t.teardown(() => member.kill());
  await until(isThere(url));
  const file = settings['HUBS_PATH']!;
  return {
    ...{ url, file, settings, hub, member },
    written: JSON.parse(readFileSync(file, 'utf8')) as { hubs: readonly { url: string }[] },
    write: (content: object) => writeFileSync(file, JSON.stringify(content)),
    state: async () => (await countAt(url)).nodes[0]!.state,
    entry: () =>
      (JSON.parse(readFileSync(hubSettings['NODES_PATH']!, 'utf8')) as { nodes: Record<string, unknown>[] })
        .nodes[0]!,
  };
};

test('no edit of hubs.json makes a member leave: not its absence, another address or a removed entry', async (t) => {
  const { url, file, settings, written, write, state, entry } = await openPair(t);
  const { key } = entry();
  rmSync(file);
  const missing = await runHere(['reload'], settings);
  t.is(missing.code, 1);
  t.regex(missing.output, /without effect: .*hubs\.json is missing: what it said before holds/);
  t.is(await state(), 'ok');
  write({ hubs: written.hubs.map((hub) => ({ ...hub, url: `${hub.url}/` })) });
  const edited = await runHere(['reload'], settings);
  t.deepEqual([edited.code, /hub "hub": dialling /.test(edited.output)], [0, true]);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  await until(isThere(url));
  t.like(entry(), { key, left: undefined });
  write({ hubs: [] });
  t.is((await runHere(['reload'], settings)).code, 0);
  await until(async () => (await state()) === 'disconnected');
  t.like(entry(), { key, left: undefined });
  write(written);
  await until(isThere(url));
  t.like(entry(), { key, left: undefined });
});

test('a member leaves by the command, whether its server runs or the hub can be reached', async (t) => {
  const { url, settings, hub, member, written, write, state, entry } = await openPair(t);
  const left = await runHere(['leave'], settings);
  t.is(left.code, 0);
  t.regex(left.output, new RegExp(`${url} knows that this server has left`));
  await until(async () => entry()['left'] !== undefined);
  t.is(entry()['key'], undefined);
  await until(async () => (await state()) === 'invited');
  await member.kill();
  await hub.stop();
  write(written);
  const alone = await runHere(['leave'], settings);
  t.is(alone.code, 0);
  t.regex(alone.output, /ask its administrator to run: tributary members refuse oslo/);
  t.deepEqual(JSON.parse(readFileSync(settings['HUBS_PATH']!, 'utf8')), { hubs: [] });
});
