// The portal's times in a real Chromium, over the sample consortium on loopback: node bench/portal.ts
import type { CDPSession, Page } from 'playwright-core';
import { hashOf } from '../portal/src/state/link.ts';
import { startMany } from '../test/portal/browser/many-nodes.ts';
import { startSample } from '../test/portal/browser/server.ts';
import { closeBrowser, theBrowser } from '../test/portal/browser/window.ts';
import { sized } from './size.ts';

const rounds = sized(5, 1);
const server = await startSample();

/** A page in a window that remembers nothing, its processor slowed down by a factor. */
const fresh = async (slowdown: number): Promise<Page> => {
  const page = await (await (await theBrowser()).newContext({ locale: 'en-GB' })).newPage();
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  return page;
};

const countsAreThere = (page: Page): Promise<void> => page.locator('.head:not(.stale) .number').waitFor();

/** From the request of the page to the frames that show its first counts, and all that it shows. */
const firstCounts = async (
  slowdown: number,
): Promise<{ readonly firstMs: number; readonly allMs: number }> => {
  const page = await fresh(slowdown);
  await page.addInitScript(watchFirst);
  const startedAt = performance.timeOrigin + performance.now();
  await page.goto(`${server.url}/explore`);
  const [first, all] = await page.evaluate<[number, number]>('globalThis.firstPainted');
  await page.context().close();
  return { firstMs: first - startedAt, allMs: all - startedAt };
};

/** Runs in the page. Playwright itself looks every half second, which is half of what is measured. */
const watchFirst = `
  const painted = (isThere) => new Promise((resolve) => {
    new MutationObserver((_, observer) => {
      if (!isThere()) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => resolve(performance.timeOrigin + performance.now())));
    }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  });
  const counts = () => document.querySelector('.head:not(.stale) .number') && document.querySelector('.facet em');
  const ranges = () => document.querySelector('.facet .slider') && !document.querySelector('.facet .awaited');
  const rows = () => document.querySelector('[role=gridcell]');
  globalThis.firstPainted = Promise.all([painted(counts), painted(() => counts() && ranges() && rows())]);
`;

/** That page with a link that names thousands of values. */
const longFilter = async (): Promise<number> => {
  const value = Array.from({ length: 12_000 }, (_, at) => `TOR-${String(at).padStart(8, '0')}`);
  const hash = hashOf({ filters: [{ op: 'in', content: { fieldName: 'donor_id', value } }] });
  const page = await fresh(1);
  const startedAt = performance.now();
  await page.goto(`${server.url}/explore${hash}`);
  await countsAreThere(page);
  const took = performance.now() - startedAt;
  await page.context().close();
  return took;
};

/** From a click on a value until the new total is painted. */
const clickToCounts = async (url: string): Promise<number> => {
  const page = await fresh(1);
  await page.goto(`${url}/explore`);
  await countsAreThere(page);
  const value = page.locator('label.value').nth(7);
  await value.scrollIntoViewIfNeeded();
  const startedAt = performance.now();
  await value.click();
  await page.locator('.chip').waitFor();
  await countsAreThere(page);
  const took = performance.now() - startedAt;
  await page.context().close();
  return took;
};

/** The longest time from a key in a facet's search to its letter on the screen, as the browser itself measures it. */
const keyInFacet = async (url: string, word: string): Promise<number> => {
  const page = await fresh(1);
  await page.goto(`${url}/explore`);
  await countsAreThere(page);
  await page.waitForTimeout(1000);
  const field = page.locator('.facet input[type=search]').first();
  await field.focus();
  await page.evaluate(watchKeys);
  for (const letter of word) {
    await page.keyboard.press(letter);
    // the answers to one key come while the next is typed
    await page.waitForTimeout(150);
  }
  const took = await page.evaluate<number>('globalThis.slowestKeyMs');
  await page.context().close();
  return took;
};

/** Runs in the page. Events shorter than 16 ms are not reported; they count as 16 ms. */
const watchKeys = `
  globalThis.slowestKeyMs = 16;
  new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries())
      if (/^key|input/.test(name)) globalThis.slowestKeyMs = Math.max(globalThis.slowestKeyMs, duration);
  }).observe({ type: 'event', durationThreshold: 16 });
`;

/** A click over a network: until its counts are painted, how much of that is after the slowest node's answer. */
const pastSlowest = async (
  url: string,
): Promise<{ readonly pastMs: number; readonly processorMs: number }> => {
  const page = await fresh(1);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(`${url}/explore`);
  await countsAreThere(page);
  await page.waitForTimeout(1000);
  const value = page.locator('label.value').nth(7);
  await value.scrollIntoViewIfNeeded();
  await page.evaluate(watchCounts);
  const before = await processorMs(session);
  await value.click();
  const slowestMs = slowestOf(await page.evaluate<string>('globalThis.counted'));
  const paintedMs = await page.evaluate<number>('globalThis.paintedMs');
  const took = { pastMs: paintedMs - slowestMs, processorMs: (await processorMs(session)) - before };
  await page.context().close();
  return took;
};

/** For the thread that draws the page. */
const processorMs = async (session: CDPSession): Promise<number> => {
  const { metrics } = await session.send('Performance.getMetrics');
  return 1000 * metrics.find(({ name }) => name === 'TaskDuration')!.value;
};

/** The longest time that a node took, of an answer. */
const slowestOf = (answer: string): number => {
  const { data } = JSON.parse(answer) as {
    data: { network: { nodes: { took: number }[] } };
  };
  return Math.max(...data.network.nodes.map(({ took }) => took));
};

/**
 * Runs in the page: keeps a copy of the counts, and the time from a click to the frame that shows its counts. Its own
 * value is not waited for.
 */
const watchCounts = `
  const { fetch } = globalThis;
  globalThis.counted = new Promise((resolve) => {
    globalThis.fetch = async (...args) => {
      const response = await fetch(...args);
      if (/bucket_count/.test(args[1]?.body) && !/waitFor/.test(args[1]?.body)) resolve(response.clone().text());
      return response;
    };
  });
  void (globalThis.paintedMs = new Promise((resolve) => {
    let clickedAt;
    addEventListener('click', ({ timeStamp }) => (clickedAt ??= timeStamp), { capture: true });
    new MutationObserver((_, observer) => {
      if (!document.querySelector('.chip') || !document.querySelector('.head:not(.stale):not(.grows) .number')) return;
      if (document.querySelector('.facets.stale')) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - clickedAt)));
    }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  }));
`;

const loaded = async (): Promise<readonly [number, number]> => {
  const page = await fresh(1);
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const sizes: number[] = [];
  session.on('Network.loadingFinished', ({ encodedDataLength }) => sizes.push(encodedDataLength));
  await page.goto(`${server.url}/explore`);
  await countsAreThere(page);
  await page.context().close();
  return [sizes.reduce((sum, size) => sum + size, 0), Math.max(...sizes)];
};

const median = async (measure: () => Promise<number>): Promise<string> => {
  const all: number[] = [];
  for (let round = 0; round < rounds; round += 1) all.push(await measure());
  return middle(all);
};

const medianFirst = async (slowdown: number): Promise<string> => {
  const all: Awaited<ReturnType<typeof firstCounts>>[] = [];
  for (let round = 0; round < rounds; round += 1) all.push(await firstCounts(slowdown));
  return `${middle(all.map(({ firstMs }) => firstMs))}, to histograms and rows too: ${middle(all.map(({ allMs }) => allMs))}`;
};

const middle = (all: readonly number[]): string =>
  `${Math.round(all.toSorted((one, other) => one - other)[Math.floor(all.length / 2)]!)} ms`;

const [bytes, largest] = await loaded();
console.log(`first load of /explore: ${bytes} bytes, largest answer ${largest}`);
console.log(`to the first counts: ${await medianFirst(1)}`);
console.log(`with a processor four times slower: ${await medianFirst(4)}`);
console.log(`with a filter of 100 000 characters: ${await median(longFilter)}`);
console.log(`from a click on a value to its counts: ${await median(() => clickToCounts(server.url))}`);
console.log(
  `the slowest of six keys in a facet's search: ${await median(() => keyInFacet(server.url, 'breast'))}`,
);
const many = await startMany(20, 30, 200);
console.log(`a click over 20 nodes and 30 facets: ${await median(() => clickToCounts(many.url))}`);
const clicks: Awaited<ReturnType<typeof pastSlowest>>[] = [];
for (let round = 0; round < rounds; round += 1) clicks.push(await pastSlowest(many.url));
console.log(
  `of it past the slowest node: ${middle(clicks.map(({ pastMs }) => pastMs))},` +
    ` processor time of the page: ${middle(clicks.map(({ processorMs: ms }) => ms))}`,
);
await many.stop();
const long = await startMany(1, 2, 10_000);
console.log(
  `the slowest of six keys among 10 000 values: ${await median(() => keyInFacet(long.url, 'value0'))}`,
);
await long.stop();
await closeBrowser();
await server.stop();
