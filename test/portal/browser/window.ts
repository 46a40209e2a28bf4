import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';
import type { ExecutionContext } from 'ava';
import { chromium, type Browser, type BrowserContextOptions, type Locator, type Page } from 'playwright-core';

const defaultPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

let browser: Promise<Browser> | undefined;

/** Debian's Chromium, or the one that CHROMIUM_PATH names; one for each test file. @param flags beside those it needs */
export const theBrowser = (flags: readonly string[] = []): Promise<Browser> => {
  const executablePath = process.env['CHROMIUM_PATH'] ?? defaultPaths.find((path) => existsSync(path));
  if (executablePath === undefined)
    throw new Error('no Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH');
  const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', ...flags];
  browser ??= chromium.launch({ executablePath, args });
  return browser;
};

export const closeBrowser = async (): Promise<void> => (await browser)?.close();

export interface Window {
  readonly page: Page;
  /** Of other addresses than the page's own, or refused by its policy. */
  readonly violations: readonly string[];
}

/** Pages whose tests have ended: loaded once more, one takes two thirds of the time of a page in a new window. */
const idle: { readonly page: Page; readonly options: BrowserContextOptions }[] = [];

const pageOf = async (options: BrowserContextOptions): Promise<Page> => {
  const at = idle.findIndex((each) => isDeepStrictEqual(each.options, options));
  if (at >= 0) return idle.splice(at, 1)[0]!.page;
  // no page lives long enough for optimized code to pay
  const context = await (await theBrowser(['--js-flags=--no-opt --no-maglev'])).newContext(options);
  const page = await context.newPage();
  // a busy machine may take minutes; only what fails waits so long
  page.setDefaultTimeout(180_000);
  return page;
};

/** Makes a page as good as new: nobody listens, nothing is held back or kept, no pointer is over it. */
const reset = async (page: Page, origin: string): Promise<true> => {
  for (const event of ['request', 'console', 'pageerror']) page.removeAllListeners(event);
  await page.unrouteAll();
  await page.context().unrouteAll();
  await page.context().clearCookies();
  await page.mouse.move(-1, -1);
  await page.goto(`${origin}/ping`);
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  return true;
};

/**
 * A page in a window that remembers nothing. The test fails when the page breaks its content security policy, throws,
 * or requests another host.
 * @param others origins that it may request too, whose own pages are not looked at
 */
export const openWindow = async (
  t: ExecutionContext,
  url: string,
  options: BrowserContextOptions = {},
  others: readonly string[] = [],
): Promise<Window> => {
  const whole = { viewport: { width: 1440, height: 1000 }, locale: 'en-GB', timezoneId: 'UTC', ...options };
  const page = await pageOf(whole);
  const violations: string[] = [];
  const { origin } = new URL(url);
  const isKnown = (requested: string): boolean =>
    [origin, ...others].some((known) => requested.startsWith(known)) || /^(blob|data):/.test(requested);
  const isOwn = (): boolean => page.url().startsWith(origin);
  page.on('request', (request) => {
    if (isOwn() && !isKnown(request.url())) violations.push(`requested ${request.url()}`);
  });
  // whatever others' pages want from elsewhere
  if (others.length > 0)
    await page.context().route(
      (url) => !isKnown(url.href),
      (route) => route.abort(),
    );
  page.on('console', (message) => {
    if (isOwn() && /Content Security Policy|CORS/i.test(message.text())) violations.push(message.text());
  });
  page.on('pageerror', (error) => violations.push(String(error)));
  t.teardown(async () => {
    const isReset = t.passed && (await reset(page, origin).catch(() => false));
    if (isReset) idle.push({ page, options: whole });
    else await page.context().close();
    if (violations.length > 0) throw new Error(`the page broke its rules: ${violations.join('; ')}`);
  });
  await page.goto(url);
  return { page, violations };
};

/** A busy machine may take long to draw what follows a click; only what fails waits so long. */
const patienceMs = 60_000;

/** Reads again and again until the value is the expected one, or matches, and asserts the last value. */
export const eventually = async <Value>(
  t: ExecutionContext,
  read: () => Promise<Value>,
  expected: NoInfer<Value> | RegExp,
  message?: string,
): Promise<void> => {
  const isExpected = (value: Value): boolean =>
    expected instanceof RegExp ? expected.test(String(value)) : isDeepStrictEqual(value, expected);
  const endMs = Date.now() + patienceMs;
  let value = await read();
  while (!isExpected(value) && Date.now() < endMs) {
    await new Promise((done) => setTimeout(done, 100));
    value = await read();
  }
  if (expected instanceof RegExp) t.regex(String(value), expected, message);
  else t.deepEqual(value, expected as Value, message);
};

/** Chooses a value of a facet, as somebody with a mouse does. */
export const choose = (page: Page, facet: string, value: string): Promise<void> =>
  page
    .getByRole('region', { name: facet, exact: true })
    .locator('label.value', { has: page.getByText(value, { exact: true }) })
    .click();

/** Chooses from the menu of a chart. */
export const chooseIn = async (page: Page, chart: Locator, item: string): Promise<void> => {
  await chart.getByRole('button', { name: /: more options$/ }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
};

/**
 * The headline's number, once it is there, no longer that of the question before, and has grown whole; the facets beside it
 * are there too.
 */
export const totalOf = async (page: Page): Promise<string> => {
  await page.locator('.head:not(.stale):not(.grows) .number').waitFor();
  await page.locator('.facet .awaited').first().waitFor({ state: 'detached' });
  return (await page.locator('.head .number').textContent()) ?? '';
};

/** The number of pages of a PDF. */
export const sheetsOf = (pdf: Buffer): number =>
  pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

interface Found {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

const levels = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Nothing that axe-core finds on the page as it is, WCAG 2.2 AA; the window was opened with `bypassCSP`.
 * @param rules axe's names of the only ones to check, or the tags of those
 */
export const expectAccessible = async (
  t: ExecutionContext,
  page: Page,
  what: string,
  rules: readonly string[] = levels,
): Promise<void> => {
  if (!(await page.evaluate(() => 'axe' in globalThis)))
    await page.addScriptTag({ path: axe }).catch(() => page.evaluate(() => undefined));
  const found = await page.evaluate(async (runOnly) => {
    const { axe: checker } = globalThis as unknown as {
      axe: { run: (options: object) => Promise<{ violations: unknown[] }> };
    };
    return (await checker.run({ runOnly })).violations;
  }, rules);
  t.deepEqual(
    (found as Found[]).map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map((node) => `${node.html.slice(0, 160)} ${node.failureSummary}`)
          .join(' | ')}`,
    ),
    [],
    what,
  );
};
