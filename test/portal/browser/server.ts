import { announcedUrl, ended } from '../../announced-url.ts';
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
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
    DATA_PATH: `${cache}guarded`,
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
