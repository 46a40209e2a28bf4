import { announcedUrl, ended } from '../../announced-url.ts';
import { execFile, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { listen } from '../../listening.ts';
import { patientSample } from '../../patient-sample.ts';
import { programEnvironment, programFile } from '../../program.ts';

const checkout = fileURLToPath(new URL('../../../', import.meta.url));
const cache = `${checkout}node_modules/.cache/portal/`;

export interface RunningServer {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** `npm start` on a free port. The sample is loaded once and kept, so that the next file starts at once. */
export const startSample = (environment: NodeJS.ProcessEnv = {}): Promise<RunningServer> =>
  startServer(['start', '--sample'], {
    DATA_PATH: `${cache}sample`,
    NODES_PATH: patientSample(`${cache}nodes`),
    ...environment,
  });

/** A server with one institution that discloses counts only. */
export const startGuardedSample = (): Promise<RunningServer> =>
  startServer(['start', '--sample=guarded'], {
    DATA_PATH: `${cache}guarded-sample`,
    NODES_PATH: patientSample(`${cache}nodes`),
  });

/** A server without its own catalogues, over other nodes. */
export const startNetwork = (nodes: string, environment: NodeJS.ProcessEnv = {}): Promise<RunningServer> => {
  mkdirSync(`${cache}none`, { recursive: true });
  return startServer(['start'], {
    CONFIGS_PATH: `${cache}none`,
    DATA_PATH: `${cache}network`,
    NODES_PATH: nodes,
    ...environment,
  });
};

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
};

/** The static build of the portal for a server, on a host of its own. */
export const startSite = async (api: string, environment: NodeJS.ProcessEnv = {}): Promise<RunningServer> => {
  const parent = mkdtempSync(join(tmpdir(), 'portal-site-'));
  const folder = join(parent, 'site');
  const command = ['src/main.ts', 'portal', 'build', '--out', folder, '--api', api];
  const env = { ...process.env, ...environment };
  await promisify(execFile)(process.execPath, command, { cwd: checkout, env });
  const files = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname;
    try {
      const content = readFileSync(join(folder, path === '/' ? 'index.html' : path));
      response.writeHead(200, { 'content-type': types[extname(path)] ?? 'text/html' }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  const { url, stop } = await listen(files);
  return {
    url,
    stop: async () => {
      await stop();
      rmSync(parent, { recursive: true, force: true });
    },
  };
};

/** @throws when it does not start, with its output */
const startServer = async (
  command: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<RunningServer> => {
  const server = spawn(process.execPath, [programFile, ...command], {
    cwd: checkout,
    env: {
      ...programEnvironment,
      SERVER_HOST: '127.0.0.1',
      SERVER_PORT: '0',
      INDEXING_PORT: 'off',
      LOG_LEVEL: 'error',
      ...environment,
    },
  });
  return { url: await announcedUrl(server), stop: () => ended(server) };
};
