import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { countAt, institution, runWith, until } from '../../whole/end-to-end/institutions.ts';
import { startNode } from '../../whole/end-to-end/processes.ts';
import { freePort, type Listening } from '../../listening.ts';
import { programEnvironment, programFile } from '../../program.ts';
import { certificateOf, joinStreams, openProxy, type Certificate } from './proxies.ts';

/** Why no network namespaces can be made here; null: they can. */
export const withoutNamespaces = (): string | null => {
  const { status, stderr, error } = spawnSync('unshare', ['-rn', 'ip', 'link', 'set', 'lo', 'up'], {
    encoding: 'utf8',
  });
  return status === 0 ? null : (error?.message ?? stderr.trim());
};

const wrapper = fileURLToPath(new URL('in-closed-network.js', import.meta.url));
const proxyPort = 3128;

const persons = `{"person_id":"H1","sex":"Female"}\n{"person_id":"H2","sex":"Male"}\n`;
const patients = `{"person_id":"O1","sex":"Female"}\n{"person_id":"O2","sex":"Male"}\n{"person_id":"O3","sex":"Female"}\n`;

export interface ClosedNetwork {
  /** What the hub counts once the member is there: 2 records of its own and 3 of the member. */
  readonly total: number;
  /** What `join --check` prints, with the way open. */
  readonly check: string;
  /** And without the proxy, and with the wrong password for it. */
  readonly withoutProxy: string;
  readonly wrongPassword: string;
  /** The places that the proxy was to connect to, each once. */
  readonly connected: readonly string[];
}

/**
 * A member joins a hub from a network that has no route but to an HTTP proxy, over TLS, which wants a password; the hub
 * stands behind a reverse proxy with TLS. All are processes of the program, and the member knows no name but localhost.
 * @param openFront a reverse proxy on that port, before a server on another
 */
export const joinFromClosedNetwork = async (
  openFront: (port: number, to: number, certificate: Certificate) => Promise<Pick<Listening, 'stop'>>,
): Promise<ClosedNetwork> => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-closed-'));
  const closing: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  try {
    const [port, frontPort] = [await freePort(), await freePort()];
    const certificate = await certificateOf('Network');
    writeFileSync(join(folder, 'ca.pem'), certificate.cert);
    const nodes = {
      network: { displayName: 'Nordic', documentType: 'person' },
      defaults: { timeoutMs: 60_000 },
      nodes: [{ nodeId: 'here', catalogue: 'person' }],
    };
    const hub = {
      ...(await institution(join(folder, 'hub'), 'person', persons, { 'nodes.json': nodes })),
      ...{ PUBLIC_URL: `https://localhost:${frontPort}`, SERVER_PORT: String(port) },
    };
    const running = await startNode(hub);
    closing.unshift(() => running.kill());
    const front = await openFront(frontPort, port, certificate);
    closing.unshift(() => front.stop());
    const proxy = await openProxy({ credentials: 'ola:correct horse', certificate });
    closing.unshift(() => proxy.stop());
    const socket = join(folder, 'proxy.sock');
    const relay = createServer((near) => {
      const far = connect(proxy.port, '127.0.0.1');
      joinStreams(near, far);
    }).listen(socket);
    await once(relay, 'listening');
    closing.unshift(() => relay.close());

    const within = ['unshare', '-rn', process.execPath, wrapper, socket, String(proxyPort)];
    const through = (credentials: string) => ({
      HTTPS_PROXY: `https://${credentials}@localhost:${proxyPort}`,
      NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
    });
    const bare = await institution(join(folder, 'member'), 'person', patients);
    const member = { ...bare, ...through('ola:correct%20horse') };
    const invited = await runWith('', ['invite', 'oslo'], hub);
    if (invited.code !== 0) throw new Error(invited.errors);
    const attempt = async (settings: Readonly<Record<string, string>>): Promise<string> => {
      const { output, errors } = await runWith(invited.output, ['join', '--check'], settings, within);
      return (output + errors).trim();
    };
    const withoutProxy = await attempt(bare);
    const wrongPassword = await attempt({ ...bare, ...through('ola:wrong') });
    const joined = await runWith(invited.output, ['join', '--records', '--yes'], member, within);
    if (joined.code !== 0) throw new Error(joined.output + joined.errors);
    const check = await attempt(member);
    const [program, ...args] = [...within, process.execPath, programFile, 'start'];
    const env = {
      ...programEnvironment,
      ...member,
      SERVER_HOST: '127.0.0.1',
      SERVER_PORT: '0',
      INDEXING_PORT: 'off',
    };
    const started = spawn(program!, args, { env, stdio: 'ignore' });
    const ended = once(started, 'close');
    closing.unshift(async () => {
      started.kill('SIGTERM');
      await ended;
    });
    await until(async () => (await runWith('', ['members', 'accept', 'oslo'], hub)).code === 0);
    const url = `http://127.0.0.1:${port}`;
    await until(async () =>
      (await countAt(url)).nodes.some(({ nodeId, state }) => nodeId === 'oslo' && state === 'ok'),
    );
    const { total } = (await countAt(url)).hits;
    const connected = [...new Set(proxy.connected)].map((one) => one.replace(String(frontPort), 'HUB'));
    return { total, check, withoutProxy, wrongPassword, connected };
  } finally {
    for (const close of closing) await close();
  }
};
