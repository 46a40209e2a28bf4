import test from 'ava';
import { hashOf } from '../../../portal/src/state/link.ts';
import { startGuardedSample, type RunningServer } from './server.ts';
import { closeBrowser, eventually, expectAccessible, openWindow, sheetsOf, totalOf } from './window.ts';

let server: RunningServer;

test.before(async () => {
  server = await startGuardedSample();
});

test.after.always(async () => {
  await closeBrowser();
  await server?.stop();
});

const filters = [{ op: 'in', content: { fieldName: 'sex', value: ['Female'] } }] as const;

test('a request reaches each institution by its mail or its form, guarded ones with their ranges', async (t) => {
  const { page } = await openWindow(t, `${server.url}/explore${hashOf({ filters })}`, { bypassCSP: true });
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
  const { page } = await openWindow(t, `${server.url}/network#toronto`);
  await page.getByRole('button', { name: 'Request these records' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('link', { name: 'Write to Lakeshore Hospital, Toronto' }).waitFor();
  t.is(await dialog.getByRole('row').count(), 2);
  await page.goto(`${server.url}/record${hashOf({ record: { id: 'TOR-000001', nodeId: 'toronto' } })}`);
  await page.getByRole('button', { name: 'Request this record' }).click();
  const mail = new URL((await dialog.getByRole('link', { name: /^Write to/ }).getAttribute('href'))!);
  t.is(mail.searchParams.get('subject'), 'Request: Record TOR-000001');
  t.regex(mail.searchParams.get('body')!, /\/record#v1=/);
});
