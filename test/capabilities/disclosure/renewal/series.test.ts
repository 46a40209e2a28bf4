import test from 'ava';
import { guardedSearch } from '../../../../src/capabilities/disclosure/guard/guarded-search.ts';
import { publishRelease } from '../../../../src/capabilities/disclosure/release/publish-release.ts';
import { openReleaseStore } from '../../../../src/capabilities/disclosure/release/release-store.ts';
import type { Release } from '../../../../src/capabilities/disclosure/release/release.ts';
import type { JsonObject } from '../../../../src/lib/json/json.ts';
import { parseSqon } from '../../../../src/sqon/parse.ts';
import { temporaryFolder } from '../../../server/config/temporary-folder.ts';
import { contextFor } from '../../../search/request-context.ts';
import { cohortDisclosure, cohortFields, engineOver } from '../cohort.ts';
import { below, seeded, type Random } from '../random-units.ts';
import { tellingBlocks } from './telling-blocks.ts';

const sites = ['C50', 'C34', 'C18'];
const disclosure = {
  ...cohortDisclosure,
  dimensions: [
    { fieldName: 'sex', values: ['female', 'male'] },
    { fieldName: 'age', edges: [40] },
    { fieldName: 'site', values: sites },
    { fieldName: 'weight', edges: [10, 20, 30] },
  ],
};

const donor = (random: Random, id: string): JsonObject => ({
  donor_id: id,
  sex: ['female', 'male'][below(random, 2)]!,
  age: below(random, 80),
  site: sites[below(random, sites.length)]!,
  weight: 5 + 10 * below(random, 2),
});

/** Each slot 150 gain weight, one is corrected, one goes and so many come. */
const slotLater = (
  documents: readonly JsonObject[],
  slot: number,
  arrivals: number,
  random: Random,
): readonly JsonObject[] => {
  const [corrected, ...others] = documents.slice(1);
  return [
    ...others.map((one, index) =>
      (index + 150 * slot) % others.length < 150 ? { ...one, weight: Number(one['weight']) + 10 } : one,
    ),
    { ...corrected!, site: sites[below(random, sites.length)]! },
    ...Array.from({ length: arrivals }, (_, number) => donor(random, `${slot} ${number}`)),
  ];
};

/** All questions about up to three characteristics, of which two may be united, without weight. */
const questions = sites.flatMap((site, index) =>
  ['female', 'male'].flatMap((sex) =>
    [null, 40].flatMap((age) => [
      [is('site', site)],
      [
        is('site', site),
        is('sex', sex),
        ...(age === null ? [] : [{ op: 'gte', content: { fieldName: 'age', value: [age] } }]),
      ],
      [is('site', site, sites[(index + 1) % sites.length]!), is('sex', sex)],
    ]),
  ),
);

function is(fieldName: string, ...value: readonly string[]) {
  return { op: 'in', content: { fieldName, value } };
}

const answers = async (release: Release): Promise<readonly unknown[]> => {
  const search = guardedSearch(release, {
    catalogueId: 'cohort',
    lowerBoundsToOldClients: false,
    nameKey: new Uint8Array(32),
  });
  const page = { first: 0, offset: 0, sort: [], searchAfter: null, fields: [] };
  return Promise.all(
    questions.map(async (content) => {
      const hits = { ...page, trackTotal: true, bounded: true as const };
      const query = { filterThemselves: true, includeMissing: true, facets: [], hits };
      const filters = parseSqon({ op: 'and', content });
      return (await search({ ...query, filters }, contextFor({}), 'counts')).total;
    }),
  );
};

for (const [slots, arrivals] of [
  [2, 0],
  [5, 0],
  [20, 12],
] as const)
  test(`of ${slots} releases, no two differ in a block by few persons, nor in an answer`, async (t) => {
    const folder = temporaryFolder(t, {});
    const random = seeded(slots);
    let documents: readonly JsonObject[] = Array.from({ length: 1_500 }, (_, id) => donor(random, `D${id}`));
    const store = openReleaseStore(folder, 'cohort');
    for (let slot = 0; slot < slots; slot += 1) {
      if (slot > 0) documents = slotLater(documents, slot, arrivals, random);
      const source = {
        engine: engineOver(documents),
        index: 'donors',
        catalogueId: 'cohort',
        fields: cohortFields,
        disclosure,
      };
      const outcome = await publishRelease(source, store, {
        nowMs: Date.UTC(2026, 10, 1) + slot * 90 * 86_400_000,
      });
      t.deepEqual(outcome.kind === 'withheld' ? outcome.reasons : [], []);
    }
    const { kept } = store.history(['donors']);
    t.is(kept.length, slots);
    for (const [index, now] of kept.entries())
      for (const before of kept.slice(0, index)) t.is(tellingBlocks(before.table, now.table), 0);
    const all = await Promise.all(kept.map(({ release }) => answers(release)));
    // who came, went or was corrected is not to be seen until they are many
    const firstMoved = kept.findIndex(({ table }) =>
      table.strata[0]!.ids.some((id, unit) => id !== kept[0]!.table.strata[0]!.ids[unit]),
    );
    t.true(arrivals === 0 ? firstMoved < 0 : firstMoved >= 8);
    for (const one of all.slice(1, firstMoved < 0 ? undefined : firstMoved)) t.deepEqual(one, all[0]);
  });
