import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { pino } from 'pino';
import { cursorKey } from '../../src/node/cursor-key.ts';
import { temporaryFolder } from '../config/temporary-folder.ts';

const log = pino({ level: 'silent' });

test('a key is made once in the data folder, for its owner only, unless one is configured', (t) => {
  const folder = join(temporaryFolder(t, {}), 'data');
  const key = cursorKey(undefined, folder, log);
  t.is(key.length, 32);
  t.deepEqual(cursorKey(undefined, folder, log), key);
  t.is(statSync(join(folder, '@cursor.key')).mode & 0o777, 0o600);
  t.is(cursorKey('as configured', folder, log), 'as configured');
});

test('where no key can be kept there is one for this process', (t) => {
  const folder = temporaryFolder(t, {});
  const file = join(folder, 'no-folder');
  writeFileSync(file, '');
  let warned = '';
  const capturing = pino({ level: 'warn' }, { write: (line: string) => void (warned += line) });
  t.is(cursorKey(undefined, file, capturing).length, 32);
  t.regex(warned, /cannot be stored/);
});
