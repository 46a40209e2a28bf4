/**
 * Runs a network for long, as a consortium does: mixed queries, writes, reloads, and nodes that die and come back.
 * Prints errors, times, memory and open files, and fails when there was an error, when a server ended, or when memory or
 * open files grew without bound.
 *
 *   node bench/federation/soak.ts [--minutes 30]
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Engine } from '../../src/engines/engine.ts';
import { openEngine } from '../../src/engines/open/open-engine.ts';
import { percentile } from '../engine/median.ts';
import { soakQueries } from './soak-queries.ts';
import { freePorts, prepareFolder, soakServer, type SoakServer, type Used } from './soak-server.ts';

const documents = 5_000;
const away = 3;
const clients = 4;

/** Of the memory and open files after the warm-up, what more is not a leak: the heap's own ups and downs. */
const slack = { share: 0.3, mebibytes: 48, files: 40 };

const properties = {
  id: { type: 'keyword' },
  species: { type: 'keyword' },
  site: { type: 'keyword' },
  weight: { type: 'double' },
};
const recordAt = (index: number, edition: number) => ({
  id: `r${index}`,
  species: `species ${(index * 7 + edition) % 300}`,
  site: `site ${(index + edition) % 50}`,
  weight: ((index * 31 + edition) % 1_000) / 10,
});

const writeRecords = (engine: Engine, from: number, count: number, edition: number) =>
  engine.write(
    'records',
    Array.from({ length: count }, (_, at) => {
      const index = (from + at) % documents;
      return { kind: 'upsert' as const, id: `r${index}`, document: recordAt(index, edition) };
    }),
  );

/** Opens a server's data beside it, and fills it. */
const openRecords = async (dataPath: string): Promise<Engine> => {
  const engine = await openEngine({ kind: 'embedded', dataPath });
  await engine.manage({ kind: 'create', index: 'records', mapping: { properties } });
  await writeRecords(engine, 0, documents, 0);
  return engine;
};

const nodesFile = (urls: readonly string[], edition: number) => ({
  network: { displayName: `Soak ${edition}`, documentType: 'record' },
  defaults: { timeoutMs: 2_000, discoveryTimeoutMs: 20_000 },
  nodes: [
    { nodeId: 'here', displayName: `Here ${edition}`, catalogue: 'record' },
    ...urls.map((url, at) => ({
      nodeId: `away${at}`,
      documentType: 'record',
      graphqlUrl: `${url}/graphql`,
      // one entry changes with each edition, and so is discovered anew
      ...(at === edition % urls.length && { timeoutMs: 2_000 + (edition % 100) }),
    })),
  ],
});

interface Counted {
  readonly times: number[];
  readonly errors: string[];
  writes: number;
  reloads: number;
  deaths: number;
}

/** Everything that goes on until the signal ends it; each resolves then. */
const going = (
  root: SoakServer,
  others: readonly SoakServer[],
  engines: readonly Engine[],
  nodesPath: string,
  counted: Counted,
  ended: AbortSignal,
): readonly Promise<void>[] => {
  const until = async (everyMs: number, step: (round: number) => Promise<void>): Promise<void> => {
    for (let round = 0; !ended.aborted; round += 1) {
      await step(round).catch((error: unknown) => void counted.errors.push(String(error)));
      await sleep(everyMs, null, { signal: ended }).catch(() => null);
    }
  };
  const querying = (client: number) =>
    until(5, async (round) => {
      const question = soakQueries[(round + client * 3) % soakQueries.length]!;
      const startedMs = performance.now();
      const wrong = await question.run(root.url, round * clients + client);
      counted.times.push(performance.now() - startedMs);
      if (wrong !== null) counted.errors.push(`${question.name}: ${wrong}`);
    });
  return [
    ...Array.from({ length: clients }, (_, client) => querying(client)),
    until(200, async (round) => {
      const engine = engines[round % engines.length]!;
      await writeRecords(engine, round * 50, 50, round);
      counted.writes += 50;
    }),
    until(3_000, async (round) => {
      await writeFile(
        nodesPath,
        JSON.stringify(
          nodesFile(
            others.map(({ url }) => url),
            round + 1,
          ),
        ),
      );
      root.hangUp();
      counted.reloads += 1;
    }),
    until(7_000, async (round) => {
      const one = others[round % others.length]!;
      await one.kill();
      await sleep(2_500);
      await one.start();
      counted.deaths += 1;
    }),
  ];
};

const row = (cells: readonly (string | number)[]): void =>
  console.log(cells.map((cell, at) => String(cell).padStart(at === 0 ? 8 : 11)).join(''));

/**
 * Prints a line about every part of the run.
 * @returns what is used after the warm-up of two fifths, when most code is compiled and caches are filled, and at the end
 */
const watch = async (root: SoakServer, counted: Counted, minutes: number): Promise<readonly [Used, Used]> => {
  const parts = Math.max(5, Math.ceil(minutes));
  const eachMs = (minutes * 60_000) / parts;
  let first: Used | null = null;
  row(['minutes', 'queries', 'errors', 'p50 ms', 'p99 ms', 'MiB', 'files', 'load']);
  for (let part = 1; part <= parts; part += 1) {
    counted.times.length = 0;
    const seen: Used[] = [];
    for (let look = 0; look < 10; look += 1) {
      await sleep(eachMs / 10);
      if (root.isGone()) throw new Error('the network has ended');
      seen.push(await root.used());
    }
    const times = counted.times.toSorted((a, b) => a - b);
    const used = lowest(seen);
    if (part <= 0.4 * parts) first = used;
    const at = (share: number): string => (times.length === 0 ? '-' : percentile(times, share).toFixed(0));
    const cells = [at(0.5), at(0.99), used.mebibytes.toFixed(0)];
    row([
      ((part * minutes) / parts).toFixed(1),
      times.length,
      counted.errors.length,
      ...cells,
      used.files,
      loadavg()[0]!.toFixed(1),
    ]);
    if (part === parts) return [first!, used];
  }
  throw new Error('unreachable');
};

/** What is held at rest: peaks say how busy it was. */
const lowest = (seen: readonly Used[]): Used => ({
  mebibytes: Math.min(...seen.map(({ mebibytes }) => mebibytes)),
  files: Math.min(...seen.map(({ files }) => files)),
});

const verdict = ([start, end]: readonly [Used, Used], { errors, ...counted }: Counted): boolean => {
  const most = start.mebibytes * (1 + slack.share) + slack.mebibytes;
  const grown = [
    ...(end.mebibytes > most
      ? [`memory grew from ${start.mebibytes.toFixed(0)} to ${end.mebibytes.toFixed(0)} MiB`]
      : []),
    ...(end.files > start.files + slack.files ? [`open files grew from ${start.files} to ${end.files}`] : []),
  ];
  console.log(
    `\n${counted.writes} records written, ${counted.reloads} reloads, ${counted.deaths} deaths of nodes, ${errors.length} errors`,
  );
  for (const error of [...new Set(errors)].slice(0, 10)) console.log(`  ${error}`);
  for (const one of grown) console.log(one);
  if (grown.length === 0 && errors.length === 0) console.log('memory and open files are bounded: ok');
  return grown.length === 0 && errors.length === 0;
};

const soak = async (folder: string, minutes: number): Promise<boolean> => {
  const ports = await freePorts(away + 1);
  const urls = ports.slice(1).map((port) => `http://127.0.0.1:${port}`);
  const folders = await Promise.all(
    ports.map((port, at) => prepareFolder(join(folder, String(port)), at === 0 ? nodesFile(urls, 0) : null)),
  );
  const engines = await Promise.all(folders.map(({ dataPath }) => openRecords(dataPath)));
  const [root, ...others] = folders.map((one, at) => soakServer(one, ports[at]!));
  const counted: Counted = { times: [], errors: [], writes: 0, reloads: 0, deaths: 0 };
  const ended = new AbortController();
  try {
    await Promise.all(others.map((one) => one.start()));
    await root!.start();
    const all = going(root!, others, engines, folders[0]!.nodesPath, counted, ended.signal);
    const used = await watch(root!, counted, minutes).finally(() => ended.abort());
    await Promise.all(all);
    return verdict(used, counted);
  } finally {
    await Promise.all([root!, ...others].map((one) => one.kill()));
    await Promise.all(engines.map((engine) => engine.close()));
  }
};

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '30' } } });
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error(`--minutes takes a number above 0, not ${values.minutes}`);
const folder = await mkdtemp(join(tmpdir(), 'tributary-soak-'));
try {
  if (!(await soak(folder, minutes))) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
