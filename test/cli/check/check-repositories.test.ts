import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import test from 'ava';
import { checkRepositories } from '../../../src/cli/check/check.ts';
import type { RepositoryConfig } from '../../../src/indexing/repositories/repository.ts';
import { startRecordServer } from '../../whole/repositories/record-server.ts';

const repository = (code: string, baseUrl: string): RepositoryConfig => ({
  kind: 'record',
  code,
  displayName: code,
  baseUrl,
  indexName: 'specimens',
  pageSize: 10,
  timeoutMs: 5_000,
  categoryId: '1',
  validOnly: true,
  exclude: [],
  map: [],
  credential: { header: 'authorization', value: 'Bearer s3cret' },
});

test('each repository has a line: that it answers, or why not', async (t) => {
  const server = await startRecordServer([]);
  t.teardown(() => server.close());
  const gone = await startRecordServer([]);
  await gone.close();
  const { lines, fine } = await checkRepositories([
    repository('abbey', server.url),
    repository('harbour', gone.url),
  ]);
  t.false(fine);
  t.is(lines.length, 2);
  t.is(lines[0], '  repository abbey (record-based, index specimens): answers');
  t.regex(lines[1]!, /^ {2}repository harbour \(record-based, index specimens\): .*harbour/);
  t.false(lines.join().includes('s3cret'));
});

test('a repository that does not answer in time has a line that says so', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { lines } = await checkRepositories([{ ...repository('abbey', url), timeoutMs: 50 }]);
  t.regex(lines[0]!, /^ {2}repository abbey .*: repository abbey: GET \S+ did not answer within 50 ms$/);
});

test('without repositories there is nothing to say', async (t) => {
  t.deepEqual(await checkRepositories([]), { lines: [], fine: true });
});
