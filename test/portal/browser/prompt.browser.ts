import test from 'ava';
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

/** The script that reports where numbers begin and end. */
const asksExtents = (body: string): boolean =>
  body.includes('stats { min max }') && !body.includes('histogram');

test('the first counts do not wait for where histograms begin', async (t) => {
  const { page } = await openWindow(t, `${server.url}/ping`);
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/network/graphql', async (route) => {
    if (asksExtents(route.request().postData() ?? '')) await released;
    await route.continue();
  });
  await page.goto(`${server.url}/explore`);
  await page.locator('.head .number', { hasText: '8,000' }).waitFor();
  const [sex, age] = ['Sex', 'Age'].map((name) => page.getByRole('region', { name, exact: true }));
  await sex!.locator('label.value').first().waitFor();
  await eventually(t, () => age!.getByText('Loading').count(), 1);
  release();
  await age!.locator('svg.drawing').waitFor();
  await eventually(t, () => page.locator('.facet').getByText('Loading').count(), 0);
  await eventually(t, () => page.locator('.head .number').textContent(), '8,000');
});

test('on the start page charts of numbers are announced until they are there', async (t) => {
  const { page } = await openWindow(t, `${server.url}/ping`);
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/network/graphql', async (route) => {
    if (asksExtents(route.request().postData() ?? '')) await released;
    await route.continue();
  });
  await page.goto(server.url);
  await page.getByRole('article').locator('svg.drawing').first().waitFor();
  const names = () => page.getByRole('article').evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel));
  const age = page.getByRole('article', { name: /^Age/ });
  await age.getByText('Loading').waitFor();
  const before = await names();
  release();
  await age.locator('svg.drawing').waitFor();
  await eventually(t, names, before);
});

test('a click sends its query before the page is drawn anew', async (t) => {
  const { page } = await openWindow(t, `${server.url}/explore`);
  await totalOf(page);
  await page.evaluate(watchAsking);
  await choose(page, 'Sex', 'Female');
  await page.locator('.chip').waitFor();
  await eventually(t, () => page.evaluate('globalThis.chipsWhenAsked'), [0]);
});

/** Runs in the page: how many conditions the page shows when it requests counts. */
const watchAsking = `
  const { fetch } = globalThis;
  globalThis.chipsWhenAsked = [];
  globalThis.fetch = (...params) => {
    const { body = '' } = params[1] ?? {};
    // on a busy machine nodes may be slow, and are asked for a first answer too
    if (body.includes('bucket_count') && !body.includes('waitFor')) globalThis.chipsWhenAsked.push(document.querySelectorAll('.chip').length);
    return fetch(...params);
  };
`;

test('a value chosen by mouse is one click, and has the focus', async (t) => {
  const { page } = await openWindow(t, `${server.url}/explore`);
  await totalOf(page);
  await page.evaluate(watchClicks);
  await choose(page, 'Sex', 'Female');
  await page.locator('.chip').waitFor();
  await eventually(t, () => page.evaluate('globalThis.clicks'), ['mouse']);
  await eventually(
    t,
    () => page.getByRole('checkbox', { name: /^Female/ }).evaluate((box) => box === document.activeElement),
    true,
  );
  await page.keyboard.press('Space');
  await page.locator('.chip').waitFor({ state: 'detached' });
  await eventually(t, () => totalOf(page), '8,000');
});

/** Runs in the page: by what each click was made; a browser's own have no pointer. */
const watchClicks = `
  globalThis.clicks = [];
  addEventListener('click', ({ pointerType }) => globalThis.clicks.push(pointerType), { capture: true });
`;

const nodes = Array.from({ length: 1_000 }, (_, place) => ({
  nodeId: `n${place}`,
  name: `Hospital ${place}`,
  kind: 'remote',
  state: place % 100 === 99 ? 'failing' : 'ok',
  since: '2026-01-01T00:00:00.000Z',
  lastError: null,
  lastAnswer: null,
  requests: place,
  failures: 0,
  latencyMs: null,
  warnings: [],
}));
const fields = Array.from({ length: 120 }, (_, place) => ({
  path: `field_${place}`,
  type: 'keyword',
  nodes: [],
  counts: { covered: 900, missing: 80, conflict: 0, unknown: 20 },
}));
const body = { name: 'Many', ready: true, partial: false, summarised: true, nodes, fields, warnings: [] };

test('with a thousand institutions the page counts states, shows some, and finds others by name', async (t) => {
  const { page } = await openWindow(t, `${server.url}/docs`);
  await page.route(
    ({ pathname }) => pathname === '/network',
    (route) =>
      route.request().resourceType() === 'document' ? route.continue() : route.fulfill({ json: body }),
  );
  await page.goto(`${server.url}/network`);
  const table = page.getByRole('region', { name: 'Institutions' });
  await table.getByRole('row').nth(1).waitFor();
  await eventually(t, () => page.getByText('990 answering · 10 last request failed').isVisible(), true);
  await eventually(t, () => table.getByRole('row').count(), 51);
  await eventually(t, () => table.getByRole('row').nth(1).textContent(), /Hospital 99/);
  await page.getByRole('button', { name: '950 more' }).click();
  await eventually(t, () => table.getByRole('row').count(), 101);
  await page.getByRole('searchbox', { name: 'Find an institution' }).fill('hospital 77');
  await table.getByText('Hospital 777').waitFor();
  // itself, and 770 to 779
  await eventually(t, () => table.getByRole('row').count(), 12);
  await page.getByText('For administrators').click();
  const matrix = page.getByRole('region', { name: 'Field mappings' });
  await eventually(t, () => matrix.getByRole('columnheader').count(), 6);
  await eventually(t, () => matrix.getByRole('row').count(), 121);
  await eventually(t, () => matrix.getByRole('row').nth(1).getByRole('cell').allTextContents(), [
    '900',
    '0',
    '80',
    '20',
    '',
  ]);
});
