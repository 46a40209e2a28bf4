import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { HttpConfig } from '../../server/config/config.ts';
import { loadSettings } from '../../server/config/load.ts';
import { lookFile, readLook } from '../../server/config/portal.ts';
import { TributaryError } from '../../lib/errors/errors.ts';
import { problemText } from '../../lib/text/problem.ts';
import type { PageName, PortalFiles } from '../../capabilities/portal/portal-files.ts';
import { pageNames, readPortalFiles, staticPolicy } from '../../capabilities/portal/portal-files.ts';
import { endSignal } from '../start/process.ts';
import { parseCommandLine, runCommand, wrongCommandLine, type Command } from '../terminal/command-line.ts';
import { openPreview } from './preview.ts';

/** The pages of the site; their addresses end in .html, which every web server can serve. */
const pages = {
  start: 'index.html',
  explore: 'explore.html',
  record: 'record.html',
  network: 'network.html',
  docs: 'docs.html',
} satisfies Record<PageName, string>;

/**
 * The commands `tributary portal build` and `tributary portal preview`.
 * @returns the exit code: 0 the site is written or the preview ended, 1 it could not, 2 for an invalid command line
 */
export const runPortal: Command = (argv, env) =>
  runCommand(argv, env, {
    name: 'portal',
    about: aboutPortal,
    rows: options,
    needsWord: true,
    exit: '0 when it is written, 1 when it could not be',
    optionsOf: portalOptions,
    work: (options, env) => (options.out === undefined ? preview(options, env) : build(options, env)),
  });

const preview = async ({ api, port = 0 }: PreviewOptions, env: NodeJS.ProcessEnv): Promise<number> => {
  const path = env['PORTAL_PATH'];
  const file = resolve(path ?? lookFile);
  const running = await openPreview({
    ...{ api, port, file },
    readLook: (warnings) => readLook(path, warnings),
    onChange: (problem) => console.log(problem ?? `read ${file}`),
  });
  console.log(`the portal of ${api} with this look: ${running.url}`);
  await endSignal();
  running.close();
  return 0;
};

const build = async (options: BuildOptions, env: NodeJS.ProcessEnv): Promise<number> => {
  // the pages are written even if the server itself leaves them out
  const path = env['PORTAL_PATH'] === 'off' ? undefined : env['PORTAL_PATH'];
  const { http, warnings } = loadSettings({ ...env, PORTAL: undefined, PORTAL_PATH: path });
  warnings.forEach((warning) => console.error(`warning: ${problemText(warning)}`));
  const files = await readPortalFiles();
  if (files === null)
    throw new TributaryError('NOT_FOUND', 'the portal is not built here: npm run portal builds it');
  await writeSite(files, options, http.portal);
  console.log(`wrote the portal for ${options.api} to ${options.out}`);
  return 0;
};

const writeSite = async (
  files: PortalFiles,
  { out, api }: BuildOptions,
  portal: HttpConfig['portal'],
): Promise<void> => {
  const folder = resolve(out);
  if (existsSync(folder) && (await readdir(folder)).length > 0)
    throw new TributaryError('CONFLICT', `${out} is not empty: name a new folder`);
  await mkdir(join(folder, 'portal/assets'), { recursive: true });
  const { signIn = null, imageHosts = [], look = {} } = portal ?? {};
  const { styleHashes } = files;
  const policy = staticPolicy({ styleHashes, issuer: signIn?.issuer ?? null, imageHosts }, api);
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  for (const name of pageNames)
    await writeFile(join(folder, pages[name]), files.pages[name].replace('<head>', `<head>\n${meta}`));
  for (const [name, { content, brotli }] of files.assets) {
    await writeFile(join(folder, 'portal/assets', name), content);
    if (brotli !== null) await writeFile(join(folder, 'portal/assets', `${name}.br`), brotli);
  }
  const config = { api, pages, signIn, imageHosts, look };
  await writeFile(join(folder, 'portal/config.json'), `${JSON.stringify(config, null, 2)}\n`);
};

interface BuildOptions {
  readonly out: string;
  /** The server's URL; ends with a slash. */
  readonly api: string;
}

interface PreviewOptions {
  readonly out?: undefined;
  readonly api: string;
  readonly port?: number;
}

/** The options of `tributary portal build` or, without `out`, of `tributary portal preview`. */
export type PortalOptions = BuildOptions | PreviewOptions;

const options = {
  build:
    'write the portal as a static site: files that any web server can serve, for a server of records elsewhere',
  preview:
    'show the portal of a running server with the file that PORTAL_PATH names, on this machine only, until Ctrl-C; pages load again whenever the file is saved, and say what is wrong with it',
  '--out DIR': 'where build writes; the folder must be empty or missing',
  '--api URL':
    "where browsers reach the server of the records, such as https://search.example.org/; it must serve its portal too (PORTAL is on), and ALLOWED_CORS_ORIGINS must let the site's origin in",
  '--port N': 'where preview listens (default: any free port)',
};

const aboutPortal = `
PORTAL_PATH names the file with name, colours and texts; PORTAL_OIDC_ISSUER and PORTAL_OIDC_CLIENT_ID let people sign in,
and IMAGE_HOSTS names the hosts whose pictures are shown.`;

/**
 * The arguments after `portal` as options.
 * @throws TributaryError INPUT_INVALID naming the argument
 */
export const portalOptions = (argv: readonly string[]): PortalOptions => {
  const { values, positionals } = parseCommandLine(argv, options);
  const [command] = positionals;
  if (positionals.length !== 1 || (command !== 'build' && command !== 'preview'))
    throw wrongCommandLine(
      positionals.length === 0
        ? 'say what to do: build or preview'
        : `there is no portal ${positionals.join(' ')}: build or preview expected`,
    );
  const isBuild = command === 'build';
  const extra = isBuild ? values.port && 'port' : values.out && 'out';
  if (extra) throw wrongCommandLine(`--${extra} is not an option of portal ${command}`);
  if (isBuild && values.out === undefined) throw wrongCommandLine('give --out DIR');
  if (values.api === undefined) throw wrongCommandLine('give --api URL');
  if (!URL.canParse(values.api) || !/^https?:$/.test(new URL(values.api).protocol))
    throw wrongCommandLine(`--api ${JSON.stringify(values.api)} is not an http or https URL`);
  const api = `${values.api.replace(/\/+$/, '')}/`;
  return values.out === undefined ? { api, port: portOf(values.port) } : { out: values.out, api };
};

const portOf = (text = '0'): number => {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw wrongCommandLine(`--port ${JSON.stringify(text)} is not a port: 0 to 65535 expected`);
};
