import assert from 'node:assert/strict';
import { donors } from '../donors.ts';
import { matching } from '../evaluate.ts';
import { shows, type Row } from '../portal.ts';
import { inEachPortal } from '../portals.ts';

const ids = donors.map((donor) => donor.donor_id);

inEachPortal('the table shows the first page in its default order', async (portal) => {
  await shows(() => portal.rows(), donors.slice(0, 20).map(shownRow));
});

const shownRow = (donor: (typeof donors)[number]): Row => ({
  donor_id: donor.donor_id,
  sex: donor.sex ?? '',
  age: String(donor.age ?? ''),
  bmi: String(donor.bmi),
  is_deceased: String(donor.is_deceased ?? ''),
  enrolled_on: donor.enrolled_on,
  'study.code': donor.study.code,
  'specimens.tissue': donor.specimens.map(({ tissue }) => tissue).join(', '),
});

inEachPortal('pages follow each other', async (portal) => {
  await portal.turnTo('next');
  await shows(() => portal.column('donor_id'), ids.slice(20, 40));
  await portal.turnTo('last');
  await shows(() => portal.column('donor_id'), ids.slice(40));
  await portal.turnTo('previous');
  await shows(() => portal.column('donor_id'), ids.slice(20, 40));
  await portal.turnTo('first');
  await shows(() => portal.column('donor_id'), ids.slice(0, 20));
});

inEachPortal('the number of rows can be changed', async (portal) => {
  await portal.page.getByLabel('Select the maximum number of rows').selectOption('100');
  await portal.settled();
  await shows(() => portal.column('donor_id'), ids);
});

inEachPortal('a click on a header sorts, another one turns the order', async (portal) => {
  await portal.page.getByLabel('Select the maximum number of rows').selectOption('100');
  const ascending = donors.map(({ age }) => age ?? 0).sort((left, right) => left - right);
  const shown = ascending.map((age) => (age === 0 ? '' : String(age)));
  const first = await portal.sortBy('age');
  await shows(() => portal.column('age'), first === 'asc' ? shown : shown.toReversed());
  const second = await portal.sortBy('age');
  assert.deepEqual([first, second].sort(), ['asc', 'desc']);
  await shows(() => portal.column('age'), second === 'asc' ? shown : shown.toReversed());
});

inEachPortal('a column of an object sorts', async (portal) => {
  const order = await portal.sortBy('study.code');
  const codes = donors.map(({ study }) => study.code).sort();
  await shows(() => portal.column('study.code'), (order === 'asc' ? codes : codes.toReversed()).slice(0, 20));
});

inEachPortal('all columns chosen, the table stays filled', async (portal) => {
  await portal.chooseAllColumns();
  await shows(() => portal.total(), donors.length);
  await shows(async () => (await portal.rows()).map(pick), donors.slice(0, 20).map(wide));
  await shows(async () => Object.keys((await portal.rows())[0]!).length, 16);
});

const pick = (row: Row): Row =>
  Object.fromEntries(Object.keys(wide(donors[0]!)).map((column) => [column, row[column]!]));

const wide = (donor: (typeof donors)[number]): Row => ({
  donor_id: donor.donor_id,
  languages: donor.languages.join(', '),
  'study.title': donor.study.title,
  'specimens.hits.total': String(donor.specimens.length),
  'specimens.weight_mg': donor.specimens.map(({ weight_mg }) => weight_mg).join(', '),
  'specimens.samples.hits.total': shownList(donor.specimens.map(({ samples }) => samples.length)),
  'specimens.samples.sample_id': samplesOf(donor, 'sample_id'),
  'specimens.samples.kind': samplesOf(donor, 'kind'),
});

/** A list of nothing but zeros is shown as nothing by the components. */
const shownList = (values: readonly number[]): string =>
  values.some((value) => value !== 0) ? values.join(', ') : '';

const samplesOf = (donor: (typeof donors)[number], key: 'sample_id' | 'kind'): string =>
  donor.specimens.flatMap(({ samples }) => samples.map((sample) => sample[key])).join(', ');

inEachPortal('sorting by the number of nested objects keeps the table filled', async (portal) => {
  await portal.chooseAllColumns();
  await portal.sortBy('specimens.hits.total');
  await shows(() => portal.total(), donors.length);
  await shows(async () => (await portal.rows()).length, 20);
});

inEachPortal('quick search finds by a part of a name, and a choice filters the table', async (portal) => {
  const part = 'SA-14-';
  const found = matching({
    op: 'filter',
    content: { fieldNames: ['donor_id', 'specimens.samples.sample_id'], value: `*${part}*` },
  });
  const results = await portal.search(part.toLowerCase());
  assert.deepEqual(
    results.map((result) => /DO-\d+/.exec(result)?.[0]),
    found.map(({ donor_id }) => donor_id),
  );
  await portal.page.locator('.quick-search-result').first().dispatchEvent('mousedown');
  await portal.settled();
  await shows(
    () => portal.column('donor_id'),
    found.map(({ donor_id }) => donor_id),
  );
});

inEachPortal('quick search without a find', async (portal) => {
  assert.match((await portal.search('nobody')).join(), /No results/);
});
