import test from 'ava';
import { facetName, startMany } from './many-nodes.ts';
import { closeBrowser, eventually, openWindow, sheetsOf, totalOf } from './window.ts';

test.after.always(closeBrowser);

test('thirty facets over twenty institutions: all have their numbers, and a click narrows each', async (t) => {
  const server = await startMany(20, 30, 50);
  t.teardown(server.stop);
  const { page } = await openWindow(t, `${server.url}/explore`);
  await eventually(t, () => totalOf(page), '1,000');
  await eventually(t, () => page.locator('.head p').first().textContent(), 'things from all 20 institutions');
  const facets = page.locator('section.facet:not([aria-label="Institution"])');
  await eventually(t, () => facets.count(), 30);
  t.is(await facets.locator('.badge.part').count(), 0);
  await eventually(t, () => facets.nth(7).locator('label.value em').allTextContents(), Array(6).fill('100'));
  await facets.nth(7).locator('label.value').first().click();
  await page.locator('.chip').waitFor();
  await eventually(t, () => totalOf(page), '100');
  await eventually(t, () => facets.nth(8).locator('label.value em').allTextContents(), ['100']);
  // a request to all of them is printed on one sheet
  await page.getByRole('button', { name: 'Request these records' }).click();
  const links = page.getByRole('dialog').getByRole('link', { name: /^Write to/ });
  await eventually(t, () => links.count(), 20);
  t.is(sheetsOf(await page.pdf({ format: 'A4' })), 1);
});

test('among ten thousand values of a facet, typing finds those that contain the text', async (t) => {
  const server = await startMany(1, 2, 10_000);
  t.teardown(server.stop);
  const { page } = await openWindow(t, `${server.url}/explore`);
  await eventually(t, () => totalOf(page), '10,000');
  const facet = page.locator('section.facet').first();
  const field = facet.getByRole('searchbox');
  await field.focus();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.postData() ?? ''));
  await page.keyboard.type('VALUE 0999');
  await facet.getByText('value 09999', { exact: true }).waitFor();
  await eventually(t, () => facet.locator('label.value').count(), 10);
  await eventually(t, () => field.inputValue(), 'VALUE 0999');
  // nothing else is counted again for what is typed
  t.deepEqual(
    requests.filter((body) => body.includes(`${facetName(1)} {`)),
    [],
  );
  await facet.getByText('value 09994', { exact: true }).click();
  await page.locator('.chip', { hasText: 'value 09994' }).waitFor();
  await eventually(t, () => totalOf(page), '1');
});
