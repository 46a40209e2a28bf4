import test from 'ava';
import { hashOf } from '../../../portal/src/state/link.ts';
import { startGuardedSample, type RunningServer } from './server.ts';
import {
  choose,
  closeBrowser,
  eventually,
  expectAccessible,
  openWindow,
  sheetsOf,
  totalOf,
} from './window.ts';

let sample: RunningServer;

/** The sample consortium, of which Singapore discloses counts only. */
test.before(async () => {
  sample = await startGuardedSample();
});

test.after.always(async () => {
  await closeBrowser();
  await sample?.stop();
});

const interval = /^\s*[\d,]+ to [\d,]+\s*$/;

test('the start page shows the total as an interval, who gives intervals, and of which day', async (t) => {
  const { page } = await openWindow(t, sample.url);
  const total = page.getByTestId('total');
  await eventually(t, () => total.innerText(), interval);
  const institutions = page.getByRole('region', { name: 'Institutions' });
  const singapore = institutions.getByRole('listitem').filter({ hasText: 'Singapore' });
  await eventually(
    t,
    () => singapore.innerText(),
    /1,500 to 1,509[^]*|counts in steps of 10 · released \d+ \w+ \d{4}/,
  );
  await eventually(t, () => singapore.innerText(), /counts in steps of 10 · released \d+ \w+ \d{4}/);
  await eventually(t, () => institutions.getByText('counts in steps of').count(), 1);
});

test('on Explore, headline and facets show intervals, and the page explains why rows and files lack an institution', async (t) => {
  const { page } = await openWindow(t, `${sample.url}/explore`);
  const total = page.getByTestId('total');
  await eventually(t, () => total.innerText(), interval);
  await eventually(
    t,
    () => page.getByTestId('withheld').innerText(),
    /Singapore: counts are ranges from a release\. Records are not shared/,
  );
  await page.getByRole('button', { name: 'Download 6,500 rows' }).waitFor();
  const sex = page.getByRole('region', { name: 'Sex', exact: true });
  await eventually(t, () => sex.innerText(), /Female\s+[\d,]+ to [\d,]+/);
  await eventually(t, () => sex.innerText(), /Some institutions report ranges/);
  await page.getByRole('region', { name: 'Age', exact: true }).getByText('Singapore: not released').waitFor();
  const before = await totalOf(page);
  await choose(page, 'Sex', 'Female');
  await page.locator('.chip').waitFor();
  t.not(await totalOf(page), before);
  await eventually(t, () => total.innerText(), interval);
});

test('values that a release counts together have a number and no box: no filter means just them', async (t) => {
  const { page } = await openWindow(t, `${sample.url}/explore`);
  const other = page
    .getByRole('region', { name: 'Mutated genes', exact: true })
    .locator('label.value', { has: page.getByText('Other values', { exact: true }) });
  await other.waitFor();
  await eventually(t, () => other.innerText(), /\d+ to \d+/);
  await eventually(t, () => other.getByRole('checkbox').isDisabled(), true);
  await other.click({ force: true });
  t.is(await page.locator('.chip').count(), 0);
});

test('a guarded catalogue by itself shows counts and no table', async (t) => {
  const { page } = await openWindow(t, `${sample.url}/explore`);
  await page.getByLabel('Data source').selectOption('singapore');
  await page.getByTestId('total').filter({ hasText: '1,500 to 1,509' }).waitFor();
  await page.getByTestId('withheld').waitFor();
  t.is(await page.getByRole('alert').count(), 0);
  t.is(await page.getByRole('grid').count(), 0);
});

test('the network page shows the tier of an institution and the day of its release', async (t) => {
  const { page } = await openWindow(t, `${sample.url}/network`);
  const row = page.getByRole('row').filter({ hasText: 'Straits Biobank' });
  await row.getByText(/counts in steps of 10 · released/).waitFor();
  await eventually(t, () => page.getByText('counts in steps of').count(), 1);
  const shares = page.getByRole('region', { name: 'Variables' }).getByRole('row', { name: /^Sex / });
  await eventually(t, () => shares.getByRole('cell').last().innerText(), 'Not released');
});

const dated = [
  { locale: 'en-GB', updated: 'Updated', released: 'Release of' },
  { locale: 'de-DE', updated: 'Stand:', released: 'Freigabe vom' },
  { locale: 'fr-FR', updated: 'Mis à jour le', released: 'Publication du' },
];

for (const { locale, updated, released } of dated)
  test(`${locale}: the network page dates the records of each institution, guarded ones by their release`, async (t) => {
    const { page } = await openWindow(t, `${sample.url}/network`, { locale });
    const answer = await fetch(`${sample.url}/network/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ network { nodes { name lastUpdated disclosure } } }' }),
    });
    const { data } = (await answer.json()) as { data: { network: { nodes: readonly Dated[] } } };
    const { format } = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
    for (const { name, lastUpdated, disclosure } of data.network.nodes) {
      t.is(lastUpdated === null, disclosure !== null);
      const date =
        disclosure === null
          ? `${updated} ${format(new Date(lastUpdated!))}`
          : `${released} ${format(new Date(disclosure.date))}`;
      await page.getByRole('row').filter({ hasText: name }).getByText(date, { exact: true }).waitFor();
    }
  });

interface Dated {
  readonly name: string;
  readonly lastUpdated: string | null;
  readonly disclosure: { readonly date: string } | null;
}

test('in a heat map, ranges stay in their cells, and an overlap with ranges names their institutions', async (t) => {
  const women = { op: 'in', content: { fieldName: 'sex', value: ['Female'] } } as const;
  const cohorts = [
    { name: 'Everyone', filter: null },
    { name: 'Women', filter: women },
  ];
  const heat = { tab: 'charts', charts: ['sex × primary_site'], cohorts } as const;
  const { page } = await openWindow(t, `${sample.url}/explore${hashOf(heat)}`);
  const map = page.getByRole('article', { name: 'Sex by Primary site' });
  await map.locator('tspan').first().waitFor();
  const wide = () =>
    map
      .locator('.mark')
      .evaluateAll(
        (cells) =>
          cells.filter(
            (cell) =>
              cell.parentElement!.querySelector('text')!.getBoundingClientRect().width >
              cell.querySelector('rect')!.getBoundingClientRect().width,
          ).length,
      );
  await eventually(t, wide, 0);
  await page.getByRole('link', { name: 'Compare', exact: true }).click();
  const overlap = page.getByRole('article', { name: 'Overlap' });
  await overlap
    .locator('svg text', { hasText: /^[\d,]+–[\d,]+$/ })
    .first()
    .waitFor();
  await eventually(t, () => overlap.locator('.badge').textContent(), 'all institutions');
});

const women = [{ op: 'in', content: { fieldName: 'sex', value: ['Female'] } }] as const;

test('a request reaches each institution by its mail or its form, guarded ones with their ranges', async (t) => {
  const { page } = await openWindow(t, `${sample.url}/explore${hashOf({ filters: women })}`, {
    bypassCSP: true,
  });
  await totalOf(page);
  await page.getByRole('button', { name: 'Request these records' }).click();
  const dialog = page.getByRole('dialog');
  const row = (name: string) => dialog.getByRole('row', { name: new RegExp(name) });
  await eventually(t, () => row('Singapore').getByRole('cell').first().textContent(), /^\d+ to \d+$/);
  await eventually(
    t,
    () => row('Lyon').getByRole('link').getAttribute('href'),
    'https://confluence.example.org/demandes',
  );
  await dialog.getByRole('combobox').selectOption('Samples or material');
  await dialog.getByRole('textbox', { name: 'Purpose' }).fill('A study of age & sex. Jo, Oslo');
  const href = await row('Toronto').getByRole('link').getAttribute('href');
  const mail = new URL(href!);
  t.is(mail.protocol + mail.pathname, 'mailto:data-access@lakeshore.example.org');
  t.is(mail.searchParams.get('subject'), 'Request: Donors with Sex Female');
  const [greeting, asked, today, link, purpose] = mail.searchParams.get('body')!.split('\r\n\r\n');
  t.is(greeting, 'Dear colleagues,');
  t.is(asked, 'Samples or material: Donors with Sex Female.');
  t.regex(today!, /^Records with you on \d+ \w+ \d{4}: [\d,]+$/);
  t.is(purpose, 'A study of age & sex. Jo, Oslo');
  await expectAccessible(t, page, 'request');
  // on a telephone nothing is beside the window
  await page.setViewportSize({ width: 390, height: 844 });
  await eventually(t, () => dialog.evaluate((box) => box.scrollWidth <= box.clientWidth), true);
  await page.setViewportSize({ width: 1440, height: 1000 });
  // one sheet: what is read, without what is pressed
  await page.emulateMedia({ media: 'print' });
  await eventually(t, () => page.locator('#content').isVisible(), false);
  await eventually(t, () => dialog.getByRole('table').isVisible(), true);
  t.is(sheetsOf(await page.pdf({ format: 'A4' })), 1);
  await page.emulateMedia({ media: 'screen' });
  // the link asks the same question anew
  await page.goto(link!.slice(link!.indexOf('http')));
  await eventually(t, () => page.locator('.chip').textContent(), /Sex\s+Female/);
});

test('a record and an institution are asked for on their own pages', async (t) => {
  const { page } = await openWindow(t, `${sample.url}/network#toronto`);
  await page.getByRole('button', { name: 'Request these records' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('link', { name: 'Write to Lakeshore Hospital, Toronto' }).waitFor();
  t.is(await dialog.getByRole('row').count(), 2);
  await page.goto(`${sample.url}/record${hashOf({ record: { id: 'TOR-000001', nodeId: 'toronto' } })}`);
  await page.getByRole('button', { name: 'Request this record' }).click();
  const mail = new URL((await dialog.getByRole('link', { name: /^Write to/ }).getAttribute('href'))!);
  t.is(mail.searchParams.get('subject'), 'Request: Record TOR-000001');
  t.regex(mail.searchParams.get('body')!, /\/record#v1=/);
});
