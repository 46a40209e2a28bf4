import test from 'ava';
import { guardedView } from '../../../../src/capabilities/disclosure/guard/guarded-view.ts';
import { openReleaseStore } from '../../../../src/capabilities/disclosure/release/release-store.ts';
import { parseSqon } from '../../../../src/sqon/parse.ts';
import { temporaryFolder } from '../../../server/config/temporary-folder.ts';
import { drafted } from '../cohort.ts';
import { leaf } from '../random-filter.ts';
import { folderWithRelease, serveRelease, throwingEngine } from '../served-release.ts';
import { documents } from './doors.ts';

const strata = { strata: 'study', dimensions: [{ fieldName: 'sex', values: ['female', 'male'] }] };
const fresh = '2026-11-01';
const held = '2026-08-03';

interface Statement {
  readonly date: string | null;
  readonly waits?: number;
}
interface Answer {
  readonly data: {
    readonly donor: { readonly configs: { readonly disclosure: Statement } };
    readonly network: { readonly nodes: readonly { readonly disclosure: Statement }[] };
  };
  readonly extensions: { readonly disclosure: Statement };
}

/** A release of two strata, one of which is held with the changes that wait in it. */
const opened = async (t: Parameters<typeof serveRelease>[0]) => {
  const folder = temporaryFolder(t, {});
  const { release, table } = await drafted(documents, strata);
  const [north, south] = release.strata;
  const published = { ...release, strata: [north!, { ...south!, date: held, waits: 20 }] };
  openReleaseStore(folder, 'cohort').publish(published, table, ['donors']);
  const { url } = await serveRelease(t, folder, throwingEngine(), {
    disclosure: strata,
    accessFilter: ({ headers }) => {
      const study = String(headers['x-study']);
      return study === 'all' ? null : parseSqon(leaf('in', 'study', [study]));
    },
    tierOf: ({ headers }) => (headers['x-tier'] === 'none' ? 'none' : null),
  });
  return async (study: string, path: string, query?: string, tier = 'counts'): Promise<string> => {
    const headers = { 'content-type': 'application/json', 'x-study': study, 'x-tier': tier };
    const response = await fetch(url + path, {
      headers,
      ...(query !== undefined && { method: 'POST', body: JSON.stringify({ query }) }),
    });
    return response.text();
  };
};

const own = '{ donor { hits(first: 0) { total upper_bound } configs { disclosure } } }';
const network = '{ network { total upper_bound nodes { disclosure } } }';

for (const [study, date, waits] of [
  ['north', fresh, undefined],
  ['south', held, 20],
  ['all', held, 20],
] as const)
  test(`callers of ${study} see the day and the waiting changes of what answers them, everywhere`, async (t) => {
    const runQuery = await opened(t);
    const read = async (path: string, query?: string) =>
      JSON.parse(await runQuery(study, path, query)) as unknown;
    const catalogue = (await read('/graphql', own)) as Answer;
    const nodes = (await read('/network/graphql', network)) as Answer;
    const detail = (await read('/introspection/cohort')) as {
      readonly generatedAt: string;
      readonly meta: { readonly disclosure: Statement };
    };
    const described = (await read('/network')) as Answer['data']['network'];
    const statements = [
      catalogue.extensions.disclosure,
      catalogue.data.donor.configs.disclosure,
      nodes.data.network.nodes[0]!.disclosure,
      detail.meta.disclosure,
      described.nodes[0]!.disclosure,
    ];
    for (const statement of statements) t.deepEqual([statement.date, statement.waits], [date, waits]);
    t.is(detail.generatedAt, `${date}T00:00:00.000Z`);
    if (study === 'all') return;
    const others = study === 'north' ? /2026-08-03|"waits"/ : /2026-11-01/;
    const texts = [
      runQuery(study, '/graphql', own),
      runQuery(study, '/network/graphql', network),
      runQuery(study, '/introspection/cohort'),
      runQuery(study, '/cohort/introspection'),
      runQuery(study, '/network'),
      runQuery(study, '/network/introspection/network'),
      runQuery(study, '/service-info'),
    ];
    for (const text of await Promise.all(texts)) t.notRegex(text, others);
  });

test('the configuration for portals names no field that is not released', async (t) => {
  const { parts } = await serveRelease(t, await folderWithRelease(t, documents), throwingEngine());
  const state = parts.registry.byId('cohort');
  if (state?.status !== 'available') return t.fail();
  const { config } = state.catalogue;
  const table = { ...config.table, rowIdFieldName: 'surname' };
  const survival = { time: 'age', event: 'surname', dead: ['yes'] };
  const named = { ...state.catalogue, config: { ...config, table, survival, charts: { bars: ['surname'] } } };
  const { release } = await drafted(documents);
  for (const shown of [null, { id: 'release', ...release }])
    t.notRegex(JSON.stringify(guardedView(named, shown, named.search, null).config), /surname/);
});

test('callers who get nothing see nothing of the release in GET /network', async (t) => {
  const runQuery = await opened(t);
  const text = await runQuery('all', '/network', undefined, 'none');
  t.notRegex(text, /"date"|donor_id|"threshold"|"sex"/);
  t.regex(text, /"withheld":true/);
});
