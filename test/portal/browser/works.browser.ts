import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { hashOf } from '../../../portal/src/state/link.ts';
import { programEnvironment, programFile } from '../../program.ts';
import { startNetwork, type RunningServer } from './server.ts';
import { closeBrowser, eventually, expectAccessible, openWindow, totalOf } from './window.ts';

const folder = mkdtempSync(join(tmpdir(), 'portal-works-'));
const turner = 'Joseph Mallord William Turner';

/** 60 works, 30 of them prints and 12 of storms, of which Turner painted nine. */
const works = Array.from({ length: 60 }, (_, at) => ({
  id: `w${at}`,
  artist: at % 4 === 3 ? 'Jo Doe' : turner,
  title: at % 5 === 0 ? `${at} storms off a coast` : `View of ${at} houses`,
  classification: at % 4 === 3 || at % 4 === 2 ? 'print' : 'painting',
}));

const storms = { op: 'search', content: { fieldNames: ['title'], value: 'storm' } };
const look = {
  questions: [{ text: { en: 'Storms', fr: 'Tempêtes', de: 'Stürme' }, filters: [storms] }],
  fieldNames: { artist: { en: 'Artist', fr: 'Artiste', de: 'Künstler' } },
  recordNames: { work: { de: { one: 'Werk', other: 'Werke' } } },
};
const contact = { name: 'Print room', email: 'prints@museum.example.org' };

let server: RunningServer;

test.before(async () => {
  const [configs, file, data] = ['configs', 'work.ndjson', 'data'].map((name) => join(folder, name));
  mkdirSync(join(configs!, 'work'), { recursive: true });
  writeFileSync(file!, works.map((work) => JSON.stringify(work)).join('\n'));
  const environment = { CONFIGS_PATH: configs, DATA_PATH: data, NODES_PATH: 'off' };
  const env = { ...programEnvironment, ...environment };
  await promisify(execFile)(process.execPath, [programFile, 'load', file!, '--catalogue', 'work'], { env });
  writeFileSync(join(configs!, 'work', 'catalogue.json'), JSON.stringify({ catalogue: { contact } }));
  writeFileSync(join(folder, 'portal.json'), JSON.stringify(look));
  server = await startNetwork('off', { ...environment, PORTAL_PATH: join(folder, 'portal.json') });
});

test.after.always(async () => {
  await closeBrowser();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('Turner’s storms in four taps on a telephone in German', async (t) => {
  const phone = { viewport: { width: 390, height: 844 }, locale: 'de-DE', hasTouch: true, isMobile: true };
  const { page } = await openWindow(t, server.url, { ...phone, bypassCSP: true });
  await page.getByRole('link', { name: /^Stürme/ }).tap();
  await eventually(t, () => totalOf(page), '12');
  await page.getByRole('button', { name: 'Filter', exact: true }).tap();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('region', { name: 'Künstler' }).locator('label.value', { hasText: turner }).tap();
  await sheet.getByRole('button', { name: '9 Werke anzeigen' }).tap();
  await eventually(t, () => totalOf(page), '9');
  await eventually(t, () => page.getByRole('row').filter({ hasText: turner }).count(), 9);
  await expectAccessible(t, page, 'on a telephone');
});

test('without survival, a comparison leads with what differs most', async (t) => {
  const cohorts = ['painting', 'print'].map((value) => ({
    name: `${value}s`,
    filter: { op: 'in' as const, content: { fieldName: 'classification', value: [value] } },
  }));
  const { page } = await openWindow(t, `${server.url}/explore${hashOf({ tab: 'compare', cohorts })}`);
  const lead = page.locator('p.lead');
  await eventually(
    t,
    () => lead.textContent(),
    `paintings and prints. Artist ${turner}: 100.0% against 50.0%; p < 0.001.`,
  );
  await eventually(t, () => page.locator('.survival').count(), 0);
  // the field that defines them is folded away
  await page.locator('summary', { hasText: 'define' }).waitFor();
  t.false(await page.getByRole('article', { name: 'Classification' }).isVisible());
});

test('a catalogue by itself is asked at the contact of its catalogue.json', async (t) => {
  const { page } = await openWindow(t, `${server.url}/explore`);
  await totalOf(page);
  await page.getByRole('button', { name: 'Request these records' }).click();
  const link = page.getByRole('dialog').getByRole('link', { name: /^Write to/ });
  t.is(new URL((await link.getAttribute('href'))!).pathname, contact.email);
  await page.getByRole('row', { name: /60 .*prints@museum/ }).waitFor();
});
