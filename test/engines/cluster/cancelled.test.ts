import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import type { FacetQuery, SearchQuery } from '../../../src/engines/engine.ts';
import { openEngine } from '../../../src/engines/open/open-engine.ts';
import { all } from '../../../src/sqon/filter.ts';
import { field } from '../cases/case.ts';
import { testServers } from './servers.ts';

const index = 'tributary-cancelled';
const number = field('number', 'long');

/** Works for seconds; the first bound makes it another search. */
const long = (first: number): SearchQuery => ({
  facets: Array.from({ length: 10 }, (_, i): FacetQuery => {
    const ranges = Array.from({ length: 3_000 }, (_, at) => ({ key: `${at}`, from: first + i + at }));
    return { field: number, filter: all, objects: {}, measure: { kind: 'range', ranges } };
  }),
});

const servers = await testServers();
if (servers.length === 0) test.skip('no search server', () => undefined);

for (const server of servers) {
  if (server.kind === 'absent') {
    test.skip(`${server.name}: ${server.reason}`, () => undefined);
    continue;
  }
  const { name, url, stop } = server;
  const engine = await openEngine({
    ...{ kind: 'detect', url, user: undefined, password: undefined },
    ...{ apiKey: undefined, caFile: undefined },
  });
  test.after.always(async () => {
    await engine.manage({ kind: 'delete', index });
    await engine.close();
    await stop();
  });
  test.before(async () => {
    await engine.manage({ kind: 'delete', index });
    await engine.manage({ kind: 'create', index, mapping: { properties: { number: { type: 'long' } } } });
    for (let from = 0; from < 40_000; from += 5_000)
      await engine.write(
        index,
        Array.from({ length: 5_000 }, (_, i) => ({
          kind: 'upsert' as const,
          id: `${from + i}`,
          document: { number: from + i },
        })),
      );
  });

  const running = async (): Promise<number> => {
    const answer = await fetch(`${url}/_tasks?actions=indices:data/read/msearch`);
    const { nodes } = (await answer.json()) as { nodes: Record<string, { tasks: object }> };
    return Object.values(nodes).reduce((sum, { tasks }) => sum + Object.keys(tasks).length, 0);
  };
  const until = async (count: number): Promise<void> => {
    while ((await running()) !== count) await sleep(10);
  };

  test.serial(`${name}: a search whose last client has gone is not worked on there any more`, async (t) => {
    const [one, other] = [new AbortController(), new AbortController()];
    const query = long(1);
    const searches = [one, other].map(({ signal }) => engine.search(index, query, { signal }));
    const settled = Promise.allSettled(searches);
    await until(1);
    one.abort();
    await t.throwsAsync(searches[0]!, { code: 'ENGINE_TIMEOUT' });
    t.is(await running(), 1);
    other.abort();
    await until(0);
    for (const { status } of await settled) t.is(status, 'rejected');
  });

  test.serial(`${name}: a search past its deadline is not worked on there any more`, async (t) => {
    // on a busy machine a deadline may be over before the search begins
    let begun = false;
    for (let timeoutMs = 300; !begun; timeoutMs *= 2) {
      const search = t.throwsAsync(engine.search(index, long(2), { timeoutMs }), { code: 'ENGINE_TIMEOUT' });
      const isOver = search.then(() => true);
      do begun ||= (await running()) > 0;
      while (!(await Promise.race([isOver, sleep(10, false)])));
    }
    await until(0);
  });
}
