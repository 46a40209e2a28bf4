import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { HttpConfig } from '../../config/config.ts';
import { loadSettings } from '../../config/load.ts';
import { TributaryError } from '../../errors/errors.ts';
import type { PageName, PortalFiles } from '../../http/portal/portal-files.ts';
import { pageNames, readPortalFiles, staticPolicy } from '../../http/portal/portal-files.ts';
import type { PortalOptions } from './portal-options.ts';
import { portalOptions, portalUsage } from './portal-options.ts';
import { runCommand } from '../terminal/run-command.ts';

/** The pages of the site: their addresses end in .html, as every web server serves them. */
const pages = {
  start: 'index.html',
  explore: 'explore.html',
  record: 'record.html',
  network: 'network.html',
  docs: 'docs.html',
} satisfies Record<PageName, string>;

/**
 * The command `tributary portal build`.
 * @param argv what follows `portal`
 * @returns the exit code: 0 the site is written, 1 it is not, 2 for an invalid command line
 */
export const runPortal = (argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> =>
  runCommand(
    { name: 'portal', usage: portalUsage, optionsOf: portalOptions, work: (options) => build(options, env) },
    argv,
  );

const build = async (options: PortalOptions, env: NodeJS.ProcessEnv): Promise<number> => {
  const { portal } = loadSettings({ ...env, PORTAL: 'on' }).http;
  const files = await readPortalFiles();
  if (files === null)
    throw new TributaryError('NOT_FOUND', 'the portal is not built here: npm run portal builds it');
  await writeSite(files, options, portal);
  console.log(`wrote the portal for ${options.api} to ${options.out}`);
  return 0;
};

const writeSite = async (
  files: PortalFiles,
  { out, api }: PortalOptions,
  portal: HttpConfig['portal'],
): Promise<void> => {
  const folder = resolve(out);
  if (existsSync(folder) && (await readdir(folder)).length > 0)
    throw new TributaryError('CONFLICT', `${out} is not empty: name a new folder`);
  await mkdir(join(folder, 'portal/assets'), { recursive: true });
  const policy = staticPolicy(files.styleHashes, api, portal?.signIn?.issuer ?? null);
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  for (const name of pageNames)
    await writeFile(join(folder, pages[name]), files.pages[name].replace('<head>', `<head>\n${meta}`));
  for (const [name, { content, brotli }] of files.assets) {
    await writeFile(join(folder, 'portal/assets', name), content);
    if (brotli !== null) await writeFile(join(folder, 'portal/assets', `${name}.br`), brotli);
  }
  const config = { api, pages, signIn: portal?.signIn ?? null, look: portal?.look ?? {} };
  await writeFile(join(folder, 'portal/config.json'), `${JSON.stringify(config, null, 2)}\n`);
};
