import { chmod, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ExecutionContext } from 'ava';
import test from 'ava';
import { writeFields } from '../../../src/cli/check/check-write.ts';

const field = (name: string, type: string) => ({ path: name, name, type, isArray: false, nodes: [] });
const found = { fields: [field('genus', 'keyword'), field('height', 'double'), field('fruits', 'nested')] };

const fileOf = async (t: ExecutionContext, text: string): Promise<string> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tributary-write-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'nodes.json');
  await writeFile(file, text);
  return file;
};

const nodes = [{ nodeId: 'a', catalogue: 'a', values: { genus: { A: 'Acer' } } }];

test('fields are added behind the declared ones, which stay; so does all else, and the indentation', async (t) => {
  const content = {
    defaults: { timeoutMs: 9 },
    network: { displayName: 'N', fields: { height: 'long' } },
    nodes,
  };
  const file = await fileOf(t, `${JSON.stringify(content, null, '\t')}\n`);
  await chmod(file, 0o640);
  t.deepEqual(await writeFields(file, found), ['genus', 'fruits']);
  const fields = { height: 'long', genus: 'keyword', fruits: 'nested' };
  const expected = { ...content, network: { ...content.network, fields } };
  t.is(await readFile(file, 'utf8'), `${JSON.stringify(expected, null, '\t')}\n`);
  t.is((await stat(file)).mode & 0o777, 0o640);
  t.deepEqual(await readdir(path.dirname(file)), ['nodes.json']);
});

test('a file without a network part gets one', async (t) => {
  const file = await fileOf(t, JSON.stringify({ nodes }));
  await writeFields(file, found);
  t.deepEqual(JSON.parse(await readFile(file, 'utf8')), {
    network: { fields: { genus: 'keyword', height: 'double', fruits: 'nested' } },
    nodes,
  });
});

test('a file that declares all is not touched', async (t) => {
  const fields = { genus: 'text', height: 'long', fruits: 'nested' };
  const text = `{"network":{"fields":${JSON.stringify(fields)}},   "nodes":[]}`;
  const file = await fileOf(t, text);
  t.deepEqual(await writeFields(file, found), []);
  t.is(await readFile(file, 'utf8'), text);
});

test('a link stays a link', async (t) => {
  const file = await fileOf(t, JSON.stringify({ nodes }));
  const link = `${file}.link`;
  await symlink(file, link);
  await writeFields(link, found);
  t.true((await readFile(file, 'utf8')).includes('"genus"'));
  t.deepEqual((await readdir(path.dirname(file))).toSorted(), ['nodes.json', 'nodes.json.link']);
});

test('what is no object is refused and left alone', async (t) => {
  const file = await fileOf(t, '[]');
  await t.throwsAsync(writeFields(file, found), { code: 'CONFIG_INVALID', message: /is not a JSON object/ });
  t.is(await readFile(file, 'utf8'), '[]');
  await t.throwsAsync(writeFields(`${file}.missing`, found), {
    code: 'CONFIG_INVALID',
    message: /cannot be read: ENOENT/,
  });
});
