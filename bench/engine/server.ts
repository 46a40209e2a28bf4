import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { index } from './embedded-side.ts';

export interface Server {
  readonly url: string;
  close(): Promise<void>;
}

const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
};

/** Starts the program itself, as an operator does, on the data loaded into `folder`; ready to answer. */
export const startServer = async (folder: string): Promise<Server> => {
  const configs = join(folder, 'configs');
  await mkdir(join(configs, index), { recursive: true });
  await writeFile(
    join(configs, index, 'base.json'),
    JSON.stringify({ documentType: 'specimen', esIndex: index }),
  );
  const port = await freePort();
  const program = spawn(
    process.execPath,
    ['--max-semi-space-size=4', join(import.meta.dirname, '../../src/main.ts'), 'start'],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        PATH: process.env['PATH'],
        CONFIGS_PATH: configs,
        DATA_PATH: folder,
        SEARCH_ENGINE: 'embedded',
        SERVER_HOST: '127.0.0.1',
        SERVER_PORT: String(port),
        INDEXING_PORT: 'off',
        LOG_LEVEL: 'silent',
      },
    },
  );
  const url = `http://127.0.0.1:${port}`;
  await answering(`${url}/ready`);
  return {
    url,
    close: async () => {
      const exited = once(program, 'exit');
      program.kill('SIGTERM');
      await exited;
    },
  };
};

const answering = async (url: string): Promise<void> => {
  for (let attempt = 0; attempt < 300; attempt++) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return;
    await setTimeout(100);
  }
  throw new Error(`${url} does not answer`);
};
