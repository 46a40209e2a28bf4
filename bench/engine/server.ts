import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { answering } from '../answering.ts';
import { endsWithUs } from '../../test/ends-with-us.ts';
import { freePort } from '../../test/listening.ts';
import { processorMs } from '../processor-time.ts';
import { index } from './embedded-side.ts';

export interface Server {
  readonly url: string;
  /** Processor time of the server so far, in steps of 10 ms. */
  readonly processorMs: () => Promise<number>;
  close(): Promise<void>;
}

/** The file that this checkout is started with. */
const ownMain = join(import.meta.dirname, '../../src/main.ts');

/**
 * Starts the program itself, as an operator does, on the data loaded into `folder`; ready to answer.
 * @param main the program of another checkout
 * @param settings environment variables
 */
export const startServer = async (
  folder: string,
  main = ownMain,
  settings: Readonly<Record<string, string>> = {},
): Promise<Server> => {
  const configs = join(folder, 'configs');
  await mkdir(join(configs, index), { recursive: true });
  await writeFile(
    join(configs, index, 'base.json'),
    JSON.stringify({ documentType: 'specimen', esIndex: index }),
  );
  const port = await freePort();
  const program = spawn(process.execPath, ['--max-semi-space-size=4', main, 'start'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    // a nodes.json where the bench was started is none of the server's
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      CONFIGS_PATH: configs,
      DATA_PATH: folder,
      SEARCH_ENGINE: 'embedded',
      SERVER_HOST: '127.0.0.1',
      SERVER_PORT: String(port),
      INDEXING_PORT: 'off',
      LOG_LEVEL: 'silent',
      ...settings,
    },
  });
  endsWithUs(program);
  const url = `http://127.0.0.1:${port}`;
  await answering(`${url}/ready`);
  return {
    url,
    processorMs: () => processorMs(program.pid!),
    close: async () => {
      const exited = once(program, 'exit');
      program.kill('SIGTERM');
      await exited;
    },
  };
};
