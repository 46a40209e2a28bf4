import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { startSample } from './server.ts';
import { closeBrowser, eventually, openWindow, totalOf } from './window.ts';

test.after.always(closeBrowser);

const youngWomen = [
  { op: 'in', content: { fieldName: 'sex', value: ['Female'] } },
  { op: 'lte', content: { fieldName: 'age', value: 30 } },
];

/** What the API itself counts, as the pages write it. */
const countedBy = async (url: string, query: string, variables: object): Promise<string> => {
  const response = await fetch(`${url}/network/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data } = (await response.json()) as { data: { network: { total: number } } };
  return data.network.total.toLocaleString('en-GB');
};

test('a consortium groups its facets, and names its fields in each language', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'portal-look-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'portal.json');
  writeFileSync(
    file,
    JSON.stringify({
      facetGroups: [
        { name: { en: 'Person', fr: 'Personne' }, facets: ['vital_status', 'sex', 'year_of_birth'] },
      ],
      fieldNames: { sex: { fr: 'Sexe', de: 'Geschlecht' } },
      recordNames: { donor: { fr: { one: 'donneur', other: 'donneurs' } } },
      questions: [{ text: 'Young women', filters: youngWomen }],
    }),
  );
  const server = await startSample({ PORTAL_PATH: file });
  t.teardown(server.stop);
  const { page } = await openWindow(t, `${server.url}/explore?lang=fr`);
  await totalOf(page);
  t.is(await page.locator('.head p').first().textContent(), 'donneurs des 3 institutions');
  // those of nested objects follow
  const group = page.locator('details.facets').first();
  await eventually(t, () => group.locator('summary').textContent(), 'Personne');
  const names = (): Promise<string[]> =>
    group
      .locator('section.facet h3')
      .evaluateAll((all) => all.map(({ firstChild }) => firstChild?.textContent ?? ''));
  await eventually(t, () => names(), ['Statut vital', 'Sexe']);
  await group.getByRole('button', { name: 'Year of birth' }).waitFor();
  await page.getByRole('columnheader', { name: 'Sexe' }).waitFor();
  await page.getByLabel('Langue').selectOption('de');
  await page.getByRole('columnheader', { name: 'Geschlecht' }).waitFor();
  await eventually(t, () => group.locator('summary').textContent(), 'Person');
  await eventually(t, () => names(), ['Vitalstatus', 'Geschlecht']);

  await page.goto(`${server.url}/?lang=en`);
  const question = page.getByRole('link', { name: /^Young women/ });
  const query =
    'query ($filters: JSON, $nodes: [String]) { network(filters: $filters, nodesFilter: $nodes) { total } }';
  const young = await countedBy(server.url, query, { filters: { op: 'and', content: youngWomen } });
  await question.filter({ hasText: young }).waitFor();
  await page.getByRole('region', { name: 'Map', exact: true }).getByRole('link', { name: /Lyon/ }).click();
  await page.waitForURL('**/network#lyon');
  const inLyon = await countedBy(server.url, query, { nodes: ['lyon'] });
  await page.getByTestId('total').filter({ hasText: inLyon }).waitFor();
  const age = page.getByRole('row', { name: /^Age/ });
  await age.getByText('100.0%').waitFor();
  await page.getByRole('rowheader', { name: 'Primary site' }).waitFor();
  await eventually(
    t,
    () =>
      page
        .getByRole('row', { name: /^Primary site/ })
        .getByRole('cell')
        .last()
        .textContent(),
    'organ',
  );
  await page.goBack();
  await question.click();
  await eventually(t, () => totalOf(page), young);
});
