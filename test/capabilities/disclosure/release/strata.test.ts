import test, { type ExecutionContext } from 'ava';
import { contextFor } from '../../../search/request-context.ts';
import { guardedSearch } from '../../../../src/capabilities/disclosure/guard/guarded-search.ts';
import { cellLabel } from '../../../../src/capabilities/disclosure/cells/cell.ts';
import type { Release } from '../../../../src/capabilities/disclosure/release/release.ts';
import { lowerOf, upperOf } from '../../../../src/search/count.ts';
import type { CatalogueResult } from '../../../../src/search/query.ts';
import type { DisclosureConfig } from '../../../../src/introspection/fields/catalogue-config.ts';
import type { JsonObject } from '../../../../src/lib/json/json.ts';
import { parseSqon } from '../../../../src/sqon/parse.ts';
import { publishRelease } from '../../../../src/capabilities/disclosure/release/publish-release.ts';
import { openReleaseStore } from '../../../../src/capabilities/disclosure/release/release-store.ts';
import { temporaryFolder } from '../../../server/config/temporary-folder.ts';
import { cohortDisclosure, cohortFields, drafted, engineOver } from '../cohort.ts';

/** So many donors of a study with a site. */
const group = (study: string | undefined, site: string, size: number): readonly JsonObject[] =>
  Array.from({ length: size }, (_, number) => ({ donor_id: `${study} ${site} ${number}`, study, site }));

const strata = { strata: 'study', dimensions: [{ fieldName: 'site', most: 10 }] };

test('values are listed, and ranked, by what the strata release of them, not by their count in all', async (t) => {
  const { release } = await drafted(
    [
      // 18 in all, and hidden in each
      ...['north', 'south'].flatMap((study) => group(study, 'hidden', 9)),
      // 38 in all, of which twice 10 are released
      ...['north', 'south'].flatMap((study) => group(study, 'late', 19)),
      // 30 in all, of which 30 are released
      ...group('north', 'first', 30),
      // 20 in all, and released
      ...group('south', 'early', 20),
    ],
    strata,
  );
  for (const { table } of release.strata)
    t.deepEqual(table.dimensions[0]!.cells.map(cellLabel), [
      'first',
      'early',
      'late',
      '__other__',
      '__missing__',
    ]);
});

const studies = (value: readonly string[]) => ({ op: 'in', content: { fieldName: 'study', value } });

/** What a caller with this access filter is answered of all they may see. */
const answered = (release: Release, access: unknown): Promise<CatalogueResult> => {
  const search = guardedSearch(release, {
    ...{ catalogueId: 'cohort', lowerBoundsToOldClients: false, nameKey: Buffer.alloc(32) },
  });
  const page = { first: 0, offset: 0, sort: [], searchAfter: null, fields: [] };
  const hits = { ...page, trackTotal: true, bounded: true as const };
  const query = { filters: null, filterThemselves: true, includeMissing: true, facets: [], hits };
  return search(query, contextFor({ accessFilter: () => parseSqon(access) }), 'counts');
};

test('units in none of the strata count for callers of everything, and for no others', async (t) => {
  const documents = [...group('north', 'a', 40), ...group('south', 'a', 30), ...group(undefined, 'a', 20)];
  const { release } = await drafted(documents, strata);
  t.deepEqual(
    release.strata.map(({ value, table }) => [value, table.total]),
    [
      ['north', 4],
      ['south', 3],
      [null, 2],
    ],
  );
  const total = async (access: unknown) => {
    const { total: count } = await answered({ id: 'release', ...release }, access);
    return [lowerOf(count!), upperOf(count!)];
  };
  t.deepEqual(await total(null), [90, 90 + 3 * 9]);
  t.deepEqual(await total(studies(['north', 'south'])), [70, 70 + 2 * 9]);
  t.deepEqual(await total(studies(['north'])), [40, 49]);
});

test('a unit in several strata is refused, as they could not be distinguished', async (t) => {
  const twice = ['north', 'south'].map((study) => ({ donor_id: 'D1', study, site: 'a' }));
  const error = await t.throwsAsync(drafted([...group('north', 'a', 40), ...twice], strata));
  t.regex(error!.message, /strata: some units have several values of this field/);
});

/** Releases of one catalogue in slots that follow each other. */
const slots = (t: ExecutionContext) => {
  const store = openReleaseStore(temporaryFolder(t, {}), 'cohort');
  let slot = 0;
  return async (documents: readonly JsonObject[], changes: Partial<DisclosureConfig> = {}) => {
    const source = {
      engine: engineOver(documents),
      index: 'donors',
      catalogueId: 'cohort',
      fields: cohortFields,
      disclosure: { ...cohortDisclosure, order: 1, ...strata, ...changes },
    };
    const nowMs = Date.UTC(2026, 10, 1) + (slot += 1) * 91 * 86_400_000;
    const outcome = await publishRelease(source, store, { nowMs });
    const release = store.read(store.currentId()!);
    const published = release.strata.map(({ value, date, table }) => [value, date, table.total]);
    return { release, published, reasons: outcome.kind === 'withheld' ? outcome.reasons : [] };
  };
};

test('a stratum in which few units changed stays as it was published, until its changes are enough', async (t) => {
  const publish = slots(t);
  const first = await publish([...group('north', 'a', 400), ...group('south', 'a', 400)]);
  t.deepEqual(first.reasons, []);
  const [date, ...later] = first.published.map(([, day]) => day);
  t.deepEqual(later, [date]);
  const second = await publish([...group('north', 'a', 500), ...group('south', 'a', 460)]);
  const { date: newer } = second.release;
  t.true(newer > String(date));
  t.deepEqual(second.published, [
    ['north', newer, 50],
    ['south', date, 40],
  ]);
  const dateOf = async (values: readonly string[]) =>
    (await answered(second.release, studies(values))).withheld?.date;
  t.deepEqual(await Promise.all([['north'], ['south'], ['north', 'south']].map(dateOf)), [newer, date, date]);
  // 60 and 40 since the table that is shown
  const third = await publish([...group('north', 'a', 530), ...group('south', 'a', 500)]);
  t.deepEqual(third.published, [
    ['south', third.release.date, 50],
    ['north', newer, 50],
  ]);
});

test('with few changes in every stratum the previous release stays, and what is missing is named for each', async (t) => {
  const publish = slots(t);
  const documents = [...group('north', 'a', 400), ...group('south', 'a', 400)];
  const { release } = await publish(documents);
  const { reasons } = await publish([...documents, ...group('south', 'b', 99)]);
  t.deepEqual(reasons, [
    `0 units of stratum north were added, removed or changed since ${release.date}, at least 100 are required`,
    `99 units of stratum south were added, removed or changed since ${release.date}, at least 100 are required`,
  ]);
});

test('a stratum that stays has no cells for other values: none are listed, and declared ones wait', async (t) => {
  const publish = slots(t);
  const documents = [...group('north', 'a', 400), ...group('south', 'a', 400)];
  const { release } = await publish(documents);
  const more = [...documents, ...group('north', 'b', 100)];
  const { reasons } = await publish(more, { dimensions: [{ fieldName: 'site', values: ['a', 'b'] }] });
  t.deepEqual(reasons, [
    `0 units of stratum south were added, removed or changed since ${release.date}, at least 100 are required`,
  ]);
  const next = await publish(more);
  t.deepEqual(next.reasons, []);
  for (const { table } of next.release.strata)
    t.deepEqual(table.dimensions[0]!.cells.map(cellLabel), ['a', '__other__', '__missing__']);
});

test('a new stratum is released at once, a stratum of which few units were left stays', async (t) => {
  const publish = slots(t);
  await publish([...group('north', 'a', 400), ...group('south', 'a', 50)]);
  const { published, release } = await publish([...group('north', 'a', 500), ...group('west', 'a', 20)]);
  t.deepEqual(
    published.map(([value, date, total]) => [value, date === release.date, total]),
    [
      ['north', true, 50],
      ['west', true, 2],
      ['south', false, 5],
    ],
  );
});
