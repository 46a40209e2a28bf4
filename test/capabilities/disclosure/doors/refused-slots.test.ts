import test, { type ExecutionContext } from 'ava';
import { openReleaseStore } from '../../../../src/capabilities/disclosure/release/release-store.ts';
import { temporaryFolder } from '../../../server/config/temporary-folder.ts';
import { folderWithRelease, serveRelease, throwingEngine } from '../served-release.ts';
import { documents, get, send } from './doors.ts';

const refused = '2027-02-01';

const opened = async (t: ExecutionContext, folder: string) => {
  const served = await serveRelease(t, folder, throwingEngine());
  const read = async (door: Parameters<typeof send>[1]) =>
    JSON.parse(await (await send(served.url, door)).text()) as Record<string, unknown>;
  const shown = async () => {
    const network = (await read(get('/network', 'open'))) as {
      nodes: readonly [{ state: string; disclosure: object }];
    };
    const detail = (await read(get('/introspection/cohort', 'open'))) as { meta: { disclosure: object } };
    return {
      state: network.nodes[0].state,
      network: network.nodes[0].disclosure,
      meta: detail.meta.disclosure,
    };
  };
  return { ...served, shown };
};

for (const [which, folderOf, date] of [
  ['the first release', async (t: ExecutionContext) => temporaryFolder(t, {}), null],
  ['a later release', (t: ExecutionContext) => folderWithRelease(t, documents), '2026-11-01'],
] as const)
  test(`the slot of ${which} that is refused is shown beside the day of what answers, and goes with the next`, async (t) => {
    const folder = await folderOf(t);
    const { shown, parts } = await opened(t, folder);
    const store = openReleaseStore(folder, 'cohort');
    const attempt = { at: `${refused}T01:00:00Z`, date: refused };
    const statement = { tier: 'counts', threshold: 10, counted: 'donor_id', date };
    t.deepEqual((await shown()).network, statement);

    store.recordAttempt({ ...attempt, reasons: ['too few units changed'] });
    await parts.registry.refresh();
    const withRefused = { ...statement, refused };
    const { state, network, meta } = await shown();
    t.deepEqual({ network, meta }, { network: withRefused, meta: withRefused });
    t.is(state, 'ok');

    store.recordAttempt({ ...attempt, reasons: [] });
    await parts.registry.refresh();
    t.deepEqual((await shown()).network, statement);
  });
