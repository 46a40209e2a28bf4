import test from 'ava';
import { SnapshotSchedule } from '../../../../src/engines/embedded/store/snapshot.ts';

test('a snapshot is due after many changes, between requests after more than there are documents', (t) => {
  const schedule = new SnapshotSchedule();
  t.true(schedule.isUpToDate);
  schedule.changed(19_999);
  t.false(schedule.isUpToDate);
  t.false(schedule.isDue(true, 10));
  schedule.changed(1);
  t.true(schedule.isDue(true, 10));
  t.false(schedule.isDue(false, 10));
  schedule.changed(500_000);
  t.true(schedule.isDue(false, 10));
  t.false(schedule.isDue(false, 1_000_000));
  schedule.writing(() => undefined);
  t.true(schedule.isUpToDate);
  t.false(schedule.isDue(true, 10));
  schedule.outdated();
  t.true(schedule.isDue(true, 10));
});

test('one that could not be written keeps its changes and is tried again after a while only', (t) => {
  const schedule = new SnapshotSchedule();
  schedule.outdated();
  t.throws(() =>
    schedule.writing(() => {
      throw new Error('no room');
    }),
  );
  t.false(schedule.isUpToDate);
  t.false(schedule.isDue(true, 10));
});
