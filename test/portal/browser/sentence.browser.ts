import test from 'ava';
import type { Page } from 'playwright-core';
import { hashOf } from '../../../portal/src/state/link.ts';
import type { View } from '../../../portal/src/state/view.ts';
import { startSample, type RunningServer } from './server.ts';
import { closeBrowser, openWindow, totalOf } from './window.ts';

let server: RunningServer;

test.before(async () => {
  server = await startSample();
});

test.after.always(async () => {
  await closeBrowser();
  await server?.stop();
});

const female = { op: 'in', content: { fieldName: 'sex', value: ['Female'] } } as const;
const lung = { op: 'in', content: { fieldName: 'primary_site', value: ['Lung'] } } as const;
const old = { op: 'gte', content: { fieldName: 'age', value: 60 } } as const;

/** The filter as the page reads it out. */
const sentence = async (page: Page): Promise<string> =>
  (await page.locator('.sentence > ul').innerText()).replace(/\s+/g, ' ').trim();

/** What the API counts for a filter, as the page would write it. */
const countOf = async (filter: unknown): Promise<string> => {
  const answer = await fetch(`${server.url}/network/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query: 'query ($filters: JSON) { network(filters: $filters) { total } }',
      variables: { filters: filter },
    }),
  });
  const { data } = (await answer.json()) as { data: { network: { total: number } } };
  return new Intl.NumberFormat('en-GB').format(data.network.total);
};

/** The headline, once it holds this number. */
const showsTotal = (page: Page, total: string): Promise<void> =>
  page.locator('.head:not(.stale) .number', { hasText: new RegExp(`^${total}$`) }).waitFor();

const viewLink = (view: View): string => `${server.url}/explore${hashOf(view)}`;

test('a condition changes in its place: other values, another meaning, another range', async (t) => {
  const { page } = await openWindow(t, viewLink({ filters: [lung, old] }));
  await totalOf(page);
  await page.getByRole('button', { name: 'Change Primary site Lung' }).click();
  const editor = page.getByRole('dialog', { name: 'Change Primary site Lung' });
  await editor.getByRole('searchbox').fill('skin');
  await editor.locator('label.value', { hasText: 'Skin' }).click();
  await editor.getByRole('combobox', { name: 'Operator' }).selectOption('not-in');
  await editor.getByRole('button', { name: 'Apply' }).click();
  const sites = { op: 'not-in', content: { fieldName: 'primary_site', value: ['Lung', 'Skin'] } };
  await showsTotal(page, await countOf({ op: 'and', content: [sites, old] }));
  t.is(await sentence(page), 'Primary site is not Lung or Skin and Age 60 or more');
  await page.getByRole('button', { name: /^Change Age/ }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'To' }).fill('70');
  await page.keyboard.press('Enter');
  const range = { op: 'between', content: { fieldName: 'age', value: [60, 70] } };
  await showsTotal(page, await countOf({ op: 'and', content: [sites, range] }));
  await page.getByRole('button', { name: 'Undo' }).click();
  await showsTotal(page, await countOf({ op: 'and', content: [sites, old] }));
});

test('with the keyboard alone: brackets, their "and", their opposite, and away again', async (t) => {
  const { page } = await openWindow(t, viewLink({ filters: [female, lung, old] }));
  await totalOf(page);
  await act(page, /^Change Primary site/, 'Group with the next');
  await showsTotal(page, await countOf({ op: 'and', content: [female, { op: 'or', content: [lung, old] }] }));
  t.is(await sentence(page), 'Sex Female and ( Primary site Lung or Age 60 or more )');
  await page.locator('.group').getByRole('button', { name: 'or: Change to and' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('.group').getByRole('button', { name: 'and: Change to or' }).waitFor();
  const both = { op: 'and', content: [lung, old] };
  await showsTotal(page, await countOf({ op: 'and', content: [female, both] }));
  await act(page, /^Change Primary site Lung and Age/, 'Negate');
  await showsTotal(page, await countOf({ op: 'and', content: [female, { op: 'not', content: [both] }] }));
  t.is(await sentence(page), 'Sex Female and not ( Primary site Lung and Age 60 or more )');
  await act(page, /^Change not /, 'Negate');
  await act(page, /^Change Primary site Lung and Age/, 'Ungroup');
  await showsTotal(page, await countOf({ op: 'and', content: [female, lung, old] }));
  t.is(await page.locator('.group').count(), 0);
});

/** Opens the editor of a part and presses one of its buttons, by keys alone. */
const act = async (page: Page, part: RegExp, button: string): Promise<void> => {
  await page.getByRole('button', { name: part }).first().focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  for (let presses = 0; presses < 20; presses += 1) {
    await page.keyboard.press('Tab');
    if ((await page.evaluate(() => document.activeElement?.textContent)) === button) break;
  }
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
};
