import { execFile } from 'node:child_process';
import fs, {
  cpSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import {
  publishRelease,
  type PublishOptions,
  type ReleaseOutcome,
} from '../../../../src/capabilities/disclosure/release/publish-release.ts';
import { labelAmong } from '../../../../src/capabilities/disclosure/cells/cell.ts';
import { releasedIndexes } from '../../../../src/capabilities/disclosure/release/released-indexes.ts';
import { openReleaseStore } from '../../../../src/capabilities/disclosure/release/release-store.ts';
import { lockFile } from '../../../../src/engines/embedded/store/claim.ts';
import type { DisclosureConfig } from '../../../../src/introspection/fields/catalogue-config.ts';
import type { JsonObject } from '../../../../src/lib/json/json.ts';
import { temporaryFolder } from '../../../server/config/temporary-folder.ts';
import { cohort, cohortDisclosure, cohortFields, engineOver } from '../cohort.ts';

const coarse: Partial<DisclosureConfig> = {
  order: 2,
  dimensions: [
    { fieldName: 'consent' },
    { fieldName: 'age', edges: [40] },
    { fieldName: 'study', values: ['north', 'south'] },
  ],
};

/** Releases of one index in slots of 90 days; a negative slot is one before the first. */
const releases = (t: ExecutionContext) => {
  const folder = temporaryFolder(t, {});
  const publish = (
    documents: readonly JsonObject[],
    slot: number,
    {
      catalogueId = 'cohort',
      changes = {},
      index = 'donors',
      name = 'donors',
      ...options
    }: Partial<PublishOptions> & {
      readonly catalogueId?: string;
      readonly changes?: Partial<DisclosureConfig>;
      /** The index behind the name that the catalogue reads. */
      readonly index?: string;
      readonly name?: string;
    } = {},
  ): Promise<ReleaseOutcome> => {
    const disclosure = { ...cohortDisclosure, ...coarse, ...changes };
    const source = {
      engine: engineOver(documents, [index]),
      index: name,
      catalogueId,
      fields: cohortFields,
      disclosure,
    };
    const nowMs = Date.UTC(2026, 10, 1) + slot * 90 * 86_400_000;
    return publishRelease(source, openReleaseStore(folder, catalogueId), { nowMs, ...options });
  };
  return { folder, files: join(folder, 'releases', 'cohort'), publish };
};

const reasonsOf = (outcome: ReleaseOutcome): readonly string[] =>
  outcome.kind === 'withheld' ? outcome.reasons : [];

const before = cohort(900, 1);
const joiner = { ...before[0], donor_id: 'J' };
/** Some 150 who did not consent do now, and one joins. */
const later = [...before.map((one, index) => (index < 450 ? { ...one, consent: true } : one)), joiner];
const many = [...before, ...cohort(1_200, 2).slice(900)];

test('units are kept for the owner of the process only', async (t) => {
  const { files, publish } = releases(t);
  await publish(before, 0);
  const names = readdirSync(files).filter((name) => name.endsWith('.units'));
  t.is(names.length, 1);
  t.is(statSync(join(files, names[0]!)).mode & 0o777, 0o600);
});

test('a unit that joins beside many changes waits, until there are more of them', async (t) => {
  const { publish } = releases(t);
  await publish(before, 0);
  const second = await publish(later, 1);
  t.is(second.kind, 'published');
  t.deepEqual(second.draft.waiting, [{ stratum: null, fieldName: null, units: 1, required: 100 }]);
  t.is(second.draft.release.strata[0]!.table.total, 90);
  const third = await publish([...later, ...cohort(1_100, 2).slice(900)], 2);
  t.is(third.kind, 'published');
  t.is(third.draft.release.strata[0]!.table.total, 110);
  t.deepEqual(third.draft.waiting, []);
});

test('a release says how many changes wait in steps of the threshold', async (t) => {
  const { publish } = releases(t);
  await publish(before, 0);
  const joining = Array.from({ length: 27 }, (_, number) => ({ ...joiner, donor_id: `J${number}` }));
  const { draft } = await publish([...later, ...joining], 1);
  t.is(draft.release.strata[0]!.waits, 20);
});

test('another folder name, another catalogue, a new series: all compared with what the index released', async (t) => {
  for (const changes of [
    { catalogueId: 'renamed' },
    { newSeries: true },
    { newSeries: true, changes: { dimensions: [...coarse.dimensions!].reverse() } },
  ]) {
    const { publish } = releases(t);
    await publish(before, 0);
    const reasons = reasonsOf(await publish([...before, joiner], 1, changes));
    t.deepEqual(reasons, [
      '1 unit was added, removed or changed since 2026-09-04, at least 100 are required',
    ]);
    const again = reasonsOf(await publish(many, 0, changes));
    t.regex(again[0]!, /the slot of 2026-09-04 already has its release/);
    t.is((await publish(many, 1, changes)).kind, 'published');
  }
});

test('a catalogue of another name over an index that was loaded anew is compared, as it is read by one name', async (t) => {
  const { publish } = releases(t);
  await publish(before, 0, { index: 'donors_1' });
  t.deepEqual(
    reasonsOf(await publish([...before, joiner], 1, { index: 'donors_2', catalogueId: 'renamed' })),
    ['1 unit was added, removed or changed since 2026-09-04, at least 100 are required'],
  );
});

test('the first release of persons whom another catalogue released from another index is withheld, unless with --first', async (t) => {
  const { publish } = releases(t);
  const other = { index: 'other', catalogueId: 'other', name: 'other' };
  await publish(before, 0);
  t.deepEqual(reasonsOf(await publish([...before, joiner], 1, other)), [
    'most of these units are in the release of 2026-09-04 of catalogue cohort, and whoever keeps both can subtract them: release them as that catalogue, under its id; or, with --first, begin without comparing them',
  ]);
  // others, with the identifiers of these
  t.deepEqual(reasonsOf(await publish(cohort(900, 5), 1, { ...other, dryRun: true })), []);
  t.is((await publish([...before, joiner], 1, { ...other, first: true })).kind, 'published');
});

test('pseudonyms renumbered change no unit, and do not carry a unit that joins', async (t) => {
  const { publish } = releases(t);
  const renumbered = (documents: readonly JsonObject[]) =>
    documents.map((one) => ({ ...one, donor_id: `new ${String(one['donor_id'])}` }));
  await publish(before, 0);
  t.deepEqual(reasonsOf(await publish(renumbered(before), 1)), [
    '0 units were added, removed or changed since 2026-09-04, at least 100 are required',
  ]);
  const reasons = reasonsOf(await publish(renumbered(later), 1));
  t.regex(
    reasons.join('\n'),
    /the counts changed by 1 since 2026-09-04, and units do not keep their identifiers/,
  );
});

test('the first release needs no word on identifiers, the next release names the key that lacks it', async (t) => {
  const { publish } = releases(t);
  const changes = { stableIds: null };
  t.is((await publish(before, 0, { changes })).kind, 'published');
  t.deepEqual(reasonsOf(await publish(many, 1, { changes })), [
    'disclosure.json, stableIds: true or false expected, so that the release can be compared with that of 2026-09-04: whether each donor_id always means the same unit',
  ]);
  t.is((await publish(many, 1, { changes: { stableIds: true } })).kind, 'published');
});

test('identifiers that are declared not to be stable carry no change: only counts are believed', async (t) => {
  const { publish } = releases(t);
  await publish(before, 0);
  const { kind, draft } = await publish(later, 1, { changes: { stableIds: false }, dryRun: true });
  t.is(kind, 'withheld');
  t.true(draft.shortfalls.length > 0);
  t.true(draft.shortfalls.every(({ areIdsStable }) => !areIdsStable));
});

test('cells merged and split again are compared with every release that is kept', async (t) => {
  const { publish } = releases(t);
  const merged = {
    dimensions: [{ fieldName: 'consent' }, { fieldName: 'study', values: ['north', 'south'] }],
    order: 2,
  };
  await publish(before, 0);
  t.is((await publish(many, 1, { changes: merged, newSeries: true })).kind, 'published');
  // against the last one 300 went, against the first one nobody came but the joiner
  const reasons = reasonsOf(await publish([...before, joiner], 2, { newSeries: true }));
  t.regex(reasons.join('\n'), /1 unit was added, removed or changed since 2026-09-04 in .*age/);
});

test('a releases folder that is lost, or of an earlier day, is noticed; --first begins without it', async (t) => {
  const { folder, files, publish } = releases(t);
  await publish(before, 0);
  const earlier = readdirSync(files);
  await publish(many, 1);
  for (const name of readdirSync(files)) if (!earlier.includes(name)) rmSync(join(files, name));
  const back = reasonsOf(await publish([...many, joiner], 2));
  t.regex(
    back.join('\n'),
    /the release of 2026-12-03, \w{12}, cannot be found in DATA_PATH\/releases any more: restore/,
  );
  rmSync(join(folder, 'releases'), { recursive: true });
  const lost = reasonsOf(await publish([...many, joiner], 2));
  t.is(lost.length, 1);
  t.regex(lost[0]!, /cannot be found in DATA_PATH\/releases any more: .*with --first/);
  // not even so for a slot that has its release
  t.regex(
    reasonsOf(await publish(many, 1, { first: true }))[0]!,
    /the slot of 2026-12-03 already has its release/,
  );
  t.is((await publish([...many, joiner], 2, { first: true })).kind, 'published');
});

test('a releases folder that is lost together with the ledger is noticed by what says that it was there', async (t) => {
  const { folder, publish } = releases(t);
  await publish(before, 0);
  rmSync(join(folder, 'releases'), { recursive: true });
  rmSync(join(folder, '@releases.ledger'));
  for (const catalogueId of ['cohort', 'renamed']) {
    const [reason] = reasonsOf(await publish([...before, joiner], 1, { catalogueId, dryRun: true }));
    t.regex(
      reason ?? '',
      /@released\.json says that catalogue cohort was released, but neither its releases nor @releases\.ledger are in DATA_PATH: restore .*with --first/,
    );
  }
  t.is((await publish([...before, joiner], 1, { first: true })).kind, 'published');
  t.is((await publish(many, 2)).kind, 'published');
});

test('a releases folder that is of an earlier day together with the ledger is noticed, by the slot recorded of the index', async (t) => {
  const { folder, publish } = releases(t);
  await publish(before, 0);
  cpSync(folder, `${folder}.backup`, { recursive: true });
  t.teardown(() => rmSync(`${folder}.backup`, { recursive: true }));
  await publish(many, 1);
  rmSync(join(folder, 'releases'), { recursive: true });
  for (const name of ['releases', '@releases.ledger'])
    cpSync(join(`${folder}.backup`, name), join(folder, name), { recursive: true });
  for (const catalogueId of ['cohort', 'renamed'])
    t.regex(
      reasonsOf(await publish([...many, joiner], 2, { catalogueId, dryRun: true })).join('\n'),
      /@released\.json says that catalogue cohort was released in the slot of 2026-12-03, but .* are of an earlier day: restore .*with --first/,
    );
  t.regex(
    reasonsOf(await publish(many, 1, { first: true })).join('\n'),
    /the slot of 2026-12-03 already has its release/,
  );
  t.is((await publish(many, 2, { first: true })).kind, 'published');
  t.is((await publish([...many, ...cohort(1_500, 3).slice(1_200)], 3)).kind, 'published');
});

test('a ledger that is lost, or of an earlier day, is noticed', async (t) => {
  const { folder, publish } = releases(t);
  const ledger = join(folder, '@releases.ledger');
  await publish(before, 0);
  const earlier = readFileSync(ledger, 'utf8');
  await publish(many, 1);
  const more = [...many, ...cohort(1_500, 3).slice(1_200)];
  for (const change of [() => writeFileSync(ledger, earlier), () => rmSync(ledger)]) {
    change();
    t.regex(
      reasonsOf(await publish(more, 2, { dryRun: true })).join('\n'),
      /@releases\.ledger does not list the release of 2026-12-03: it was lost, or is of an earlier day/,
    );
  }
  t.is((await publish(more, 2, { first: true })).kind, 'published');
  t.is((await publish([...more, ...cohort(1_800, 4).slice(1_500)], 3)).kind, 'published');
});

test('a catalogue whose units are missing says so once, and goes on with --first', async (t) => {
  const { folder, files, publish } = releases(t);
  await publish(before, 0);
  for (const name of readdirSync(files)) if (!/json$|current/.test(name)) rmSync(join(files, name));
  rmSync(join(folder, '@releases.ledger'));
  const reasons = reasonsOf(await publish([...before, joiner], 1));
  t.is(reasons.length, 1);
  t.regex(
    reasons[0]!,
    /the units of release \w{12} cannot be compared: they are missing: restore .*with --first/,
  );
  t.regex(
    reasonsOf(await publish(before, 0, { first: true })).join('\n'),
    /the slot of 2026-09-04 already has its release/,
  );
  t.is((await publish([...before, joiner], 1, { first: true })).kind, 'published');
  // it is not missed any more
  t.is((await publish([...many, joiner], 2)).kind, 'published');
});

test('units that are damaged or of another release, and a damaged ledger, are noticed', async (t) => {
  const { folder, files, publish } = releases(t);
  const { id } = (await publish(before, 0)) as { readonly id: string };
  const file = join(files, `${id}.units`);
  const kept = readFileSync(file, 'utf8');
  const noticed = async (text: string) => {
    writeFileSync(file, text);
    const [reason] = reasonsOf(await publish(many, 1, { dryRun: true }));
    t.regex(
      reason ?? '',
      /the units of release \w{12} cannot be compared: \w{12}.units is damaged: it does not have its checksum/,
    );
  };
  await noticed(kept.replace('"threshold":10', '"threshold":11'));
  await noticed(kept.slice(kept.indexOf('\n') + 1));
  await noticed('');
  writeFileSync(file, kept);
  const ledger = join(folder, '@releases.ledger');
  const listed = readFileSync(ledger, 'utf8');
  writeFileSync(ledger, listed.replace('"catalogueId":"cohort"', '"catalogueId":"kohort"'));
  const damaged = await t.throwsAsync(publish(many, 1));
  t.is(damaged!.message, '@releases.ledger is damaged: it does not have its checksum');
  writeFileSync(ledger, listed);
  const second = (await publish(many, 1)) as { readonly id: string };
  renameSync(join(files, `${second.id}.units`), file);
  const swapped = reasonsOf(await publish([...many, joiner], 2, { dryRun: true }));
  t.regex(swapped.join('\n'), new RegExp(`the units of release ${id.slice(0, 12)} cannot be compared`));
});

test('a clock set forward is reported, not obeyed, unless the slot is confirmed', async (t) => {
  const { publish } = releases(t);
  await publish(before, 0);
  const message = /the slot of 2027-06-01 is more than one interval after 2026-09-04/;
  t.regex(reasonsOf(await publish(many, 3)).join('\n'), message);
  // tried again, it is not obeyed either
  t.regex(reasonsOf(await publish(many, 3)).join('\n'), message);
  t.is((await publish(many, 3, { slot: '2027-06-01' })).kind, 'published');
});

test('slots in which nothing could be released are not a break of the clock', async (t) => {
  const { publish } = releases(t);
  await publish(before, 0);
  for (const slot of [1, 2]) t.is(reasonsOf(await publish(before, slot)).length, 1);
  t.is((await publish(many, 3)).kind, 'published');
});

test('a correction takes the next slot, whose own release does not come then', async (t) => {
  const { publish } = releases(t);
  await publish(before, 0);
  const { draft, kind } = await publish(many, 0, { correct: true });
  t.deepEqual([kind, draft.release.date], ['published', '2026-12-03']);
  const more = [...many, ...cohort(1_500, 3).slice(1_200)];
  t.regex(
    reasonsOf(await publish(more, 0, { correct: true }))[0]!,
    /the slot of 2026-12-03 already has its release/,
  );
  t.regex(reasonsOf(await publish(more, 1))[0]!, /the slot of 2026-12-03 already has its release/);
});

test('a release of no records yet is followed by one of records, in the same series', async (t) => {
  for (const changes of [{}, { strata: 'study', dimensions: coarse.dimensions!.slice(0, 2) }]) {
    const { publish } = releases(t);
    t.is((await publish([], 0, { changes })).kind, 'published');
    t.deepEqual(reasonsOf(await publish(before, 1, { changes })), []);
  }
});

test('values that were listed before a release of no records stay listed after it', async (t) => {
  const { publish } = releases(t);
  const changes = { strata: 'consent', dimensions: [{ fieldName: 'study', most: 2 }] };
  await publish(before, 0, { changes });
  t.is((await publish([], 1, { changes })).kind, 'published');
  const others = before.map((one, number) => ({ ...one, study: number % 2 === 0 ? 'east' : 'west' }));
  const next = await publish(others, 2, { changes });
  t.deepEqual(reasonsOf(next), []);
  const labels = next.draft.release.strata[0]!.table.dimensions[0]!.cells.map((_, at, cells) =>
    labelAmong(cells, at),
  );
  t.deepEqual(labels, ['south', 'north', '__other__', '__missing__']);
});

test('steps that together tell more than either are refused in a new series', async (t) => {
  const { publish } = releases(t);
  await publish(before, 0);
  const by = (threshold: number) =>
    publish(many, 1, { newSeries: true, dryRun: true, changes: { threshold } });
  t.regex(
    reasonsOf(await by(11)).join('\n'),
    /counts in steps of 11 and, in the release of 2026-09-04, of 10 together tell more/,
  );
  t.notRegex(reasonsOf(await by(20)).join('\n'), /in steps of/);
  const older = releases(t);
  for (const [at, threshold] of [15, 30].entries())
    await older.publish(at === 0 ? before : many, at, { newSeries: true, changes: { threshold } });
  t.regex(
    reasonsOf(await older.publish(many, 2, { newSeries: true, dryRun: true })).join('\n'),
    /counts in steps of 10 and, in the release of 2026-09-04, of 15 together tell more/,
  );
});

/** Publishing fails where it would write a file of this name. */
const failingAt = async (t: ExecutionContext, inTheWay: string, publish: () => Promise<unknown>) => {
  mkdirSync(inTheWay);
  await t.throwsAsync(publish, { code: 'EISDIR' });
  rmSync(inTheWay, { recursive: true });
};

test('a release that is interrupted before the ledger lists it never happened', async (t) => {
  const { folder, files, publish } = releases(t);
  const store = openReleaseStore(folder, 'cohort');
  await failingAt(t, join(folder, `@releases.ledger.${process.pid}.draft`), () => publish(before, 0));
  t.deepEqual([store.currentId(), store.lastAttempt()], [null, null]);
  const { draft, ...published } = await publish(many, 0);
  const id = store.currentId()!;
  t.deepEqual(published, { kind: 'published', id });
  t.throws(() => store.publish(draft.release, draft.table, ['donors']), { code: 'CONFLICT' });
  t.deepEqual(readdirSync(files).sort(), [`${id}.json`, `${id}.units`, 'current'].sort());
  t.deepEqual(reasonsOf(await publish([...many, ...cohort(1_500, 3).slice(1_200)], 1)), []);
});

test('no file is left of a release that was interrupted while its files were written', async (t) => {
  const { id } = (await releases(t).publish(before, 0)) as { readonly id: string };
  for (const ending of ['begun', 'units']) {
    const { files, publish } = releases(t);
    mkdirSync(files, { recursive: true });
    await failingAt(t, join(files, `${id}.${ending}.${process.pid}.draft`), () => publish(before, 0));
    const next = (await publish(many, 0)) as { readonly id: string };
    t.deepEqual(readdirSync(files).sort(), [`${next.id}.json`, `${next.id}.units`, 'current'].sort());
  }
});

test('what a process that was killed was writing of a release is removed by the next release', async (t) => {
  const { files, publish } = releases(t);
  mkdirSync(files, { recursive: true });
  writeFileSync(join(files, 'a.units.1.draft'), 'units');
  const { id } = (await publish(before, 0)) as { readonly id: string };
  t.deepEqual(readdirSync(files).sort(), [`${id}.json`, `${id}.units`, 'current'].sort());
});

test('an index is recorded as released while no other process can', (t) => {
  const folder = temporaryFolder(t, {});
  const { renameSync: rename } = fs;
  const replace = (renaming: typeof rename): void => {
    Object.assign(fs, { renameSync: renaming });
    syncBuiltinESMExports();
  };
  let isFree = null as boolean | null;
  replace((from, to) => {
    isFree = lockFile(join(folder, '@releases.lock'), 0) !== null;
    rename(from, to);
  });
  releasedIndexes(folder).add('cohort', ['donors']);
  replace(rename);
  t.is(isFree, false);
  t.is(releasedIndexes(folder).catalogueOf(['donors']), 'cohort');
});

test('a release that is interrupted later answers once the next release is to be made', async (t) => {
  for (const name of [`@released.json.${process.pid}`, `releases/cohort/current.${process.pid}.draft`]) {
    const { folder, publish } = releases(t);
    const store = openReleaseStore(folder, 'cohort');
    const { id } = (await publish(before, 0)) as { readonly id: string };
    await failingAt(t, join(folder, name), () => publish(many, 1));
    t.is(store.currentId(), id);
    t.regex(reasonsOf(await publish(before, 1)).join('\n'), /the slot of 2026-12-03 already has its release/);
    const next = store.currentId()!;
    t.is(store.read(next).date, '2026-12-03');
    t.deepEqual(store.lastAttempt()?.reasons, [], 'the slot has its release');
    t.true(store.withdraw(next));
    t.deepEqual(reasonsOf(await publish([...many, ...cohort(1_500, 3).slice(1_200)], 2)), []);
  }
});

test('processes that write down releases at once do not lose what the others wrote', async (t) => {
  const { folder } = releases(t);
  const module = new URL('../../../../src/capabilities/disclosure/release/release-store.ts', import.meta.url)
    .href;
  const times = Array.from({ length: 20 }, (_, time) => time);
  const names = ['a', 'b', 'c'];
  const program = (name: string): string =>
    `const { openReleaseStore } = await import(${JSON.stringify(module)});
    for (const time of ${JSON.stringify(times)})
      openReleaseStore(${JSON.stringify(folder)}, '${name}' + time)
        .recordAttempt({ date: '2026-09-04', at: '', reasons: [] });`;
  const run = promisify(execFile);
  await Promise.all(names.map((name) => run(process.execPath, ['--input-type=module', '-e', program(name)])));
  const missing = names.flatMap((name) =>
    times.filter((time) => openReleaseStore(folder, `${name}${time}`).lastAttempt() === null),
  );
  t.deepEqual(missing, []);
});

test('a withdrawn release answers nobody, and the next release is compared with it', async (t) => {
  const { folder, publish } = releases(t);
  const { id } = (await publish(before, 0)) as { readonly id: string };
  const store = openReleaseStore(folder, 'cohort');
  t.false(store.withdraw('0'.repeat(64)));
  t.true(store.withdraw(id));
  t.deepEqual([store.currentId(), store.withdrawnId()], [null, id]);
  t.is(reasonsOf(await publish(before.slice(1), 1)).length, 1);
  const next = (await publish(many, 2)) as { readonly id: string };
  t.deepEqual([store.currentId(), store.withdrawnId()], [next.id, null]);
});
