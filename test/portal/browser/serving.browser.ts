import test from 'ava';
import type { Page, Route } from 'playwright-core';
import { hashOf } from '../../../portal/src/state/link.ts';
import { startSample, type RunningServer } from './server.ts';
import { choose, closeBrowser, eventually, openWindow, totalOf } from './window.ts';

let server: RunningServer;

test.before(async () => {
  server = await startSample();
});

test.after.always(async () => {
  await closeBrowser();
  await server?.stop();
});

test('Explore shows the whole sample consortium, within its policy, and a facet narrows it as the API does', async (t) => {
  const { page } = await openWindow(t, `${server.url}/explore`);
  await eventually(t, () => totalOf(page), '8,000');
  await eventually(t, () => page.locator('.head p').first().textContent(), 'donors from all 3 institutions');
  await choose(page, 'Primary site', 'Breast');
  await page.waitForFunction(() => document.querySelector('.head .number')?.textContent !== '8,000');
  const shown = await totalOf(page);
  const answer = await fetch(`${server.url}/network/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query:
        '{ network(filters: {op: "in", content: {fieldName: "primary_site", value: ["Breast"]}}) { total } }',
    }),
  });
  const { data } = (await answer.json()) as { data: { network: { total: number } } };
  t.is(shown, new Intl.NumberFormat('en-GB').format(data.network.total));
  t.true(data.network.total > 0);
});

test('an institution without a matching record has its zero, and no stretch of the strip', async (t) => {
  const filters = [{ op: 'in' as const, content: { fieldName: 'donor_id', value: ['LYO00001'] } }];
  const { page } = await openWindow(t, `${server.url}/explore${hashOf({ filters })}`);
  await eventually(t, () => totalOf(page), '1');
  await eventually(t, () => page.locator('.strip > span').count(), 1);
  await eventually(t, () => page.locator('.key li').allTextContents(), [
    'Lakeshore Hospital, Toronto0',
    'Confluence Sequencing Centre, Lyon1',
    'Straits Biobank, Singapore0',
  ]);
});

test('however far down a facet is, the total that it changes stays in sight', async (t) => {
  const { page } = await openWindow(t, `${server.url}/explore`);
  await totalOf(page);
  t.is(await page.getByRole('button', { name: 'Filters' }).count(), 0);
  await choose(page, 'Experimental strategy', 'WGS');
  await page.locator('.chip').waitFor();
  t.not(await totalOf(page), '8,000');
  // once the page has settled below the chip
  const isInSight = async (): Promise<boolean> => {
    const { y = -1, height = 0 } = (await page.getByTestId('total').boundingBox()) ?? {};
    return y >= 0 && y + height <= 1000;
  };
  await eventually(t, isInSight, true);
});

test('two ticks within one nested list find records where one entry has both, as the facet counts them', async (t) => {
  const view = { opened: ['specimens.preservation'] };
  const { page } = await openWindow(t, `${server.url}/explore${hashOf(view)}`);
  await totalOf(page);
  await choose(page, 'Specimen type', 'Metastasis');
  await page.locator('.chip').waitFor();
  await eventually(t, () => totalOf(page), '398');
  const ffpe = page
    .getByRole('region', { name: 'Preservation', exact: true })
    .locator('label.value', { has: page.getByText('FFPE', { exact: true }) });
  const counted = (await ffpe.textContent())?.match(/\d+/)?.[0] ?? '';
  await ffpe.click();
  await page.locator('.chip').nth(1).waitFor();
  await eventually(t, () => totalOf(page), counted);
  const chip = page.getByRole('group', { name: 'Specimen with' });
  await eventually(
    t,
    async () => (await chip.innerText()).replace(/\s+/g, ' ').trim(),
    'Specimen with type Metastasis and preservation FFPE',
  );
  await chip.getByRole('button', { name: 'Edit Specimen with' }).click();
  await page.getByRole('button', { name: 'on any specimen' }).click();
  await page.getByRole('button', { name: 'Edit type Metastasis (on any specimen)' }).waitFor();
  const apart = await totalOf(page);
  t.true(Number(apart) > Number(counted), `${apart} donors, ${counted} with both on one specimen`);
  await page.getByRole('button', { name: 'Edit type Metastasis (on any specimen)' }).click();
  await page.getByRole('button', { name: 'On the same specimen' }).click();
  await chip.waitFor();
  await eventually(t, () => totalOf(page), counted);
});

test('on a telephone the facets are a sheet that says what it leaves, below one line of the page', async (t) => {
  const { page } = await openWindow(t, `${server.url}/explore`, { viewport: { width: 390, height: 700 } });
  await totalOf(page);
  const { height = 0 } = (await page.getByRole('banner').boundingBox()) ?? {};
  t.true(height < 64, `${height}`);
  const { x = 0, width = 390 } = (await page.getByRole('button', { name: /^Download/ }).boundingBox()) ?? {};
  t.true(x + width <= 390, `${x} + ${width}`);
  await page.getByRole('button', { name: 'Filters' }).click();
  const sheet = page.getByRole('dialog', { name: 'Filters' });
  await sheet.waitFor();
  // sliders and trees are loaded with it
  await totalOf(page);
  await choose(page, 'Primary site', 'Breast');
  const show = sheet.locator('.sheet-foot:not(.stale)').getByRole('button', { name: /^Show (?!8,000)/ });
  await show.waitFor();
  const total = await totalOf(page);
  await show.filter({ hasText: `Show ${total} donors` }).click();
  await sheet.waitFor({ state: 'detached' });
  t.is(await totalOf(page), total);
  await page.getByText('Menu', { exact: true }).click();
  await page.getByRole('banner').getByRole('link', { name: 'Help' }).waitFor();
});

test('by keyboard it is at most twelve tabs to the table, and one through a facet', async (t) => {
  const { page } = await openWindow(t, `${server.url}/explore`);
  await totalOf(page);
  await page.getByRole('gridcell').first().waitFor();
  const isAt = (selector: string): Promise<boolean> =>
    page.evaluate((wanted) => document.activeElement?.closest(wanted) !== null, selector);
  let tabs = 0;
  const tab = async (): Promise<void> => {
    await page.keyboard.press('Tab');
    tabs += 1;
  };
  while (!(await isAt('[href="#results"]')) && tabs < 20) await tab();
  await page.keyboard.press('Enter');
  while (!(await isAt('[role=grid]')) && tabs < 20) await tab();
  t.true(tabs <= 12, `${tabs}`);
  const boxes = page.getByRole('region', { name: 'Primary site', exact: true }).getByRole('checkbox');
  await boxes.first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await eventually(t, () => boxes.nth(2).evaluate((box) => box === document.activeElement), true);
  await page.keyboard.press('Tab');
  await eventually(t, () => isAt('input.tick'), false);
});

test('institutions are a facet: two of three are ticked, the third keeps its number', async (t) => {
  const { page } = await openWindow(t, `${server.url}/explore`);
  await totalOf(page);
  const rows = page.getByRole('region', { name: 'Institution', exact: true }).locator('label.value');
  await eventually(t, () => rows.locator('em').allTextContents(), ['4,000', '2,500', '1,500']);
  await choose(page, 'Institution', 'Lakeshore Hospital, Toronto');
  await page.locator('.head .number', { hasText: /^4,000$/ }).waitFor();
  await choose(page, 'Institution', 'Straits Biobank, Singapore');
  await page.locator('.head .number', { hasText: /^5,500$/ }).waitFor();
  await rows.filter({ hasText: 'Lyon' }).getByText('2,500').waitFor();
  const chip = page.locator('.sentence .chip');
  await eventually(
    t,
    async () => (await chip.innerText()).trim(),
    'Institution Lakeshore Hospital, Toronto or Straits Biobank, Singapore',
  );
  await chip.getByRole('button').click();
  await page.locator('.head .number', { hasText: /^8,000$/ }).waitFor();
});

test('numbers in lists are written as the language does', async (t) => {
  const view = { record: { id: 'LYO00001', nodeId: 'lyon' } };
  const { page } = await openWindow(t, `${server.url}/record?lang=fr${hashOf(view)}`);
  const purity = page.locator('dl.facts > div').filter({ hasText: /^Pureté/ });
  await purity.locator('.fact').nth(1).waitFor();
  await eventually(
    t,
    async () => (await purity.locator('.fact').allInnerTexts()).map((text) => text.split(/\s/)[0]),
    ['62,7', '96,3'],
  );
});

test('the first query is sent before the drawing code is loaded', async (t) => {
  const { page } = await openWindow(t, `${server.url}/ping`);
  let draw = (): void => undefined;
  const mayDraw = new Promise<void>((resolve) => (draw = resolve));
  await page.route(/\/draw-[^/]+\.js$/, async (route) => {
    await mayDraw;
    await route.continue();
  });
  const questions: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/network(\/|$)/.test(pathname)) questions.push(`${pathname} ${request.postData() ?? ''}`);
  });
  const requests = page.waitForRequest((request) => /bucket_count/.test(request.postData() ?? ''));
  await page.goto(`${server.url}/explore`, { waitUntil: 'commit' });
  t.regex((await requests).url(), /\/network\/graphql$/);
  await eventually(t, () => page.locator('#portal').textContent(), '');
  draw();
  await eventually(t, () => totalOf(page), '8,000');
  t.deepEqual(questions, [...new Set(questions)]);
});

test('the head of each page names every script that it loads at first', async (t) => {
  const { page } = await openWindow(t, `${server.url}/ping`);
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  for (const path of ['', 'explore', 'record', 'network', 'docs']) {
    loaded.length = 0;
    await page.goto(`${server.url}/${path}`);
    await page.locator('main h1').first().waitFor({ state: 'attached' });
    const named = await page
      .locator('link[rel=modulepreload], script[type=module]')
      .evaluateAll((all) => all.map((each) => each.getAttribute('href') ?? each.getAttribute('src') ?? ''));
    const scripts = named.map((name) => new URL(name, `${server.url}/`).pathname);
    t.true(scripts.length > 3);
    const pageLoads = () =>
      loaded.filter((each) => /-page-|\/(draw|index)-/.test(each) && each.endsWith('.js'));
    await eventually(t, async () => pageLoads().length > 2, true, path);
    t.deepEqual(
      pageLoads().filter((each) => !scripts.includes(each)),
      [],
      path,
    );
    for (const each of scripts) t.is((await fetch(server.url + each)).status, 200, each);
  }
});

test('all of the first load is at most 200 kB in brotli, its largest file 180', async (t) => {
  const { page } = await openWindow(t, `${server.url}/ping`);
  const loaded = await loadedUntilCounts(page, () => page.goto(`${server.url}/explore`));
  const bytes = loaded.reduce((sum, { size }) => sum + size, 0);
  t.log(`first load: ${bytes} bytes in ${loaded.length} answers`);
  const report = loaded.map(({ size, question }) => `${size} ${question.slice(0, 160)}`).join('\n');
  t.true(bytes <= 200_000, report);
  t.true(Math.max(...loaded.map(({ size }) => size)) <= 180_000, report);
});

interface Answer {
  readonly question: string;
  readonly size: number;
}

/**
 * What a page loads until it shows its first counts: all that it loads while these are held back, and then these. So neither
 * a busy machine nor the order of answers is in it.
 */
const loadedUntilCounts = async (page: Page, open: () => Promise<unknown>): Promise<Answer[]> => {
  const session = await page.context().newCDPSession(page);
  const pending = new Map<string, string>();
  const loaded: Answer[] = [];
  session.on('Network.requestWillBeSent', ({ requestId, request }) =>
    pending.set(requestId, `${request.url} ${request.postData ?? ''}`),
  );
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const question = pending.get(requestId);
    if (pending.delete(requestId)) loaded.push({ question: question!, size: encodedDataLength });
  });
  await session.send('Network.enable');
  const held: Route[] = [];
  await page.route('**/network/graphql', (route) =>
    /bucket_count|[^_]histogram\(/.test(route.request().postData() ?? '')
      ? void held.push(route)
      : route.continue(),
  );
  await open();
  await page.locator('.facet .awaited').first().waitFor();
  // one for the values, one for the ranges; later both are asked of the institutions that are fast
  while (held.length < 2 || pending.size > held.length) await page.waitForTimeout(50);
  const before = [...loaded];
  const isOfCounts = (route: Route): boolean => route.request().postData()!.includes('bucket_count');
  const counts = held.find((route) => isOfCounts(route) && !route.request().postData()!.includes('waitFor'))!;
  const response = await counts.fetch();
  await counts.fulfill({ response });
  await page.locator('.head:not(.stale) .number').filter({ hasText: /\d/ }).waitFor();
  const size = (await response.body()).length + JSON.stringify(response.headersArray()).length;
  return [...before, { question: 'the counts', size }];
};

test('a server that is busy is asked again, and after two seconds the page says so', async (t) => {
  const { page } = await openWindow(t, `${server.url}/ping`);
  let isFree = false;
  await page.route('**/network/graphql', (route) =>
    isFree ? route.continue() : route.fulfill({ status: 503, headers: { 'retry-after': '3' } }),
  );
  await page.goto(`${server.url}/explore`);
  await page.getByText('The server is busy. Trying again').waitFor();
  isFree = true;
  await eventually(t, () => totalOf(page), '8,000');
  await page.getByText('The server is busy. Trying again').waitFor({ state: 'detached' });
  t.is(await page.getByRole('alert').count(), 0);
});

test('a question that costs too much is called that, in the language of the page', async (t) => {
  const { page } = await openWindow(t, `${server.url}/ping`);
  const details = { cost: 9_000, maxCost: 2_000 };
  const errors = [{ message: 'about 5 would fit', extensions: { code: 'BAD_USER_INPUT', details } }];
  await page.route('**/network/graphql', async (route) => {
    const isNumbers = /bucket_count/.test(route.request().postData() ?? '');
    await (isNumbers ? route.fulfill({ json: { data: null, errors } }) : route.continue());
  });
  await page.goto(`${server.url}/explore?lang=de`);
  const alert = page.getByRole('alert').first();
  await alert.waitFor();
  const text = await alert.innerText();
  t.regex(text, /^Diese Suche ist etwa 4,5-mal so groß, wie der Server zulässt\./);
  t.regex(text, /about 5 would fit/);
});
