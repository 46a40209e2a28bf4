import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { sampleDocuments } from '../src/cli/sample/sample.ts';
import {
  postQuery,
  run,
  startNode,
  type RunningNode,
  type Settings,
} from '../test/whole/end-to-end/processes.ts';
import { programEnvironment, programFile } from '../test/program.ts';
import { freePort } from '../test/listening.ts';
import { sized } from './size.ts';

// From an empty folder to being counted in a network, by three commands and a clock, with no file edited:
// node bench/from-nothing.ts. TRIBUTARY_DATA names the folder of docs/museums/README.md; without it, no museum joins. The time of
// `npm ci` comes on top, once for each machine.

const goalMs = 10 * 60_000;
const folder = mkdtempSync(join(tmpdir(), 'from-nothing-'));
const running: RunningNode[] = [];

interface Institution {
  readonly id: string;
  readonly file: string;
  readonly load: readonly string[];
}

/** Runs a command with a line on standard input. @throws when it fails */
const command = async (args: readonly string[], settings: Settings, input = ''): Promise<string> => {
  const child = spawn(process.execPath, [programFile, ...args], {
    env: { ...programEnvironment, ...settings },
    stdio: 'pipe',
  });
  child.stdin.end(input);
  const ended = once(child, 'close') as Promise<[number]>;
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code !== 0) throw new Error(`${args.join(' ')}: ${output}\n${errors}`);
  return output;
};

const settingsIn = (name: string): Settings => ({
  CONFIGS_PATH: join(folder, name, 'configs'),
  DATA_PATH: join(folder, name, 'data'),
  HUBS_PATH: join(folder, name, 'hubs.json'),
  NODES_PATH: 'off',
  PORTAL_PATH: 'off',
  INDEXING_PORT: 'off',
});

/** A hub with the fields of a nodes.json, and no node. */
const newHub = async (name: string, nodesFile: string): Promise<Hub> => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { network } = JSON.parse(readFileSync(nodesFile, 'utf8')) as { network: unknown };
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify({ network, nodes: [] }, null, 2));
  const own = { NODES_PATH: file, PUBLIC_URL: url, SERVER_PORT: String(port) };
  return { url, settings: { ...settingsIn(name), ...own }, isRunning: false };
};

interface Hub {
  readonly url: string;
  readonly settings: Settings;
  /** It has nothing to serve before its first invitation. */
  isRunning: boolean;
}

/** How many records of a node the hub counts; null: it is not counted. */
const countedAt = async (url: string, nodeId: string): Promise<number | null> => {
  const { data } = await postQuery(`${url}/network/graphql`, '{ network { nodes { nodeId state hits } } }');
  const { nodes } = data?.['network'] as { nodes: { nodeId: string; state: string; hits: number }[] };
  const found = nodes.find((node) => node.nodeId === nodeId);
  return found?.state === 'ok' ? found.hits : null;
};

const until = async <T>(look: () => Promise<T | null | false>): Promise<T> => {
  for (;;) {
    const found = await look();
    if (found !== null && found !== false) return found;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
};

const joining = async ({ id, file, load }: Institution, network: Hub): Promise<void> => {
  const { url, settings: hub } = network;
  const startedMs = performance.now();
  const settings = settingsIn(id);
  const line = await command(['invite', id, '--display-name', id], hub);
  if (!network.isRunning) running.push(await startNode(hub));
  network.isRunning = true;
  await command(['load', file, '--catalogue', id, ...load], settings);
  const shown = await command(['join', '--records', '--yes'], settings, line);
  running.push(await startNode(settings));
  await until(async () =>
    /waits to be accepted/.test(
      (await run(['members'], hub)).output.split('\n').find((one) => one.startsWith(id)) ?? '',
    ),
  );
  await command(['members', 'accept', id], hub);
  const records = await until(() => countedAt(url, id));
  const tookMs = performance.now() - startedMs;
  const { hubs } = JSON.parse(readFileSync(settings['HUBS_PATH']!, 'utf8')) as {
    hubs: { fields: object; values: Record<string, object> }[];
  };
  const mapped = Object.values(hubs[0]!.values).reduce((sum, one) => sum + Object.keys(one).length, 0);
  console.log(
    `${id.padEnd(12)} ${(tookMs / 1000).toFixed(0).padStart(4)} s  ${String(records).padStart(6)} records counted, ` +
      `${Object.keys(hubs[0]!.fields).length} fields and ${mapped} values proposed  ${tookMs < goalMs ? 'under 10 minutes' : 'TOO LONG'}`,
  );
  const get = shown.split('\n').find((one) => one.startsWith('callers of the hub get'));
  console.log(`             ${get ?? ''}`);
  if (tookMs >= goalMs) process.exitCode = 1;
};

const sampleFile = (id: string): string => {
  const file = join(folder, `${id}.ndjson`);
  const lines = [...sampleDocuments(id)].map(({ document }) => JSON.stringify(document));
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
};

/** A made-up hospital, as it exports a table. */
const hospitalFile = (): string => {
  const file = join(folder, 'klinikum.csv');
  const sites = ['Brust', 'Lunge', 'Dickdarm', 'Gehirn'];
  const rows = Array.from({ length: 2_000 }, (_, at) =>
    [`P${at}`, at % 2 ? 'w' : 'm', 30 + (at % 60), sites[at % 4], at % 5 ? 'lebend' : 'verstorben'].join(';'),
  );
  writeFileSync(file, `PatientenID;Geschlecht;Alter;Lokalisation;Vitalstatus\n${rows.join('\n')}\n`);
  return file;
};

try {
  // hierarchies that nodes.json names beside it
  cpSync('configs', join(folder, 'configs'), { recursive: true });
  const sample = await newHub('sample-hub', 'nodes.json');
  for (const id of sized(['toronto', 'lyon', 'singapore'], []))
    await joining({ id, file: sampleFile(id), load: ['--mapping', `configs/${id}/mapping.json`] }, sample);
  await joining({ id: 'klinikum', file: hospitalFile(), load: [] }, sample);
  const data = process.env['TRIBUTARY_DATA'];
  if (data !== undefined) {
    const museums = await newHub('museums-hub', 'docs/museums/nodes.json');
    for (const id of ['tate', 'turner', 'carnegie']) {
      const load = ['--mapping', join(data, id, 'mapping.json')];
      await joining({ id, file: join(data, id, 'documents.ndjson.gz'), load }, museums);
    }
  }
} finally {
  for (const node of running) await node.kill();
  rmSync(folder, { recursive: true, force: true });
}
