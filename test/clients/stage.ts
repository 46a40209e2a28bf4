import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { chromium, type BrowserServer } from 'playwright-core';
import { build, preview } from 'vite';
import { chromiumPath } from './chromium-path.ts';
import { donors } from './donors.ts';
import type { Stage } from './the-stage.ts';

export interface OpenStage extends Stage {
  readonly close: () => Promise<void>;
}

const here = import.meta.dirname;
const main = resolve(here, '../../src/main.ts');

/**
 * Loads the donors with `tributary load`, starts `tributary start` on a free port, builds and serves the page, starts
 * the browser with an empty profile.
 * @throws when one of them does not come up, with what it said
 */
export const openStage = async (): Promise<OpenStage> => {
  const folder = await mkdtemp(join(tmpdir(), 'portal-'));
  const closing: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async () => {
    for (const step of closing) await step();
  };
  try {
    const executablePath = chromiumPath();
    const environment = await loadDonors(folder);
    const server = await startServer(environment);
    closing.unshift(server.stop);
    const page = await servePage(join(folder, 'page'));
    closing.unshift(() => page.close());
    const browser = await openBrowser(executablePath);
    closing.unshift(() => browser.close());
    const portalUrl = `${page.resolvedUrls!.local[0]}?api=${encodeURIComponent(server.url)}`;
    return { serverUrl: server.url, portalUrl, browserUrl: browser.wsEndpoint(), close };
  } catch (error) {
    await close();
    throw error;
  }
};

const loadDonors = async (folder: string): Promise<NodeJS.ProcessEnv> => {
  const environment = {
    PATH: process.env.PATH,
    CONFIGS_PATH: join(folder, 'configs'),
    DATA_PATH: join(folder, 'data'),
    NODES_PATH: 'off',
    SERVER_HOST: '127.0.0.1',
    SERVER_PORT: '0',
    INDEXING_PORT: 'off',
  };
  await cp(join(here, 'catalogue'), join(environment.CONFIGS_PATH, 'donors'), { recursive: true });
  const file = join(folder, 'donors.ndjson');
  await writeFile(file, donors.map((donor) => `${JSON.stringify(donor)}\n`).join(''));
  const mapping = join(here, 'mapping.json');
  const load = [main, 'load', file, '--catalogue', 'donors', '--mapping', mapping, '--id-field', 'donor_id'];
  await promisify(execFile)(process.execPath, load, { env: environment });
  return environment;
};

const startServer = async (environment: NodeJS.ProcessEnv) => {
  const server = spawn(process.execPath, [main, 'start'], { env: environment });
  let said = '';
  const url = await new Promise<string>((found, failed) => {
    const read = (chunk: Buffer) => {
      said += chunk.toString();
      const address = /is running at (http:\/\/\S+)/.exec(said)?.[1];
      if (address !== undefined) found(address);
    };
    server.stdout.on('data', read);
    server.stderr.on('data', read);
    server.once('exit', () => failed(new Error(`the server did not start:\n${said}`)));
  });
  return { url, stop: () => ended(server) };
};

const ended = (server: ChildProcess): Promise<void> =>
  new Promise((done) => {
    if (server.exitCode !== null) return done();
    server.once('exit', () => done());
    server.kill('SIGTERM');
  });

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
    ],
  });
