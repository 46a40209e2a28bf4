import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answering } from '../answering.ts';
import { fill, index } from '../engines/loaded.ts';
import { endsWithUs } from '../../test/ends-with-us.ts';
import { freePort } from '../../test/listening.ts';
import { openContainer } from './container.ts';

export interface Server {
  readonly url: string;
  readonly pid: number;
  readonly isAlive: () => boolean;
  readonly close: () => Promise<void>;
}

/** A program that is attacked, and where. */
export interface Side {
  readonly name: string;
  /** Its checkout. */
  readonly root: string;
  /** A folder with its documents and configuration. */
  readonly folder: string;
  readonly mebibytes: number;
}

const json = (value: unknown): string => JSON.stringify(value);

/** A folder with the documents as a checkout stores them, a catalogue over them and a network over that. */
export const prepare = async (root: string, documents: number): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-attacks-'));
  await mkdir(join(folder, 'configs/specimen'), { recursive: true });
  const base = { documentType: 'specimen', esIndex: index };
  await writeFile(join(folder, 'configs/specimen/base.json'), json(base));
  const nodes = [{ nodeId: 'here', displayName: 'Here', catalogue: 'specimen' }];
  const all = { network: { displayName: 'All', documentType: 'specimen' }, nodes };
  await writeFile(join(folder, 'nodes.json'), json(all));
  const source = join(root, 'src/engines/open/open-engine.ts');
  const { openEngine } = (await import(source)) as typeof import('../../src/engines/open/open-engine.ts');
  const engine = await openEngine({ kind: 'embedded', dataPath: join(folder, 'data') });
  await fill(engine, documents);
  await engine.close();
  return folder;
};

/** Starts a program over a copy of its folder. */
export const start = async ({ root, folder, mebibytes }: Side): Promise<Server> => {
  const own = await mkdtemp(join(tmpdir(), 'tributary-attacked-'));
  await cp(folder, own, { recursive: true });
  const port = await freePort();
  const container = openContainer(`tributary-attacked-${port}`, mebibytes);
  const enter = container.procs === null ? '' : `echo $$ > ${container.procs}; `;
  const child = spawn(
    '/bin/sh',
    [
      '-c',
      `${enter}exec "$0" --max-semi-space-size=4 "$@"`,
      process.execPath,
      join(root, 'src/main.ts'),
      'start',
    ],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        PATH: process.env['PATH'],
        ...{ CONFIGS_PATH: join(own, 'configs'), DATA_PATH: join(own, 'data') },
        ...{ NODES_PATH: join(own, 'nodes.json'), SERVER_HOST: '127.0.0.1', SERVER_PORT: String(port) },
        ...{ INDEXING_PORT: 'off', LOG_LEVEL: 'silent', ENABLE_ACCESS_CONTROL: 'false' },
        ...{ TRUST_PROXY: '1', ENABLE_SETS: 'true', ...container.settings },
      },
    },
  );
  const ended = new Promise<void>((end) => child.once('exit', () => end()));
  endsWithUs(child);
  const url = `http://127.0.0.1:${port}`;
  await answering(`${url}/ready`);
  return {
    ...{ url, pid: child.pid!, isAlive: () => child.exitCode === null && child.signalCode === null },
    close: async () => {
      child.kill('SIGKILL');
      await ended;
      container.remove();
      await rm(own, { recursive: true });
    },
  };
};
