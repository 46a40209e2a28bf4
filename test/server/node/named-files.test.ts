import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { configStamp } from '../../../src/server/config/config-stamp.ts';
import { loadConfig } from '../../../src/server/config/load.ts';
import { openRegistry } from '../../../src/local/registry.ts';
import { withFiles } from '../../../src/server/node/named-files.ts';
import { readNetworks } from '../../../src/server/node/networks.ts';
import { openSwapping } from './swapping.ts';
import { runHere } from '../../cli/run-here.ts';
import { temporaryFolder } from '../config/temporary-folder.ts';
import { scriptedEngine } from '../../local/scripted-engine.ts';
import { texts } from '../config/texts.ts';

const properties = { code: { type: 'keyword' }, number: { type: 'long' }, born: { type: 'date' } };

const files = {
  'books/base.json': { documentType: 'book', esIndex: 'books' },
  'books/hierarchies.json': { subjects: { file: 'subjects.csv' } },
  'books/extended.json': [
    { fieldName: 'code', hierarchy: 'subjects' },
    { fieldName: 'number', hierarchy: 'subjects' },
  ],
};

const withTable = (
  t: ExecutionContext,
  others: Readonly<Record<string, unknown>> = {},
  table = 'code,parent\na,\nb,a\n',
): string => {
  const folder = temporaryFolder(t, { ...files, ...others });
  writeFileSync(join(folder, 'books', 'subjects.csv'), table);
  return folder;
};

const load = (folder: string, nodes: unknown = undefined) =>
  loadConfig({ CONFIGS_PATH: folder, NODES_PATH: 'off' }, nodes === undefined ? {} : { nodes });

const serve = async (t: ExecutionContext, folder: string) => {
  const { catalogues } = await withFiles(readNetworks(load(folder)));
  const registry = await openRegistry(catalogues, scriptedEngine({ describe: () => ({ properties }) }), {});
  t.teardown(registry.close);
  return registry;
};

const problemOf = async (t: ExecutionContext, folder: string): Promise<string> => {
  const [state] = (await serve(t, folder)).states();
  return state!.status === 'failed' ? state!.error.message : state!.status;
};

test('the fields of a catalogue have the hierarchies that its files name', async (t) => {
  const [state] = (await serve(t, withTable(t))).states();
  if (state?.status !== 'available') return t.fail(String(state?.error.message));
  const { fields, warnings } = state.catalogue;
  t.deepEqual(
    ['code', 'number', 'born'].map((path) => fields.get(path)?.hierarchy?.size),
    [2, 2, undefined],
  );
  t.deepEqual(warnings, []);
});

test('a hierarchy of a field that has no terms is a warning', async (t) => {
  const extended = [
    { fieldName: 'born', hierarchy: 'subjects' },
    { fieldName: 'gone', hierarchy: 'subjects' },
  ];
  const [state] = (await serve(t, withTable(t, { 'books/extended.json': extended }))).states();
  if (state?.status !== 'available') return t.fail();
  t.deepEqual(state.catalogue.warnings, [
    'the hierarchy "subjects" of "born" is not used: a field of type date has no terms',
    'the hierarchy "subjects" of "gone" is not used: there is no such field',
  ]);
});

test('a file that cannot be read, and a name that no file has, fail the catalogue', async (t) => {
  t.is(
    await problemOf(t, withTable(t, {}, 'code,parent\na,b\n')),
    'subjects.csv line 2: "a" stands under "b", which is not in the file',
  );
  t.is(
    await problemOf(t, withTable(t, { 'books/hierarchies.json': { subjects: { file: 'gone.csv' } } })),
    'gone.csv cannot be read: there is no such file or folder',
  );
  t.is(
    await problemOf(
      t,
      withTable(t, { 'books/extended.json': [{ fieldName: 'code', hierarchy: 'subject' }] }),
    ),
    'extended.json: code: there is no hierarchy "subject": did you mean "subjects"?',
  );
  t.regex(
    await problemOf(t, withTable(t, { 'books/hierarchies.json': { subjects: { path: 'a.csv' } } })),
    /^hierarchies\.json: subjects\.file is missing: a text expected/,
  );
});

test('a table beside a disclosure.json is not a stray file', async (t) => {
  const folder = withTable(t, { 'books/disclosure.json': { default: 'none' } });
  writeFileSync(join(folder, 'books', 'other.csv'), '');
  const [config] = load(folder).catalogues;
  t.deepEqual(
    texts(config!.problems).filter((problem) => problem.includes('.csv')),
    ['other.csv is not read beside a disclosure.json: move it elsewhere'],
  );
});

test('a changed table is noticed and served after a reload; a wrong one is not', async (t) => {
  const folder = withTable(t);
  const config = load(folder);
  const engine = scriptedEngine({ describe: () => ({ properties }) });
  const { now, reload: reloadWith } = await openSwapping(t, engine, config);
  const sizeNow = (): number | undefined => {
    const state = now().registry.byId('books');
    return state?.status === 'available' ? state.catalogue.fields.get('code')?.hierarchy?.size : undefined;
  };
  const reload = async () => {
    const { changes, problems } = await reloadWith(config);
    return { changes, problems };
  };
  t.deepEqual(await reload(), { changes: [], problems: [] });
  const before = await configStamp(config);
  writeFileSync(join(folder, 'books', 'subjects.csv'), 'code,parent\na,\nb,a\nc,a\n');
  utimesSync(join(folder, 'books', 'subjects.csv'), 1, 1);
  t.not(await configStamp(config), before);
  t.deepEqual(await reload(), {
    changes: ['catalogue books: now serves with its changed configuration'],
    problems: [],
  });
  t.is(sizeNow(), 3);
  writeFileSync(join(folder, 'books', 'subjects.csv'), 'code,parent\na,x\n');
  t.deepEqual(await reload(), {
    changes: [],
    problems: ['catalogue books: subjects.csv line 2: "a" stands under "x", which is not in the file'],
  });
  t.is(sizeNow(), 3);
});

test('a network has the hierarchies that nodes.json names, from its folder', async (t) => {
  const folder = withTable(t);
  const nodes = {
    network: {
      fields: { subject: 'keyword' },
      hierarchies: { subjects: { file: 'books/subjects.csv' } },
      extended: [{ fieldName: 'subject', hierarchy: 'subjects' }],
    },
    nodes: [{ nodeId: 'books', catalogue: 'books', fields: { subject: 'code' } }],
  };
  const config = load(folder, nodes);
  const named = { ...config, nodes: { content: nodes, file: join(folder, 'nodes.json') } };
  const server = (await withFiles(readNetworks(named))).networks.get('network');
  t.is(server?.hierarchies?.get('subject')?.size, 2);
  t.regex(await configStamp(named), /books\/subjects\.csv/);
  const wrong = { ...nodes, network: { ...nodes.network, hierarchies: {} } };
  await t.throwsAsync(withFiles(readNetworks({ ...named, nodes: { content: wrong, file: 'nodes.json' } })), {
    message: 'nodes.json: network.extended: subject: there is no hierarchy "subjects": known are none',
  });
});

test('values of a node come from the file that its entry names', async (t) => {
  const folder = withTable(t);
  const nodes = {
    nodes: [{ nodeId: 'books', catalogue: 'books', values: { code: 'codes.csv', title: { a: 'A' } } }],
  };
  const named = { ...load(folder, nodes), nodes: { content: nodes, file: join(folder, 'nodes.json') } };
  await t.throwsAsync(withFiles(readNetworks(named)), {
    message: 'codes.csv cannot be read: there is no such file or folder',
  });
  writeFileSync(join(folder, 'codes.csv'), 'x,a\ny,b\n');
  const server = (await withFiles(readNetworks(named))).networks.get('network');
  t.deepEqual(
    server!.nodes[0]!.values,
    new Map([
      [
        'code',
        new Map([
          ['x', 'a'],
          ['y', 'b'],
        ]),
      ],
      ['title', new Map([['a', 'A']])],
    ]),
  );
});

test('the start and check refuse a narrow match in the file of a node', async (t) => {
  const folder = withTable(t);
  const nodes = { nodes: [{ nodeId: 'books', catalogue: 'books', values: { code: 'codes.tsv' } }] };
  const file = join(folder, 'nodes.json');
  writeFileSync(file, JSON.stringify(nodes));
  writeFileSync(
    join(folder, 'codes.tsv'),
    'subject_id\tpredicate_id\tobject_id\nx\tskos:broadMatch\ta\ny\tskos:narrowMatch\tb\n',
  );
  const refusal = 'codes.tsv line 3: "y" skos:narrowMatch "b": not every record';
  const error = await t.throwsAsync(
    withFiles(readNetworks({ ...load(folder, nodes), nodes: { content: nodes, file } })),
  );
  t.true(error?.message.startsWith(refusal), error?.message);
  const settings = { CONFIGS_PATH: folder, DATA_PATH: join(folder, 'data'), NODES_PATH: file };
  const { code, output } = await runHere(['check'], settings);
  t.is(code, 1);
  t.true(output.includes(refusal), output);
});
