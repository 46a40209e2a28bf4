import test from 'ava';
import { remoteWarningsOf } from '../../../src/federation/remote/read-answer.ts';

test('lines of plain text pass, each once', (t) => {
  t.deepEqual(remoteWarningsOf({ warnings: ['first 20000 is too much', 'first 20000 is too much', 'b'] }), [
    'first 20000 is too much',
    'b',
  ]);
});

test('nothing else does', (t) => {
  for (const extensions of [
    undefined,
    null,
    'x',
    { warnings: 'x' },
    { warnings: [1, null, {}, ['x'], ' \n '] },
  ])
    t.deepEqual(remoteWarningsOf(extensions), []);
});

test('markup, control and direction characters are taken out, long lines and long lists cut', (t) => {
  t.deepEqual(remoteWarningsOf({ warnings: ['<b>a\u0000\n\u202Eb</b>'] }), ['ba b/b']);
  const [line] = remoteWarningsOf({ warnings: ['x'.repeat(100_000)] });
  t.is(line?.length, 200);
  t.is(remoteWarningsOf({ warnings: Array.from({ length: 1000 }, (_, index) => `w${index}`) }).length, 10);
});
