import test from 'ava';
import { copyOptions } from '../../../src/cli/copy/copy-options.ts';

const ends = ['--from', 'embedded', '--to', 'opensearch'];

test('indexes by name, each once', (t) => {
  t.deepEqual(copyOptions([...ends, '--index', 'a', '--index', 'b', '--index', 'a']), {
    ...{ from: 'embedded', to: 'opensearch', names: ['a', 'b'], mode: 'refuse' },
    ...{ mappingFile: undefined, fromDataPath: undefined, toDataPath: undefined },
  });
});

test('all of them, and how to go on', (t) => {
  t.like(copyOptions([...ends, '--all', '--resume']), { names: null, mode: 'resume' });
  t.like(copyOptions([...ends, '--all', '--replace']), { names: null, mode: 'replace' });
});

test('one folder for both ends, or one for each', (t) => {
  const both = ['--from', 'embedded', '--to', 'embedded', '--all', '--data-path', 'a'];
  t.like(copyOptions(both), { fromDataPath: 'a', toDataPath: 'a' });
  t.like(copyOptions([...both, '--to-data-path', 'b']), { fromDataPath: 'a', toDataPath: 'b' });
});

test('help', (t) => {
  t.is(copyOptions(['--help']), null);
});

const wrong: readonly (readonly [argv: readonly string[], message: RegExp])[] = [
  [['--to', 'embedded', '--all'], /--from is missing: embedded, opensearch, elasticsearch/],
  [['--from', 'embedded', '--all'], /--to is missing/],
  [['--from', 'duckdb', '--to', 'embedded', '--all'], /--from duckdb is not known/],
  [ends, /either --index NAME, once or more, or --all/],
  [[...ends, '--all', '--index', 'a'], /either --index NAME/],
  [[...ends, '--all', '--resume', '--replace'], /--resume .* --replace .* give one of them/],
  [[...ends, '--all', '--mapping', 'm.json'], /--mapping goes with one --index/],
  [[...ends, '--all', '--to-data-path', 'b'], /--to-data-path is for --to embedded/],
  [['--from', 'opensearch', '--to', 'opensearch', '--all', '--data-path', 'b'], /--data-path is a folder/],
  [[...ends, '--all', '--fast'], /--fast/],
];
for (const [argv, message] of wrong)
  test(`refused: ${argv.join(' ')}`, (t) => {
    t.throws(() => copyOptions(argv), { code: 'INPUT_INVALID', message });
  });
