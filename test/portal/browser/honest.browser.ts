import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import type { Page } from 'playwright-core';
import { hashOf } from '../../../portal/src/state/link.ts';
import { openFlakyNode, type FlakyNode, type Mood } from './flaky-node.ts';
import { startNetwork, startSample, type RunningServer } from './server.ts';
import { choose, closeBrowser, eventually, openWindow, totalOf } from './window.ts';

const folder = mkdtempSync(join(tmpdir(), 'portal-honest-'));
let sample: RunningServer;
let network: RunningServer;
let nodes: Readonly<Record<'toronto' | 'lyon', FlakyNode>>;

/** Toronto and Lyon as remote nodes; Lyon has no field `stage`. */
test.before(async () => {
  sample = await startSample({ NODES_PATH: 'off' });
  nodes = {
    toronto: await openFlakyNode(`${sample.url}/toronto/graphql`),
    lyon: await openFlakyNode(`${sample.url}/lyon/graphql`),
  };
  const file = join(folder, 'nodes.json');
  const fields = {
    donor_id: 'keyword',
    sex: 'keyword',
    stage: 'keyword',
    mutated_genes: 'keyword',
    age: 'integer',
    diagnosis_code: 'keyword',
    enrolled_on: 'date',
  };
  const extended = [
    { fieldName: 'diagnosis_code', displayName: 'ICD-10 code', hierarchy: 'icd10' },
    // no institution has pictures: their places are there
    { fieldName: 'donor_id', image: true },
  ];
  // a slow institution is as slow as a test wants
  const remote = { timeoutMs: 300_000 };
  writeFileSync(
    file,
    JSON.stringify({
      network: {
        displayName: 'Two Cities',
        documentType: 'donor',
        fields,
        extended,
        hierarchies: {
          icd10: { file: fileURLToPath(new URL('../../../configs/toronto/icd10.csv', import.meta.url)) },
        },
        survival: { time: 'survival_days', event: 'vital_status', dead: ['Deceased'] },
      },
      nodes: [
        {
          nodeId: 'toronto',
          displayName: 'Toronto',
          documentType: 'donor',
          graphqlUrl: nodes.toronto.graphqlUrl,
          fields: { age: 'age_at_diagnosis' },
          ...remote,
        },
        {
          nodeId: 'lyon',
          displayName: 'Lyon',
          documentType: 'participant',
          graphqlUrl: nodes.lyon.graphqlUrl,
          fields: { donor_id: 'participant_id', enrolled_on: 'submitted_on' },
          ...remote,
        },
      ],
    }),
  );
  network = await startNetwork(file, { IMAGE_HOSTS: 'pictures.example.org' });
  await ready(network.url);
});

test.after.always(async () => {
  await closeBrowser();
  await network?.stop();
  await sample?.stop();
  for (const node of Object.values(nodes ?? {})) await node.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Waits until both answer: circuits that opened in the test before are closed again. */
const ready = async (url: string): Promise<void> => {
  for (let tries = 0; tries < 1_200; tries += 1) {
    const answer = await fetch(`${url}/network/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ network { total } }' }),
    });
    const { data } = (await answer.json()) as { data: { network: { total: number | null } } | null };
    if (data?.network.total === 6500) return;
    await new Promise((done) => setTimeout(done, 250));
  }
  throw new Error('the nodes do not answer');
};

/** Lets a tenth of a node's last answers take a second, as pages read it from the state of the network. */
const wasSlow = async (nodeId: keyof typeof nodes): Promise<void> => {
  nodes[nodeId].mood = 'slow';
  const answers = Array.from({ length: 60 }, (_, at) =>
    fetch(`${network.url}/network/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        query: 'query($filters: JSON) { network(filters: $filters) { total } }',
        variables: { filters: { op: 'gte', content: { fieldName: 'age', value: at } } },
      }),
    }).then((answer) => answer.text()),
  );
  await new Promise((done) => setTimeout(done, 1_000));
  nodes[nodeId].mood = 'well';
  await Promise.all(answers);
};

/** Two nodes in these moods while a test runs. Their circuits are closed again before the next one. */
const moods = async (toronto: Mood, lyon: Mood): Promise<void> => {
  nodes.toronto.mood = toronto;
  nodes.lyon.mood = lyon;
};

test.afterEach.always(async () => {
  await moods('well', 'well');
  await ready(network.url);
});

const facet = (page: Page, name: string) => page.getByRole('region', { name, exact: true }).first();

test('a field that an institution lacks is marked on its facet and its chart', async (t) => {
  const { page } = await openWindow(t, `${network.url}/explore`);
  await eventually(t, () => totalOf(page), '6,500');
  await eventually(
    t,
    () => facet(page, 'Stage').locator('.badge.part').textContent(),
    '1 of 2 institutions · Lyon: not recorded',
  );
  t.is(await facet(page, 'Sex').locator('.badge.part').count(), 0);
  await page.getByRole('tab', { name: 'Charts' }).click();
  const chart = page.getByRole('article', { name: 'Stage' });
  await eventually(
    t,
    () => chart.locator('.badge.part').textContent(),
    '1 of 2 institutions · Lyon: not recorded',
  );
});

test('an institution without the filter’s field has no zero', async (t) => {
  const { page } = await openWindow(t, `${network.url}/explore`);
  await totalOf(page);
  const stage = page.getByRole('region', { name: 'Stage', exact: true });
  await stage.locator('label.value').first().click();
  await page.locator('.chip').waitFor();
  await totalOf(page);
  await eventually(t, () => page.locator('.head p').first().textContent(), 'donors from 1 of 2 institutions');
  const lyon = page
    .getByRole('list', { name: 'Institutions' })
    .getByRole('listitem')
    .filter({ hasText: 'Lyon' });
  await eventually(t, () => lyon.textContent(), /Not recorded: Stage$/);
});

test('counts that may be more end in a whisker, and read as a range', async (t) => {
  const { page } = await openWindow(t, `${network.url}/explore`);
  await totalOf(page);
  await page.getByRole('tab', { name: 'Charts' }).click();
  const chart = page.getByRole('article', { name: 'Mutated genes' });
  await chart.locator('svg.drawing').waitFor();
  const ranges = chart.locator('svg text').filter({ hasText: / to / });
  const whiskers = chart.getByTestId('whisker');
  await eventually(t, async () => (await ranges.count()) === (await whiskers.count()), true);
});

test('an institution that is down is named, its part is a gap, and a retry brings it back', async (t) => {
  await moods('well', 'down');
  const { page } = await openWindow(t, `${network.url}/explore`);
  await eventually(t, () => totalOf(page), '4,000');
  await eventually(t, () => page.locator('.head p b').textContent(), 'from 1 of 2 institutions');
  await eventually(t, () => page.locator('.key .gone').textContent(), /^Lyon did not answer: /);
  await eventually(t, () => page.locator('.strip .gone-fill').count(), 1);
  await eventually(
    t,
    () => facet(page, 'Sex').locator('.badge.part').textContent(),
    '1 of 2 institutions · Lyon: did not answer',
  );
  await page.getByRole('tab', { name: 'Charts' }).click();
  const chart = page.getByRole('article', { name: 'Sex' });
  await chart.getByText('not included').waitFor();
  await moods('well', 'well');
  // it is paused for a while after its failures
  await ready(network.url);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('from all 2 institutions').waitFor();
  await eventually(t, () => totalOf(page), '6,500');
});

test('numbers, rows and the time line of an institution that was down or slow come back with it', async (t) => {
  const view = { opened: ['survival_days'], sort: [{ fieldName: 'donor_id', order: 'desc' as const }] };
  const histogram = (page: Page) => page.getByRole('region', { name: /^Survival/ });
  await moods('down', 'well');
  const { page } = await openWindow(t, `${network.url}/explore${hashOf(view)}`);
  await eventually(t, () => totalOf(page), '2,500');
  // only Toronto has them
  await histogram(page).getByText('Did not answer', { exact: true }).waitFor();
  t.is(await page.getByText('No matching record has a value here').count(), 0);
  const first = page.getByRole('gridcell').first();
  await eventually(t, () => first.textContent(), /Lyon/);
  await moods('well', 'well');
  await ready(network.url);
  await page.getByRole('button', { name: 'Try again' }).click();
  await eventually(t, () => totalOf(page), '6,500');
  await histogram(page).locator('.mark').first().waitFor();
  await eventually(t, () => first.textContent(), /Toronto/);
  await wasSlow('toronto');
  await moods('slow', 'well');
  const { page: other } = await openWindow(t, `${network.url}/explore${hashOf(view)}`);
  await other.getByTestId('pending').waitFor();
  await histogram(other).getByText('Loading').waitFor();
  await moods('well', 'well');
  await histogram(other).locator('.mark').first().waitFor();
});

test('numbers of those who answer are there soon, and give way to those of all when a slow institution answers', async (t) => {
  await wasSlow('lyon');
  await moods('well', 'slow');
  const { page } = await openWindow(t, `${network.url}/explore`, { permissions: ['clipboard-write'] });
  const waiting = page.getByTestId('pending');
  await waiting.filter({ hasText: /^Lyon: no answer yet, [1-9]\d* s$/ }).waitFor();
  await eventually(t, () => page.locator('.head .number').textContent(), 'at least 4,000');
  await eventually(t, () => page.locator('.head p b').textContent(), 'from 1 of 2 institutions');
  await page.getByRole('button', { name: 'Share' }).click();
  const cite = page.getByRole('button', { name: 'Copy: Cite' });
  await cite.click();
  await eventually(t, () => cite.textContent(), 'Copied');
  await moods('well', 'well');
  // what was copied had the numbers of one
  await eventually(t, () => cite.textContent(), 'Copy');
  await page.keyboard.press('Escape');
  await page.getByText('from all 2 institutions').waitFor();
  await eventually(t, () => totalOf(page), '6,500');
  await eventually(t, () => waiting.count(), 0);
});

const awaited = (name: string): RegExp => new RegExp(`^1 of 2 institutions · ${name}: no answer yet`);

test('nothing waits for a slow institution: time line, tree, records and pictures name it, and fill in when it comes', async (t) => {
  await wasSlow('lyon');
  await moods('well', 'slow');
  const { page } = await openWindow(t, `${network.url}/explore`);
  await page.getByTestId('pending').waitFor();
  const timeline = page.getByRole('article', { name: 'Enrolled on' });
  await timeline.locator('.mark').first().waitFor();
  await eventually(t, () => timeline.locator('.badge.part').textContent(), awaited('Lyon'));
  await page.getByRole('gridcell').first().waitFor();
  await eventually(
    t,
    () => page.locator('.pager').textContent(),
    /^20 of at least 4,000 · more rows to come/,
  );
  // a page behind these would be without those records of Lyon that come before it
  const more = page.getByRole('button', { name: 'Load more' });
  t.true(await more.isDisabled());
  const code = facet(page, 'ICD-10 code');
  await eventually(t, () => code.locator('.badge.part').textContent(), awaited('Lyon'));
  await code.getByRole('treeitem').first().locator('em').waitFor();
  await page.getByRole('tab', { name: 'Gallery' }).click();
  await page.locator('.gallery > li').nth(20).waitFor();
  await moods('well', 'well');
  await page.getByText('from all 2 institutions').waitFor();
  await eventually(t, () => code.locator('.badge.part').count(), 0);
  await eventually(t, () => page.locator('.pager').textContent(), /^24 of 6,500/);
  await eventually(t, () => more.isDisabled(), false);
  await page.getByRole('tab', { name: 'Table' }).click();
  await timeline.getByText('all institutions', { exact: true }).waitFor();
});

test('a comparison, its survival curves and others like a record do not wait for a slow institution', async (t) => {
  await wasSlow('toronto');
  await moods('slow', 'well');
  const cohorts = ['Female', 'Male'].map((sex) => ({
    name: sex,
    filter: { op: 'in' as const, content: { fieldName: 'sex', value: [sex, sex[0]!] } },
  }));
  const { page } = await openWindow(t, `${network.url}/explore${hashOf({ tab: 'compare', cohorts })}`);
  const cards = page.getByRole('list', { name: 'Cohorts' });
  await eventually(t, () => cards.locator('.badge.part').first().textContent(), awaited('Toronto'));
  const ages = page.getByRole('article', { name: /^Age/ });

  await ages.getByText('%').first().waitFor();
  await eventually(t, () => ages.locator('.badge.part').textContent(), awaited('Toronto'));
  const survival = page.locator('.survival');
  await eventually(
    t,
    () => survival.locator('.badge.part').textContent(),
    '0 of 2 institutions · Toronto: no answer yet; Lyon: not recorded',
  );
  const { page: record } = await openWindow(
    t,
    `${network.url}/record${hashOf({ record: { id: 'LYO00001', nodeId: 'lyon' } })}`,
  );
  const like = record.locator('dl.facts a.like small');
  await eventually(t, () => like.first().textContent(), /^at least [\d,]+$/);
  const { page: start } = await openWindow(t, network.url);
  await start.getByRole('region', { name: 'Institutions' }).getByText('no answer yet').waitFor();
  const chart = start.getByRole('article', { name: 'Enrolled on' });
  await chart.locator('.mark').first().waitFor();
  await eventually(t, () => chart.locator('.badge.part').textContent(), awaited('Toronto'));
  await start
    .locator('.questions small', { hasText: /^at least [\d,]+$/ })
    .first()
    .waitFor();
  await moods('well', 'well');
  await survival.locator('svg.drawing').waitFor();
  await eventually(t, () => cards.locator('.badge.part').count(), 0);
  await eventually(t, () => ages.locator('.badge.part').count(), 0);
  await eventually(t, () => like.first().textContent(), /^[\d,]+$/);
  await start
    .locator('.questions small', { hasText: /^[\d,]+$/ })
    .first()
    .waitFor();
  await chart.getByText('all institutions', { exact: true }).waitFor();
});

test('an exclusion counts an institution that lacks its field, and names the field', async (t) => {
  const { page } = await openWindow(t, `${network.url}/explore`);
  await totalOf(page);
  const stage = facet(page, 'Stage');
  await stage.locator('label.value').first().click();
  await page.getByText('donors from 1 of 2 institutions').waitFor();
  await stage.getByRole('button', { name: 'Exclude these values' }).click();
  await page.getByText('from 2 institutions; not recorded at Lyon').waitFor();
  const lyon = page
    .getByRole('list', { name: 'Institutions' })
    .getByRole('listitem')
    .filter({ hasText: 'Lyon' });
  await eventually(t, () => lyon.textContent(), /2,500Not recorded: Stage$/);
  // a zero of its other conditions is a count, not the lack of a field
  await page.getByRole('combobox', { name: /^Search \d/ }).fill('zzzzzz');
  await page.keyboard.press('Enter');
  await page.getByText('No results').waitFor();
  await totalOf(page);
  await eventually(t, () => lyon.textContent(), /Lyon0Not recorded: Stage$/);
});

test('the facets of a filter that an institution cannot meet do not count it as answering', async (t) => {
  const { page } = await openWindow(t, `${network.url}/explore`);
  await totalOf(page);
  await facet(page, 'Stage').locator('label.value').first().click();
  await page.getByText('donors from 1 of 2 institutions').waitFor();
  await totalOf(page);
  const badge = '1 of 2 institutions · Lyon: filtered field not recorded';
  await eventually(t, () => facet(page, 'Sex').locator('.badge.part').textContent(), badge);
  await page.getByRole('tab', { name: 'Charts' }).click();
  await page.getByRole('article', { name: 'Sex' }).locator('.badge.part', { hasText: badge }).waitFor();
});

test('nothing found, with everybody answering or not, reads differently', async (t) => {
  const nothing = async (page: Page): Promise<void> => {
    await page.getByRole('combobox', { name: /^Search \d/ }).fill('zzzzzz');
    await page.keyboard.press('Enter');
    await page.getByText('No results').waitFor();
  };
  const { page } = await openWindow(t, `${network.url}/explore`);
  await totalOf(page);
  await nothing(page);
  // while an institution is still awaited, it reads as below
  await page.getByText('All institutions answered; none has a match.').waitFor();
  await moods('well', 'down');
  const { page: other } = await openWindow(t, `${network.url}/explore`);
  await totalOf(other);
  await nothing(other);
  await other.getByText('Others may have some.').waitFor();
  t.is(await other.getByText('All institutions answered; none has a match.').count(), 0);
});

test('when no institution answers no number is shown, and the way out is offered', async (t) => {
  await moods('down', 'down');
  const { page } = await openWindow(t, `${network.url}/explore`);
  await page.getByText('No institution answered').or(page.getByRole('alert')).first().waitFor();
  t.is(await page.locator('.head .number').filter({ hasText: /\d/ }).count(), 0);
  await eventually(t, () => page.getByRole('button', { name: 'Try again' }).first().isVisible(), true);
});

test('while a slow institution is awaited, the last numbers stay, dimmed', async (t) => {
  const { page } = await openWindow(t, `${network.url}/explore`);
  await totalOf(page);
  // both: numbers of one would take the place of the last ones
  await moods('slow', 'slow');
  await choose(page, 'Sex', 'Female');
  await page.locator('.head.stale .number', { hasText: '6,500' }).waitFor();
  await moods('well', 'well');
  await page.locator('.head:not(.stale)').waitFor();
  t.not(await totalOf(page), '6,500');
});

test('an institution that is left out is not queried, and the page shows it', async (t) => {
  const { page } = await openWindow(t, `${network.url}/explore`);
  await totalOf(page);
  await page.getByRole('button', { name: 'Show Toronto only' }).click();
  await page.getByText('Lyon: not selected', { exact: true }).waitFor();
  await eventually(t, () => totalOf(page), '4,000');
  await page.getByRole('button', { name: 'Show all institutions' }).click();
  await page.getByText('from all 2 institutions').waitFor();
});

test('a cohort is from those institutions that are in its number', async (t) => {
  await moods('well', 'down');
  const { page } = await openWindow(t, `${network.url}/explore`);
  await eventually(t, () => totalOf(page), '4,000');
  for (const name of ['one', 'two']) {
    await page.getByRole('button', { name: 'Save as cohort' }).click();
    await page.getByRole('textbox', { name: 'Cohort name' }).fill(name);
    await page.keyboard.press('Enter');
  }
  await page.getByRole('link', { name: 'Compare', exact: true }).click();
  const badges = page.getByRole('list', { name: 'Cohorts' }).locator('.badge.part');
  await badges.nth(1).waitFor();
  const missing = '1 of 2 institutions · Lyon: did not answer';
  await eventually(t, () => badges.allTextContents(), [missing, missing]);
});

test('a range typed the wrong way round is turned round', async (t) => {
  const { page } = await openWindow(t, `${network.url}/explore`);
  await totalOf(page);
  const age = facet(page, 'Age at diagnosis');
  await age.getByLabel('Age at diagnosis: From', { exact: true }).fill('80');
  await page.keyboard.press('Enter');
  await age.getByLabel('Age at diagnosis: To', { exact: true }).fill('20');
  await page.keyboard.press('Enter');
  await page.getByText('20 to 80').first().waitFor();
  await eventually(t, () => age.getByLabel('Age at diagnosis: From', { exact: true }).inputValue(), '20');
  t.not(await totalOf(page), '0');
});

test('an empty result offers no download', async (t) => {
  const { page } = await openWindow(t, `${network.url}/explore`);
  await totalOf(page);
  await page.getByRole('combobox', { name: /^Search \d/ }).fill('zzzzzz');
  await page.keyboard.press('Enter');
  await page.getByText('No results').waitFor();
  await eventually(t, () => page.getByRole('button', { name: 'Download', exact: true }).isDisabled(), true);
});

test('an institution that failed discovery is named, and asking again is not offered, as it cannot help', async (t) => {
  const file = join(folder, 'gone.json');
  const remote = { documentType: 'participant', discoveryTimeoutMs: 2_000 };
  writeFileSync(
    file,
    JSON.stringify({
      network: { displayName: 'One City', documentType: 'participant' },
      nodes: [
        { ...remote, nodeId: 'lyon', displayName: 'Lyon', graphqlUrl: `${sample.url}/lyon/graphql` },
        { ...remote, nodeId: 'gone', displayName: 'Gone', graphqlUrl: `${sample.url}/nowhere/graphql` },
      ],
    }),
  );
  const city = await startNetwork(file, { DATA_PATH: join(folder, 'city') });
  t.teardown(() => city.stop());
  const { page } = await openWindow(t, `${city.url}/explore`);
  await eventually(t, () => totalOf(page), '2,500');
  await eventually(
    t,
    () => page.locator('.key .gone').textContent(),
    /^Gone did not answer: not connected yet/,
  );
  t.is(await page.getByRole('button', { name: 'Ask again' }).count(), 0);
});
