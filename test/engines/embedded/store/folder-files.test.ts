import test from 'ava';
import fc from '../../../fast-check.ts';
import {
  fileNameOf,
  indexNames,
  indexOfFileName,
  temporaryPath,
  unknownFiles,
} from '../../../../src/engines/embedded/store/folder-files.ts';
import { temporaryFolder } from '../../../server/config/temporary-folder.ts';

const names = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 });

test('a name comes back from its file name, which is harmless on any file system', (t) => {
  const property = fc.property(names, (name) => {
    const fileName = fileNameOf(name);
    t.is(indexOfFileName(fileName), name);
    t.regex(fileName, /^(?:[a-z0-9_-]|%[0-9A-F]{2})(?:[a-z0-9._-]|%[0-9A-F]{2})*$/);
  });
  t.notThrows(() => fc.assert(property));
});

test('names that differ in case only have different files', (t) => {
  t.not(fileNameOf('Films').toLowerCase(), fileNameOf('films').toLowerCase());
  t.is(fileNameOf('films_1.0'), 'films_1.0');
  t.is(fileNameOf('../x'), '%2E.%2Fx');
});

test('no name and overlong names are refused', (t) => {
  for (const name of ['', 'x'.repeat(201), '\u{1F600}'.repeat(20)]) {
    t.throws(() => fileNameOf(name), { code: 'BAD_USER_INPUT' });
  }
  t.throws(() => fileNameOf('A'.repeat(70)), { message: /1 to 200 characters .*, not 210: / });
});

test('an index with the longest name is found again; a file with a longer one is not an index', (t) => {
  const [longest, longer] = ['x'.repeat(200), 'x'.repeat(201)];
  const folder = temporaryFolder(t, { [`${longest}.sqlite`]: '', [`${longer}.sqlite`]: '' });
  t.is(fileNameOf(longest), longest);
  t.deepEqual(indexNames(folder), [longest]);
  t.deepEqual(unknownFiles(folder), [`${longer}.sqlite`]);
  const highestPid = '4194304';
  const temporary = temporaryPath(`${longest}.snapshot`).replace(`.${process.pid}.`, `.${highestPid}.`);
  t.true(temporary.length <= 255);
});
