import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { answering } from '../answering.ts';
import { asTheProductRuns } from '../fork-options.ts';
import { endsWithUs } from '../../test/ends-with-us.ts';
import { freePort } from '../../test/listening.ts';

const main = join(import.meta.dirname, '../../src/main.ts');

/** The program as an operator runs it, which may be killed and started again at its address. */
export interface SoakServer {
  readonly url: string;
  /** Ends it without notice. */
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Has it read its configuration again. */
  readonly hangUp: () => void;
  readonly used: () => Promise<Used>;
  /** Whether it ended unexpectedly. */
  readonly isGone: () => boolean;
}

/** What a process holds. */
export interface Used {
  readonly mebibytes: number;
  readonly files: number;
}

/** Where a server's data and configuration are. */
export interface SoakFolder {
  readonly dataPath: string;
  readonly configsPath: string;
  readonly nodesPath: string;
}

/** Writes the configuration of a server with one catalogue. */
export const prepareFolder = async (folder: string, nodes: object | null): Promise<SoakFolder> => {
  const paths = {
    dataPath: join(folder, 'data'),
    configsPath: join(folder, 'configs'),
    nodesPath: nodes === null ? 'off' : join(folder, 'nodes.json'),
  };
  const catalogue = join(paths.configsPath, 'record');
  await Promise.all([paths.dataPath, catalogue].map((path) => mkdir(path, { recursive: true })));
  await writeFile(
    join(catalogue, 'base.json'),
    JSON.stringify({ documentType: 'record', esIndex: 'records' }),
  );
  if (nodes !== null) await writeFile(paths.nodesPath, JSON.stringify(nodes));
  return paths;
};

/** @param port where it listens, however often it is started */
export const soakServer = ({ dataPath, configsPath, nodesPath }: SoakFolder, port: number): SoakServer => {
  const env = {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: asTheProductRuns.env!['NODE_COMPILE_CACHE'],
    DATA_PATH: dataPath,
    CONFIGS_PATH: configsPath,
    NODES_PATH: nodesPath,
    SERVER_HOST: '127.0.0.1',
    SERVER_PORT: String(port),
    INDEXING_PORT: 'off',
    LOG_LEVEL: 'silent',
    DISABLE_GRAPHQL_INTROSPECTION: 'false',
  };
  const url = `http://127.0.0.1:${port}`;
  let running: ChildProcess | null = null;
  let isGone = false;
  return {
    url,
    start: async () => {
      const child = spawn(process.execPath, ['--max-semi-space-size=4', main, 'start'], {
        stdio: ['ignore', 'ignore', 'inherit'],
        env,
      });
      running = endsWithUs(child);
      child.once('exit', () => {
        if (running === child) isGone = true;
      });
      await answering(`${url}/ready`);
    },
    kill: async () => {
      const child = running;
      running = null;
      if (child === null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
    hangUp: () => void running?.kill('SIGHUP'),
    isGone: () => isGone,
    used: async () => {
      const status = await readFile(`/proc/${running!.pid}/status`, 'utf8');
      const files = await readdir(`/proc/${running!.pid}/fd`);
      return { mebibytes: Number(/^VmRSS:\s+(\d+) kB/m.exec(status)![1]) / 1024, files: files.length };
    },
  };
};

/** Free ports for servers that are not started yet. */
export const freePorts = (count: number): Promise<readonly number[]> =>
  Promise.all(Array.from({ length: count }, () => freePort()));
