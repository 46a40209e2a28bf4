import { chmod, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ExecutionContext } from 'ava';
import test from 'ava';
import { fieldsOf } from '../../federation/collection.ts';
import { writeNetwork } from '../../../src/cli/check/check-write.ts';

const found = {
  fields: fieldsOf({ genus: 'keyword', height: 'double', fruits: 'nested', 'fruits.colour': 'keyword' }),
  configs: {
    extended: [
      {
        ...{ fieldName: 'genus', displayName: 'Genus', displayNames: { de: 'Gattung' } },
        // found in the values of a node, so not written
        sortable: false as const,
      },
    ],
    table: { columns: null, defaultSorting: [], maxResultsWindow: 10, rowIdFieldName: '_key' },
    facets: [{ fieldName: 'fruits__colour', isActive: true, show: true }],
    matchbox: [],
    charts: {},
    downloads: { allowCustomMaxRows: false, maxRows: null, rowCap: null },
  },
};
const extended = [
  { fieldName: 'fruits', displayName: 'Fruits' },
  { fieldName: 'fruits.colour', displayName: 'Fruits Colour' },
  { fieldName: 'genus', displayName: 'Genus', displayNames: { de: 'Gattung' } },
  { fieldName: 'height', displayName: 'Height' },
];

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
  t.deepEqual(await writeNetwork(file, found), {
    declared: ['genus', 'fruits', 'fruits.colour'],
    described: ['fruits', 'fruits.colour', 'genus', 'height'],
  });
  const fields = { height: 'long', genus: 'keyword', fruits: 'nested', 'fruits.colour': 'keyword' };
  const expected = { ...content, network: { ...content.network, fields, extended } };
  t.is(await readFile(file, 'utf8'), `${JSON.stringify(expected, null, '\t')}\n`);
  t.is((await stat(file)).mode & 0o777, 0o640);
  t.deepEqual(await readdir(path.dirname(file)), ['nodes.json']);
});

test('a file without a network part gets one', async (t) => {
  const file = await fileOf(t, JSON.stringify({ nodes }));
  await writeNetwork(file, found);
  t.deepEqual(JSON.parse(await readFile(file, 'utf8')), {
    network: {
      fields: { genus: 'keyword', height: 'double', fruits: 'nested', 'fruits.colour': 'keyword' },
      extended,
    },
    nodes,
  });
});

test('what the file says stays in place; only descriptions that are missing are added', async (t) => {
  const network = {
    facets: [{ fieldName: 'height' }],
    fields: { genus: 'text', height: 'long', fruits: 'nested', 'fruits.colour': 'keyword' },
    extended: [{ fieldName: 'height', unit: 'm', note: 'kept' }],
    table: { rowIdFieldName: 'id', columns: [] },
  };
  const file = await fileOf(t, JSON.stringify({ network, nodes }));
  t.deepEqual(await writeNetwork(file, found), {
    declared: [],
    described: ['fruits', 'fruits.colour', 'genus'],
  });
  const text = await readFile(file, 'utf8');
  t.deepEqual(JSON.parse(text), {
    network: {
      ...network,
      extended: [...network.extended, ...extended.slice(0, 3)],
    },
    nodes,
  });
  t.deepEqual(await writeNetwork(file, found), { declared: [], described: [] });
  t.is(await readFile(file, 'utf8'), text);
});

test('a complete file is not touched', async (t) => {
  const network = {
    fields: { genus: 'text', height: 'long', fruits: 'nested', 'fruits.colour': 'keyword' },
    extended: extended.map(({ fieldName }) => ({ fieldName })),
  };
  const text = `{"network":${JSON.stringify(network)},   "nodes":[]}`;
  const file = await fileOf(t, text);
  t.deepEqual(await writeNetwork(file, found), { declared: [], described: [] });
  t.is(await readFile(file, 'utf8'), text);
});

test('a link stays a link', async (t) => {
  const file = await fileOf(t, JSON.stringify({ nodes }));
  const link = `${file}.link`;
  await symlink(file, link);
  await writeNetwork(link, found);
  t.true((await readFile(file, 'utf8')).includes('"genus"'));
  t.deepEqual((await readdir(path.dirname(file))).toSorted(), ['nodes.json', 'nodes.json.link']);
});

test('a file that is not an object is refused and left unchanged', async (t) => {
  const file = await fileOf(t, '[]');
  await t.throwsAsync(writeNetwork(file, found), { code: 'CONFIG_INVALID', message: /is not a JSON object/ });
  t.is(await readFile(file, 'utf8'), '[]');
  await t.throwsAsync(writeNetwork(`${file}.missing`, found), {
    code: 'CONFIG_INVALID',
    message: /cannot be read: there is no such file/,
  });
});
