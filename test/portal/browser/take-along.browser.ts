import { readFileSync } from 'node:fs';
import test, { type ExecutionContext } from 'ava';
import type { Download, Page } from 'playwright-core';
import { startSample, type RunningServer } from './server.ts';
import { kaplanMeier, medianOf, type EventTime } from '../../../portal/src/explore/compare/kaplan-meier.ts';
import type { Plan } from '../../../portal/src/api/download.ts';
import { hashOf } from '../../../portal/src/state/link.ts';
import { choose, chooseIn, closeBrowser, eventually, openWindow, totalOf } from './window.ts';

let server: RunningServer;

test.before(async () => {
  server = await startSample();
});

test.after.always(async () => {
  await closeBrowser();
  await server?.stop();
});

const sum = (numbers: readonly number[]): number => numbers.reduce((before, each) => before + each, 0);

const contentOf = async (download: Download): Promise<Buffer> => readFileSync(await download.path());

const downloadedBy = async (page: Page, act: () => Promise<void>): Promise<Download> => {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  return download;
};

/** The dialog for a file of the records with a value; few have the usual one. */
const openDownload = async (page: Page, sex = 'Unknown') => {
  await totalOf(page);
  await choose(page, 'Sex', sex);
  await page.locator('.chip').waitFor();
  const shown = await totalOf(page);
  const total = Number(shown.replaceAll(',', ''));
  await page.getByRole('button', { name: `Download ${shown} rows` }).click();
  const dialog = page.getByRole('dialog');
  const take = (): Promise<Download> =>
    downloadedBy(page, () => dialog.getByRole('button', { name: 'Download', exact: true }).click());
  return { total, dialog, take };
};

const planPath = '**/download?manifest';

test('the filtered records as a file: as many rows as the page shows, after what it lacks', async (t) => {
  const { page } = await openWindow(t, `${server.url}/explore`);
  const { total, dialog, take } = await openDownload(page);
  await dialog.getByText('Includes every matching record of every institution.').waitFor();
  const lines = (await contentOf(await take())).toString().trimEnd().split('\n');
  t.is(lines.length, total + 1);
  await dialog.getByText('Check your downloads').waitFor();
});

test('an institution that does not answer is named before the file, which has the records of the others', async (t) => {
  const { page } = await openWindow(t, `${server.url}/explore`);
  await page.route(planPath, async (route) => {
    const response = await route.fetch();
    const plan = (await response.json()) as Plan;
    const nodes = plan.nodes.map((node) =>
      node.nodeId === 'lyon' ? { ...node, state: 'timeout', stopped: 'timed out' } : node,
    );
    await route.fulfill({ json: { ...plan, nodes } });
  });
  const { total, dialog, take } = await openDownload(page, 'Female');
  await dialog
    .getByText('Incomplete. Missing in whole or in part: Confluence Sequencing Centre, Lyon.')
    .waitFor();
  const requested = page.waitForRequest('**/download');
  const rows = (await contentOf(await take())).toString().trimEnd().split('\n').slice(1);
  t.like((await requested).postDataJSON(), {
    nodesFilter: ['toronto', 'singapore'],
    onFailure: 'abort',
  });
  t.true(rows.length > 0 && rows.length < total);
  t.false(rows.some((row) => row.startsWith('lyon\t')));
});

test('where it cannot be known what a file will lack, none is made until it is', async (t) => {
  const { page } = await openWindow(t, `${server.url}/explore`);
  await page.route(planPath, (route) => route.abort());
  const { dialog, take } = await openDownload(page);
  await dialog.getByRole('alert').filter({ hasText: 'The server cannot be reached' }).waitFor();
  await page.unroute(planPath);
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await dialog.getByText('Includes every matching record of every institution.').waitFor();
  await take();
  await dialog.getByText('Check your downloads').waitFor();
  t.is(await dialog.getByRole('alert').count(), 0);
});

test('a chart as PNG, as SVG by itself, and its numbers as CSV', async (t) => {
  const { page } = await openWindow(t, `${server.url}/explore`);
  await totalOf(page);
  await page.getByRole('tab', { name: 'Charts' }).click();
  const chart = page.getByRole('article', { name: 'Sex' });
  const take = async (kind: string): Promise<Buffer> =>
    contentOf(await downloadedBy(page, () => chooseIn(page, chart, kind)));
  t.is((await take('Save picture (PNG)')).subarray(1, 4).toString(), 'PNG');
  const svg = (await take('Save picture (SVG)')).toString();
  t.regex(svg, /^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  t.false(/var\(|class=|style=/.test(svg));
  t.regex(svg, />Sex: all institutions<\/text>/);
  t.regex(
    svg,
    />All donors<\/text>.*>Three Cities Genomics Consortium<\/text>.*>\d{4}-\d\d-\d\d<\/text>.*>http/s,
  );
  const key = [...svg.matchAll(/<rect [^>]*fill="(rgb[^"]*)"\/><text[^>]*>([^<]*)<\/text>/g)].slice(-3);
  t.is(new Set(key.map(([, colour]) => colour)).size, 3, 'each institution has a colour');
  for (const [, colour, name] of key)
    t.true(svg.split(`fill="${colour}"`).length > 2, `${name} is in the picture`);
  const csv = (await take('Save numbers (CSV)')).toString();
  t.regex(
    csv,
    /^\uFEFFValue,Donors,At most,Institutions,Filter,Data source,Date,Link\r\nMale,3997,3997,all institutions,All donors,Three Cities Genomics Consortium,\d{4}-\d\d-\d\d,http[^,]+\r\n/,
  );
  await chooseIn(page, chart, 'Show as table');
  await eventually(t, () => chart.getByRole('row', { name: /^Male/ }).textContent(), 'Male39973997');
});

test('marks of charts: a card on focus, keys between them, and a drag over a histogram filters until a double click', async (t) => {
  const { page } = await openWindow(t, `${server.url}/explore`);
  await totalOf(page);
  const timeline = page.getByRole('article', { name: 'Enrolment' });
  const marks = timeline.locator('.mark');
  await marks.first().waitFor();
  const counts = (): Promise<number[]> =>
    marks.evaluateAll((all) =>
      all.map(({ ariaLabel }) => Number(/: ([\d,]+)$/.exec(ariaLabel!)![1]!.replaceAll(',', ''))),
    );
  // until the donors of all institutions are in the bars
  await eventually(t, async () => sum(await counts()), await withValue('enrolled_on'));
  const last = (await marks.count()) - 1;
  const from = (await marks.nth(last - 3).boundingBox())!;
  const to = (await marks.nth(last).boundingBox())!;
  const expected = sum((await counts()).slice(-4));
  await page.mouse.move(from.x + 3, from.y + 20);
  await page.mouse.down();
  await page.mouse.move(to.x + 3, to.y + 20, { steps: 8 });
  await page.mouse.up();
  await page.locator('.chip').waitFor();
  await eventually(t, () => totalOf(page), new Intl.NumberFormat('en-GB').format(expected));
  const clear = async (): Promise<void> => {
    await marks.nth(last).dblclick();
    await page.locator('.chip').waitFor({ state: 'detached' });
  };
  await clear();
  /** What the page does at once, and its hash then: of a busy one the whole drag. */
  const happen = (steps: readonly (readonly [at: number, type: string])[]): Promise<string> =>
    timeline.evaluate((chart, events) => {
      const dragged = [...chart.querySelectorAll('.mark')].slice(-4);
      for (const [at, type] of events)
        dragged[at]!.dispatchEvent(
          new PointerEvent(`pointer${type}`, { bubbles: true, pointerType: 'mouse' }),
        );
      return location.hash;
    }, steps);
  // a finger that scrolls is no drag, whatever is pressed later
  const before = await happen([]);
  const scrolled = [
    [0, 'down'],
    [0, 'cancel'],
    [3, 'over'],
    [3, 'up'],
  ] as const;
  t.is(await happen(scrolled), before);
  await happen([
    [0, 'down'],
    [3, 'over'],
    [3, 'up'],
  ]);
  await eventually(t, () => totalOf(page), new Intl.NumberFormat('en-GB').format(expected));
  await clear();
  await eventually(t, () => totalOf(page), '8,000');
  await page.getByRole('tab', { name: 'Charts' }).click();
  const sex = page.getByRole('article', { name: 'Sex' });
  await sex.locator('.mark').first().focus();
  const card = sex.getByRole('tooltip');
  await eventually(
    t,
    () => card.textContent(),
    /^Male3,997 donors · 50\.0%.*Toronto: [\d,]+.*Click to filter$/,
  );
  await page.keyboard.press('ArrowDown');
  await eventually(t, () => card.textContent(), /^Female3,973 donors/);
  await page.keyboard.press('Enter');
  await page.locator('.chip').waitFor();
  await eventually(t, () => totalOf(page), '3,973');
  await chooseIn(page, sex, 'Sort by name');
  await sex
    .locator('.mark')
    .first()
    .and(sex.getByRole('button', { name: /^Female/ }))
    .waitFor();
});

/** Keeps the filter of the moment as a cohort. */
const keepCohort = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name: 'Save as cohort' }).click();
  await page.getByRole('textbox', { name: 'Cohort name' }).waitFor();
  // the proposed name is selected
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
};

test('two cohorts beside each other: sizes, overlap, shares of exactly these, tests, and all of it as CSV', async (t) => {
  const { page } = await openWindow(t, `${server.url}/explore`);
  await totalOf(page);
  await keepCohort(page, 'Everyone');
  await choose(page, 'Sex', 'Female');
  await page.locator('.chip').waitFor();
  const women = await totalOf(page);
  await keepCohort(page, 'Women');
  await page.getByRole('link', { name: 'Compare', exact: true }).click();
  const cohorts = page.getByRole('list', { name: 'Cohorts' }).getByRole('listitem');
  await cohorts.nth(0).getByText(women, { exact: true }).waitFor();
  await cohorts.nth(1).getByText('8,000', { exact: true }).waitFor();
  const sex = page.getByRole('article', { name: 'Sex' });
  // what defines a cohort differs by definition, so it is folded away
  await page.getByText('Fields that define the cohorts').click();
  await sex
    .getByRole('row', { name: /Female/ })
    .getByText('100.0%')
    .waitFor();
  await eventually(
    t,
    () => sex.getByRole('row', { name: /Male/ }).textContent(),
    '0.0% · 0Male50.0% · 3,997−50',
  );
  await sex.getByText('Not tested: the cohorts overlap.').waitFor();
  // ages are compared by the same intervals; some records have none
  const ages = page.getByRole('article', { name: /^Age/ }).getByRole('row');
  await ages.nth(1).getByText('%').nth(1).waitFor();
  const countsOfAges = () =>
    ages.evaluateAll((rows) =>
      rows
        .slice(1)
        .map((row) =>
          [...row.querySelectorAll('td')].map((cell) =>
            Number(/· ([\d,]+)/.exec(cell.textContent)?.[1]?.replaceAll(',', '')),
          ),
        ),
    );
  const sums = async (): Promise<number[]> => {
    const counts = await countsOfAges();
    return [1, 0].map((cohort) => sum(counts.map((row) => row[cohort]!)));
  };
  await eventually(t, sums, [await withValue('age'), await withValue('age', ['Female'])]);
  const overlap = page.getByRole('article', { name: 'Overlap' });
  await overlap.locator('svg text', { hasText: women }).first().waitFor();
  // without the women, nothing is shared and the difference can be tested
  await page.getByRole('button', { name: 'My cohorts' }).click();
  const drawer = page.getByRole('dialog');
  for (const name of ['Everyone', 'Women']) await drawer.locator('label.value', { hasText: name }).click();
  await drawer.getByRole('button', { name: 'Difference' }).click();
  await drawer
    .locator('label.value', { hasText: 'Everyone without Women' })
    .getByText('4,027 donors')
    .waitFor();
  await drawer
    .locator('label.value')
    .filter({ hasText: /^Everyone8/ })
    .click();
  await drawer.locator('label.value', { hasText: 'without' }).click();
  await drawer.getByRole('button', { name: 'Compare' }).click();
  await page
    .getByRole('article', { name: 'Primary site' })
    .getByText(/^χ² .* p < 0\.001, Cramér’s V 0\.\d+$/)
    .waitFor();
  await eventually(
    t,
    () => page.locator('.comparisons article').first().getAttribute('aria-label'),
    'Institutions',
  );
  const csv = (
    await contentOf(
      await downloadedBy(page, () => page.getByRole('button', { name: 'Save all (CSV)' }).click()),
    )
  ).toString();
  t.regex(csv, /\r\nSex,Female,3973,3973,1,0,0,0,100,/);
  // from the start page back: nothing is lost
  await page.getByRole('link', { name: 'Start', exact: true }).click();
  await page.locator('.figures .number').first().waitFor();
  await page.getByRole('link', { name: 'Explore', exact: true }).click();
  await page.locator('.chip', { hasText: 'Female' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'My cohorts 3' }).click();
  await combineAndTakeAlong(t, page);
});

/** Of everyone, women, and everyone without women: together they are everyone, and nobody is both. */
const combineAndTakeAlong = async (t: ExecutionContext, page: Page): Promise<void> => {
  const drawer = page.getByRole('dialog');
  const cohort = (name: string) => drawer.locator('label.value').filter({ hasText: name });
  for (const name of [/^Women3/, /^Everyone without Women/])
    await drawer.locator('label.value').filter({ hasText: name }).click();
  await drawer.getByRole('button', { name: 'Rename: Women', exact: true }).click();
  // the name is selected; what is ticked stays so
  await page.keyboard.type('Female donors');
  await page.keyboard.press('Enter');
  await drawer.getByRole('button', { name: 'Union' }).click();
  await cohort('Female donors or Everyone').getByText('8,000 donors').waitFor();
  await drawer.getByRole('button', { name: 'Intersection' }).click();
  await cohort('Female donors and Everyone').getByText('0 donors').waitFor();
  const file = await downloadedBy(page, () => drawer.getByRole('button', { name: 'Export' }).click());
  const importFile = async (content: Buffer): Promise<void> => {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      drawer.getByRole('button', { name: 'Import' }).click(),
    ]);
    await chooser.setFiles({ name: 'cohorts.json', mimeType: 'application/json', buffer: content });
  };
  await importFile(Buffer.from('{}'));
  await drawer.getByRole('alert').filter({ hasText: 'does not contain cohorts' }).waitFor();
  await importFile(await contentOf(file));
  await cohort('Female donors (2)').getByText('3,973 donors').waitFor();
  await eventually(t, () => drawer.locator('label.value').count(), 10);
};

/** How many records have a value of a field, as the API reports. @param sexes null: of all */
const withValue = async (field: string, sexes: readonly string[] | null = null): Promise<number> => {
  const filters = sexes && { op: 'in', content: { fieldName: 'sex', value: sexes } };
  const query = `query($filters: JSON) { network(filters: $filters) { aggregations { field: ${field} { stats { count } } } } }`;
  const answer = await fetch(`${server.url}/network/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { filters } }),
  });
  const { data } = (await answer.json()) as {
    data: { network: { aggregations: { field: { stats: { count: number } } } } };
  };
  return data.network.aggregations.field.stats.count;
};

test('an old link to a comparison shows its cohorts, and without any the page says how to get some', async (t) => {
  const { page } = await openWindow(t, `${server.url}/explore${hashOf({ tab: 'compare' })}`);
  await page.getByText('Select two to four cohorts').waitFor();
  const cohorts = [{ name: 'All of them', filter: null }];
  await page.goto(`${server.url}/explore${hashOf({ tab: 'compare', cohorts })}`);
  const shown = page.getByRole('list', { name: 'Cohorts' }).getByRole('listitem');
  await shown.getByText('8,000', { exact: true }).waitFor();
  await eventually(t, () => shown.count(), 1);
});

test('cohorts survive as their event tables have it: curves, numbers at risk, medians, a test, and a file', async (t) => {
  const cohorts = ['I', 'IV'].map((stage) => ({
    name: `Stage ${stage}`,
    filter: { op: 'in' as const, content: { fieldName: 'stage', value: [stage] } },
  }));
  const tables = await Promise.all(cohorts.map(({ filter }) => eventTable(filter)));
  const { page } = await openWindow(t, `${server.url}/explore${hashOf({ tab: 'compare', cohorts })}`);
  const card = page.getByRole('article', { name: 'Survival by' });
  await card.getByText('1 of 3 institutions · Lyon and Singapore: not recorded').waitFor();
  for (const [at, times] of tables.entries()) {
    const events = times.reduce((sum, one) => sum + one.events, 0);
    const all = times.reduce((sum, one) => sum + one.censored, events);
    const { median, lower, upper } = medianOf(kaplanMeier(times));
    const [n, middle, from, to] = [all, median!, lower!, upper!].map((each) => each.toLocaleString('en-GB'));
    const text = `${cohorts[at]!.name}: ${n} donors, ${events} deaths · median ${middle} days (${from} to ${to})`;
    await card.getByText(text).waitFor();
    await eventually(t, () => card.locator('svg.drawing text', { hasText: new RegExp(`^${n}$`) }).count(), 1);
  }
  await card.getByText(/^Log-rank χ² [\d,.]+ \(1 df\), p < 0\.001$/).waitFor();
  // the answer in a sentence, with the first cohort as the reference
  const years = (days: number): string => String(Math.round((days / 365.25) * 10) / 10);
  const [best, worst] = tables.map((times) => medianOf(kaplanMeier(times)).median!);
  const lead = page.locator('p.lead');
  await lead
    .getByText(
      new RegExp(
        `^Stage I: median survival ${years(best!)} years; Stage IV ${years(worst!)} years; log-rank p < 0\\.001\\. Hazard ratio of Stage IV against Stage I: [\\d.]+ `,
      ),
    )
    .waitFor();
  await eventually(t, () => lead.textContent(), /Deceased: \d+\.\d% against \d+\.\d%\.$/);
  await page.getByRole('button', { name: 'Use as reference: Stage IV' }).click();
  await lead.getByText(/^Stage IV: .* Hazard ratio of Stage I against Stage IV: 0\./).waitFor();
  await page.goBack();
  await lead.getByText(/^Stage I: /).waitFor();
  // by keyboard: one tab stop, arrows between the times, a card beside each
  await card.locator('[data-mark]').first().focus();
  await page.keyboard.press('ArrowRight');
  const tip = page.getByRole('tooltip');
  await tip.getByText(/Stage I: \d+\.\d% \(.* to .*\) · At risk: /).waitFor();
  const file = await downloadedBy(page, () => chooseIn(page, card, 'Save numbers (CSV)'));
  const lines = (await contentOf(file)).toString().trimEnd().split('\r\n');
  t.is(lines.length, 1 + tables.flat().length);
  t.regex(
    lines[0]!,
    /Cohort,Survival or follow-up \(days\),At risk,Events,Censored,Survival,95% from,95% to,/,
  );
  const picture = await downloadedBy(page, () => chooseIn(page, card, 'Save picture (SVG)'));
  const svg = (await contentOf(picture)).toString();
  for (const { name } of cohorts) t.true(svg.includes(`>${name}</text>`), name);
  await chooseIn(page, card, 'Show as table');
  await card.getByRole('columnheader', { name: 'Stage IV: At risk' }).waitFor();
});

/** When donors were last seen, and who had died then, as the API reports. */
const eventTable = async (filters: object): Promise<readonly EventTime[]> => {
  const dead = '{ op: "in", content: { fieldName: "vital_status", value: ["Deceased"] } }';
  const query = `query($filters: JSON) { network(filters: $filters) { aggregations { survival_days { survival(dead: ${dead}) { times { time events censored } } } } } }`;
  const answer = await fetch(`${server.url}/network/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { filters } }),
  });
  const { data } = (await answer.json()) as {
    data: { network: { aggregations: { survival_days: { survival: { times: readonly EventTime[] } } } } };
  };
  return data.network.aggregations.survival_days.survival.times;
};
