import test from 'ava';
import { guardedSearch } from '../../../src/disclosure/guard/guarded-search.ts';
import { cellLabel } from '../../../src/disclosure/cells/cell-label.ts';
import type { JsonObject } from '../../../src/json.ts';
import { parseSqon } from '../../../src/sqon/parse.ts';
import { drafted } from '../cohort.ts';

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
  const search = guardedSearch(
    { id: 'release', ...release },
    { catalogueId: 'cohort', lowerBoundsToOldClients: false },
  );
  const total = async (access: unknown) => {
    const hits = {
      first: 0,
      offset: 0,
      sort: [],
      searchAfter: null,
      trackTotal: true,
      bounded: true as const,
      fields: [],
    };
    const query = { filters: null, filterThemselves: true, includeMissing: true, facets: [], hits };
    const accessFilter = () => parseSqon(access);
    const caller = { requestId: 'r', headers: {}, accessFilter, warn: () => undefined };
    const answer = await search(query, caller, 'counts');
    return [answer.total, answer.totalBounds!.upperBound];
  };
  const studies = (value: readonly string[]) => ({ op: 'in', content: { fieldName: 'study', value } });
  t.deepEqual(await total(null), [90, 90 + 3 * 9]);
  t.deepEqual(await total(studies(['north', 'south'])), [70, 70 + 2 * 9]);
  t.deepEqual(await total(studies(['north'])), [40, 49]);
});

test('a unit in several strata is refused, as they could not be told apart', async (t) => {
  const twice = ['north', 'south'].map((study) => ({ donor_id: 'D1', study, site: 'a' }));
  const error = await t.throwsAsync(drafted([...group('north', 'a', 40), ...twice], strata));
  t.regex(error!.message, /strata: some units have several values of this field/);
});
