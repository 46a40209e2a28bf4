import { writeFileSync } from 'node:fs';
import test from 'ava';
import { folderWithRelease, serveRelease, throwingEngine } from '../served-release.ts';
import { documents, download, get, graphql, send } from './doors.ts';

test('callers of different tiers who ask the same at once get what is theirs', async (t) => {
  const folder = await folderWithRelease(t, documents);
  const engine = {
    ...throwingEngine(),
    search: async () => ({ hits: { total: 417, hits: [] }, facets: [], tookMs: 1, warnings: [] }),
  };
  const { url } = await serveRelease(t, folder, engine, {
    disclosure: { lowerBoundsToOldClients: true },
    tierOf: ({ headers }) =>
      headers['x-tier'] === 'records' ? 'records' : headers['x-tier'] === 'boolean' ? 'boolean' : 'counts',
  });
  const total = async (tier: string): Promise<unknown> => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-tier': tier },
      body: JSON.stringify({ query: '{ donor { hits { total } } }' }),
    });
    const { data } = (await response.json()) as { data: { donor: { hits: { total: number } } } };
    return data.donor.hits.total;
  };
  const tiers = Array.from({ length: 30 }, (_, index) => ['records', 'counts', 'boolean'][index % 3]!);
  const expected: Readonly<Record<string, number>> = { records: 417, counts: 400, boolean: 10 };
  t.deepEqual(
    await Promise.all(tiers.map(total)),
    tiers.map((tier) => expected[tier]),
  );
});

test('a catalogue whose disclosure.json is gone is closed to everyone', async (t) => {
  for (const tier of ['counts', 'records'] as const) {
    const { url } = await serveRelease(t, await folderWithRelease(t, documents), throwingEngine(), {
      disclosure: null,
      tierOf: () => tier,
    });
    for (const door of [graphql('/graphql', '{ donor { hits { total } } }', 'open'), download('/download')])
      t.is((await send(url, door)).status, 404);
    const detail = await (await send(url, get('/introspection/cohort', 'open'))).text();
    t.like(JSON.parse(detail), { status: 'failed', error: { code: 'unknown_error' } });
    t.regex(detail, /has no disclosure\.json/);
  }
});

test('tier none gets nothing, through any door', async (t) => {
  const { url } = await serveRelease(t, await folderWithRelease(t, documents), throwingEngine(), {
    tierOf: () => 'none',
  });
  for (const door of [
    graphql('/graphql', '{ donor { hits { total } } }', 'open'),
    get('/introspection/cohort', 'open'),
    download('/download'),
  ])
    t.regex(await (await send(url, door)).text(), /FORBIDDEN/);
});

test('without a release, and with a damaged release, guarded callers get no answer', async (t) => {
  const folder = await folderWithRelease(t, documents);
  const none = await serveRelease(t, `${folder}/elsewhere`, throwingEngine());
  const query = graphql('/graphql', '{ donor { hits { total } } }', 'open');
  t.regex(await (await send(none.url, query)).text(), /nothing has been released yet/);
  writeFileSync(`${folder}/releases/cohort/current`, 'broken');
  const damaged = await serveRelease(t, folder, throwingEngine());
  t.regex(
    await (await send(damaged.url, query)).text(),
    /NOT_READY.*|the release of catalogue cohort cannot be read/,
  );
});

test('tier none is refused by the node of a network too, with the reason', async (t) => {
  const engine = throwingEngine();
  const { url } = await serveRelease(t, await folderWithRelease(t, documents), engine, {
    tierOf: () => 'none',
  });
  const query = '{ network { total nodes { nodeId state code errors } } }';
  const { data } = (await (await send(url, graphql('/network/graphql', query, 'open'))).json()) as {
    readonly data: unknown;
  };
  t.deepEqual(data, {
    network: {
      total: null,
      nodes: [
        {
          nodeId: 'home',
          state: 'refused',
          code: 'FORBIDDEN',
          errors: 'nothing of catalogue cohort is open to this caller',
        },
      ],
    },
  });
  t.is(engine.calls(), 0);
});
