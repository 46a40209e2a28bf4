import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../test/whole/end-to-end/institutions.ts';
import { startNode } from '../../test/whole/end-to-end/processes.ts';
import { freePort } from '../../test/listening.ts';
import { sized } from '../size.ts';
import { documentType } from '../federation/answers.ts';
import { emptyHub, identityAt } from '../../test/whole/end-to-end/accepted-members.ts';

const count = sized(100, 8);
const processes = 4;

interface Stubs {
  readonly keys: Readonly<Record<string, string>>;
  /** When members have connected, in milliseconds since 1970. */
  readonly connections: number[];
  readonly dial: (url: string, hubKey: string) => void;
  readonly close: () => void;
}

const openStubs = async (): Promise<Stubs> => {
  const each = count / processes;
  const connections: number[] = [];
  const keys: Record<string, string> = {};
  const children: ChildProcess[] = [];
  for (let at = 0; at < processes; at++) {
    const child = fork(join(import.meta.dirname, 'stub-members.ts'), [String(each), String(at * each)]);
    const [made] = (await once(child, 'message')) as [readonly { nodeId: string; key: string }[]];
    for (const { nodeId, key } of made) keys[nodeId] = key;
    child.on('message', ({ atMs }: { readonly atMs: number }) => connections.push(atMs));
    children.push(child);
  }
  return {
    ...{ keys, connections },
    dial: (url, hubKey) => children.forEach((child) => child.send({ url, hubKey })),
    close: () => children.forEach((child) => child.kill()),
  };
};

/** What a hub holds for each member: kB of the process, and of it what its heap and buffers hold. */
const showMemory = async (): Promise<boolean> => {
  const stubs = await openStubs();
  const port = await freePort();
  const hub = fork(join(import.meta.dirname, 'bare-hub.ts'), [String(port)], { execArgv: ['--expose-gc'] });
  const [{ hubKey }] = (await once(hub, 'message')) as [{ hubKey: string }];
  hub.send(stubs.keys);
  await once(hub, 'message');
  const read = async () => {
    hub.send('');
    return ((await once(hub, 'message')) as [{ connected: number; rss: number; held: number }])[0];
  };
  await read();
  const before = await read();
  stubs.dial(`http://127.0.0.1:${port}`, hubKey);
  while (stubs.connections.length < count) await sleep(50);
  await read();
  await sleep(1_000);
  const after = await read();
  stubs.close();
  hub.kill();
  const [ofProcess, held] = (['rss', 'held'] as const).map(
    (one) => (after[one] - before[one]) / count / 1_000,
  );
  console.log(
    `${after.connected} members: ${ofProcess!.toFixed(0)} kB of the hub's process each, ${held!.toFixed(0)} kB of it held (200 at most)`,
  );
  return after.connected === count && ofProcess! <= 200;
};

/** The most memory that a process has held so far. */
const peakMegabytes = (pid: number): string =>
  (Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_000).toFixed(0);

/** How fast the members of a hub that restarts are back, after an orderly stop and after a kill. */
const showRestart = async (): Promise<boolean> => {
  const stubs = await openStubs();
  const folder = mkdtempSync(join(tmpdir(), 'tributary-members-'));
  const port = await freePort();
  const settings = emptyHub(folder, port);
  const file = join(folder, 'nodes.json');
  const content = JSON.parse(readFileSync(file, 'utf8')) as object;
  const nodes = Object.entries(stubs.keys).map(([nodeId, key]) => ({
    nodeId,
    dialsIn: true,
    key,
    documentType,
  }));
  writeFileSync(file, JSON.stringify({ ...content, nodes }));
  let hub = await startNode(settings);
  stubs.dial(hub.url, identityAt(join(folder, 'data')).thumbprint);
  const isWhole = async (): Promise<boolean> => {
    const body = (await (await fetch(`${hub.url}/network`)).json()) as {
      nodes: readonly { state: string }[];
    };
    return body.nodes.filter(({ state }) => state === 'ok').length === count;
  };
  await until(isWhole);
  let isWell = true;
  for (const how of ['stop', 'kill'] as const) {
    const known = stubs.connections.length;
    await hub[how]();
    const downMs = Date.now();
    hub = await startNode(settings);
    const upMs = Date.now();
    while (stubs.connections.length < known + count) await sleep(20);
    await until(isWhole);
    const back = stubs.connections.slice(known).sort((a, b) => a - b);
    const peak = Math.max(...back.map((at) => back.filter((one) => one >= at && one < at + 1_000).length));
    const tookMs = back[count - 1]! - upMs;
    isWell &&= tookMs <= 20_000;
    console.log(
      `restart after ${how}: down for ${((upMs - downMs) / 1_000).toFixed(1)} s, all ${count} back ${(tookMs / 1_000).toFixed(1)} s after it was ready (20 at most), known ${((Date.now() - upMs) / 1_000).toFixed(1)} s after; at most ${peak} connections in a second, ${peakMegabytes(hub.pid)} MB at the peak`,
    );
  }
  await hub.stop();
  stubs.close();
  rmSync(folder, { recursive: true });
  return isWell;
};

/** 100 members as stubs in other processes: memory, and a restart of their hub. */
export const showMembers = async (): Promise<boolean> => {
  const isSmall = await showMemory();
  return (await showRestart()) && isSmall;
};
