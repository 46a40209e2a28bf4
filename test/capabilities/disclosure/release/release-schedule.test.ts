import test from 'ava';
import { catalogueGuard } from '../../../../src/capabilities/disclosure/guard/guard-catalogue.ts';
import { openReleaseStore } from '../../../../src/capabilities/disclosure/release/release-store.ts';
import { TributaryError } from '../../../../src/lib/errors/errors.ts';
import type { JsonObject } from '../../../../src/lib/json/json.ts';
import { openRegistry } from '../../../../src/local/registry.ts';
import { openReleaseSchedule } from '../../../../src/capabilities/disclosure/release/release-schedule.ts';
import { temporaryFolder } from '../../../server/config/temporary-folder.ts';
import { cohort, cohortDisclosure, engineOver } from '../cohort.ts';
import { bookConfig } from '../../../local/catalogue-fixture.ts';

const quarter = 90 * 86_400_000;

test('a server makes the release of each slot once, logs what is refused, and shows its slot', async (t) => {
  const folder = temporaryFolder(t, {});
  let documents: readonly JsonObject[] = cohort(600, 1);
  let reads = 0;
  const engine = {
    ...engineOver(documents),
    search: (...query: Parameters<ReturnType<typeof engineOver>['search']>) => {
      reads += 1;
      return engineOver(documents).search(...query);
    },
  };
  const disclosure = {
    ...{ ...cohortDisclosure, automatic: true, order: 2 },
    dimensions: [{ fieldName: 'consent' }, { fieldName: 'age', edges: [40] }],
  };
  const config = bookConfig({ catalogueId: 'cohort', documentType: 'donor', esIndex: 'donors', disclosure });
  const storeOf = (id: string) => openReleaseStore(folder, id);
  const guard = catalogueGuard({ storeOf });
  const registry = await openRegistry([config], engine, { guard });
  t.teardown(registry.close);
  const logged: unknown[] = [];
  const log = (details: object, message?: string): void => void logged.push([message, details]);
  const written: JsonObject[] = [];
  let isFull = false;
  const write = (entry: JsonObject): void => {
    if (isFull) throw new TributaryError('NOT_READY', 'the disk is full');
    written.push(entry);
  };
  const trail = () => ({ write, close: () => undefined });
  const open = () => {
    const logger = { info: log, warn: log, error: log } as never;
    const opened = openReleaseSchedule(async () => engine, registry, { storeOf, trail }, logger);
    t.teardown(opened.close);
    return opened;
  };
  const schedule = open();
  const start = Date.UTC(2026, 10, 1);

  await schedule.run(start);
  await schedule.run(start + 1_000);
  t.is(logged.length, 1);
  t.is(reads, 1);
  const id = storeOf('cohort').currentId();
  t.deepEqual(logged.pop(), ['release published', { catalogue: 'cohort', release: id, slot: '2026-09-04' }]);

  await schedule.run(start + quarter);
  await schedule.run(start + quarter);
  // a server that has been started anew
  await open().run(start + quarter);
  t.is(reads, 2);
  t.deepEqual(logged.splice(0), [
    [
      'release withheld, the one before stays',
      {
        catalogue: 'cohort',
        slot: '2026-12-03',
        reasons: ['0 units were added, removed or changed since 2026-09-04, at least 100 are required'],
      },
    ],
  ]);
  await registry.refresh();
  const state = registry.byId('cohort');
  const shown = state?.status === 'available' ? state.catalogue.substitute?.disclosure(null) : undefined;
  t.like(shown, { date: '2026-09-04', refused: '2026-12-03' });

  documents = cohort(900, 1);
  isFull = true;
  await schedule.run(start + 2 * quarter);
  t.like(logged.pop(), ['release failed, it will be tried again']);
  t.is(storeOf('cohort').currentId(), id, 'nothing is published that cannot be written down');
  isFull = false;
  await schedule.run(start + 2 * quarter);
  t.like(logged.pop(), ['release published']);
  const next = storeOf('cohort').currentId();
  t.not(next, id);
  t.deepEqual(
    written.map((entry) => [
      entry['tributary.release_outcome'],
      entry['tributary.release_date'],
      entry['tributary.release'],
    ]),
    [
      ['published', '2026-09-04', id],
      ['refused', '2026-12-03', null],
      ['published', '2027-03-03', next],
    ],
  );
  t.like(written[0], {
    'event.action': 'release',
    'tributary.door': 'schedule',
    'tributary.catalogue': 'cohort',
  });
});

test('without "automatic" nothing is released', async (t) => {
  const engine = engineOver(cohort(600, 1));
  const config = bookConfig({ catalogueId: 'cohort', esIndex: 'donors', disclosure: cohortDisclosure });
  const storeOf = (id: string) => openReleaseStore(temporaryFolder(t, {}), id);
  const registry = await openRegistry([config], engine, { guard: catalogueGuard({ storeOf }) });
  t.teardown(registry.close);
  const schedule = openReleaseSchedule(
    async () => engine,
    registry,
    { storeOf, trail: () => null },
    {} as never,
  );
  t.teardown(schedule.close);
  await schedule.run(Date.now());
  t.deepEqual(engine.searches, []);
});
