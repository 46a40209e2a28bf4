import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { draftRelease } from '../../../../src/capabilities/disclosure/release/make-release.ts';
import { releaseText } from '../../../../src/capabilities/disclosure/release/release.ts';
import { openEmbeddedEngine } from '../../../../src/engines/embedded/embedded-engine.ts';
import type { Engine } from '../../../../src/engines/engine.ts';
import type { JsonObject } from '../../../../src/lib/json/json.ts';
import { cohort, cohortDisclosure, cohortFields, cohortProperties } from '../cohort.ts';
import { onServers } from '../../../engines/cluster/on-servers.ts';

const index = 'tributary-releases';
/** More than a page of the scan, some donors with two records. */
const donors = cohort(10_400, 3);
const records = [...donors, ...cohort(400, 9)];

const fill = async (engine: Engine, documents: readonly JsonObject[]): Promise<void> => {
  await engine.manage({ kind: 'delete', index });
  await engine.manage({ kind: 'create', index, mapping: { properties: cohortProperties } });
  for (let from = 0; from < documents.length; from += 2_000)
    await engine.write(
      index,
      documents.slice(from, from + 2_000).map((document, index) => ({
        kind: 'upsert' as const,
        id: `r${from + index}`,
        document,
      })),
    );
};

const draft = (engine: Engine, unit: string) =>
  draftRelease(
    {
      ...{ engine, index, catalogueId: 'cohort', fields: cohortFields },
      disclosure: { ...cohortDisclosure, unit },
    },
    { earlier: [], former: null, series: 1, date: '2026-11-01' },
  );

/** What the embedded engine publishes of the records, by unit. */
const publish = async (): Promise<ReadonlyMap<string, Awaited<ReturnType<typeof draft>>>> => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-releases-'));
  const embedded = openEmbeddedEngine(folder);
  await fill(embedded, records);
  const drafts = new Map<string, Awaited<ReturnType<typeof draft>>>();
  for (const unit of ['donor_id', 'record']) drafts.set(unit, await draft(embedded, unit));
  await embedded.close();
  await rm(folder, { recursive: true, force: true });
  return drafts;
};
let published: ReturnType<typeof publish> | undefined;

await onServers((server, cluster) => {
  test.before(() => Promise.all([fill(cluster, records), (published ??= publish())]));

  for (const unit of ['donor_id', 'record'])
    test.serial(
      `${server.name}: a release by ${unit} is, to the byte, that of the embedded engine`,
      async (t) => {
        const [there, here] = [await draft(cluster, unit), (await published!).get(unit)!];
        t.is(here.units, unit === 'record' ? records.length : donors.length);
        t.is(releaseText(there.release), releaseText(here.release));
        t.deepEqual(there.audits, here.audits);
        t.deepEqual(there.table, here.table);
      },
    );

  test.serial(`${server.name}: a release made while records are written is of one moment`, async (t) => {
    await fill(cluster, donors);
    // all donors consent, or none: each write turns everyone at once, in order
    const turn = (consent: boolean) =>
      cluster.write(
        index,
        donors.slice(0, 2_000).map((document, index) => ({
          kind: 'upsert' as const,
          id: `r${index}`,
          document: { ...document, consent },
        })),
      );
    await turn(true);
    let isDone = false;
    const writing = (async () => {
      for (let consent = false; !isDone; consent = !consent) await turn(consent);
    })();
    const { units } = await draft(cluster, 'donor_id');
    isDone = true;
    await writing;
    t.is(units, donors.length);
  });

  return async () => {
    await cluster.manage({ kind: 'delete', index });
  };
});
