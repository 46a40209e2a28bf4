import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildServer, type BuiltServer, type ServerKind } from './build-server.ts';
import { freePort } from '../../listening.ts';

export interface RunningServer {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

export interface ServerOptions {
  /** For measurements: a bigger heap and the whole compiler, which makes fast code but starts slowly. */
  readonly fastCode?: boolean;
}

/**
 * Starts a real search server of one node on this machine, with its own folder, deleted with it.
 * @throws CannotBuild when it cannot be had, Error with its log when it does not come up
 */
export const startServer = async (
  kind: ServerKind,
  { fastCode = false }: ServerOptions = {},
): Promise<RunningServer> => {
  const built = await buildServer(kind);
  const home = await mkdtemp(join(tmpdir(), 'tributary-server-'));
  const port = await freePort();
  await mkdir(join(home, 'tmp'));
  const log = await open(join(home, 'log'), 'a');
  const server = spawn(built.java, [...options(built, home, fastCode), built.mainClass, home, String(port)], {
    stdio: ['ignore', log.fd, log.fd],
  });
  await log.close();
  const ended = once(server, 'exit');
  // it outlasts no process, and keeps none running
  server.unref();
  const killWithUs = (): void => {
    console.log(`${kind.product} ${kind.version}: ${processorSeconds(server.pid)} s of processor time`);
    server.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  };
  process.once('exit', killWithUs);
  const stop = async (): Promise<void> => {
    process.off('exit', killWithUs);
    server.kill();
    const patience = setTimeout(() => server.kill('SIGKILL'), 10_000);
    await ended;
    clearTimeout(patience);
    await rm(home, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}`;
  for (let tried = 0; tried < 1_500; tried += 1) {
    if (await isHealthy(url)) return { url, stop };
    if (server.exitCode !== null) break;
    await sleep(200);
  }
  const output = await readFile(join(home, 'log'), 'utf8');
  await stop();
  throw new Error(`${kind.product} ${kind.version} did not come up:\n${output.slice(-3_000)}`);
};

const options = ({ jdk, classPath }: BuiltServer, home: string, fastCode: boolean): readonly string[] => [
  ...(fastCode ? ['-Xms1g', '-Xmx1g'] : ['-Xms768m', '-Xmx768m', '-XX:TieredStopAtLevel=1']),
  '-XX:+UseSerialGC',
  ...['-Dlog4j2.disable.jmx=true', '-Djna.nosys=true', '-Dio.netty.noUnsafe=true'],
  `-Djava.io.tmpdir=${join(home, 'tmp')}`,
  ...(jdk >= 21 ? ['--enable-native-access=ALL-UNNAMED', '--add-modules=jdk.incubator.vector'] : []),
  ...(jdk >= 24 ? ['--sun-misc-unsafe-memory-access=allow'] : []),
  ...['-cp', classPath],
];

/** What a process has taken, which that of its parent does not include unless it waits for its end; 0 where it is not known. */
const processorSeconds = (pid = 0): number => {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return 0;
  const [user, system] = readFileSync(file, 'utf8').replace(/.*\) /, '').split(' ').slice(11, 13);
  return Math.round((Number(user) + Number(system)) / 100);
};

const isHealthy = (url: string): Promise<boolean> =>
  fetch(`${url}/_cluster/health?wait_for_status=yellow&timeout=2s`).then(
    (response) => response.ok,
    () => false,
  );
