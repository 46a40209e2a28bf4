import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import test from 'ava';
import { fileError } from '../../../../src/engines/embedded/store/file-error.ts';

for (const [name, error, code, words] of [
  ['a lock', { errcode: 5 }, 'ENGINE_UNAVAILABLE', /index films busy/],
  ['a full disk under SQLite', { errcode: 13 }, 'ENGINE_UNAVAILABLE', /no room for index films/],
  ['a full disk', { code: 'ENOSPC' }, 'ENGINE_UNAVAILABLE', /no room for/],
  ['an extended code', { errcode: 8 | (5 << 8) }, 'permission_denied', /data folder/],
  ['too many open files', { code: 'EMFILE' }, 'ENGINE_UNAVAILABLE', /too many files.*index films.*ulimit/],
  ['a file that SQLite cannot open', { errcode: 14 }, 'permission_denied', /data folder/],
  ['no right', { code: 'EACCES' }, 'permission_denied', /data folder/],
  ['damage', { errcode: 11 }, 'ENGINE_ERROR', /damaged.*backup/],
  ['no SQLite file', { errcode: 26 }, 'ENGINE_ERROR', /damaged/],
  ['a failing disk', { errcode: 10 | (2 << 8) }, 'ENGINE_ERROR', /check the disk/],
] as const) {
  test(`${name} is reported in an admin’s words`, (t) => {
    const reported = fileError(Object.assign(new Error('x'), error), 'index films');
    t.is(reported?.code, code);
    t.regex(reported!.message, words);
    t.true(reported!.cause instanceof Error);
  });
}

test('other errors are nobody’s files', (t) => {
  for (const error of [new TypeError('x'), { errcode: 1 }, { code: 'ERR_X' }, { code: 7 }]) {
    t.is(fileError(error, 'index films'), null);
  }
});

test('SQLite does not say that too many files are open, another file does', (t) => {
  const { openSync } = fs;
  const replace = (open: typeof openSync): void => {
    Object.assign(fs, { openSync: open });
    syncBuiltinESMExports();
  };
  replace(() => {
    throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
  });
  const reported = fileError(Object.assign(new Error('x'), { errcode: 14 }), 'index films');
  replace(openSync);
  t.is(reported?.code, 'ENGINE_UNAVAILABLE');
  t.regex(reported!.message, /too many files/);
});
