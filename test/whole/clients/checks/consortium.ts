import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shows, type Portal } from '../portal.ts';
import { inPortal } from '../portals.ts';
import { theStage } from '../the-stage.ts';

const inConsortium = (name: string, steps: (portal: Portal) => Promise<void>): void =>
  void test(`the sample consortium: ${name}`, () =>
    inPortal(
      {
        apiUrl: theStage().consortiumUrl,
        documentType: 'donor',
        rowId: '_key',
        quickSearch: ['donor_id'],
      },
      steps,
    ));

/** What each catalogue of the sample says for itself. */
const runQuery = async <Answer>(catalogue: string, query: string): Promise<Answer> => {
  const origin = new URL(theStage().consortiumUrl).origin;
  const answer = await fetch(`${origin}/${catalogue}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  return ((await answer.json()) as { readonly data: Answer }).data;
};

const catalogues = [
  { id: 'toronto', documentType: 'donor', values: {} },
  { id: 'lyon', documentType: 'participant', values: { F: 'Female', M: 'Male' } },
  { id: 'singapore', documentType: 'donor', values: { female: 'Female', male: 'Male' } },
];

interface Sexes {
  readonly found: {
    readonly hits: { readonly total: number };
    readonly aggregations: {
      readonly sex: { readonly buckets: readonly { readonly key: string; readonly doc_count: number }[] };
    };
  };
}

const expectedSexes = async (): Promise<{ readonly total: number; readonly counts: Map<string, number> }> => {
  let total = 0;
  const counts = new Map<string, number>();
  for (const { id, documentType, values } of catalogues) {
    const query = `{ found: ${documentType} { hits { total } aggregations { sex { buckets { key doc_count } } } } }`;
    const { found } = await runQuery<Sexes>(id, query);
    total += found.hits.total;
    for (const { key, doc_count } of found.aggregations.sex.buckets) {
      const value = new Map(Object.entries(values)).get(key) ?? key;
      counts.set(value, (counts.get(value) ?? 0) + doc_count);
    }
  }
  return { total, counts };
};

inConsortium('facets count the donors of all institutions', async (portal) => {
  const { total, counts } = await expectedSexes();
  await shows(() => portal.total(), total);
  await shows(() => portal.counts('sex'), Object.fromEntries(counts));
});

inConsortium('specimens of all institutions stand in one table, sorted', async (portal) => {
  const order = await portal.sortBy('age');
  const ages = (await portal.column('age')).map(Number);
  const sorted = ages.toSorted((left, right) => (order === 'asc' ? left - right : right - left));
  assert.deepEqual(ages, sorted);
  for (const id of ['specimens.specimen_type', 'specimens.files.strategy'])
    await shows(async () => (await portal.column(id)).some((cell) => cell !== ''), true);
});

inConsortium('a download has as many rows as the table counts', async (portal) => {
  await portal.choose('primary_site', 'Breast');
  const total = await portal.total();
  assert.ok(total > 0);
  const { lines } = await portal.download();
  assert.equal(lines.length, total + 1);
});

inConsortium('quick search finds a donor by id', async (portal) => {
  const [id] = await portal.column('donor_id');
  const results = await portal.search(id!);
  assert.ok(results.some((result) => result.includes(id!)));
});
