// Makes the pictures of the portal in docs/images anew, over the sample consortium, and those of the museums where MUSEUMS_URL
// is their network (docs/museums/README.md): MUSEUMS_URL=http://127.0.0.1:5610 node test/portal/browser/screenshots.ts
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { hashOf } from '../../../portal/src/state/link.ts';
import type { View } from '../../../portal/src/state/view.ts';
import { openFlakyNode } from './flaky-node.ts';
import { startGuardedSample, startNetwork, startSample } from './server.ts';
import { closeBrowser, theBrowser, totalOf } from './window.ts';

const images = fileURLToPath(new URL('../../../docs/images/', import.meta.url));

interface Picture {
  readonly name: string;
  readonly url: string;
  readonly view?: View;
  readonly options?: BrowserContextOptions;
  /** Until the page shows what the picture is about. */
  readonly ready: (page: Page) => Promise<unknown>;
}

const take = async ({ name, url, view = {}, options = {}, ready }: Picture): Promise<void> => {
  const context = await (
    await theBrowser()
  ).newContext({ viewport: { width: 1280, height: 860 }, locale: 'en-GB', timezoneId: 'UTC', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(180_000);
  await page.goto(url + hashOf(view));
  await ready(page);
  await page.waitForLoadState('networkidle');
  const session = await context.newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 82 });
  writeFileSync(`${images}${name}.webp`, Buffer.from(data, 'base64'));
  await context.close();
};

/** A picture in the light theme, and one in the dark theme beside it. */
const takeBoth = async (picture: Picture): Promise<void> => {
  await take(picture);
  await take({
    ...picture,
    name: `${picture.name}-dark`,
    options: { ...picture.options, colorScheme: 'dark' },
  });
};

/** Conditions on one field. */
const where = (fieldName: string, value: string) => ({
  op: 'in' as const,
  content: { fieldName, value: [value] },
});

const rows = (page: Page): Promise<unknown> => page.getByRole('gridcell').first().waitFor();
const article = (name: string) => (page: Page) =>
  page.getByRole('article', { name }).locator('svg.drawing').waitFor();

/** As high as the page is down to its time line. */
const arrival = { viewport: { width: 1280, height: 1090 } };

const museums = process.env['MUSEUMS_URL'];
if (museums !== undefined) {
  await takeBoth({
    name: 'portal-start',
    url: `${museums}/`,
    options: { viewport: { width: 1280, height: 1240 } },
    ready: async (page) => {
      await article('Year begun')(page);
      await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
    },
  });
  await takeBoth({
    name: 'portal-explore',
    url: `${museums}/explore`,
    options: arrival,
    view: {
      filters: [
        where('artist', 'Joseph Mallord William Turner'),
        { op: 'search', content: { fieldNames: ['title'], value: 'venice' } },
      ],
    },
    ready: rows,
  });
}

const sample = await startSample();
await takeBoth({
  name: 'portal-home',
  url: `${sample.url}/`,
  options: arrival,
  ready: article('Enrolment'),
});
await takeBoth({
  name: 'portal-compare',
  url: `${sample.url}/explore`,
  options: { viewport: { width: 1280, height: 1160 } },
  view: {
    tab: 'compare',
    cohorts: [
      { name: 'Breast', filter: { op: 'and', content: [where('primary_site', 'Breast')] } },
      { name: 'Lung', filter: { op: 'and', content: [where('primary_site', 'Lung')] } },
    ],
  },
  ready: async (page) => {
    await page
      .getByText(/Log-rank/)
      .first()
      .waitFor();
    await article('Overlap')(page);
  },
});
await take({
  name: 'portal-record',
  url: `${sample.url}/record?lang=fr`,
  view: { record: { id: 'LYO00001', nodeId: 'lyon' } },
  options: { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
  ready: (page) => page.locator('dl.facts small').first().waitFor(),
});

const folder = mkdtempSync(join(tmpdir(), 'portal-pictures-'));
const lyon = await openFlakyNode(`${sample.url}/lyon/graphql`);
const file = join(folder, 'nodes.json');
interface SampleNodes {
  readonly network: object;
  readonly nodes: readonly { readonly nodeId: string; readonly catalogue?: string }[];
}

/** The sample's own network, its institutions behind addresses instead of in the same process. */
const root = fileURLToPath(new URL('../../../', import.meta.url));
const { network: own, nodes } = JSON.parse(
  readFileSync(join(root, 'nodes.json'), 'utf8').replaceAll('"configs/', `"${root}configs/`),
) as SampleNodes;
const { catalogs } = (await (await fetch(`${sample.url}/introspection`)).json()) as {
  catalogs: Record<string, { documentType: string }>;
};
const remote = nodes.map(({ catalogue = '', ...node }) => ({
  ...node,
  documentType: catalogs[catalogue]!.documentType,
  graphqlUrl: catalogue === 'lyon' ? lyon.graphqlUrl : `${sample.url}/${catalogue}/graphql`,
}));
writeFileSync(file, JSON.stringify({ network: own, nodes: remote }));
const network = await startNetwork(file);
const page = await (await theBrowser()).newPage();
await page.goto(`${network.url}/explore`);
await totalOf(page);
lyon.mood = 'down';
await takeBoth({
  name: 'portal-charts',
  url: `${network.url}/explore`,
  view: { tab: 'charts', charts: ['primary_site', 'age', 'vital_status', 'mutated_genes'] },
  ready: article('Primary site'),
});
await takeBoth({
  name: 'portal-network',
  url: `${network.url}/network`,
  ready: (opened) => opened.locator('td.gone').waitFor(),
});
await network.stop();
await lyon.stop();
await sample.stop();

const guarded = await startGuardedSample();
await take({ name: 'guarded-start', url: `${guarded.url}/`, ready: article('Age (years)') });
await take({
  name: 'guarded-explore',
  url: `${guarded.url}/explore`,
  view: { filters: [where('primary_site', 'Breast')] },
  ready: rows,
});
await guarded.stop();
await closeBrowser();
rmSync(folder, { recursive: true, force: true });
