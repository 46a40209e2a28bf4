import test from 'ava';
import { startSample, startSite } from './server.ts';
import { choose, closeBrowser, eventually, openWindow, totalOf } from './window.ts';

test.after.always(closeBrowser);

test('a static site on another host shows the records of its server, within its policy', async (t) => {
  const server = await startSample();
  t.teardown(server.stop);
  const site = await startSite(server.url);
  t.teardown(site.stop);
  const { page } = await openWindow(t, `${site.url}/`, {}, [server.url]);
  await page.getByRole('link', { name: 'Explore all records' }).click();
  await eventually(t, () => totalOf(page), '8,000');
  await eventually(t, async () => new URL(page.url()).pathname, '/explore.html');
  await page.reload();
  await eventually(t, () => totalOf(page), '8,000');
  await choose(page, 'Sex', 'Female');
  await page.locator('.chip').waitFor();
  const total = await totalOf(page);
  await page.getByRole('button', { name: 'Share' }).click();
  const link = await page.getByRole('textbox', { name: 'Link to this page' }).inputValue();
  await page.goto('about:blank');
  await page.goto(link);
  await page.locator('.chip').waitFor();
  await eventually(t, () => totalOf(page), total);
});
