import test from 'ava';
import { openTurns } from '../src/turns.ts';

const unending = new AbortController().signal;

test('turns are taken in order, as many at once as there are', async (t) => {
  const turns = openTurns(2);
  const begun: number[] = [];
  const taken = [0, 1, 2, 3].map(async (at) => {
    const end = await turns.take(unending);
    begun.push(at);
    return end;
  });
  const ends = await Promise.all(taken.slice(0, 2));
  t.deepEqual(begun, [0, 1]);
  ends[1]!();
  (await taken[2])!();
  t.deepEqual(begun, [0, 1, 2]);
  await taken[3];
  t.deepEqual(begun, [0, 1, 2, 3]);
});

test('whoever gives up waiting leaves the turn to the next', async (t) => {
  const turns = openTurns(1);
  const end = await turns.take(unending);
  const impatient = new AbortController();
  const given = turns.take(impatient.signal);
  const patient = turns.take(unending);
  impatient.abort();
  await t.throwsAsync(given, { code: 'NODE_TIMEOUT', message: 'had no turn in time' });
  end();
  (await patient)();
  await t.throwsAsync(turns.take(impatient.signal), { code: 'NODE_TIMEOUT' });
  (await turns.take(unending))();
});
