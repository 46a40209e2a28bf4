import test, { type ExecutionContext } from 'ava';
import type { Draft } from '../../../../src/capabilities/disclosure/release/make-release.ts';
import { openReleaseStore } from '../../../../src/capabilities/disclosure/release/release-store.ts';
import type { CatalogueConfig } from '../../../../src/introspection/fields/catalogue-config.ts';
import { catalogueGuard } from '../../../../src/capabilities/disclosure/guard/guard-catalogue.ts';
import { serveCatalogue } from '../../../../src/server/node/serve-catalogue.ts';
import { bookConfig } from '../../../local/catalogue-fixture.ts';
import { openSwapping } from '../../../server/node/swapping.ts';
import { cohort, cohortDisclosure, drafted } from '../cohort.ts';
import { folderWithRelease, throwingEngine } from '../served-release.ts';
import { documents, doors, graphql, secret, send } from './doors.ts';

/** The cohort, alone and as a node of a network, whose configuration changes. */
const opened = async (t: ExecutionContext) => {
  const folder = await folderWithRelease(t, documents);
  const engine = throwingEngine(documents.length);
  const guard = serveCatalogue(
    catalogueGuard({ storeOf: (id) => openReleaseStore(folder, id), nameKey: Buffer.alloc(32) }),
  );
  const cohortConfig = bookConfig({
    ...{ catalogueId: 'cohort', documentType: 'donor', esIndex: 'donors' },
    disclosure: cohortDisclosure,
  });
  const nodes = { file: 'nodes.json', content: { nodes: [{ nodeId: 'home', catalogue: 'cohort' }] } };
  const served = await openSwapping(t, engine, { catalogues: [cohortConfig], nodes }, { guard });
  const reload = (changes: Partial<CatalogueConfig>) =>
    served.reload({ catalogues: [{ ...cohortConfig, ...changes }], nodes });
  return { url: served.url, folder, engine, reload, refresh: () => served.now().registry.refresh() };
};

const total = graphql('/graphql', '{ donor { hits { total upper_bound } } }', 'open');

/** The release of another day. */
const released = (release: Draft['release'], date: string): Draft['release'] => ({
  ...release,
  date,
  strata: release.strata.map((stratum) => ({ ...stratum, date })),
});

test('a reload is not a door: whatever changed, all doors stay closed', async (t) => {
  const { url, engine, reload } = await opened(t);
  const changes: readonly Partial<CatalogueConfig>[] = [
    { disclosure: undefined } as unknown as Partial<CatalogueConfig>,
    { disclosure: { ...cohortDisclosure, default: 'records' } },
    { disclosure: { ...cohortDisclosure, dimensions: [{ fieldName: 'surname' }], threshold: 20 } },
    { table: { columns: [{ fieldName: 'surname', show: true }] } as unknown as CatalogueConfig['table'] },
    { esIndex: 'others' },
  ];
  for (const change of changes) {
    const { changes: stated, problems } = await reload(change);
    t.true(stated.length + problems.length > 0, JSON.stringify(change));
    for (const door of Object.values(doors).flat()) {
      const text = await (await send(url, door)).text();
      t.notRegex(text, secret, `${JSON.stringify(change)} ${door.path}: ${text.slice(0, 500)}`);
    }
  }
  t.is(engine.calls(), 0);
});

test('a lower tier holds from the reload on, a higher tier does not', async (t) => {
  const { url, reload } = await opened(t);
  const answer = async (): Promise<string> => (await send(url, total)).text();
  t.regex(await answer(), /"total":400,"upper_bound":409/);
  t.deepEqual(await reload({ disclosure: { ...cohortDisclosure, default: 'boolean' } }), {
    changes: ['catalogue cohort: now serves with its changed configuration'],
    ...{ problems: [], areRulesStale: false },
  });
  t.regex(await answer(), /"total":10,"upper_bound":null/);
  t.deepEqual(await reload({ disclosure: { ...cohortDisclosure, default: 'records' } }), {
    changes: [],
    problems: [
      'catalogue cohort: disclosure.json, default: records shows more than boolean, which holds until a restart',
    ],
    areRulesStale: false,
  });
  t.regex(await answer(), /"total":10,"upper_bound":null/);
});

test('a release that is published during questions answers whole: each by either release', async (t) => {
  const { url, folder, refresh } = await opened(t);
  const query = graphql(
    '/graphql',
    '{ donor { configs { disclosure } hits { total upper_bound } aggregations { sex { buckets { key doc_count upper_bound } } } } }',
    'open',
  );
  const runQuery = async (): Promise<string> => (await send(url, query)).text();
  const before = await runQuery();
  const { release, table } = await drafted(cohort(900, 99));
  const during = Promise.all(Array.from({ length: 20 }, runQuery));
  openReleaseStore(folder, 'cohort').publish(released(release, '2027-02-01'), table, ['donors']);
  const refreshed = refresh();
  const answers = [...(await during), ...(await Promise.all(Array.from({ length: 20 }, runQuery)))];
  await refreshed;
  const after = await runQuery();
  t.regex(before, /"date":"2026-11-01".*"total":400,/);
  t.regex(after, /"date":"2027-02-01".*"total":900,/);
  t.deepEqual(
    answers.filter((answer) => answer !== before && answer !== after),
    [],
  );
});

test('a withdrawn release is answered to nobody without access to records, at any door', async (t) => {
  const { url, folder, refresh } = await opened(t);
  const store = openReleaseStore(folder, 'cohort');
  t.true(store.withdraw(store.currentId()!));
  await refresh();
  const text = await (await send(url, total)).text();
  t.regex(text, /"code":"FORBIDDEN"/);
  t.regex(text, /was withdrawn: nothing is disclosed until the next one/);
  for (const door of Object.values(doors).flat())
    t.notRegex(await (await send(url, door)).text(), secret, door.path);
});
