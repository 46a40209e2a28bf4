import assert from 'node:assert/strict';
import { test } from 'node:test';
import { artworks, type Artwork } from '../museums.ts';
import { shows, type Portal, type Row } from '../portal.ts';
import { inPortal } from '../portals.ts';
import { theStage } from '../the-stage.ts';

const inMuseums = (name: string, steps: (portal: Portal) => Promise<void>): void =>
  void test(`three museums: ${name}`, () =>
    inPortal(
      {
        apiUrl: theStage().museumsUrl,
        documentType: 'artwork',
        rowId: '_key',
        quickSearch: ['title', 'creator.name'],
      },
      steps,
    ));

const namesOf = ({ artists }: Artwork): readonly string[] => artists.map(({ name }) => name);

const countsOf = (keys: (work: Artwork) => readonly string[]): Readonly<Record<string, number>> => {
  const counts = new Map<string, number>();
  for (const work of artworks)
    for (const key of new Set(keys(work))) counts.set(key, (counts.get(key) ?? 0) + 1);
  return Object.fromEntries(counts);
};

const shownRow = ({ title, artists, classification, height }: Artwork): Row => ({
  title,
  'creator.name': artists.map(({ name }) => name).join(', '),
  classification,
  height: String(height ?? ''),
});

/** Without the genders, which the third museum does not know. */
const rowsOf = async (portal: Portal): Promise<readonly Row[]> =>
  (await portal.rows()).map((row) =>
    Object.fromEntries(Object.entries(row).filter(([column]) => column !== 'creator.gender')),
  );

const byTitle = (rows: readonly Row[]): readonly Row[] =>
  rows.toSorted((left, right) => (left['title']! < right['title']! ? -1 : 1));

inMuseums('facets count the works of all of them, in the network’s names and values', async (portal) => {
  await shows(() => portal.total(), artworks.length);
  await shows(
    () => portal.counts('classification'),
    countsOf(({ classification }) => [classification]),
  );
  await shows(() => portal.counts('creator.name'), countsOf(namesOf));
});

inMuseums('the artists of all of them stand in one table', async (portal) => {
  await portal.page.getByLabel('Select the maximum number of rows').selectOption('100');
  await portal.settled();
  await shows(async () => byTitle(await rowsOf(portal)), artworks.map(shownRow));
});

inMuseums('rows of different museums sort among each other', async (portal) => {
  const order = await portal.sortBy('title');
  const titles = artworks.map(({ title }) => title);
  await shows(() => portal.column('title'), (order === 'asc' ? titles : titles.toReversed()).slice(0, 20));
});

inMuseums('a chosen artist is found at every museum that has works by him', async (portal) => {
  const turner = 'Turner';
  const found = artworks.filter((work) => namesOf(work).includes(turner));
  assert.ok(new Set(found.map(({ museum }) => museum)).size > 1);
  await portal.choose('creator.name', turner);
  await shows(() => portal.total(), found.length);
  await shows(async () => byTitle(await rowsOf(portal)), found.map(shownRow));
});

inMuseums('quick search finds works of every museum', async (portal) => {
  const results = await portal.search('constable');
  const found = artworks.filter((work) => namesOf(work).includes('Constable'));
  assert.equal(results.length, Math.min(5, found.length));
  assert.ok(results.every((result) => found.some(({ title }) => result.includes(title))));
});

inMuseums('a download has the chosen works of all of them', async (portal) => {
  await portal.choose('classification', 'drawing');
  const { name, lines } = await portal.download();
  assert.equal(name, 'artworks.tsv');
  const found = artworks.filter(({ classification }) => classification === 'drawing');
  assert.deepEqual(lines[0]!.slice(0, 2), ['Title of the work', 'Creator Name']);
  assert.deepEqual(
    lines
      .slice(1)
      .map(([title]) => title)
      .toSorted(),
    found.map(({ title }) => title).toSorted(),
  );
});

inMuseums('ticked rows are told apart, though two museums may have one number', async (portal) => {
  await portal.sortBy('title');
  const key = await portal.page.locator('tr.Row').first().getAttribute('data-row-id');
  assert.match(key!, /^(tate|turner|carnegie)\//);
  await portal.page.locator(`tr[data-row-id="${key}"]`).getByLabel('Select this row').check();
  const { lines } = await portal.download();
  assert.deepEqual(
    lines.slice(1).map(([title]) => title),
    [(await portal.column('title'))[0]],
  );
});
