import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { hashOf } from '../../../portal/src/state/link.ts';
import type { View } from '../../../portal/src/state/view.ts';
import { openPrefixProxy } from './prefix-proxy.ts';
import { startSample, type RunningServer } from './server.ts';
import { choose, closeBrowser, eventually, openWindow, totalOf } from './window.ts';

let server: RunningServer;

/** As in production, where GraphQL introspection is off: the pages never need it. */
test.before(async () => {
  server = await startSample({ NODE_ENV: 'production' });
});

test.after.always(async () => {
  await closeBrowser();
  await server?.stop();
});

/** What a page shows of its view: the filter, the tab, the number. */
const shown = async (page: Page): Promise<string> => {
  const total = await totalOf(page);
  const chips = await page.locator('.chip').allTextContents();
  const tab = await page.locator('[role=tab][aria-selected=true]').textContent();
  return JSON.stringify({ total, chips, tab, hash: new URL(await addressOf(page)).hash });
};

/** Always the same steps, in an order that no one would think of. */
const stepsOf = (seed: number) => {
  let state = seed;
  return (many: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * many);
  };
};

/** In all; a browser's history keeps 50 of them, so they are walked in rounds. */
const steps = Number(process.env['PORTAL_STEPS'] ?? 8);
const stepsInRound = Math.min(steps, 25);

test('after many steps, back and forward show each page as it was', async (t) => {
  t.timeout(5 * 60_000 * Math.ceil(steps / stepsInRound));
  const { page } = await openWindow(t, `${server.url}/explore`);
  const pick = stepsOf(7);
  for (let round = 0; round < steps / stepsInRound; round += 1) await walk(t, page, pick);
});

/** As the page itself has it; Playwright learns of its steps later. */
const addressOf = (page: Page): Promise<string> => page.evaluate(() => location.href);

/** Some steps, back to the first, forward to the last. */
const walk = async (t: ExecutionContext, page: Page, pick: (many: number) => number): Promise<void> => {
  const seen = [await shown(page)];
  for (let step = 0; step < stepsInRound; step += 1) {
    const before = await addressOf(page);
    const facet = ['Sex', 'Primary site', 'Vital status'][pick(3)]!;
    const values = page.getByRole('region', { name: facet, exact: true }).locator('label.value');
    if (pick(4) === 0) await page.getByRole('tab').nth(pick(2)).click();
    else await values.nth(pick(Math.min(3, await values.count()))).click();
    if ((await addressOf(page)) !== before) seen.push(await shown(page));
  }
  t.true(seen.length > stepsInRound / 2);
  for (const expected of seen.toReversed().slice(1)) {
    await page.goBack();
    await eventually(t, () => shown(page), expected);
  }
  for (const expected of seen.slice(1)) {
    await page.goForward();
    await eventually(t, () => shown(page), expected);
  }
};

test('a link restores the whole page in another window', async (t) => {
  const { page } = await openWindow(t, `${server.url}/explore`);
  await totalOf(page);
  await choose(page, 'Sex', 'Female');
  await page.locator('.chip').waitFor();
  await totalOf(page);
  await page.getByRole('tab', { name: 'Charts' }).click();
  const expected = await shown(page);
  const { page: other } = await openWindow(t, page.url());
  await eventually(t, () => shown(other), expected);
});

test('a filter of 100 000 characters has a short link, which restores it', async (t) => {
  const values = Array.from({ length: 12_000 }, (_, at) => `TOR-${String(at * 7919).padStart(8, '0')}`);
  const view = {
    filters: [{ op: 'in', content: { fieldName: 'donor_id', value: ['LYO00001', ...values] } }],
  } as const;
  const { page } = await openWindow(t, `${server.url}/explore${hashOf(view)}`);
  await eventually(t, () => totalOf(page), '1');
  await page.getByText('and 11,994 more selected').waitFor();
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('button', { name: 'Create a short link' }).click();
  const link = await page.getByRole('textbox', { name: 'Create a short link' }).inputValue();
  t.true(link.length < 100);
  const { page: other } = await openWindow(t, link);
  await eventually(t, () => totalOf(other), '1');
  await other.locator('.chip').waitFor();
  await eventually(t, async () => new URL(await addressOf(other)).hash, new URL(await addressOf(page)).hash);
});

test('a link to a removed page reports it', async (t) => {
  const { page } = await openWindow(t, `${server.url}/explore#v1=broken`);
  await page.getByText('This link is damaged').waitFor();
  await eventually(t, () => totalOf(page), '8,000');
  const named = { sort: [{ fieldName: 'former', order: 'asc' }], nodes: ['lyon', 'paris'] } as const;
  const { page: other } = await openWindow(t, `${server.url}/explore${hashOf(named)}`);
  await other.getByText('This link uses fields that no longer exist: former.').waitFor();
  await other.getByText('This link names institutions that have left: paris.').waitFor();
  await other.getByRole('grid').getByRole('link').first().waitFor();
  t.is(await other.getByRole('alert').count(), 0);
  const { page: nobody } = await openWindow(t, `${server.url}/explore${hashOf({ nodes: ['paris'] })}`);
  await nobody.getByText('No institution selected').waitFor();
});

test('rows are not sorted by a field that an institution writes in its own values, not even by an old link', async (t) => {
  const view = { sort: [{ fieldName: 'sex', order: 'desc' }] } as const;
  const { page } = await openWindow(t, `${server.url}/explore${hashOf(view)}`);
  await page.getByRole('grid').getByRole('link').first().waitFor();
  const header = (name: string) => page.getByRole('columnheader', { name });
  t.is(await header('Age').getAttribute('aria-sort'), 'none');
  t.is(await header('Sex').getAttribute('aria-sort'), null);
  await header('Sex').click();
  t.is(await page.locator('[role=columnheader][aria-sort=ascending]').count(), 0);
  t.is(await page.getByRole('alert').count(), 0);
});

/** Waits until there is more in a page than its frame. */
const drawn = (page: Page): Promise<void> =>
  page
    .locator('main')
    .filter({ hasText: /[^]{50}/ })
    .waitFor();

test('a malformed link gives a page that says so, with the default view', async (t) => {
  const { page } = await openWindow(t, `${server.url}/ping`);
  const malformed = hashOf({ filters: [null] } as unknown as View);
  for (const address of ['explore', '', 'network']) {
    await page.goto(`${server.url}/${address}${malformed}`);
    await page.getByText('This link is damaged').waitFor();
    await drawn(page);
    await eventually(t, () => page.getByText('This link is damaged').count(), 1);
  }
});

test('a link with what this version does not know draws a page nevertheless', async (t) => {
  const unknown = { filters: [{ op: 'weird', content: { fieldName: 'none', value: [1] } }], later: [null] };
  const { page } = await openWindow(t, `${server.url}/ping`);
  for (const address of ['explore', '', 'network', 'record']) {
    await page.goto(`${server.url}/${address}${hashOf(unknown as unknown as View)}`);
    await t.notThrowsAsync(drawn(page), address);
  }
});

test('a record has its own link, without the filter that led to it', async (t) => {
  const filters = [{ op: 'in', content: { fieldName: 'sex', value: ['Female'] } }] as const;
  const { page } = await openWindow(t, `${server.url}/explore${hashOf({ filters })}`);
  await totalOf(page);
  await page.getByRole('grid').getByRole('link').first().click();
  const link = await page.getByRole('textbox', { name: 'Link to this record' }).inputValue();
  const first = await page.locator('h1', { hasText: /[A-Z]{3}\d{5}/ }).textContent();
  await eventually(t, () => page.title(), `${first} · Three Cities Genomics Consortium`);
  // the next one of the list, and back
  await page.getByText(/^1 of [\d,]+$/).waitFor();
  await page.getByRole('link', { name: 'Next' }).click();
  await page.getByText(/^2 of [\d,]+$/).waitFor();
  await page.locator('h1', { hasText: /[A-Z]{3}\d{5}/, hasNotText: first! }).waitFor();
  await page.getByRole('link', { name: 'Previous' }).click();
  await page.locator('h1', { hasText: first! }).waitFor();
  const like = page.locator('dl.facts > div').filter({ hasText: /^Sex/ }).getByRole('link');
  await like.locator('small', { hasText: '3,973' }).waitFor();
  await like.click();
  await eventually(t, () => totalOf(page), '3,973');
  await eventually(t, () => page.title(), 'Sex Female · Three Cities Genomics Consortium');
  await page.goBack();
  await page.locator('h1', { hasText: first! }).waitFor();
  const { page: other } = await openWindow(t, link);
  await other.locator('h1', { hasText: /[A-Z]{3}\d{5}/ }).waitFor();
  t.is(await other.locator('h1').textContent(), first);
  await other.getByRole('link', { name: 'Back to results' }).click();
  await eventually(t, () => totalOf(other), '8,000');
});

test('behind a proxy that strips a prefix, every page works within it', async (t) => {
  const proxy = await openPrefixProxy(server.url, '/search/v2');
  t.teardown(proxy.stop);
  const { page } = await openWindow(t, `${proxy.url}/`);
  await page.locator('.figures .number').first().waitFor();
  await page.getByRole('link', { name: 'Explore', exact: true }).click();
  await eventually(t, () => totalOf(page), '8,000');
  await page.getByRole('link', { name: 'LYO00001' }).click();
  await page.getByRole('heading', { name: 'Record LYO00001' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Record LYO00001' }).waitFor();
  await page.getByRole('link', { name: 'Network' }).click();
  // whether they answer depends on the machine
  await page
    .getByRole('row', { name: /Straits Biobank/ })
    .first()
    .waitFor();
  t.deepEqual(proxy.strays, []);
});

test('with the keyboard alone: from the address to a filter, a tab, a record and back', async (t) => {
  const { page } = await openWindow(t, `${server.url}/explore`);
  await totalOf(page);
  const press = (key: string, times = 1): Promise<void> => repeat(times, () => page.keyboard.press(key));
  await press('Tab');
  await eventually(t, () => page.evaluate(() => document.activeElement?.textContent), 'Skip to content');
  await press('Enter');
  await eventually(t, () => page.evaluate(() => document.activeElement?.id), 'content');
  await tabTo(page, 'input[type=checkbox]');
  await press('Space');
  await page.locator('.chip').waitFor();
  t.not(await totalOf(page), '8,000');
  await tabTo(page, '[role=tab]');
  await press('ArrowRight');
  await page.getByRole('article').first().waitFor();
  await press('ArrowLeft');
  await page.getByRole('grid').getByRole('link').first().waitFor();
  // the rows of the filter have taken the place of the first ones
  await eventually(t, () => page.locator('.stale').count(), 0);
  await tabTo(page, '[role=grid] *, [role=grid]');
  await press('ArrowDown', 2);
  await press('Enter');
  await page.getByRole('heading', { level: 1, name: /^Record / }).waitFor();
  await page.goBack();
  await totalOf(page);
  await eventually(t, () => page.locator('.chip').count(), 1);
});

test('with the keyboard alone: a handle of a range keeps the focus, and no choice is made that is not seen', async (t) => {
  const { page } = await openWindow(t, `${server.url}/explore`);
  await totalOf(page);
  const handle = page.locator('section.facet input[type=range]').first();
  const least = Number(await handle.inputValue());
  await handle.focus();
  for (const step of [1, 2, 3]) {
    await page.keyboard.press('ArrowRight');
    await page.locator('.chip', { hasText: `${least + step} or more` }).waitFor();
  }
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  const box = page.getByRole('combobox', { name: /^Search \d/ });
  await box.fill('female');
  await page.getByRole('listbox').getByRole('option').nth(1).waitFor();
  // too little for suggestions: those of before are gone
  await box.fill('f');
  await page.getByRole('listbox').waitFor({ state: 'detached' });
  await box.press('ArrowDown');
  await box.press('Enter');
  await eventually(t, () => page.locator('.chip').textContent(), /^words\s+“f”/);
});

test('code that cannot be loaded, as after an update of the server, leaves a way out', async (t) => {
  const { page } = await openWindow(t, `${server.url}/explore`);
  await totalOf(page);
  await page.route(/assets\/(compare-page|suggestions)-/, (route) => route.abort());
  const notLoaded = page.getByRole('alert').filter({ hasText: 'could not be loaded' });
  await page.getByRole('link', { name: 'Compare', exact: true }).click();
  await notLoaded.waitFor();
  await page.getByRole('link', { name: 'Explore', exact: true }).click();
  await totalOf(page);
  await page.getByRole('combobox', { name: /^Search \d/ }).fill('female');
  await notLoaded.waitFor();
  await page.unroute(/assets\/(compare-page|suggestions)-/);
  await page.getByRole('button', { name: 'Try again' }).click();
  await totalOf(page);
  await page.getByRole('combobox', { name: /^Search \d/ }).fill('female');
  const options = page.getByRole('listbox').getByRole('option');
  await eventually(t, async () => (await options.count()) > 0, true);
});

test('with the keyboard alone: from the start page to a file of what a filter finds', async (t) => {
  const { page } = await openWindow(t, server.url);
  await page.getByRole('article', { name: 'Experimental strategy' }).waitFor();
  const text = (): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? '');
  // a chart's twin has its values to press
  await tabTo(page, '.chart[aria-label="Experimental strategy"] .more');
  await page.keyboard.press('Enter');
  await page.locator('[role=menuitem]:focus').waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.chart .more:focus').waitFor();
  await tabTo(page, '.chart th button', 'WXS');
  await page.keyboard.press('Enter');
  await page.locator('.chip').waitFor();
  const total = await totalOf(page);
  t.not(total, '8,000');
  // narrowed once more by a value that is searched for
  await tabTo(page, '.facet input[type=search]');
  await page.keyboard.type('colon');
  await page.getByRole('group', { name: 'Primary site' }).getByText('Lung').waitFor({ state: 'detached' });
  await tabTo(page, 'input[type=checkbox]');
  await page.keyboard.press('Space');
  await page.locator('.chip').nth(1).waitFor();
  t.not(await totalOf(page), total);
  await tabBack(page, '.acts button.main');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  for (let presses = 0; presses < 20 && (await text()) !== 'Download'; presses += 1)
    await page.keyboard.press('Tab');
  // it waits until the network has said who will answer
  const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  t.is(await file.failure(), null);
  await page.getByText('Check your downloads').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  // the focus returns in the frame after the dialog has gone
  await page.locator('.acts button.main:focus').waitFor();
  await eventually(t, () => text(), /^\s*Download /);
});

const repeat = async (times: number, act: () => Promise<void>): Promise<void> => {
  for (let at = 0; at < times; at += 1) await act();
};

/** Presses Tab until the focus is on one of these. */
const tabTo = async (page: Page, selector: string, word = '', key = 'Tab'): Promise<void> => {
  for (let presses = 0; presses < 200; presses += 1) {
    await page.keyboard.press(key);
    const there = page.locator(':focus').and(page.locator(selector));
    if ((await there.count()) > 0 && ((await there.textContent()) ?? '').includes(word)) return;
  }
  throw new Error(`${key} never reaches ${selector}`);
};

const tabBack = (page: Page, selector: string, word = ''): Promise<void> =>
  tabTo(page, selector, word, 'Shift+Tab');

test('another source keeps the conditions that it has too, and names those it has not', async (t) => {
  const { page } = await openWindow(t, `${server.url}/explore`);
  await totalOf(page);
  await choose(page, 'Sex', 'Male');
  await choose(page, 'Vital status', 'Alive');
  await page.locator('.chip').nth(1).waitFor();
  await page.getByLabel('Data source').selectOption('lyon');
  await page.getByText('Not available here, so left out: ').waitFor();
  await totalOf(page);
  await eventually(
    t,
    () => page.locator('.note.warn').first().textContent(),
    'Not available here, so left out: Vital status.',
  );
  await eventually(t, () => page.locator('.chip').count(), 1);
  await page.getByRole('region', { name: 'Sex', exact: true }).locator('label.value').first().click();
  await page.locator('.note.warn').waitFor({ state: 'detached' });
});

/** Holds back the page's requests that satisfy a condition, until the function it returns is called. */
const holdBack = async (page: Page, isHeld: (address: string) => boolean): Promise<() => void> => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**', async (route) => {
    if (isHeld(route.request().url())) await released;
    await route.continue().catch(() => undefined);
  });
  return release;
};

test('of two sources that are chosen, the last one is shown, whichever answers first', async (t) => {
  const { page } = await openWindow(t, `${server.url}/explore`);
  await totalOf(page);
  const release = await holdBack(page, (address) => address.includes('/introspection/lyon'));
  const searched = page.getByLabel('Data source');
  await searched.selectOption('lyon');
  await searched.selectOption('toronto');
  await eventually(t, () => searched.inputValue(), 'toronto');
  const late = page.waitForResponse((response) => response.url().includes('/introspection/lyon'));
  release();
  await (await late).finished();
  await choose(page, 'Sex', 'Male');
  await page.locator('.chip').waitFor();
  await totalOf(page);
  t.is(await searched.inputValue(), 'toronto');
});

test('a condition chosen while another source is awaited goes along to it', async (t) => {
  const { page } = await openWindow(t, `${server.url}/explore`);
  await totalOf(page);
  const release = await holdBack(page, (address) => address.includes('/introspection/lyon'));
  const searched = page.getByLabel('Data source');
  await searched.selectOption('lyon');
  await choose(page, 'Sex', 'Male');
  await page.locator('.chip').waitFor();
  release();
  await eventually(t, () => searched.inputValue(), 'lyon');
  t.is(await page.locator('.chip').count(), 1);
});

test('while the next numbers are awaited, the order keeps the new filter, and no old number is taken along', async (t) => {
  const { page } = await openWindow(t, `${server.url}/explore${hashOf({ source: 'toronto' })}`);
  await totalOf(page);
  await page.getByRole('gridcell').first().waitFor();
  const chart = page.locator('.timelinebox');
  const csv = page.getByRole('menuitem', { name: 'Save numbers (CSV)' });
  const isCsvDisabled = async (): Promise<boolean> => {
    await chart.getByRole('button', { name: /: more options$/ }).click();
    const isDisabled = await csv.isDisabled();
    await page.keyboard.press('Escape');
    await csv.waitFor({ state: 'detached' });
    return isDisabled;
  };
  const download = page.getByRole('button', { name: /^Download/ });
  await eventually(t, isCsvDisabled, false);
  await eventually(t, () => download.textContent(), /^ *Download [\d,]+ rows$/);
  const release = await holdBack(page, (address) => address.endsWith('/graphql'));
  await choose(page, 'Sex', 'Male');
  await page.locator('.head.stale').waitFor();
  await eventually(t, isCsvDisabled, true);
  await eventually(t, () => download.textContent(), /^ *Download$/);
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('heading', { name: 'Link to this page' }).waitFor();
  t.is(await page.getByRole('heading', { name: 'Cite' }).count(), 0);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save as cohort' }).click();
  await page.getByRole('textbox', { name: 'Cohort name' }).fill('Men');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Cohort name' }).waitFor({ state: 'detached' });
  t.false(((await page.evaluate(() => localStorage.getItem('tributary.cohorts'))) ?? '').includes('"then"'));
  await page.locator('[role=columnheader][aria-sort]').nth(1).click();
  await page.locator('[role=columnheader][aria-sort=ascending]').waitFor();
  t.is(await page.locator('.chip').count(), 1);
  release();
  await totalOf(page);
  t.is(await page.locator('.chip').count(), 1);
});
