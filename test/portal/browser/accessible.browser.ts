import test, { type ExecutionContext } from 'ava';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { de } from '../../../portal/src/i18n/de.ts';
import { en, type Messages } from '../../../portal/src/i18n/en.ts';
import { fr } from '../../../portal/src/i18n/fr.ts';
import { hashOf } from '../../../portal/src/state/link.ts';
import { startSample, type RunningServer } from './server.ts';
import { closeBrowser, eventually, expectAccessible, openWindow, totalOf } from './window.ts';

let server: RunningServer;

test.before(async () => {
  server = await startSample();
});

test.after.always(async () => {
  await closeBrowser();
  await server?.stop();
});

/** Only contrasts depend on the theme. */
const expectInBothThemes: typeof expectAccessible = async (t, page, what) => {
  await expectAccessible(t, page, what);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(t, page, `${what}, dark`, ['color-contrast', 'link-in-text-block']);
  await page.emulateMedia({ colorScheme: 'light' });
};

/** Each page with its numbers there. */
const arrivals: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  '': (page) => page.locator('.figures .number').first().waitFor(),
  network: async (page) => {
    await page.locator('table').first().waitFor();
    await page.locator('main summary').click();
  },
  docs: (page) => page.locator('article h2').first().waitFor(),
  explore: totalOf,
};

const texts = { en, fr, de } as const;

/** Opens each dialog and tab in turn, and a record at the end; whatever the language, by the words of the page. */
const visitEverything = async (
  t: ExecutionContext,
  page: Page,
  words: Messages,
  expect: typeof expectAccessible,
): Promise<void> => {
  const dialogOf = async (opener: Locator, what: string): Promise<void> => {
    await opener.click();
    await page.getByRole('dialog').waitFor();
    await expect(t, page, what);
  };
  const close = async (): Promise<void> => {
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  /** What the header has no room for. */
  const openMenu = async (): Promise<void> => {
    const menu = page.locator('details.menu:not([open]) > summary');
    if (await menu.isVisible()) await menu.click();
  };
  await dialogOf(page.getByRole('button', { name: words.share, exact: true }), 'the share dialog');
  await close();
  await dialogOf(page.locator('.acts button.main'), 'the download dialog');
  await close();
  await page.getByRole('grid').waitFor();
  await dialogOf(page.getByRole('button', { name: words.columns, exact: true }), 'the columns');
  await close();
  await dialogOf(page.locator('.chip button').first(), 'the editor of a condition');
  await close();
  await dialogOf(page.getByRole('button', { name: words.saveCohort, exact: true }), 'the cohort dialog');
  await page.getByRole('dialog').getByRole('button', { name: words.saveCohort, exact: true }).click();
  await page.getByRole('tab', { name: words.charts }).click();
  await page.getByRole('article').first().waitFor();
  await expect(t, page, 'the charts');
  const menu = page.locator('.chart .more').first();
  await menu.click();
  await page.getByRole('menuitem').first().waitFor();
  await expect(t, page, 'the menu of a chart');
  await page.getByRole('menuitem', { name: words.asTable, exact: true }).click();
  await expect(t, page, 'a chart as a table');
  await openMenu();
  await dialogOf(page.getByRole('button', { name: words.myCohorts }), 'the drawer of cohorts');
  await close();
  await openMenu();
  await page.getByRole('link', { name: words.compare, exact: true }).click();
  await page.getByRole('list', { name: words.cohorts }).waitFor();
  await expect(t, page, 'the comparison');
  await openMenu();
  await page.getByRole('link', { name: words.pages.explore, exact: true }).click();
  await page.getByRole('tab', { name: words.table }).click();
  await page.getByRole('grid').getByRole('link').first().click();
  await page.locator('h1', { hasText: /[A-Z]{3}\d{5}/ }).waitFor();
  await expect(t, page, 'a record');
};

/** Opens each page, and on Explore, with a filter, all that opens there. */
const visitPages = async (
  t: ExecutionContext,
  language: 'en' | 'fr' | 'de' | 'ar',
  options: BrowserContextOptions,
  expect: typeof expectAccessible,
): Promise<void> => {
  const { page } = await openWindow(t, `${server.url}/ping`, options);
  for (const [path, arrive] of Object.entries(arrivals)) {
    const filters = [
      { op: 'in', content: { fieldName: 'primary_site', value: ['Breast', 'Bronchus and lung'] } },
      { op: 'between', content: { fieldName: 'age', value: [40, 70] } },
    ] as const;
    const hash = path === 'explore' ? hashOf({ filters }) : '';
    await page.goto(`${server.url}/${path}?lang=${language}${hash}`);
    await arrive(page);
    await expect(t, page, `/${path}`);
  }
  await visitEverything(t, page, language === 'ar' ? en : texts[language], expect);
};

// French is checked on a telephone, below
for (const language of process.env['ACCESSIBLE'] === 'all'
  ? (['en', 'fr', 'de'] as const)
  : (['en'] as const))
  test(`pages, dialogs, tabs and a record are accessible in both themes in ${language}`, (t) =>
    visitPages(t, language, { bypassCSP: true }, expectInBothThemes));

test('an error is accessible in both themes', async (t) => {
  const { page } = await openWindow(t, `${server.url}/ping`, { bypassCSP: true });
  await page.route('**/network/graphql', (route) =>
    (route.request().postData() ?? '').includes('configs')
      ? route.continue()
      : route.fulfill({ status: 503, body: '{}' }),
  );
  await page.goto(`${server.url}/explore`);
  await page.getByRole('alert').waitFor();
  await eventually(t, () => page.locator('.facet').getByText('Loading').count(), 0);
  await expectInBothThemes(t, page, 'an error');
});

test('the filter with brackets, and the editors of its parts, are accessible', async (t) => {
  const sex = { op: 'in', content: { fieldName: 'sex', value: ['Female'] } } as const;
  const old = { op: 'gte', content: { fieldName: 'age', value: 60 } } as const;
  const view = { filters: [sex, old, { op: 'or', content: [sex, old] }] } as const;
  const { page } = await openWindow(t, `${server.url}/explore${hashOf(view)}`, { bypassCSP: true });
  await totalOf(page);
  await expectAccessible(t, page, 'brackets');
  for (const part of [/^Edit Sex Female$/, /^Edit Age/, /^Edit Sex Female or/]) {
    await page.getByRole('button', { name: part }).first().click();
    await page.getByRole('dialog').waitFor();
    await expectAccessible(t, page, String(part));
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
});

test('suggestions, a tree of terms and conditions of one object are accessible', async (t) => {
  const on = (fieldName: string, value: string) =>
    ({ op: 'in', content: { fieldName, value: [value] } }) as const;
  const view = {
    source: 'toronto',
    opened: ['diagnosis_code'],
    filters: [on('specimens.specimen_type', 'Tumour'), on('specimens.preservation', 'FFPE')],
  } as const;
  const { page } = await openWindow(t, `${server.url}/explore${hashOf(view)}`, { bypassCSP: true });
  await totalOf(page);
  await page.getByRole('tree').getByRole('treeitem').nth(1).waitFor();
  await page.getByRole('combobox', { name: /^Search \d/ }).fill('can');
  await page.getByRole('option').nth(2).waitFor();
  await expectAccessible(t, page, 'suggestions');
});

const narrow = { viewport: { width: 320, height: 640 } } as const;

/** What reaches beyond the page; boxes that scroll by themselves may hold more than they show. */
const expectNarrow = async (t: ExecutionContext, page: Page, what: string): Promise<void> => {
  const wider = await page.evaluate(() => {
    const scrolls = (node: Element | null): boolean =>
      node !== null &&
      node !== document.body &&
      (getComputedStyle(node).overflowX !== 'visible' || scrolls(node.parentElement));
    const isBeyond = (node: Element): boolean => {
      const { left, right, width } = node.getBoundingClientRect();
      return width > 1 && (left < -1 || right > window.innerWidth + 1);
    };
    const { scrollWidth } = document.documentElement;
    const found = [...document.body.querySelectorAll('*')].filter(
      (node) => isBeyond(node) && !scrolls(node.parentElement),
    );
    return [
      ...(scrollWidth > window.innerWidth ? [`${scrollWidth} px`] : []),
      ...found.map((node) => node.outerHTML.slice(0, 120)),
    ];
  });
  t.deepEqual(wider, [], what);
};

const expectNarrowAndAccessible: typeof expectAccessible = async (t, page, what) => {
  await expectNarrow(t, page, what);
  await expectAccessible(t, page, what);
};

for (const language of ['en', 'fr', 'de', 'ar'] as const)
  test(`at 320 px nothing is wider than the page in ${language}`, (t) =>
    language === 'fr'
      ? visitPages(t, language, { ...narrow, bypassCSP: true }, expectNarrowAndAccessible)
      : visitPages(t, language, narrow, expectNarrow));

test('at 320 px two cohorts are seen side by side, without scrolling', async (t) => {
  const women = { op: 'in', content: { fieldName: 'sex', value: ['Female'] } } as const;
  const cohorts = [
    { name: 'Everyone', filter: null },
    { name: 'Women of all ages', filter: women },
  ];
  const { page } = await openWindow(t, `${server.url}/explore${hashOf({ tab: 'compare', cohorts })}`, narrow);
  const table = page.getByRole('article', { name: 'Vital status' }).locator('.tablebox');
  await table.getByText(/\d%/).first().waitFor();
  await eventually(t, () => table.evaluate((box) => box.scrollWidth <= box.clientWidth), true);
  // with more cohorts too, the bars of all are on one scale, however long their names are
  const three = { tab: 'compare', cohorts: [...cohorts, { name: 'W', filter: women }] } as const;
  await page.goto(`${server.url}/ping`);
  await page.goto(`${server.url}/explore${hashOf(three)}`);
  await table.locator('thead th').nth(4).waitFor();
  const widths = () =>
    table
      .locator('tbody tr')
      .first()
      .locator('.value-share')
      .evaluateAll((bars) => bars.map((bar) => Math.round(bar.getBoundingClientRect().width)));
  await table.getByText(/\d%/).first().waitFor();
  const [first = 0, ...others] = await widths();
  t.true(first > 0);
  t.deepEqual([others.length, others.filter((width) => Math.abs(width - first) > 1)], [2, []]);
});

test('right to left, the facets stand on the right', async (t) => {
  const { page } = await openWindow(t, `${server.url}/explore?lang=ar`);
  await totalOf(page);
  const facets = await page.getByRole('complementary', { name: 'Filters' }).boundingBox();
  t.true((facets?.x ?? 0) > 700);
  await eventually(
    t,
    () => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
    true,
  );
});

test('right to left, the texts of charts stand beside their bars, and all axes and sliders go from left to right', async (t) => {
  const { page } = await openWindow(t, `${server.url}/explore?lang=ar${hashOf({ tab: 'charts' })}`);
  await totalOf(page);
  const chart = page.getByRole('article', { name: 'Primary site' });
  await chart.locator('.mark').first().waitFor();
  const overlaps = () =>
    chart.locator('.mark').evaluateAll(
      (marks) =>
        marks.filter((mark) => {
          const [label, count] = [...mark.parentElement!.querySelectorAll('text')].map((each) =>
            each.getBoundingClientRect(),
          );
          const bars = [...mark.querySelectorAll('rect')]
            .slice(1)
            .map((each) => each.getBoundingClientRect());
          return bars.some(({ left, right }) => label!.right > left || count!.left < right);
        }).length,
    );
  await eventually(t, overlaps, 0);
  const age = page.getByRole('region', { name: 'Age', exact: true });
  await age.locator('rect').first().waitFor();
  const bars = await age
    .locator('rect')
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().left));
  t.true(bars[0]! < bars.at(-1)!);
  const places = await age
    .locator('.thumb, .range input')
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().left));
  t.true(places.length === 4 && places[0]! < places[1]! && places[2]! < places[3]!);
  await age.locator('.thumb input').first().focus();
  await page.keyboard.press('ArrowRight');
  await age.locator('.thumb input').first().blur();
  const [from, to] = [
    age.getByLabel('Age: From', { exact: true }),
    age.getByLabel('Age: To', { exact: true }),
  ];
  await eventually(t, async () => (await from.inputValue()) !== '' && (await to.inputValue()) === '', true);
});

test('on a telephone the letters of charts are not smaller than nine pixels', async (t) => {
  const { page } = await openWindow(t, server.url, narrow);
  const drawings = page.locator('article svg.drawing');
  await eventually(t, () => drawings.count(), 3);
  const sizes = await drawings.evaluateAll((charts) =>
    charts.map((chart) => {
      const [, , width] = chart.getAttribute('viewBox')!.split(' ').map(Number);
      return Math.round((12 * chart.getBoundingClientRect().width) / width!);
    }),
  );
  t.deepEqual(
    sizes.filter((size) => size < 9),
    [],
  );
});
