import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { publishRelease } from '../src/capabilities/disclosure/release/publish-release.ts';
import { openReleaseStore } from '../src/capabilities/disclosure/release/release-store.ts';
import { openEngine } from '../src/engines/open/open-engine.ts';
import type { DimensionConfig } from '../src/introspection/fields/catalogue-config.ts';
import { readFields } from '../src/introspection/mapping/mapping.ts';
import { fill, index } from './engines/loaded.ts';
import { startNode } from './engines/node-process.ts';

const dimensions: readonly DimensionConfig[] = [
  ...['sex', 'preserved', 'phase', 'grade', 'method', 'tissue', 'habitat', 'programme'].map((fieldName) => ({
    fieldName,
    most: 8,
  })),
  ...['category', 'institution', 'tags'].map((fieldName) => ({ fieldName, most: 8 })),
  { fieldName: 'donor.age', edges: [20, 40, 60] },
];

const question = {
  query: `query ($f: JSON) { specimen { hits(first: 10, filters: $f) { total edges { node { id } } }
    aggregations(filters: $f) { sex { buckets { key doc_count } } institution { buckets { key doc_count } } } } }`,
};

/** Sends one query after the other until the work is done, each with another filter. */
const timesBeside = async (url: string, work: Promise<unknown>): Promise<readonly number[]> => {
  const times: number[] = [];
  let isDone = false;
  const ended = work.finally(() => (isDone = true));
  for (let turn = 0; !isDone; turn += 1) {
    const f = { op: 'gte', content: { fieldName: 'donor.age', value: [turn % 90] } };
    const started = performance.now();
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...question, variables: { f } }),
    });
    const { errors } = (await response.json()) as { readonly errors?: unknown };
    if (errors !== undefined) throw new Error(JSON.stringify(errors));
    times.push(performance.now() - started);
    await sleep(100);
  }
  await ended;
  return times;
};

const [documents = '1000000', folderArgument] = process.argv.slice(2);
const folder = folderArgument ?? (await mkdtemp(join(tmpdir(), 'tributary-release-')));
try {
  const engine = await openEngine({ kind: 'embedded', dataPath: folder });
  if (!existsSync(join(folder, `${index}.sqlite`))) await fill(engine, Number(documents));
  const node = await startNode(folder, { SEARCH_ENGINE: 'embedded', DATA_PATH: folder });
  try {
    const { properties } = await engine.describe(index);
    const { fields } = readFields(properties, {});
    const disclosure = {
      ...({
        default: 'counts',
        threshold: 10,
        order: 3,
        unit: 'record',
        stableIds: null,
        strata: null,
        dimensions,
      } as const),
      ...{ releaseEveryDays: 90, automatic: false, lowerBoundsToOldClients: false },
    };
    const [started, used] = [performance.now(), process.cpuUsage()];
    const released = publishRelease(
      { engine, index, catalogueId: 'specimens', fields, disclosure },
      openReleaseStore(join(folder, 'bench'), 'specimens'),
      { nowMs: Date.now(), dryRun: true },
    );
    const took = released.then(() => performance.now() - started);
    const times = (await timesBeside(node.url, released)).toSorted((left, right) => left - right);
    const { user, system } = process.cpuUsage(used);
    const { draft } = await released;
    const at = (share: number): string => `${(times[Math.floor(share * times.length)] ?? 0).toFixed(0)} ms`;
    console.log(
      `load average ${loadavg()[0]!.toFixed(1)}: ${draft.units} records, 12 dimensions, order 3: released in ${((await took) / 1000).toFixed(1)} s, ${((user + system) / 1e6).toFixed(1)} s of processor, ${(process.resourceUsage().maxRSS / 1e6).toFixed(2)} GB`,
    );
    console.log(
      `${times.length} questions beside it: half of them within ${at(0.5)}, 99 of 100 within ${at(0.99)}`,
    );
  } finally {
    await node.close();
    await engine.close();
  }
} finally {
  if (folderArgument === undefined) await rm(folder, { recursive: true, force: true });
}
