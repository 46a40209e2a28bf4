import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserServer } from 'playwright-core';
import { build, preview } from 'vite';
import { chromiumPath } from './chromium-path.ts';
import { openConsortium, openDonors, openMuseums } from './sources.ts';
import type { Stage } from './the-stage.ts';

export interface OpenStage extends Stage {
  readonly close: () => Promise<void>;
}

const here = import.meta.dirname;

/**
 * Starts the servers on free ports, builds and serves the page, starts the browser with an empty profile.
 * @throws when one of them does not come up, with what it said
 */
export const openStage = async (): Promise<OpenStage> => {
  const folder = await mkdtemp(join(tmpdir(), 'portal-'));
  const closing: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async () => {
    for (const step of closing) await step();
  };
  const open = { folder, onClose: (step: () => Promise<unknown>) => void closing.unshift(step) };
  try {
    const executablePath = chromiumPath();
    const [donors, museumsUrl, consortiumUrl, page] = await Promise.all([
      openDonors(open),
      openMuseums(open),
      openConsortium(open),
      servePage(join(folder, 'page')),
    ]);
    open.onClose(() => page.close());
    const browser = await openBrowser(executablePath);
    open.onClose(() => browser.close());
    const pageUrl = page.resolvedUrls!.local[0]!;
    return { donors, museumsUrl, consortiumUrl, pageUrl, browserUrl: browser.wsEndpoint(), close };
  } catch (error) {
    await close();
    throw error;
  }
};

const servePage = async (outDir: string) => {
  const settings = { root: join(here, 'portal'), logLevel: 'error', build: { outDir } } as const;
  await build(settings);
  return preview({ ...settings, preview: { host: '127.0.0.1', port: 0 } });
};

/** A browser server starts with an empty profile and throws it away. */
const openBrowser = (executablePath: string): Promise<BrowserServer> =>
  chromium.launchServer({
    executablePath,
    host: '127.0.0.1',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // pages live for seconds: optimizing compilers cost more than they save
      '--js-flags=--no-opt --no-maglev',
    ],
  });
