import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { temporaryFolder } from '../../server/config/temporary-folder.ts';
import { runHere } from '../run-here.ts';

const settingsOf = (folder: string) => ({
  CONFIGS_PATH: path.join(folder, 'configs'),
  DATA_PATH: path.join(folder, 'data'),
  NODES_PATH: 'off',
});

test('check reports every problem of every file and ends with 1', async (t) => {
  const hub = {
    name: 'eu',
    url: 'https://eu.example.org',
    nodeId: 'here',
    key: 'k'.repeat(43),
    catalogue: 'print',
  };
  const folder = temporaryFolder(t, {
    'configs/prints/base.json': { documentType: 'print', esIndex: 'prints', maxAlias: 3 },
    'configs/prints/facets.json': { facets: { aggregations: [{ fieldName: 'titel' }] } },
    'configs/maps/base.json': { documentType: '9maps', esIndex: 'maps', maxDepth: 'seven' },
    'configs/coins/base.json': '{ not json',
    'nodes.json': {
      nodes: [
        { nodeId: 'x', displayNam: 'X' },
        { nodeId: 'y', timeoutMs: 'no' },
      ],
    },
    'hubs.json': { hubs: [hub] },
    'http.json': { hubs: [{ ...hub, url: 'http://eu.example.org' }] },
    'prints.ndjson': '{"id":"1","title":"Wave"}\n',
  });
  const settings = {
    ...settingsOf(folder),
    NODES_PATH: path.join(folder, 'nodes.json'),
    HUBS_PATH: path.join(folder, 'hubs.json'),
  };
  await runHere(['load', path.join(folder, 'prints.ndjson'), '--index', 'prints'], settingsOf(folder));
  const { code, output } = await runHere(['check'], settings);
  t.is(code, 1);
  for (const expected of [
    'hub eu: there is no catalogue print here, which the hub would query',
    'base.json: maxAlias is unknown: did you mean maxAliases?',
    'facets.json, aggregations[0].fieldName: the mapping has no field "titel": did you mean "title"?',
    'catalogue maps: failed, base.json: documentType is wrong: a GraphQL name expected',
    'base.json: maxDepth is of another type: a number expected, found a text: it is not read',
    'catalogue coins: failed, base.json is not JSON',
    'node "x": displayNam is unknown: did you mean displayName?',
    'node "y": timeoutMs is wrong',
  ])
    t.true(output.includes(expected), `${expected}\nin\n${output}`);
  const HUBS_PATH = path.join(folder, 'http.json');
  const again = await runHere(['check'], { ...settings, HUBS_PATH, SERVER_KEY_PATH: settings.HUBS_PATH });
  t.regex(again.output, /http\.json: hub "eu": url must be https/);
  t.regex(again.output, /SERVER_KEY_PATH names ".*hubs\.json", which does not hold a private Ed25519 key/);
});

test('check starts catalogue.json, names what in it does not fit, and catalogues called like a door', async (t) => {
  const visit = { id: '1', patient_id: 'p1', age_at_visit: 40, age: 41, visited: '2020-01-02', note: 'a' };
  const folder = temporaryFolder(t, {
    'configs/beacon/base.json': { documentType: 'visit', esIndex: 'visits' },
    'visits.ndjson': `${JSON.stringify(visit)}\n`,
  });
  const file = path.join(folder, 'configs/beacon/catalogue.json');
  const settings = settingsOf(folder);
  await runHere(['load', path.join(folder, 'visits.ndjson'), '--index', 'visits'], settings);
  const { output } = await runHere(['check', '--write'], settings);
  t.regex(output, /catalogue beacon has the name of a door: .*BEACON=beacon2 moves the door/);
  t.regex(output, /catalogue.json is new: it describes person patient_id, age age, time visited/);
  t.deepEqual(JSON.parse(await readFile(file, 'utf8')), {
    title: 'beacon',
    describes: { person: 'patient_id', age: 'age', time: 'visited' },
  });
  t.is((await runHere(['check'], settings)).code, 0);
  const wrong = {
    describes: { person: 'patientid', age: 'note' },
    beacon: { projection: { sex: 'gender' } },
  };
  await writeFile(file, JSON.stringify(wrong));
  const checked = await runHere(['check', '--write'], settings);
  t.is(checked.code, 1);
  t.regex(checked.output, /describes.person: there is no field patientid: did you mean patient_id\?/);
  t.regex(checked.output, /describes.age: note is a \w+: a number expected/);
  t.regex(checked.output, /beacon.projection.sex: there is no field gender/);
  t.deepEqual(JSON.parse(await readFile(file, 'utf8')), wrong);
});

test('check names the same fault of two catalogues under both', async (t) => {
  const files = (name: string) => ({
    [`configs/${name}/base.json`]: { documentType: name, esIndex: 'people' },
    [`configs/${name}/extended.json`]: { extended: [{ fieldName: 'sxe', displayName: 'Sex' }] },
    [`configs/${name}/table.json`]: { table: { columns: [{ fieldName: 'gendr', show: true }] } },
  });
  const folder = temporaryFolder(t, {
    'people.ndjson': '{"id":"1","sex":"F","gender":"f"}\n',
    ...files('a'),
    ...files('b'),
    'nodes.json': { nodes: [{ nodeId: 'x', displayNam: 'X' }] },
  });
  const NODES_PATH = path.join(folder, 'nodes.json');
  const settings = { ...settingsOf(folder), NODES_PATH };
  await runHere(['load', path.join(folder, 'people.ndjson'), '--index', 'people'], settingsOf(folder));
  const { output } = await runHere(['check'], settings);
  const { output: json } = await runHere(['check', '--json'], settings);
  const { messages } = JSON.parse(json) as { messages: readonly string[] };
  for (const [name, times] of [
    ['sxe', 2],
    ['gendr', 2],
    ['displayNam is unknown', 1],
  ] as const) {
    t.is(output.split('\n').filter((line) => line.includes(name)).length, times, `${name} in\n${output}`);
    t.is(messages.filter((message) => message.includes(name)).length, times, `${name} in ${json}`);
  }
});

test('check names the fields of portal.json that nothing has, as the start does', async (t) => {
  const folder = temporaryFolder(t, {
    'prints.ndjson': '{"id":"1","title":"Wave"}\n',
    'portal.json': { charts: ['title', 'titel'], source: 'prints' },
    'configs/prints/base.json': { documentType: 'print', esIndex: 'prints' },
  });
  const at = (name: string): string => path.join(folder, name);
  const settings = settingsOf(folder);
  await runHere(['load', at('prints.ndjson'), '--index', 'prints'], settings);
  const { code, output } = await runHere(['check'], { ...settings, PORTAL_PATH: at('portal.json') });
  t.is(code, 1);
  t.true(output.includes('portal.json, charts[1]: there is no field "titel": did you mean "title"?'), output);
  t.false(output.includes('source'), output);
});

test('load and check name where a mapping and its documents do not meet', async (t) => {
  const keyword = { type: 'keyword' };
  const properties = { id: keyword, specimen: { type: 'nested', properties: { tissue: keyword } } };
  const folder = temporaryFolder(t, {
    'mapping.json': { mappings: { dynamic: false, properties } },
    'donors.ndjson': '{"id":"1","diagnosis":{"specimens":[{"tissue":"skin"}]}}\n',
  });
  const at = (name: string): string => path.join(folder, name);
  const settings = settingsOf(folder);
  const load = ['load', at('donors.ndjson'), '--catalogue', 'donors', '--mapping', at('mapping.json')];
  for (const command of [load, ['check']]) {
    const { code, output } = await runHere(command, settings);
    t.is(code, 0, output);
    t.regex(output, /no record has a value in specimen: is it diagnosis\.specimens in the records\?/);
    t.regex(output, /records have diagnosis, which the mapping lacks: it cannot be searched/);
  }
});
