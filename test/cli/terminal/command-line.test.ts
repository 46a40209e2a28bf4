import { PassThrough } from 'node:stream';
import test from 'ava';
import {
  commandList,
  helpOf,
  isConfirmed,
  parseCommandLine,
} from '../../../src/cli/terminal/command-line.ts';

/** Whether these keys confirm at a terminal. */
const confirms = async (keys: string): Promise<boolean> => {
  const names = ['stdin', 'stdout'] as const;
  const before = names.map((name) => [name, Object.getOwnPropertyDescriptor(process, name)!] as const);
  const terminal = () => Object.assign(new PassThrough(), { isTTY: true });
  const [stdin, stdout] = [terminal(), terminal()];
  Object.defineProperty(process, 'stdin', { configurable: true, value: stdin });
  Object.defineProperty(process, 'stdout', { configurable: true, value: stdout.resume() });
  try {
    const answer = isConfirmed('Delete?', 'there is no terminal');
    stdin.write(keys);
    return await answer;
  } finally {
    for (const [name, descriptor] of before) Object.defineProperty(process, name, descriptor);
  }
};

for (const [what, keys, expected] of [
  ['y', 'y\r', true],
  ['yes', 'Yes\r', true],
  ['another answer', 'yep\r', false],
  ['Enter alone', '\r', false],
  ['Ctrl-C', '\u0003', false],
  ['Ctrl-D', '\u0004', false],
] as const)
  test.serial(`${what} ${expected ? 'confirms' : 'does not confirm'}`, async (t) => {
    t.is(await confirms(keys), expected);
  });

const rows = {
  '[FILE]': 'what to read',
  '--index NAME': `into this index; ${'long '.repeat(25)}end`,
  '--alias NAME...': 'a further name',
  '-y, --yes': 'do not ask',
};

test('rows of a help text parse the command line that they describe', (t) => {
  const { values, positionals } = parseCommandLine(
    ['a', '--index', 'i', '--alias', 'b', '--alias=c', '-y'],
    rows,
  );
  t.deepEqual({ ...values }, { index: 'i', alias: ['b', 'c'], yes: true });
  t.deepEqual(positionals, ['a']);
  t.deepEqual({ ...parseCommandLine([], rows).values }, { yes: false });
  t.throws(() => parseCommandLine(['--none'], rows), { code: 'INPUT_INVALID', message: /--none/ });
  t.throws(() => parseCommandLine(['--index'], rows), { message: /--index/ });
  t.throws(() => parseCommandLine(['a'], { '--yes': '' }), { message: /positional/ });
});

test('a help text has every form and row, wrapped, and the exit codes', (t) => {
  const exit = '0 when it is done';
  t.is(
    helpOf({ name: 'x', about: '\nReads.', rows, exit }),
    [
      'Usage: tributary x [FILE] [options]',
      '',
      'Reads.',
      '',
      '  [FILE]           what to read',
      `  --index NAME     into this index; ${'long '.repeat(17).trim()}`,
      `                   ${'long '.repeat(8)}end`,
      '  --alias NAME...  a further name',
      '  -y, --yes        do not ask',
      '  --help           this text',
      '',
      'Exit code: 0 when it is done, 2 for an invalid command line.',
    ].join('\n'),
  );
  const words = { 'info NAME': 'one', list: 'all' };
  t.regex(
    helpOf({ name: 'x', about: 'Lists.', rows: words, exit }),
    /^Usage: tributary x\n {7}tributary x info NAME\n {7}tributary x list\n\nLists\.\n/,
  );
  t.regex(
    helpOf({ name: 'x', about: 'Lists.', rows: words, needsWord: true, exit }),
    /^Usage: tributary x info NAME\n/,
  );
});

test('the list of commands has each with its summary', (t) => {
  const list = commandList({ load: 'load a file', index: 'manage indexes' });
  t.regex(
    list,
    /^usage: tributary <command>\n\n {2}load {7}load a file\n {2}index {6}manage indexes\n {2}--version {2}show the version\n/,
  );
});
