import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { answering } from '../answering.ts';
import { endsWithUs } from '../../test/ends-with-us.ts';
import { freePort } from '../../test/listening.ts';
import { index } from './loaded.ts';

/** A node in a separate process. */
export interface NodeProcess {
  readonly url: string;
  readonly pid: number;
  /** Processor time it has used, all threads. */
  cpuMs(): Promise<number>;
  close(): Promise<void>;
}

/** Writes the configuration of one catalogue. @returns the folder for CONFIGS_PATH */
export const writeCatalogue = async (folder: string, esIndex: string): Promise<string> => {
  const configs = join(folder, 'configs');
  await mkdir(join(configs, 'specimen'), { recursive: true });
  const files = {
    'base.json': { documentType: 'specimen', esIndex },
    'extended.json': { extended: [{ fieldName: 'tags', isArray: true }] },
  };
  for (const [name, content] of Object.entries(files))
    await writeFile(join(configs, 'specimen', name), JSON.stringify(content));
  return configs;
};

/**
 * Starts the program itself, as an operator does, with one catalogue; ready to answer.
 * @param folder for its configuration
 * @param engine the variables that choose the engine
 */
export const startNode = async (
  folder: string,
  engine: Readonly<Record<string, string>>,
): Promise<NodeProcess> => {
  const configs = await writeCatalogue(folder, index);
  const port = await freePort();
  const program = fork(join(import.meta.dirname, '../../src/main.ts'), ['start'], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [
      '--disable-warning=ExperimentalWarning',
      `--import=${join(import.meta.dirname, 'report-cpu.ts')}`,
    ],
    env: {
      PATH: process.env['PATH'],
      CONFIGS_PATH: configs,
      NODES_PATH: 'off',
      SERVER_HOST: '127.0.0.1',
      SERVER_PORT: String(port),
      INDEXING_PORT: 'off',
      LOG_LEVEL: 'silent',
      // as in earnest: some libraries check less then
      NODE_ENV: 'production',
      DISABLE_GRAPHQL_INTROSPECTION: 'false',
      ...engine,
    },
  });
  endsWithUs(program);
  const url = `http://127.0.0.1:${port}`;
  await answering(`${url}/ready`);
  return {
    url,
    pid: program.pid!,
    cpuMs: async () => {
      program.send('cpu');
      const [ms] = (await once(program, 'message')) as [number];
      return ms;
    },
    close: async () => {
      const exited = once(program, 'exit');
      program.kill('SIGTERM');
      await exited;
    },
  };
};
