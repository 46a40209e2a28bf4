import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel, Worker } from 'node:worker_threads';
import test from 'ava';
import { IndexFolder } from '../../../../src/engines/embedded/threads/index-folder.ts';
import {
  newBoard,
  type SearchReply,
  type ReaderRequest,
  type ReplyMessage,
  type ThreadData,
} from '../../../../src/engines/embedded/threads/messages.ts';
import type { SearchQuery } from '../../../../src/engines/engine.ts';

const index = 'films';
const mapping = { properties: { title: { type: 'keyword' } } };
const all: SearchQuery = {
  hits: {
    filter: { kind: 'all' },
    size: 10,
    offset: 0,
    sort: [],
    searchAfter: null,
    source: null,
    trackTotal: true,
  },
  facets: [],
};

test('a reader answers from what it has received, and says so when it cannot', async (t) => {
  const dataPath = await mkdtemp(join(tmpdir(), 'tributary-'));
  const owner = new IndexFolder(dataPath);
  const { port2: urgent } = new MessageChannel();
  const reader = new Worker(new URL('../../../../src/engines/embedded/threads/reader.ts', import.meta.url), {
    workerData: { dataPath, board: newBoard(), urgent } satisfies ThreadData,
    transferList: [urgent],
  });
  t.teardown(async () => {
    await reader.terminate();
    owner.close();
    await rm(dataPath, { recursive: true });
  });
  const runQuery = async (request: ReaderRequest): Promise<unknown> => {
    reader.postMessage({ id: 1, slot: 0, request });
    const [reply] = (await once(reader, 'message')) as [ReplyMessage];
    return reply.ok ? reply.value : reply.error;
  };
  owner.manage({ kind: 'create', index, mapping });
  owner.write(index, [{ id: 'a', text: '{"title":"Stalker"}' }]);

  t.is(await runQuery({ kind: 'search', index, query: all }), null);
  const shared = owner.share(index, null)!;
  t.is(owner.share(index, shared.token), null);
  await runQuery({ kind: 'attach', index, columns: shared });
  const reply = (await runQuery({ kind: 'search', index, query: all })) as SearchReply;
  t.deepEqual({ ...reply, tookMs: 0 }, { ...owner.search(index, all), tookMs: 0 });
  t.deepEqual(reply.sources, ['[{"title":"Stalker"}]']);

  owner.write(index, [{ id: 'a', text: '{"title":"Solaris"}' }]);
  t.is(await runQuery({ kind: 'search', index, query: all }), null);
  await runQuery({ kind: 'attach', index, columns: owner.share(index, shared.token)! });
  t.deepEqual(((await runQuery({ kind: 'search', index, query: all })) as SearchReply).sources, [
    '[{"title":"Solaris"}]',
  ]);
  await runQuery({ kind: 'forget' });
  t.is(await runQuery({ kind: 'search', index, query: all }), null);

  const before = owner.share(index, null)!;
  owner.manage({ kind: 'delete', index });
  owner.manage({ kind: 'create', index, mapping });
  owner.write(index, [
    { id: 'b', text: '{"title":"Mirror"}' },
    { id: 'c', text: '{"title":"Nostalgia"}' },
  ]);
  await runQuery({ kind: 'attach', index, columns: before });
  t.is(await runQuery({ kind: 'search', index, query: all }), null);
});
