import { generateKeyPairSync } from 'node:crypto';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { temporaryFolder } from '../config/temporary-folder.ts';
import { freePort } from '../listening.ts';
import { acceptedMember, emptyHub, identityAt } from './accepted-members.ts';
import { countAt, until } from './institutions.ts';
import { postQuery, startNode } from './processes.ts';

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

const sexesAt = async (url: string): Promise<unknown> => {
  const query = '{ network { aggregations { sex { buckets { key doc_count } } } nodes { state } } }';
  const { data } = await postQuery(`${url}/network/graphql`, query);
  const { aggregations } = data?.['network'] as { aggregations: { sex: { buckets: unknown } } };
  return aggregations.sex.buckets;
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
      JWT_PUBLIC_KEY_PATH: join(folder, 'tokens.pem'),
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
  copyFileSync(join(data, '@server.key'), join(folder, 'former.pem'));
  rmSync(join(data, '@server.key'));
  hub = await startNode({ ...first!, FORMER_SERVER_KEY_PATH: join(folder, 'former.pem') });
  await until(isThere(urls[0]!));
  const next = identityAt(data).thumbprint;
  await until(async () => readFileSync(settings['HUBS_PATH']!, 'utf8').includes(next));
  // by the new key alone
  await hub.stop();
  hub = await startNode(first!);
  await until(isThere(urls[0]!));
  t.deepEqual(await sexesAt(urls[0]!), [{ key: 'Female', doc_count: 10 }]);
});
