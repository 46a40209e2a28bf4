import test from 'ava';
import { loadOptions } from '../../../src/cli/load/load-options.ts';

test('a catalogue, or an index with further names', (t) => {
  t.like(loadOptions(['works.csv', '--catalogue', 'tate', '--id-field', 'no.id', '--replace']), {
    files: ['works.csv'],
    into: { kind: 'catalogue', id: 'tate' },
    mappingFile: undefined,
    idField: 'no.id',
    format: undefined,
    replace: true,
    dryRun: false,
    encoding: undefined,
  });
  t.like(
    loadOptions([
      '-',
      '--index',
      'w',
      '--alias',
      'a',
      '--alias',
      'b',
      '--mapping',
      'm.json',
      '--format',
      'bulk',
    ]),
    {
      files: ['-'],
      into: { kind: 'index', name: 'w', aliases: ['a', 'b'] },
      mappingFile: 'm.json',
      format: 'bulk',
    },
  );
});

for (const [argv, message] of [
  [['--index', 'w'], /FILE is missing/],
  [['a'], /either --catalogue ID or --index NAME/],
  [['a', '--index', 'w', '--catalogue', 'c'], /either --catalogue ID or --index NAME/],
  [['a', '--catalogue', 'c', '--alias', 'x'], /--alias goes with --index/],
  [['a', '--index', 'i', '--alias', ''], /--alias is empty: a name expected/],
  [['a', '--index', 'w', '--format', 'xml'], /--format xml is not known/],
  [['a', '--index', 'w', '--indx'], /--indx/],
] as const)
  test(`${argv.join(' ')} is refused`, (t) => {
    t.throws(() => loadOptions(argv), { code: 'INPUT_INVALID', message });
  });
