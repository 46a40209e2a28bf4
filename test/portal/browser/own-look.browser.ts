import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { startSample } from './server.ts';
import { closeBrowser, openWindow, totalOf } from './window.ts';

test.after.always(closeBrowser);

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
    }),
  );
  const server = await startSample({ PORTAL_PATH: file });
  t.teardown(server.stop);
  const { page } = await openWindow(t, `${server.url}/explore?lang=fr`);
  await totalOf(page);
  const group = page.locator('details.facets');
  t.is(await group.locator('summary').textContent(), 'Personne');
  const names = (): Promise<string[]> =>
    group
      .locator('section.facet h3')
      .evaluateAll((all) => all.map(({ firstChild }) => firstChild?.textContent ?? ''));
  t.deepEqual(await names(), ['Vital status', 'Sexe']);
  await group.getByRole('button', { name: 'Year of birth' }).waitFor();
  await page.getByRole('columnheader', { name: 'Sexe' }).waitFor();
  await page.getByLabel('Langue').selectOption('de');
  await page.getByRole('columnheader', { name: 'Geschlecht' }).waitFor();
  t.is(await group.locator('summary').textContent(), 'Person');
  t.deepEqual(await names(), ['Vital status', 'Geschlecht']);
});
