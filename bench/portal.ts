// The portal's times in a real Chromium, over the sample consortium on loopback: node bench/portal.ts
import type { Page } from 'playwright-core';
import { hashOf } from '../portal/src/state/link.ts';
import { startSample } from '../test/portal/browser/server.ts';
import { closeBrowser, theBrowser } from '../test/portal/browser/window.ts';

const rounds = 5;
const server = await startSample();

/** A page in a window that remembers nothing, its processor slowed down by a factor. */
const fresh = async (slowdown: number): Promise<Page> => {
  const page = await (await (await theBrowser()).newContext({ locale: 'en-GB' })).newPage();
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  return page;
};

const countsAreThere = (page: Page): Promise<void> => page.locator('.head:not(.stale) .number').waitFor();

const firstCounts = async (slowdown: number): Promise<number> => {
  const page = await fresh(slowdown);
  const startedAt = performance.now();
  await page.goto(`${server.url}/explore`);
  await countsAreThere(page);
  const took = performance.now() - startedAt;
  await page.context().close();
  return took;
};

/** The same with a link that names thousands of values. */
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
const clickToCounts = async (): Promise<number> => {
  const page = await fresh(1);
  await page.goto(`${server.url}/explore`);
  await countsAreThere(page);
  const value = page.locator('label.value').first();
  const startedAt = performance.now();
  await value.click();
  await page.locator('.chip').waitFor();
  await countsAreThere(page);
  const took = performance.now() - startedAt;
  await page.context().close();
  return took;
};

/** The longest time that the page is busy after a key in a facet's search. */
const keyInFacet = async (): Promise<number> => {
  const page = await fresh(1);
  await page.goto(`${server.url}/explore`);
  await countsAreThere(page);
  const field = page.locator('.facet input[type=search]').first();
  await field.focus();
  const took: number[] = [];
  for (const letter of 'breast') {
    const startedAt = performance.now();
    await page.keyboard.press(letter);
    await page.evaluate('new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)))');
    took.push(performance.now() - startedAt);
  }
  await page.context().close();
  return Math.max(...took);
};

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
  return `${Math.round(all.toSorted((one, other) => one - other)[Math.floor(rounds / 2)]!)} ms`;
};

const [bytes, largest] = await loaded();
console.log(`first load of /explore: ${bytes} bytes, largest answer ${largest}`);
console.log(`to the first counts: ${await median(() => firstCounts(1))}`);
console.log(`with a processor four times slower: ${await median(() => firstCounts(4))}`);
console.log(`with a filter of 100 000 characters: ${await median(longFilter)}`);
console.log(`from a click on a value to its counts: ${await median(clickToCounts)}`);
console.log(`the slowest of six keys in a facet's search: ${await median(keyInFacet)}`);
await closeBrowser();
await server.stop();
