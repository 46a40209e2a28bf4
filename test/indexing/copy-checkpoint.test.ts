import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { copyCheckpoint } from '../../src/indexing/copy-checkpoint.ts';

const folder = (): string => join(mkdtempSync(join(tmpdir(), 'tributary-checkpoint-')), 'copies');
const state = { source: 's_1', index: 's_2', replace: false, cursor: ['a', 1, null], documents: 7 };

test('a state is kept until it is removed', (t) => {
  const path = folder();
  const checkpoint = copyCheckpoint(path, 'ships', 'here', 'there');
  t.is(checkpoint.read(), null);
  checkpoint.write(state);
  checkpoint.write({ ...state, documents: 8 });
  t.deepEqual(copyCheckpoint(path, 'ships', 'here', 'there').read(), { ...state, documents: 8 });
  checkpoint.remove();
  t.is(checkpoint.read(), null);
  t.deepEqual(readdirSync(path), []);
});

test('copies of other indexes, from or to other places, have states of their own', (t) => {
  const path = folder();
  copyCheckpoint(path, 'ships', 'here', 'there').write(state);
  for (const [name, from, to] of [
    ['boats', 'here', 'there'],
    ['ships', 'there', 'here'],
    ['ships', 'here', 'x'],
  ] as const)
    // prettier-ignore
    t.is(copyCheckpoint(path, name, from, to).read(), null);
});

for (const text of ['', '{"source":"s"', '[]', JSON.stringify({ ...state, cursor: 'a' })])
  test(`a state that is none is an error: ${text}`, (t) => {
    const path = folder();
    const checkpoint = copyCheckpoint(path, 'ships', 'here', 'there');
    checkpoint.write(state);
    writeFileSync(join(path, readdirSync(path)[0]!), text);
    t.throws(() => checkpoint.read(), {
      code: 'INPUT_INVALID',
      message: /does not hold the progress of a copy/,
    });
  });
