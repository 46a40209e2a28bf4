import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { chooseCells } from '../../../../src/capabilities/disclosure/cells/choose-cells.ts';
import { fieldsOf } from '../../../../src/capabilities/disclosure/question/released-counts.ts';
import { publishRelease } from '../../../../src/capabilities/disclosure/release/publish-release.ts';
import { readUnits } from '../../../../src/capabilities/disclosure/release/read-units.ts';
import type { Engine } from '../../../../src/engines/engine.ts';
import { openReleaseStore } from '../../../../src/capabilities/disclosure/release/release-store.ts';
import { readRelease, idOf, releaseText } from '../../../../src/capabilities/disclosure/release/release.ts';
import { buildHierarchy } from '../../../../src/introspection/hierarchies/build-hierarchy.ts';
import { withHierarchies } from '../../../../src/introspection/fields/field.ts';
import type { DisclosureConfig } from '../../../../src/introspection/fields/catalogue-config.ts';
import type { JsonObject } from '../../../../src/lib/json/json.ts';
import { temporaryFolder } from '../../../server/config/temporary-folder.ts';
import { cohort, cohortDisclosure, cohortFields, drafted, engineOver } from '../cohort.ts';

const day = 86_400_000;
const start = Date.UTC(2026, 10, 1);
/** Passes the audit. */
const coarse: Partial<DisclosureConfig> = {
  order: 2,
  dimensions: [
    { fieldName: 'consent' },
    { fieldName: 'age', edges: [40] },
    { fieldName: 'genes', values: ['TP53'] },
  ],
};

const source = (documents: readonly JsonObject[], changes: Partial<DisclosureConfig> = {}) => ({
  engine: engineOver(documents),
  index: 'donors',
  catalogueId: 'cohort',
  fields: cohortFields,
  disclosure: { ...cohortDisclosure, ...coarse, ...changes },
});

const options = (days: number, changes = {}) => ({
  nowMs: start + days * day,
  ...changes,
});

test('a release is read as it was published, and only with its hash', async (t) => {
  const { release } = await drafted(cohort(300, 1));
  const text = releaseText(release);
  t.deepEqual(readRelease(text, idOf(text)), { id: idOf(text), ...release });
  const error = t.throws(() => readRelease(text.replace('"total":3', '"total":4'), idOf(text)));
  t.like(error, { code: 'CONFIG_INVALID' });
  t.regex(error!.message, /damaged/);
});

test('hierarchies are those of the configuration, whatever fields a release was made with', async (t) => {
  const terms = [
    { ...{ id: 'C50*', label: '', synonyms: [], parents: [] }, obsolete: false, replacedBy: null },
  ];
  const hierarchies = new Map([['site', buildHierarchy('sites', terms, 'sites.csv')]]);
  const { fields } = withHierarchies(cohortFields, hierarchies);
  const { release } = await drafted(cohort(300, 1), {}, { fields });
  const text = releaseText(release);
  t.is(idOf(text), idOf(releaseText((await drafted(cohort(300, 1))).release)));
  // as they were stored once
  const { hierarchy } = JSON.parse(JSON.stringify(fields.get('site'))) as { readonly hierarchy: object };
  const stored = text.replace('"path":"site",', `"path":"site","hierarchy":${JSON.stringify(hierarchy)},`);
  t.not(stored, text);
  const read = readRelease(stored, idOf(stored));
  t.is(fieldsOf(read, {}).get('site')?.hierarchy, undefined);
  t.is(fieldsOf(read, { fieldHierarchies: hierarchies }).get('site')?.hierarchy, hierarchies.get('site'));
});

test('nothing is released of records that a server without generations reads in part', async (t) => {
  const page = Array.from({ length: 10_000 }, (_, at) => ({ id: `${at}`, source: {}, cursor: [at] }));
  const engine = engineOver(cohort(1, 1));
  const search: Engine['search'] = async (_index, { hits }) => ({
    ...{ tookMs: 1, facets: [], hits: { total: null, hits: page } },
    warnings: hits!.size > page.length ? ['1 of 5 shards failed'] : [],
  });
  const server = { ...engine, describe: engine.describe.bind(engine), search };
  await t.throwsAsync(readUnits(server, 'donors', [], null), {
    code: 'ENGINE_ERROR',
    message: 'donors cannot be read completely: 1 of 5 shards failed',
  });
});

test('what is published holds levels only: no count, no value below the threshold, no key of a unit', async (t) => {
  const documents = [...cohort(300, 1), { donor_id: 'RARE', sex: 'female', 'samples.kind': 'bone' }];
  const text = releaseText((await drafted(documents)).release);
  t.false(/RARE|bone|Name 1|BRAF/.test(text));
  t.regex(text, /"total":30,/);
});

test('releases follow each other by the slot, and only when enough units changed', async (t) => {
  const store = openReleaseStore(temporaryFolder(t, {}), 'cohort');
  const first = cohort(600, 1);
  const published = await publishRelease(source(first), store, options(0));
  t.is(published.kind, 'published');
  const reasonsOf = async (documents: readonly JsonObject[], days: number, changes = {}, more = {}) => {
    const outcome = await publishRelease(source(documents, changes), store, options(days, more));
    return outcome.kind === 'withheld' ? outcome.reasons : [];
  };
  const again = await reasonsOf(first, 0);
  t.regex(again[0]!, /already has its release/);
  t.deepEqual(await reasonsOf(first, 91), [
    '0 units were added, removed or changed since 2026-09-04, at least 100 are required',
  ]);
  const more = [...first, ...cohort(700, 2).slice(600)];
  t.deepEqual(await reasonsOf(more, 91, {}, { dryRun: true }), []);
  t.deepEqual(await reasonsOf(more, 91, { order: 3 }), [
    'order changed: edges and values may only be merged or split; --new-series begins a new series, which anyone who kept the old one can compare with it',
  ]);
  t.is(store.currentId(), published.kind === 'published' ? published.id : null);
  t.is((await publishRelease(source(more), store, options(91))).kind, 'published');
});

test('edges and values may be merged or split, not moved', async (t) => {
  const store = openReleaseStore(temporaryFolder(t, {}), 'cohort');
  const [before, after] = [cohort(600, 1), cohort(900, 2)];
  await publishRelease(source(before), store, options(0));
  const reasons = async (edges: readonly number[]) => {
    const dimensions = coarse.dimensions!.map((one) => (one.edges ? { ...one, edges } : one));
    const outcome = await publishRelease(source(after, { dimensions }), store, options(91, { dryRun: true }));
    return outcome.kind === 'withheld'
      ? outcome.reasons.filter((reason) => !reason.includes('audit'))
      : ['published'];
  };
  t.deepEqual(await reasons([20, 40]), []);
  t.regex((await reasons([41]))[0]!, /cells of age are neither merged nor split/);
});

test('who changed is counted by the cells of the release before: other edges alone are not a change', async (t) => {
  const store = openReleaseStore(temporaryFolder(t, {}), 'cohort');
  const before = cohort(600, 1);
  await publishRelease(source(before), store, options(0));
  const [consent, , genes] = coarse.dimensions!;
  const split = { dimensions: [genes!, { fieldName: 'age', edges: [20, 40] }, consent!] };
  const reasons = async (documents: readonly JsonObject[]) => {
    const outcome = await publishRelease(source(documents, split), store, options(91, { dryRun: true }));
    return outcome.kind === 'withheld' ? outcome.reasons.filter((reason) => reason.includes('changed')) : [];
  };
  const tooFew = (units: string) => [
    `${units} added, removed or changed since 2026-09-04, at least 100 are required`,
  ];
  t.deepEqual(await reasons(before), tooFew('0 units were'));
  t.deepEqual(await reasons([...before, ...cohort(601, 2).slice(600)]), tooFew('1 unit was'));
  t.deepEqual(await reasons([...before, ...cohort(700, 2).slice(600)]), []);
});

test('data sets that differ in hidden counts only have one release, byte for byte', async (t) => {
  const group = (site: string, size: number): JsonObject[] =>
    Array.from({ length: size }, (_, number) => ({ donor_id: `${site} ${number}`, site, sex: 'female' }));
  const textOf = async (rare: number): Promise<string> => {
    const documents = [...group('C50.1', 40), ...group('C34.1', rare), ...group('D12', 30)];
    return releaseText((await drafted(documents)).release);
  };
  // so whatever is computed from it, and however long that takes, depends on no hidden count
  const [none, ...others] = await Promise.all([0, 1, 5, 9].map(textOf));
  for (const text of others) t.is(text, none!);
  t.not(await textOf(10), none!);
});

test('a failed audit withholds the release and keeps the release before', async (t) => {
  const store = openReleaseStore(temporaryFolder(t, {}), 'cohort');
  const letters = [...'abcdefghi'].flatMap((letter) =>
    Array.from({ length: 9 }, (_, number) => ({ donor_id: `${letter}${number}`, site: letter })),
  );
  const dimensions = [{ fieldName: 'site', values: [...'abcdefghi'], other: false }];
  const outcome = await publishRelease(source(letters, { dimensions }), store, options(0));
  t.is(outcome.kind, 'withheld');
  t.regex(
    outcome.kind === 'withheld' ? outcome.reasons[0]! : '',
    /the audit failed: somebody who knows the empty cells can tell that the hidden cell site a has one of 2 values/,
  );
  t.is(
    outcome.kind === 'withheld' ? outcome.reasons.at(-1) : '',
    'the fields of these 9 cells: site 9; wider edges or fewer values of the first ones may pass',
  );
  t.is(store.currentId(), null);
});

test('of dates, a failed audit names days', async (t) => {
  const store = openReleaseStore(temporaryFolder(t, {}), 'cohort');
  const years = Array.from({ length: 9 }, (_, year) => 2010 + year).flatMap((year) =>
    Array.from({ length: 9 }, (_, number) => ({ donor_id: `${year}-${number}`, enrolled: `${year}-03-01` })),
  );
  const calendar = { calendar: 'year', from: '2011', to: '2018' } as const;
  const dimensions = [{ fieldName: 'enrolled', ...calendar }];
  const outcome = await publishRelease(source(years, { dimensions }), store, options(0));
  const reasons = outcome.kind === 'withheld' ? outcome.reasons : [];
  t.regex(reasons[0]!, /hidden cell enrolled before 2011-01-01 has/);
  t.regex(reasons[1]!, /hidden cell enrolled from 2011-01-01 before 2012-01-01 has/);
});

test('a damaged, cut or missing release is refused, never guessed', async (t) => {
  const folder = temporaryFolder(t, {});
  const store = openReleaseStore(folder, 'cohort');
  await publishRelease(source(cohort(600, 1)), store, options(0));
  const id = store.currentId()!;
  t.is(store.read(id).id, id);
  const files = join(folder, 'releases', 'cohort');
  t.deepEqual(readdirSync(files).sort(), [`${id}.json`, `${id}.units`, 'current']);
  const text = readFileSync(join(files, `${id}.json`), 'utf8');
  writeFileSync(join(files, `${id}.json`), text.slice(0, -10));
  t.like(
    t.throws(() => store.read(id)),
    { code: 'CONFIG_INVALID' },
  );
  writeFileSync(join(files, 'current'), 'other');
  t.like(
    t.throws(() => store.currentId()),
    { code: 'CONFIG_INVALID' },
  );
});

test('the release of another catalogue is refused, wherever its files were copied', async (t) => {
  const folder = temporaryFolder(t, {});
  const store = openReleaseStore(folder, 'cohort');
  await publishRelease(source(cohort(600, 1)), store, options(0));
  const [own, other] = ['cohort', 'other'].map((name) => join(folder, 'releases', name));
  cpSync(own!, other!, { recursive: true });
  const copied = openReleaseStore(folder, 'other');
  t.like(
    t.throws(() => copied.read(copied.currentId()!)),
    {
      code: 'CONFIG_INVALID',
      message:
        'the release in the folder of catalogue other is one of cohort: its folder was copied or exchanged; restore it from a backup',
    },
  );
});

test('records that change while they are read are read again', async (t) => {
  const documents = cohort(15_000, 1);
  let generation = 0;
  let pages = 0;
  const engine = {
    ...engineOver(documents),
    search: async (_index: string, query: { hits?: { size: number; searchAfter: unknown } }) => {
      pages += 1;
      const from = Array.isArray(query.hits!.searchAfter) ? Number(query.hits!.searchAfter[0]) + 1 : 0;
      if (pages === 2) generation += 1;
      const hits = documents.slice(from, from + query.hits!.size);
      return {
        hits: {
          total: null,
          hits: hits.map((one, index) => ({ id: `${from + index}`, source: one, cursor: [from + index] })),
        },
        facets: [],
        tookMs: 0,
        warnings: [],
        generation: `g${generation}`,
      };
    },
  };
  const store = openReleaseStore(temporaryFolder(t, {}), 'cohort');
  const outcome = await publishRelease({ ...source(documents), engine }, store, options(0));
  t.is(outcome.draft.units, 15_000);
  t.is(pages, 4);
});

test('a disclosure.json that does not fit is refused with every problem', async (t) => {
  const dimensions = [
    { fieldName: 'nothing' },
    { fieldName: 'notes' },
    { fieldName: 'enrolled' },
    { fieldName: 'sex', edges: [1] },
  ];
  const error = await t.throwsAsync(
    drafted(cohort(20, 1), { dimensions, unit: 'samples.kind', strata: 'age' }),
  );
  t.deepEqual(error!.message.split('; '), [
    'disclosure.json, dimensions.0: the index has no field nothing',
    'disclosure.json, dimensions.1: notes is of type text, which cannot be counted by: a keyword, boolean, number or date expected',
    'disclosure.json, dimensions.2: enrolled is a date: calendar, from and to expected',
    'disclosure.json, dimensions.3: sex is of type keyword: values, most or nothing expected, not edges or calendar',
    'disclosure.json, unit: samples.kind is not a keyword or number of the record itself',
    'disclosure.json, strata: age is not a keyword or boolean of the record itself',
  ]);
});

test('a hierarchy that the records do not have is refused, a hierarchy that they have is released', async (t) => {
  const documents = cohort(600, 5).map((one) => ({
    ...one,
    study: one['site'] === 'D12' ? 'south' : 'north',
  }));
  const within = (study: string) => ({
    dimensions: [
      { fieldName: 'study', values: ['north', 'south'] },
      { fieldName: 'site', values: ['D12'], within: { fieldName: 'study', values: { D12: study } } },
    ],
  });
  const error = await t.throwsAsync(drafted(documents, within('north')));
  t.is(
    error?.message,
    'disclosure.json, dimensions, site, within: some units with D12 do not have the value of study that it is declared to lie within',
  );
  const { release } = await drafted(documents, within('south'));
  t.is(release.strata[0]!.table.dimensions[1]!.within!.dimension, 0);
});

test('a boolean has its two values and nothing else, declared or not', (t) => {
  const field = cohortFields.get('consent')!;
  const [no, yes] = [false, true].map((value) => ({ kind: 'value', value }) as const);
  const cells = (config: object) => chooseCells({ fieldName: 'consent', ...config }, field, new Map(), []);
  t.deepEqual(cells({}), [no, yes, { kind: 'missing' }]);
  t.deepEqual(cells({ values: [true, false] }), [yes, no, { kind: 'missing' }]);
});
