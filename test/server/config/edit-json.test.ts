import { chmod, chown, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { editJson } from '../../../src/server/config/edit-json.ts';
import { temporaryFolder } from './temporary-folder.ts';

const addOne = (content: object) => ({ ...content, more: 1 });

test('a file that is not there yet is made for this user only', async (t) => {
  const file = join(temporaryFolder(t, {}), 'hubs.json');
  await editJson(file, addOne, { hubs: [] });
  t.is(await readFile(file, 'utf8'), '{\n  "hubs": [],\n  "more": 1\n}\n');
  t.is((await stat(file)).mode & 0o777, 0o600);
});

test('a file keeps its indentation, its mode and the link that leads to it', async (t) => {
  const folder = temporaryFolder(t, {});
  const [file, link] = [join(folder, 'real.json'), join(folder, 'nodes.json')];
  await writeFile(file, '{\n    "nodes": []\n}');
  await chmod(file, 0o664);
  await symlink(file, link);
  await editJson(link, addOne);
  t.is(await readFile(file, 'utf8'), '{\n    "nodes": [],\n    "more": 1\n}');
  t.is((await stat(file)).mode & 0o777, 0o664);
});

test('a file that root edits stays with the user who runs the server', async (t) => {
  const folder = temporaryFolder(t, { 'nodes.json': {} });
  const isRoot = process.getuid?.() === 0;
  for (const [name, owner] of [
    ['nodes.json', 'nodes.json'],
    ['hubs.json', '.'],
  ] as const) {
    if (isRoot) await chown(join(folder, owner), 4_711, 4_712);
    const { uid, gid } = await stat(join(folder, owner));
    await editJson(join(folder, name), addOne, {});
    t.like(await stat(join(folder, name)), { uid, gid });
  }
});

test('changes at the same time are both made', async (t) => {
  const file = join(temporaryFolder(t, { 'nodes.json': {} }), 'nodes.json');
  await Promise.all(['a', 'b', 'c'].map((key) => editJson(file, (content) => ({ ...content, [key]: 1 }))));
  t.deepEqual(JSON.parse(await readFile(file, 'utf8')), { a: 1, b: 1, c: 1 });
});

for (const [what, text, problem] of [
  ['is not JSON', '{ "a": 1,, }', 'is not JSON (line 1 column 10): a key in double quotes expected'],
  ['has a key twice', '{ "a": 1, "a": 2 }', 'has the key a twice in one object (line 1): keep one'],
  ['is a list', '[]', 'is not a JSON object'],
] as const)
  test(`a file that ${what} is left as it is`, async (t) => {
    const file = join(temporaryFolder(t, {}), 'nodes.json');
    await writeFile(file, text);
    await t.throwsAsync(editJson(file, addOne), { code: 'CONFIG_INVALID', message: `${file} ${problem}` });
    t.is(await readFile(file, 'utf8'), text);
  });

test('what the system refuses is reported in plain words', async (t) => {
  const folder = temporaryFolder(t, {});
  const missing = join(folder, 'none', 'nodes.json');
  await t.throwsAsync(editJson(missing, addOne), {
    message: `${missing} cannot be read: there is no such file`,
  });
  await t.throwsAsync(editJson(missing, addOne, {}), {
    message: `${missing} cannot be written: there is no such file or folder`,
  });
  const directory = join(folder, 'folder.json');
  await mkdir(directory);
  await t.throwsAsync(editJson(directory, addOne), {
    message: `${directory} cannot be read: it is a folder, but a file is needed`,
  });
});
