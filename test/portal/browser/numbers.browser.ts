import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { describe, type Catalogue } from '../../../portal/src/api/catalogue.ts';
import { readConfig } from '../../../portal/src/api/config.ts';
import type { Field } from '../../../portal/src/api/fields.ts';
import type { Filter } from '../../../portal/src/api/filter.ts';
import type { NetworkState } from '../../../portal/src/api/network-state.ts';
import {
  atRiskAt,
  heightAt,
  kaplanMeier,
  type EventTime,
} from '../../../portal/src/explore/compare/kaplan-meier.ts';
import { formatsOf, unitIn } from '../../../portal/src/i18n/formats.ts';
import { en } from '../../../portal/src/i18n/en.ts';
import { showValue } from '../../../portal/src/look/show-value.ts';
import { valueText } from '../../../portal/src/look/value-text.ts';
import { timePath } from '../../../portal/src/explore/timeline-path.ts';
import { hashOf, viewOf } from '../../../portal/src/state/link.ts';
import type { View } from '../../../portal/src/state/view.ts';
import { aggregationName } from '../../../src/introspection/fields/field.ts';
import { MISSING } from '../../../src/sqon/ast.ts';
import { openFlakyNode } from './flaky-node.ts';
import { startGuardedSample, startNetwork, startSample } from './server.ts';
import { chooseIn, closeBrowser, eventually, openWindow, totalOf } from './window.ts';

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
  readonly buckets?: readonly (Counted & {
    readonly key: string;
    readonly key_as_string?: string;
    readonly nodes: readonly { readonly nodeId: string; readonly doc_count: number }[];
  })[];
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

const askApi = async <Data>({ url, catalogue }: Site, query: string, variables = {}): Promise<Data> => {
  const response = await fetch(`${url}/${catalogue.source.path}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as { data: Data; errors?: unknown };
  if (errors !== undefined) throw new Error(JSON.stringify(errors));
  return data;
};

const filterOf = (filters: View['filters'] = []) =>
  filters.length === 0 ? null : { op: 'and', content: filters };

type FieldAnswer<Part> = {
  readonly network: { readonly aggregations: Readonly<Record<string, Part>> };
};

/** One field of a network, as it is selected. */
const fieldOf = async <Part>(
  site: Site,
  path: string,
  selection: string,
  { filters, nodes = null }: Pick<View, 'filters'> & { readonly nodes?: readonly string[] | null } = {},
  isExact = false,
): Promise<Part> => {
  const { network } = await askApi<FieldAnswer<Part>>(
    site,
    `query ($filters: JSON, $nodes: [String]) { network(filters: $filters, nodesFilter: $nodes, aggregations_filter_themselves: ${isExact}) {
      aggregations { ${aggregationName(path)} { ${selection} } } } }`,
    { filters: filterOf(filters), nodes },
  );
  return network.aggregations[aggregationName(path)]!;
};

/** What the API counts for a view: each field of values once, with all of them. */
const countsOf = async (
  site: Site,
  { filters = [], nodes = null }: Pick<View, 'filters'> & { readonly nodes?: readonly string[] | null },
  fields: readonly Field[] = [],
  isExact = false,
): Promise<Counts> => {
  const selections = fields.map(({ path, kind }) =>
    kind === 'values'
      ? `${aggregationName(path)} { bucket_count buckets(max: 500) { key key_as_string doc_count upper_bound estimate nodes { nodeId doc_count } } }`
      : `${aggregationName(path)} { stats { count } }`,
  );
  const facets = selections.length === 0 ? '' : `aggregations { ${selections.join(' ')} }`;
  const query = `query ($filters: JSON, $nodes: [String]) {
    network(filters: $filters, nodesFilter: $nodes, aggregations_filter_themselves: ${isExact}) {
      total upper_bound estimate nodes { nodeId name total: hits upper_bound state } page: hits(first: 1) { edges { node { id } } } ${facets} } }`;
  const variables = { filters: filterOf(filters), nodes };
  return (await askApi<{ network: Counts }>(site, query, variables)).network;
};

/** All numbers of a text. */
const numbersIn = (text: string | null): readonly number[] =>
  [...(text ?? '').matchAll(/\d[\d,]*(\.\d+)?/g)].map(([each]) => Number(each.replaceAll(',', '')));

/** The numbers that a page shows of a count: itself, or its bounds. */
const shownAs = ({ total, doc_count, upper_bound: upper }: Counted): readonly number[] => {
  const count = total ?? doc_count ?? 0;
  return upper === null || upper <= count ? [count] : [count, upper];
};

/** A number of a page: where it stands, what it shows, what the API counts. */
type Reading = readonly [where: string, shown: readonly number[], counted: readonly number[]];

/** Lists that were cut widen bounds; a single number is the API's own. */
const agree = (shown: readonly number[], counted: readonly number[]): boolean => {
  if (shown.length < 2 || counted.length === 0) return shown.join() === counted.join();
  const [low, high] = [shown.at(-2)!, shown.at(-1)!];
  const [least, most] = [counted.at(-2) ?? counted[0]!, counted.at(-1)!];
  return low <= least && most <= high;
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
    (field) => name === field.name || name === `${field.name} (${unitIn(field.unit ?? '', 'en')})`,
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

/** The first levels of those of some fields that have hierarchies, by the labels of their terms. */
const levelsOf = async (
  site: Site,
  fields: readonly Field[],
  filters: View['filters'],
): Promise<ReadonlyMap<string, ReadonlyMap<string, readonly number[]>>> => {
  const levels = fields
    .filter(({ hierarchy }) => hierarchy !== undefined)
    .map(async ({ path }) => {
      const selection = 'tree(max: 500) { buckets { key label doc_count upper_bound } }';
      const { tree } = await fieldOf<Level>(site, path, selection, filters === undefined ? {} : { filters });
      return [path, new Map(tree.buckets.map((bucket) => [bucket.label, shownAs(bucket)]))] as const;
    });
  return new Map(await Promise.all(levels));
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
  const levels = await levelsOf(site, fields, filters);
  return charts.flatMap(({ name, marks, beyond }): readonly Reading[] => {
    const field = fieldCalled(site, name);
    if (field === undefined) return [];
    const parts = marks.map(
      (mark) => [mark.slice(0, mark.lastIndexOf(': ')), mark.slice(mark.lastIndexOf(': '))] as const,
    );
    const values = levels.get(field.path) ?? valuesOf(site, field, counts);
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
    .locator('.key li:has(button[aria-label]):has(> bdi)')
    .evaluateAll((items) =>
      items.map(
        (item) =>
          [
            item.querySelector('button')!.textContent,
            item.querySelector(':scope > bdi')!.textContent,
          ] as const,
      ),
    );
  return shown.map(([name, text]) => [
    name,
    numbersIn(text),
    shownAs(nodes.find((node) => node.name === name)!),
  ]);
};

const withValue = (path: string, isFilled: boolean) => ({
  op: isFilled ? ('not-in' as const) : ('in' as const),
  content: { fieldName: path, value: [MISSING] },
});

const not = (filter: Filter): Filter => ({ op: 'not', content: [filter] });

/** "No value: n" under each chart: in lists, the records none of whose objects has one. */
const withoutValueReadings = async (
  page: Page,
  site: Site,
  filters: NonNullable<View['filters']>,
): Promise<readonly Reading[]> => {
  const shown = await page
    .locator('article.chart')
    .evaluateAll((articles) =>
      articles.flatMap((article) =>
        [...article.querySelectorAll('p.small')]
          .filter(({ textContent }) => textContent.startsWith('No value: '))
          .map(({ textContent }) => [article.getAttribute('aria-label')!, textContent] as const),
      ),
    );
  const readings = shown.map(async ([name, text]): Promise<readonly Reading[]> => {
    const field = fieldCalled(site, name);
    if (field === undefined) return [];
    const without = [withValue(field.path, false), not(withValue(field.path, true))];
    const facets = field.kind === 'values' ? (await countsOf(site, { filters }, [field])).aggregations! : {};
    const bucket = facets[aggregationName(field.path)]?.buckets?.find(({ key }) => key === MISSING);
    const counts =
      bucket?.doc_count === 0 ? bucket : await countsOf(site, { filters: [...filters, ...without] });
    return [[`${name}: no value`, numbersIn(text), shownAs(counts)]];
  });
  return (await Promise.all(readings)).flat();
};

/** The card beside the first mark of each chart of values: its count, and that of each institution. */
const cardReadings = async (
  page: Page,
  site: Site,
  filters: View['filters'],
): Promise<readonly Reading[]> => {
  const readings: Reading[] = [];
  for (const chart of await page.locator('article.chart:has(.mark)').all()) {
    const field = fieldCalled(site, (await chart.getAttribute('aria-label'))!);
    if (field?.kind !== 'values') continue;
    await chart.locator('.mark').first().focus();
    const [title = '', count = '', ...lines] = await chart
      .getByRole('tooltip')
      .locator('> *')
      .allTextContents();
    const counts = await countsOf(site, { filters: filters ?? [] }, [field]);
    const levels = await levelsOf(site, [field], filters);
    const values = levels.get(field.path) ?? valuesOf(site, field, counts);
    const bucket = counts.aggregations![aggregationName(field.path)]!.buckets!.find(
      ({ key, key_as_string: label }) => valueText({ key, label: label ?? null }, field, en) === title,
    );
    readings.push([`card of ${title}`, numbersIn(count.split(' · ')[0]!), values.get(title) ?? []]);
    for (const { nodeId, doc_count: own } of bucket?.nodes ?? []) {
      const { name } = site.catalogue.nodes.find((node) => node.nodeId === nodeId)!;
      const line = lines.find((each) => each.startsWith(`${name}: `)) ?? '';
      readings.push([`card of ${title}: ${name}`, numbersIn(line.slice(name.length)), [own]]);
    }
  }
  return readings;
};

interface Level {
  readonly tree: {
    readonly buckets: readonly (Counted & { readonly key: string; readonly label: string })[];
  };
}

/** The rows of a tree, the first branch opened. */
const treeReadings = async (
  page: Page,
  site: Site,
  filters: View['filters'],
): Promise<readonly Reading[]> => {
  const field = [...site.catalogue.fields.values()].find(({ hierarchy }) => hierarchy !== undefined);
  if (field === undefined) return [];
  const selection = 'buckets { key label doc_count upper_bound }';
  const level = (under: string) =>
    fieldOf<Level>(
      site,
      field.path,
      `tree(${under}max: 500) { ${selection} }`,
      filters === undefined ? {} : { filters },
    );
  const top = await level('');
  const rows = page.getByRole('region', { name: field.name, exact: true }).getByRole('treeitem');
  const branch = rows.and(page.locator('[aria-level="1"][aria-expanded]')).first();
  if ((await branch.getAttribute('aria-expanded')) === 'false') await branch.locator('.twist').click();
  const opened = await branch.locator('.text').textContent();
  const { key } = top.tree.buckets.find(({ label }) => label === opened)!;
  const below = await level(`under: ${JSON.stringify(key)}, `);
  await rows.and(page.locator('[aria-level="2"]')).first().waitFor();
  const shown = await rows.evaluateAll((items) =>
    items
      .filter((item) => item.querySelector('em') !== null)
      .map((item) => ({
        isTop: item.getAttribute('aria-level') === '1',
        text: item.querySelector('.text')!.textContent,
        count: item.querySelector('em')!.textContent,
      })),
  );
  return shown.flatMap(({ isTop, text, count }): readonly Reading[] => {
    // the term itself, without those under it, is no bucket of a level
    const bucket = (isTop ? top : below).tree.buckets.find(({ label }) => label === text);
    return bucket === undefined ? [] : [[`tree: ${text}`, numbersIn(count), shownAs(bucket)]];
  });
};

/** The table of the survival curves, computed from the event tables of the API. */
const survivalReadings = async (
  page: Page,
  site: Site,
  cohorts: readonly View['filters'][],
): Promise<readonly Reading[]> => {
  const fields = site.catalogue.survival;
  if (fields === null) return [];
  const card = page.getByRole('article', { name: /^Survival by/ });
  if (await card.locator('svg.drawing').isVisible()) await chooseIn(page, card, 'Show as table');
  const dead = `{ op: "in", content: { fieldName: ${JSON.stringify(fields.event)}, value: ${JSON.stringify(fields.dead)} } }`;
  const known = `{ op: "not", content: [{ op: "in", content: { fieldName: ${JSON.stringify(fields.event)}, value: ["${MISSING}"] } }] }`;
  const tables = await Promise.all(
    cohorts.map(async (filters) => {
      const selection = `survival(dead: ${dead}, known: ${known}) { times { time events censored } }`;
      const { survival } = await fieldOf<{ survival: { times: readonly EventTime[] } }>(
        site,
        fields.time,
        selection,
        filters === undefined ? {} : { filters },
        true,
      );
      return { times: survival.times, points: kaplanMeier(survival.times) };
    }),
  );
  const rows = await card
    .locator('tbody tr')
    .evaluateAll((all) => all.map((row) => [...row.children].map(({ textContent }) => textContent)));
  return rows.flatMap(([tick, ...cells]) =>
    tables.flatMap(({ times, points }, at): readonly Reading[] => {
      const time = Number(tick);
      const here = heightAt(points, time);
      const own = cells.slice(4 * at, 4 * at + 4);
      return [
        [`at risk ${at} after ${tick}`, numbersIn(own[0]!), [atRiskAt(times, time)]],
        ...[here?.survival, here?.lower, here?.upper].flatMap((value, part): readonly Reading[] =>
          value == null
            ? []
            : [[`survival ${at} after ${tick}`, numbersIn(own[part + 1]!), [Number(value.toFixed(4))]]],
        ),
      ];
    }),
  );
};

/** The medians of numbers, cohort by cohort. */
const medianReadings = async (
  page: Page,
  site: Site,
  cohorts: readonly View['filters'][],
): Promise<readonly Reading[]> => {
  const shown = await page
    .locator('article.chart')
    .evaluateAll((articles) =>
      articles.flatMap((article) =>
        [...article.querySelectorAll(':scope > p.small')]
          .filter(({ textContent }) => textContent.startsWith('Median: '))
          .map(({ textContent }) => [article.getAttribute('aria-label')!, textContent] as const),
      ),
    );
  const readings = shown.map(async ([name, text]) => {
    const field = fieldCalled(site, name)!;
    return Promise.all(
      text
        .slice('Median: '.length)
        .split(' · ')
        .map(async (part, at): Promise<Reading> => {
          const { percentiles } = await fieldOf<{ percentiles: readonly { value: number }[] }>(
            site,
            field.path,
            'percentiles(percents: [50]) { value }',
            cohorts[at] === undefined ? {} : { filters: cohorts[at] },
            true,
          );
          const middle = percentiles[0]!.value;
          const isWhole = !/float|double/.test(field.type) && field.kind === 'numbers';
          const value = showValue(field, formatsOf('en'))(isWhole ? Math.round(middle) : middle);
          return [`median of ${name} ${at}`, numbersIn(part.split(': ')[1]!), numbersIn(value)];
        }),
    );
  });
  return (await Promise.all(readings)).flat();
};

/** The start page's shares and newest dates of institutions, and its other figures. */
const cardsReadings = async (page: Page, site: Site, everything: Counts): Promise<readonly Reading[]> => {
  const cards = await page.locator('ul.cards > li').evaluateAll((items) =>
    items.map((item) => ({
      name: item.querySelector('a')!.textContent.trim(),
      texts: [...item.querySelectorAll('.small.quiet')].map(({ textContent }) => textContent),
    })),
  );
  const time = timePath(site.catalogue, site.catalogue.facets);
  const { percent, day } = formatsOf('en');
  const shares = cards.map(async ({ name, texts }): Promise<readonly Reading[]> => {
    const node = everything.nodes.find((each) => each.name === name);
    if (node === undefined || node.state !== 'ok') return [];
    const share = texts.find((text) => text.endsWith('%'));
    const newest = texts.find((text) => text.startsWith('Latest '));
    const max =
      newest === undefined
        ? null
        : (await fieldOf<{ stats: { max: unknown } }>(site, time!, 'stats { max }', { nodes: [node.nodeId] }))
            .stats.max;
    return [
      [`share of ${name}`, numbersIn(share ?? ''), numbersIn(percent(node.total! / everything.total!))],
      ...(newest === undefined
        ? []
        : [[`newest of ${name}`, numbersIn(newest), numbersIn(day(Number(max)))] as Reading]),
    ];
  });
  const figures = await page.locator('.figures .number').allTextContents();
  return [
    ...(await Promise.all(shares)).flat(),
    [
      'institutions',
      numbersIn(figures[1] ?? ''),
      [everything.nodes.filter(({ state }) => state === 'ok').length],
    ],
    ['fields', numbersIn(figures[2] ?? ''), [site.catalogue.fields.size]],
  ];
};

const cellsIn = (page: Page, region: string): Promise<string[][]> =>
  page
    .getByRole('region', { name: region, exact: true })
    .locator('tbody tr')
    .evaluateAll((all) => all.map((row) => [...row.children].map(({ textContent }) => textContent.trim())));

/** The variables of the network, and how completely each institution records the first ones. */
const variableReadings = async (page: Page, site: Site, everything: Counts): Promise<readonly Reading[]> => {
  const { catalogue } = site;
  const listed = [...catalogue.fields.values()].filter(({ kind }) => kind !== 'nested' && kind !== 'other');
  const heading = await page.getByRole('heading', { name: /^Variables/ }).textContent();
  const readings = (await cellsIn(page, 'Variables')).slice(0, 8).map(async ([name, , , ...shares]) => {
    const field = listed.find((each) => each.name === name)!;
    const filled = await countsOf(site, { filters: [withValue(field.path, true)] });
    return catalogue.nodes.flatMap(({ nodeId, name: node }, at): readonly Reading[] => {
      const partOf = ({ nodes }: Counts) => nodes.find((one) => one.nodeId === nodeId)!;
      const [part, all] = [partOf(filled), partOf(everything)];
      const isLacking = field.nodes?.includes(nodeId) === false;
      if (isLacking || part.state !== 'ok' || part.upper_bound !== part.total) return [];
      const share = formatsOf('en').percent(part.total! / all.total!);
      return [[`${name} at ${node}`, numbersIn(shares[at]!), numbersIn(share)]];
    });
  });
  return [
    ['variables of the network', numbersIn(heading), [listed.length]],
    ...(await Promise.all(readings)).flat(),
  ];
};

/** The records and the answers of each institution. */
const networkReadings = async (page: Page, site: Site, everything: Counts): Promise<readonly Reading[]> => {
  const rows = await cellsIn(page, 'Institutions');
  const headers = { accept: 'application/json' };
  const answer = await fetch(`${site.url}/${site.catalogue.source.path}`, { headers });
  const { nodes } = (await answer.json()) as NetworkState;
  return rows.flatMap(([name = '', , records = '', , answers = '']): readonly Reading[] => {
    const { nodeId, latencyMs } = nodes.find((each) => name.startsWith(each.name))!;
    const part = everything.nodes.find((each) => each.nodeId === nodeId)!;
    const isFast = latencyMs?.slowOfLast20 === 0 && latencyMs.p50 < 1000;
    return [
      ...(part.state === 'ok'
        ? [
            [
              `records of ${nodeId}`,
              numbersIn(records.split(/Updated|Release/)[0]!),
              shownAs(part),
            ] as Reading,
          ]
        : []),
      ...(isFast
        ? [[`answers of ${nodeId}`, numbersIn(answers).slice(0, 1), [Math.round(latencyMs.p50)]] as Reading]
        : []),
    ];
  });
};

/** How many records of an institution fill each field. */
const filledReadings = async (
  page: Page,
  site: Site,
  node: string,
  own: Counts,
): Promise<readonly Reading[]> => {
  const rows = await page
    .getByRole('region', { name: 'Field completeness' })
    .locator('tbody tr')
    .evaluateAll((all) => all.map((row) => [...row.children].map(({ textContent }) => textContent.trim())));
  const readings = rows.map(async ([name = '', , , share = '']): Promise<readonly Reading[]> => {
    const field = [...site.catalogue.fields.values()].find(
      (each) => each.name === name && each.nodes?.includes(node) === true,
    )!;
    const counts = await countsOf(site, { filters: [withValue(field.path, true)], nodes: [node] });
    const part = formatsOf('en').percent(counts.total! / own.total!);
    return share === '' ? [] : [[`${name}: share`, numbersIn(share), numbersIn(part)]];
  });
  return (await Promise.all(readings)).flat();
};

const women = { op: 'in', content: { fieldName: 'sex', value: ['Female'] } } as const;

/** Runs in the page: what it keeps as the visitor's cohorts. */
const keptInBrowser = (cohorts: readonly object[]): void =>
  localStorage.setItem('tributary.cohorts', JSON.stringify({ cohorts }));

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
    ...(await linksOf(page, site, '.questions a small')),
    ...(await linksOf(page, site, 'ul.cards a b.large')),
    ...(await cardsReadings(page, site, everything)),
    ...(await chartReadings(page, site, [], isGuarded)),
    ...(await withoutValueReadings(page, site, [])),
  ];
  await page.locator('.questions a small').first().waitFor();
  await expectEqual(t, 'start', startReadings, 10);

  for (const filters of [[], [women]]) {
    const counts = await countsOf(site, { filters });
    await open('explore', { filters });
    await totalOf(page);
    const exploreReadings = async () => [
      ['the total', numbersIn(await page.getByTestId('total').textContent()), shownAs(counts)] as Reading,
      ...(await institutionReadings(page, counts)),
      ...(await facetReadings(page, site, filters)),
      ...(await treeReadings(page, site, filters)),
    ];
    await expectEqual(t, `explore ${filters.length}`, exploreReadings, 10);
    await page.getByRole('tab', { name: 'Charts' }).click();
    const readings = async () => [
      ...(await chartReadings(page, site, filters, isGuarded)),
      ...(await withoutValueReadings(page, site, filters)),
    ];
    await expectEqual(t, `charts ${filters.length}`, readings, 5);
    await expectEqual(t, `cards ${filters.length}`, () => cardReadings(page, site, filters), 5);
    const gallery = page.getByRole('tab', { name: 'Gallery' });
    if ((await gallery.count()) === 0) continue;
    await gallery.click();
    const shown = counts.nodes.reduce((sum, { total, state }) => sum + (state === 'ok' ? total! : 0), 0);
    const galleryReadings = async (): Promise<readonly Reading[]> => [
      [
        'gallery',
        numbersIn(await page.locator('.pager').textContent()).slice(0, 2),
        [Math.min(24, shown), shown],
      ],
    ];
    await expectEqual(t, `gallery ${filters.length}`, galleryReadings, 1);
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
  await page.getByText('Fields that define the cohorts').click();
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
  const isTested = !isGuarded && everything.nodes.every(({ state }) => state === 'ok');
  const medians = () => medianReadings(page, site, [[], [women]]);
  await expectEqual(t, 'medians', medians, 2);
  if (site.catalogue.survival !== null)
    await expectEqual(t, 'survival', () => survivalReadings(page, site, [[], [women]]), isTested ? 20 : 4);

  await page.evaluate(keptInBrowser, [
    { name: 'All', source: site.catalogue.source.id, filter: null },
    { name: 'Women', source: site.catalogue.source.id, filter: women },
  ]);
  await page.reload();
  await page.getByRole('button', { name: 'My cohorts 2' }).click();
  const kept = page.getByRole('dialog').locator('li.cohort');
  const drawerReadings = async () => {
    const texts = await kept.evaluateAll((items) =>
      items.map((item) => [...item.querySelectorAll('em, p.small')].map(({ textContent }) => textContent)),
    );
    return [whole!, half!].flatMap((counts, at): readonly Reading[] => {
      const [now = '', , then = ''] = texts[at] ?? [];
      return [
        [`cohort ${at}`, numbersIn(now), shownAs(counts)],
        [`cohort ${at} then`, numbersIn(then.split(' on ')[0]!), shownAs(counts)],
      ];
    });
  };
  await expectEqual(t, 'cohorts', drawerReadings, 4);

  const own = await countsOf(site, { nodes: [node] });
  await open('record', { record: { id: own.page.edges[0]!.node.id, nodeId: node } });
  await page.locator('dl.facts a.like small').first().waitFor();
  await expectEqual(t, 'record', () => linksOf(page, site, 'dl.facts a.like small'), 3);

  await page.goto(`${url}/network#${node}`);
  const total = page.getByTestId('total');
  await total.filter({ hasText: /\d/ }).waitFor();
  const ownReadings = async () => [
    ['its total', numbersIn(await total.textContent()), shownAs(own)] as Reading,
    ...(await filledReadings(page, site, node, own)),
  ];
  await expectEqual(t, 'institution', ownReadings, 10);

  await page.goto(`${url}/network`);
  await page.getByRole('region', { name: 'Institutions' }).locator('tbody tr').first().waitFor();
  await expectEqual(t, 'network', () => networkReadings(page, site, everything), 1);
  await expectEqual(t, 'variables', () => variableReadings(page, site, everything), 6);
};

test('every number of the sample is that of the API', async (t) => {
  const server = await startSample();
  t.teardown(server.stop);
  await crawl(t, server.url, { node: 'lyon' });
});

interface Specimen {
  readonly files?: readonly { readonly strategy?: string; readonly size?: number }[];
}

/** The specimens of each donor that a filter finds, from the documents themselves. */
const specimensOf = async (site: Site, filters: object): Promise<readonly (readonly Specimen[])[]> => {
  const query =
    'query ($filters: JSON) { donor { hits(first: 8000, filters: $filters) { edges { node { _source(paths: ["specimens"]) } } } } }';
  const { donor } = await askApi<{
    donor: { hits: { edges: readonly { node: { _source: { specimens?: readonly Specimen[] } } }[] } };
  }>(site, query, { filters });
  return donor.hits.edges.map(({ node }) => node._source.specimens ?? []);
};

test('facets of files count donors, specimens or files, as a choice, their values and their ranges alike', async (t) => {
  const server = await startSample();
  t.teardown(server.stop);
  const site = await siteAt(server.url);
  const donors = await specimensOf(site, women);
  const isWgs = ({ strategy }: { readonly strategy?: string }): boolean => strategy === 'WGS';
  const specimens = donors.flat();
  const files = specimens.flatMap((one) => one.files ?? []);
  const expected = {
    donors: donors.filter((list) => list.some((one) => one.files?.some(isWgs))).length,
    specimens: specimens.filter((one) => one.files?.some(isWgs)).length,
    files: files.filter(isWgs).length,
  };
  const view = { filters: [women], opened: ['specimens.files.strategy', 'specimens.files.size'] };
  const { page } = await openWindow(t, `${server.url}/explore${hashOf(view)}`);
  await totalOf(page);
  const strategy = page.getByRole('region', { name: 'Experimental strategy', exact: true });
  const wgs = strategy.locator('label.value', { has: page.getByText('WGS', { exact: true }) }).locator('em');
  for (const [unit, count] of Object.entries(expected)) {
    await strategy.getByRole('combobox').selectOption(unit);
    await eventually(t, () => wgs.textContent(), count.toLocaleString('en-GB'), unit);
  }
  const size = page.getByRole('region', { name: 'File size', exact: true });
  const marks = size.locator('.mark');
  const bars = async (): Promise<number> => {
    const labels = await marks.evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel!));
    const beyond = await size.locator('p.small').filter({ hasText: ' beyond ' }).allTextContents();
    const counts = [...labels.map((label) => label.slice(label.lastIndexOf(': '))), ...beyond];
    return counts.reduce((sum, text) => sum + numbersIn(text)[0]!, 0);
  };
  await marks.first().waitFor();
  await eventually(t, bars, files.filter((one) => one.size !== undefined).length);
  await size.getByRole('combobox').selectOption('donors');
  const isSmall = (one: Specimen): boolean =>
    one.files?.some(({ size: bytes = Infinity }) => bytes < 20e9) ?? false;
  await eventually(
    t,
    async () => numbersIn((await marks.first().getAttribute('aria-label'))!.split(': ').at(-1)!)[0]!,
    donors.filter((list) => list.some(isSmall)).length,
  );
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
    JSON.stringify({
      network: {
        displayName: 'Two Cities',
        documentType: 'donor',
        fields,
        // no institution has pictures: their places are there
        extended: [{ fieldName: 'donor_id', image: true }],
      },
      nodes,
    }),
  );
  const network = await startNetwork(file, { IMAGE_HOSTS: 'pictures.example.org' });
  t.teardown(network.stop);
  const site = await siteAt(network.url);
  while ((await countsOf(site, {})).nodes.some(({ state }) => state !== 'ok'));
  lyon.mood = 'down';
  await crawl(t, network.url, { node: 'toronto' });
});
