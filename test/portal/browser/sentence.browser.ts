import test from 'ava';
import type { Page } from 'playwright-core';
import type { Filter } from '../../../portal/src/api/filter.ts';
import { hashOf, viewOf } from '../../../portal/src/state/link.ts';
import type { View } from '../../../portal/src/state/view.ts';
import { startSample, type RunningServer } from './server.ts';
import { closeBrowser, eventually, openWindow, totalOf } from './window.ts';

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

test('a condition changes in the facet of its chip: other values, another meaning, another range', async (t) => {
  const { page } = await openWindow(t, viewLink({ filters: [lung, old] }));
  await totalOf(page);
  await page.getByRole('button', { name: 'Edit Primary site Lung' }).click();
  const editor = page.getByRole('dialog', { name: /^Edit Primary site/ });
  await editor.getByRole('searchbox').fill('skin');
  await editor.locator('label.value', { hasText: 'Skin' }).click();
  await eventually(t, () => sentence(page), 'Primary site Lung or Skin and Age 60 or more');
  await editor.getByRole('searchbox').fill('');
  await editor.getByRole('button', { name: 'Exclude these values' }).click();
  const sites = { op: 'not-in', content: { fieldName: 'primary_site', value: ['Lung', 'Skin'] } };
  await showsTotal(page, await countOf({ op: 'and', content: [sites, old] }));
  await eventually(t, () => sentence(page), 'Primary site is not Lung or Skin and Age 60 or more');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Edit Age/ }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Age: To' }).fill('70');
  await page.keyboard.press('Enter');
  const range = { op: 'between', content: { fieldName: 'age', value: [60, 70] } };
  await showsTotal(page, await countOf({ op: 'and', content: [sites, range] }));
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Undo' }).click();
  await showsTotal(page, await countOf({ op: 'and', content: [sites, old] }));
  await page.getByRole('button', { name: /^Edit Primary site/ }).click();
  for (const site of ['Lung', 'Skin']) await editor.locator('label.value', { hasText: site }).click();
  await editor.waitFor({ state: 'detached' });
  await eventually(t, () => sentence(page), 'Age 60 or more');
});

test('with the keyboard alone: brackets, the "and" beside them, their opposite, and away again', async (t) => {
  const either = { op: 'or', content: [lung, old] } as const;
  const { page } = await openWindow(t, viewLink({ filters: [female, either] }));
  await totalOf(page);
  await showsTotal(page, await countOf({ op: 'and', content: [female, either] }));
  await eventually(t, () => sentence(page), 'Sex Female and Primary site Lung or Age 60 or more');
  await page.getByRole('button', { name: 'and: Change to or' }).focus();
  await page.keyboard.press('Enter');
  await showsTotal(page, await countOf({ op: 'or', content: [female, either] }));
  await page.getByRole('button', { name: 'or: Change to and' }).focus();
  await page.keyboard.press('Enter');
  await act(page, /^Edit Primary site Lung or Age/, 'Exclude instead');
  await showsTotal(page, await countOf({ op: 'and', content: [female, { op: 'not', content: [either] }] }));
  await eventually(t, () => sentence(page), 'Sex Female and not (Primary site Lung or Age 60 or more)');
  await act(page, /^Edit not /, 'Remove');
  await showsTotal(page, await countOf({ op: 'and', content: [female] }));
});

test('the search box suggests values by field with their counts, terms by synonym, and what may be meant', async (t) => {
  const { page } = await openWindow(t, `${server.url}/explore`);
  await totalOf(page);
  const box = page.getByRole('combobox', { name: /^Search \d+ fields/ });
  t.is(await box.getAttribute('placeholder'), 'Search');
  await box.fill('lun');
  const sites = page.getByRole('group', { name: 'Primary site' }).getByRole('option');
  await sites.first().waitFor();
  const lungs = await countOf(lung);
  await eventually(t, () => sites.first().textContent(), `Lung${lungs} donors`);
  await page.keyboard.press('ArrowDown');
  while ((await page.locator('[role=option][aria-selected=true]').textContent()) !== `Lung${lungs} donors`)
    await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await showsTotal(page, lungs);
  await eventually(t, () => sentence(page), 'Primary site Lung');
  const meant = page.getByRole('option', { name: /^Did you mean “breast”\?/ });
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await box.fill('brest');
  await meant.click();
  await eventually(t, () => sentence(page), /^words “breast”( in|$)/);
  t.not(await totalOf(page), '0');
  await page
    .locator('mark', { hasText: /^Breast$/i })
    .first()
    .waitFor();
});

test('a text in plain words becomes conditions, counted before they are chosen, in three languages', async (t) => {
  const over60 = { op: 'gt', content: { fieldName: 'age', value: 60 } };
  const breast = { op: 'in', content: { fieldName: 'primary_site', value: ['Breast'] } };
  const all = await countOf({ op: 'and', content: [female, over60, breast] });
  const { page } = await openWindow(t, server.url);
  const box = page.getByRole('combobox', { name: /^Search \d+ fields/ });
  const first = page.getByRole('listbox').getByRole('option').first();
  await eventually(t, () => box.getAttribute('placeholder'), /^e\.g\. \p{L}.*, .*, /u);
  for (const typed of ['Frauen über 60 Brust', 'femmes de plus de 60 ans, sein', 'women over 60 breast']) {
    await box.fill(typed);
    await eventually(
      t,
      () => first.textContent(),
      `Sex FemaleAge more than 60Primary site Breast${all} donors`,
    );
  }
  await page.keyboard.press('Enter');
  await showsTotal(page, all);
  await eventually(t, () => sentence(page), 'Sex Female and Age more than 60 and Primary site Breast');
  await box.fill('kidnex');
  await page.keyboard.press('Enter');
  await page.getByText('No record has “kidnex”').waitFor();
  await page.getByRole('button', { name: `Without “kidnex”: ${all} donors` }).click();
  await showsTotal(page, all);
});

test('a tree of terms by keyboard: open, tick a branch, leave a part out, find by a synonym', async (t) => {
  const { page } = await openWindow(t, viewLink({ source: 'toronto', opened: ['diagnosis_code'] }));
  const all = await totalOf(page);
  const item = (name: string) => page.getByRole('tree').getByRole('treeitem', { name });
  await item('Malignant neoplasms of one site').focus();
  await page.keyboard.press('ArrowRight');
  await item('Malignant neoplasms of digestive organs').waitFor();
  await item('Malignant neoplasms of digestive organs').focus();
  await page.keyboard.press('ArrowRight');
  await item('Cancer of the colon').waitFor();
  await page.keyboard.press('Space');
  await showsTotal(
    page,
    (await item('Malignant neoplasms of digestive organs').locator('em').textContent()) ?? '',
  );
  await eventually(t, () => item('Malignant neoplasms of one site').getAttribute('aria-checked'), 'mixed');
  await eventually(t, () => item('Cancer of the colon').getAttribute('aria-checked'), 'true');
  await eventually(
    t,
    () => sentence(page),
    /^ICD-10 code Malignant neoplasms of digestive organs and \d+ narrower terms$/,
  );
  const digestive = Number(await totalOf(page));
  const colon = Number(await item('Cancer of the colon').locator('em').textContent());
  await item('Cancer of the colon').focus();
  await page.keyboard.press('Enter');
  await showsTotal(page, `${digestive - colon}`);
  await eventually(t, () => sentence(page), /, except Cancer of the colon$/);
  await page.getByRole('searchbox', { name: 'Find in ICD-10 code' }).fill('gastric');
  await item('Cancer of the stomach').getByText('“Gastric cancer”').waitFor();
  t.not(all, await totalOf(page));
});

test('a chart of codes shows a level, goes down and up by presses, and filters by its branch', async (t) => {
  const { page } = await openWindow(
    t,
    viewLink({ source: 'toronto', tab: 'charts', charts: ['diagnosis_code'] }),
  );
  const chart = page.getByRole('article', { name: 'ICD-10 code' });
  const mark = (label: string) => chart.getByRole('button', { name: new RegExp(`^${label}: \\d`) });
  await mark('Malignant neoplasms of one site').click();
  await mark('Malignant neoplasms of digestive organs').waitFor();
  await chart.getByRole('button', { name: 'Filter: Malignant neoplasms of one site' }).click();
  await eventually(
    t,
    () => sentence(page),
    /^ICD-10 code Malignant neoplasms of one site and \d+ narrower terms$/,
  );
  await chart.getByRole('button', { name: 'ICD-10 code', exact: true }).click();
  await mark('Malignant neoplasms of one site').waitFor();
});

test('an end of a range that is no number, or not finite, is not taken', async (t) => {
  const { page } = await openWindow(t, viewLink({ filters: [old] }));
  const age = page.getByRole('region', { name: 'Age', exact: true });
  const to = age.getByLabel('Age: To', { exact: true });
  for (const [typed, kept, messages] of [
    ['1e999', '1e999', 1],
    ['old', 'old', 1],
    [' ', '', 0],
  ] as const) {
    await to.fill(typed);
    await page.keyboard.press('Enter');
    await eventually(t, () => to.inputValue(), kept, typed);
    await eventually(t, () => age.getByRole('alert').count(), messages, typed);
  }
  t.is(await sentence(page), 'Age 60 or more');
});

test('a search in a facet that fails says so, and can be repeated', async (t) => {
  const { page } = await openWindow(t, viewLink({ source: 'toronto', opened: ['diagnosis_code'] }));
  await totalOf(page);
  let isDown = true;
  await page.route(/graphql$|hierarchies/, (route) =>
    isDown && /matching|hierarchies/.test(`${route.request().url()} ${route.request().postData()}`)
      ? route.fulfill({ status: 503, json: { error: 'starting' } })
      : route.continue(),
  );
  for (const [name, text, found] of [
    ['Mutated genes', 'kras', 'KRAS'],
    ['ICD-10 code', 'digestive', 'Malignant neoplasms of digestive organs'],
  ] as const) {
    isDown = true;
    const box = page.getByRole('region', { name, exact: true });
    await box.getByLabel(`Find in ${name}`).fill(text);
    await box.getByRole('alert').waitFor();
    isDown = false;
    await box.getByRole('button', { name: 'Try again' }).click();
    await box.getByText(found).first().waitFor();
    t.is(await box.getByRole('alert').count(), 0);
  }
});

test('a link may write an end of a range as a year, or as a time from now', async (t) => {
  const from = (value: string): Filter => ({ op: 'gte', content: { fieldName: 'enrolled_on', value } });
  for (const [end, drawn] of [
    ['2015', 'Enrolled on From 1 Jan 2015'],
    ['now-500y', 'Enrolled on From 2 Jan 2012'],
  ] as const) {
    const { page } = await openWindow(t, viewLink({ source: 'toronto', filters: [from(end)] }));
    const handle = page.getByRole('region', { name: 'Enrolled on', exact: true }).locator('.thumb input');
    await eventually(t, () => handle.first().getAttribute('aria-label'), drawn, end);
    await page.close();
  }
});

test('an end that is not typed anew stays just below the round number that is shown', async (t) => {
  const between = (from: number, to: number): Filter => ({
    op: 'between',
    content: { fieldName: 'bmi', value: [from, to] },
  });
  const below = Math.fround(29.999998);
  const { page } = await openWindow(t, viewLink({ source: 'singapore', filters: [between(25, below)] }));
  await totalOf(page);
  await page.getByRole('button', { name: /^Edit Body mass index 25 to 30$/ }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Body mass index: From' }).fill('24');
  await page.keyboard.press('Enter');
  await eventually(t, () => sentence(page), 'Body mass index 24 to 30');
  t.deepEqual(viewOf(new URL(page.url()).hash).view.filters, [between(24, below)]);
});

test('where a single catalogue finds nothing, no institutions are spoken of', async (t) => {
  const nobody: Filter = { op: 'in', content: { fieldName: 'sex', value: ['nobody'] } };
  const { page } = await openWindow(t, viewLink({ source: 'toronto', filters: [nobody] }));
  await page.locator('.note', { hasText: 'No results' }).waitFor();
  t.notRegex((await page.locator('.note').textContent()) ?? '', /institution/i);
});

test('a handle of a slider moves its own end of a range only', async (t) => {
  const { page } = await openWindow(t, viewLink({ source: 'singapore' }));
  const range = page.getByRole('region', { name: 'Body mass index', exact: true });
  const [from, to] = [
    range.getByLabel('Body mass index: From', { exact: true }),
    range.getByLabel('Body mass index: To', { exact: true }),
  ];
  const press = async (handle: number, key: string): Promise<void> => {
    await range.locator('.thumb input').nth(handle).focus();
    await page.keyboard.press(key);
    await range.locator('.thumb input').nth(handle).blur();
  };
  await range.locator('.thumb').first().waitFor();
  await press(0, 'ArrowRight');
  await page.locator('.chip').waitFor();
  await eventually(t, async () => [await from.inputValue(), await to.inputValue()], /^\d[\d.]*,$/);
  await to.fill('30.1234');
  await page.keyboard.press('Enter');
  await eventually(t, () => sentence(page), /to 30\.123$/);
  const before = await from.inputValue();
  await press(0, 'ArrowRight');
  await eventually(t, async () => (await from.inputValue()) !== before, true);
  t.is(await to.inputValue(), '30.1234');
  await press(1, 'End');
  await eventually(t, () => to.inputValue(), '');
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
