import { after } from 'node:test';
import { chromium, type Browser, type BrowserContext } from 'playwright-core';
import { theStage } from './the-stage.ts';

let browser: Promise<Browser> | null = null;

after(async () => (await browser)?.close());

/** A window of the stage's browser that remembers nothing. */
export const openWindow = async (): Promise<BrowserContext> => {
  browser ??= chromium.connect(theStage().browserUrl);
  const context = await (
    await browser
  ).newContext({ viewport: { width: 1600, height: 1400 }, locale: 'en-GB', timezoneId: 'UTC' });
  // only what fails waits so long
  context.setDefaultTimeout(180_000);
  return context;
};
