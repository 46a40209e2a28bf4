import { PassThrough } from 'node:stream';
import test from 'ava';
import { isConfirmed } from '../../../src/cli/terminal/command-line.ts';

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
