import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { describe, type Catalogue } from '../../../portal/src/api/catalogue.ts';
import { readConfig } from '../../../portal/src/api/config.ts';
import type { Field } from '../../../portal/src/api/fields.ts';
import { en } from '../../../portal/src/i18n/en.ts';
import { valueText } from '../../../portal/src/look/value-text.ts';
import { hashOf, viewOf } from '../../../portal/src/state/link.ts';
import type { View } from '../../../portal/src/state/view.ts';
import { aggregationName } from '../../../src/introspection/fields/field.ts';
import { openFlakyNode } from './flaky-node.ts';
import { startGuardedSample, startNetwork, startSample } from './server.ts';
import { closeBrowser, eventually, openWindow, totalOf } from './window.ts';

test.after.always(closeBrowser);

/** A count with its bounds, as the API writes it. */
interface Counted {
  readonly total?: number | null;
  readonly doc_count?: number;
  readonly upper_bound: number | null;
  readonly estimate?: number | null;
}

interface FacetCounts {
  readonly bucket_count?: number;
  readonly buckets?: readonly (Counted & { readonly key: string; readonly key_as_string?: string })[];
  readonly stats?: { readonly count: number };
}

interface Counts extends Counted {
  readonly page: { readonly edges: readonly { readonly node: { readonly id: string } }[] };
  readonly nodes: readonly (Counted & {
    readonly nodeId: string;
    readonly name: string;
    readonly state: string;
  })[];
  readonly aggregations?: Readonly<Record<string, FacetCounts>>;
}

/** A server whose pages are read, and what the API calls its fields. */
interface Site {
  readonly url: string;
  readonly catalogue: Catalogue;
}

const siteAt = async (url: string): Promise<Site> => {
  const { sources } = await readConfig(new URL(`${url}/`));
  return { url, catalogue: await describe(sources.find(({ kind }) => kind === 'network')!) };
};

/** What the API counts for a view: each field of values once, with all of them. */
const countsOf = async (
  { url, catalogue }: Site,
  { filters = [], nodes = null }: Pick<View, 'filters'> & { readonly nodes?: readonly string[] | null },
  fields: readonly Field[] = [],
  isExact = false,
): Promise<Counts> => {
  const selections = fields.map(({ path, kind }) =>
    kind === 'values'
      ? `${aggregationName(path)} { bucket_count buckets(max: 500) { key key_as_string doc_count upper_bound estimate } }`
      : `${aggregationName(path)} { stats { count } }`,
  );
  const facets = selections.length === 0 ? '' : `aggregations { ${selections.join(' ')} }`;
  const query = `query ($filters: JSON, $nodes: [String]) {
    network(filters: $filters, nodesFilter: $nodes, aggregations_filter_themselves: ${isExact}) {
      total upper_bound estimate nodes { nodeId name total: hits upper_bound state } page: hits(first: 1) { edges { node { id } } } ${facets} } }`;
  const response = await fetch(`${url}/${catalogue.source.path}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query,
      variables: { filters: filters.length === 0 ? null : { op: 'and', content: filters }, nodes },
    }),
  });
  const { data, errors } = (await response.json()) as { data: { network: Counts }; errors?: unknown };
  if (errors !== undefined) throw new Error(JSON.stringify(errors));
  return data.network;
};

/** All numbers of a text. */
const numbersIn = (text: string | null): readonly number[] =>
  [...(text ?? '').matchAll(/\d[\d,]*(\.\d+)?/g)].map(([each]) => Number(each.replaceAll(',', '')));

/** The numbers that a page shows of a count: itself, or its bounds, with the estimate before them. */
const shownAs = ({ total, doc_count, upper_bound: upper, estimate }: Counted): readonly number[] => {
  const count = total ?? doc_count ?? 0;
  if (upper === null || upper <= count) return [count];
  return estimate == null ? [count, upper] : [estimate, count, upper];
};

/** A number of a page: where it stands, what it shows, what the API counts. */
type Reading = readonly [where: string, shown: readonly number[], counted: readonly number[]];

/** Lists that were cut widen bounds; a single number, and an estimate, are the API's own. */
const agree = (shown: readonly number[], counted: readonly number[]): boolean => {
  if (shown.length < 2 || counted.length === 0) return shown.join() === counted.join();
  const [low, high] = [shown.at(-2)!, shown.at(-1)!];
  const [least, most] = [counted.at(-2) ?? counted[0]!, counted.at(-1)!];
  return low <= least && most <= high && (shown.length === 2 || shown[0] === counted[0]);
};

/** Reads the numbers of a page until as many as expected are there and none is other than the API's. */
const expectEqual = async (
  t: ExecutionContext,
  page: string,
  read: () => Promise<readonly Reading[]>,
  atLeast: number,
): Promise<void> => {
  const compared = async () => {
    const readings = await read();
    const wrong = readings.filter(([, shown, counted]) => shown.length === 0 || !agree(shown, counted));
    return { wrong, isComplete: readings.length >= atLeast };
  };
  await eventually(t, compared, { wrong: [], isComplete: true }, page);
};

/** Links with a count lead to a view that has it. */
const linksOf = async (page: Page, site: Site, selector: string): Promise<readonly Reading[]> => {
  const links = await page
    .locator(selector)
    .evaluateAll((found) => found.map((each) => ({ href: each.closest('a')!.href, text: each.textContent })));
  return Promise.all(
    links.map(async ({ href, text }): Promise<Reading> => {
      const { filters = [], nodes = null } = viewOf(new URL(href).hash).view;
      return [
        `${selector} ${decodeURIComponent(new URL(href).hash)}`,
        numbersIn(text),
        shownAs(await countsOf(site, { filters, nodes })),
      ];
    }),
  );
};

const fieldCalled = ({ catalogue }: Site, name: string): Field | undefined =>
  [...catalogue.fields.values()].find(
    (field) => name === field.name || name === `${field.name} (${field.unit})`,
  );

/** The values of a facet or a chart, by the texts that stand for them. */
const valuesOf = (site: Site, field: Field, counts: Counts): ReadonlyMap<string, readonly number[]> =>
  new Map(
    (counts.aggregations?.[aggregationName(field.path)]?.buckets ?? []).map((bucket) => [
      valueText({ key: bucket.key, label: bucket.key_as_string ?? null }, field, en),
      shownAs(bucket),
    ]),
  );

const facetReadings = async (
  page: Page,
  site: Site,
  filters: View['filters'],
): Promise<readonly Reading[]> => {
  const boxes = await page.locator('section.facet:has(label.value .text)').evaluateAll((sections) =>
    sections.map((section) => ({
      name: section.getAttribute('aria-label')!,
      rows: [...section.querySelectorAll('label.value')].map(
        (row) => [row.querySelector('.text')!.textContent, row.querySelector('em')!.textContent] as const,
      ),
    })),
  );
  const fields = boxes
    .flatMap(({ name }) => fieldCalled(site, name) ?? [])
    .filter(({ kind }) => kind === 'values');
  const counts = await countsOf(site, { filters: filters ?? [] }, fields);
  return boxes.flatMap(({ name, rows }) => {
    const field = fields.find((each) => each.name === name);
    if (field === undefined) return [];
    const values = valuesOf(site, field, counts);
    return rows.map(([text, count]): Reading => [
      `${name}: ${text}`,
      numbersIn(count),
      values.get(text) ?? [],
    ]);
  });
};

/** Each bar by its value; the bars of a histogram, with what has no value or is beyond it, by their sum. */
const chartReadings = async (
  page: Page,
  site: Site,
  filters: View['filters'],
  isGuarded: boolean,
): Promise<readonly Reading[]> => {
  await page.waitForFunction(
    () =>
      document.querySelectorAll('article.chart').length > 0 &&
      document.querySelector('article.chart .awaited') === null,
  );
  const charts = await page.locator('article.chart:has(.mark)').evaluateAll((articles) =>
    articles.map((article) => ({
      name: article.getAttribute('aria-label')!,
      marks: [...article.querySelectorAll('.mark')].map((mark) => mark.getAttribute('aria-label')!),
      beyond: [...article.querySelectorAll('p.small')]
        .map(({ textContent }) => textContent)
        .filter((text) => text.includes(' beyond ')),
    })),
  );
  const fields = charts.flatMap(({ name }) => fieldCalled(site, name) ?? []);
  const counts = await countsOf(site, { filters: filters ?? [] }, fields);
  return charts.flatMap(({ name, marks, beyond }): readonly Reading[] => {
    const field = fieldCalled(site, name);
    if (field === undefined) return [];
    const parts = marks.map(
      (mark) => [mark.slice(0, mark.lastIndexOf(': ')), mark.slice(mark.lastIndexOf(': '))] as const,
    );
    const values = valuesOf(site, field, counts);
    if (field.kind === 'values')
      return parts.map(([text, count]) => [`${name}: ${text}`, numbersIn(count), values.get(text) ?? []]);
    // a release counts by its own intervals, with margins that do not add up
    if (isGuarded) return [];
    const sum =
      parts.reduce((before, [, count]) => before + numbersIn(count)[0]!, 0) +
      beyond.reduce((before, text) => before + numbersIn(text)[0]!, 0);
    return [[`${name}: all bars`, [sum], [counts.aggregations![aggregationName(field.path)]!.stats!.count]]];
  });
};

const institutionReadings = async (page: Page, { nodes }: Counts): Promise<readonly Reading[]> => {
  const shown = await page
    .locator('.key li:has(button[aria-label]):has(> span:not(.dot))')
    .evaluateAll((items) =>
      items.map(
        (item) =>
          [
            item.querySelector('button')!.textContent,
            item.querySelector('span:not(.dot)')!.textContent,
          ] as const,
      ),
    );
  return shown.map(([name, text]) => [
    name,
    numbersIn(text),
    shownAs(nodes.find((node) => node.name === name)!),
  ]);
};

const women = { op: 'in', content: { fieldName: 'sex', value: ['Female'] } } as const;

/** Reads every page of a site. */
const crawl = async (
  t: ExecutionContext,
  url: string,
  { node, isGuarded = false }: { readonly node: string; readonly isGuarded?: boolean },
): Promise<void> => {
  const site = await siteAt(url);
  const { page } = await openWindow(t, `${url}/ping`);
  const open = (path: string, view: View = {}): Promise<unknown> =>
    page.goto(`${url}/${path}${hashOf(view)}`);
  const everything = await countsOf(site, {});

  await open('');
  const startReadings = async () => [
    ['the total', numbersIn(await page.getByTestId('total').textContent()), shownAs(everything)] as Reading,
    ...(await linksOf(page, site, 'ul.questions a small')),
    ...(await linksOf(page, site, 'ul.cards a b.large')),
    ...(await chartReadings(page, site, [], isGuarded)),
  ];
  await page.locator('ul.questions a small').first().waitFor();
  await expectEqual(t, 'start', startReadings, 10);

  for (const filters of [[], [women]]) {
    const counts = await countsOf(site, { filters });
    await open('explore', { filters });
    await totalOf(page);
    const exploreReadings = async () => [
      ['the total', numbersIn(await page.getByTestId('total').textContent()), shownAs(counts)] as Reading,
      ...(await institutionReadings(page, counts)),
      ...(await facetReadings(page, site, filters)),
    ];
    await expectEqual(t, `explore ${filters.length}`, exploreReadings, 10);
    await page.getByRole('tab', { name: 'Charts' }).click();
    const readings = () => chartReadings(page, site, filters, isGuarded);
    await expectEqual(t, `charts ${filters.length}`, readings, 5);
  }

  await open('explore', {
    tab: 'compare',
    cohorts: [
      { name: 'All', filter: null },
      { name: 'Women', filter: women },
    ],
  });
  const sizes = page.locator('.cohortsize .number').filter({ hasText: /\d/ });
  await sizes.nth(1).waitFor();
  const sex = fieldCalled(site, 'Sex')!;
  const [whole, half] = await Promise.all(
    [[], [women]].map((filters) => countsOf(site, { filters }, [sex], true)),
  );
  const rows = page.getByRole('article', { name: 'Sex', exact: true }).locator('tbody tr');
  await rows.first().locator('td').filter({ hasText: /\d/ }).nth(1).waitFor();
  const compareReadings = async (): Promise<readonly Reading[]> => {
    const shownSizes = await sizes.allTextContents();
    const shownRows = await rows.evaluateAll((all) =>
      all.map((row) => ({
        name: row.querySelector('th')!.textContent,
        cells: [...row.querySelectorAll('td')].map(({ textContent }) => textContent),
      })),
    );
    return [whole!, half!].flatMap((counts, at) => [
      [`size ${at}`, numbersIn(shownSizes[at]!), shownAs(counts)] as const,
      ...shownRows.map(
        ({ name, cells }) =>
          [
            `${name} ${at}`,
            numbersIn(cells[at]!.split('· ').at(-1)!),
            valuesOf(site, sex, counts).get(name) ?? [0],
          ] as const,
      ),
    ]);
  };
  await expectEqual(t, 'compare', compareReadings, 4);

  const own = await countsOf(site, { nodes: [node] });
  await open('record', { record: { id: own.page.edges[0]!.node.id, nodeId: node } });
  await page.locator('dl.facts a.like small').first().waitFor();
  await expectEqual(t, 'record', () => linksOf(page, site, 'dl.facts a.like small'), 3);

  await page.goto(`${url}/network#${node}`);
  const total = page.getByTestId('total');
  await total.filter({ hasText: /\d/ }).waitFor();
  const ownReadings = async () => [
    ['its total', numbersIn(await total.textContent()), shownAs(own)] as Reading,
  ];
  await expectEqual(t, 'institution', ownReadings, 1);
};

test('every number of the sample is that of the API', async (t) => {
  const server = await startSample();
  t.teardown(server.stop);
  await crawl(t, server.url, { node: 'lyon' });
});

test('every number is that of the API where an institution discloses counts only', async (t) => {
  const server = await startGuardedSample();
  t.teardown(server.stop);
  await crawl(t, server.url, { node: 'lyon', isGuarded: true });
});

test('every number is that of the API where an institution does not answer', async (t) => {
  const sample = await startSample({ NODES_PATH: 'off' });
  t.teardown(sample.stop);
  const lyon = await openFlakyNode(`${sample.url}/lyon/graphql`);
  t.teardown(lyon.stop);
  const folder = mkdtempSync(join(tmpdir(), 'portal-numbers-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'nodes.json');
  const fields = {
    donor_id: 'keyword',
    sex: 'keyword',
    primary_site: 'keyword',
    stage: 'keyword',
    mutated_genes: 'keyword',
    age: 'integer',
  };
  const nodes = [
    {
      nodeId: 'toronto',
      displayName: 'Toronto',
      documentType: 'donor',
      graphqlUrl: `${sample.url}/toronto/graphql`,
      fields: { age: 'age_at_diagnosis' },
      timeoutMs: 300_000,
    },
    {
      nodeId: 'lyon',
      displayName: 'Lyon',
      documentType: 'participant',
      graphqlUrl: lyon.graphqlUrl,
      fields: { donor_id: 'participant_id' },
      timeoutMs: 300_000,
    },
  ];
  writeFileSync(
    file,
    JSON.stringify({ network: { displayName: 'Two Cities', documentType: 'donor', fields }, nodes }),
  );
  const network = await startNetwork(file);
  t.teardown(network.stop);
  const site = await siteAt(network.url);
  while ((await countsOf(site, {})).nodes.some(({ state }) => state !== 'ok'));
  lyon.mood = 'down';
  await crawl(t, network.url, { node: 'toronto' });
});
