import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { addHub } from '../../../src/cli/joining/edit-hubs.ts';
import { mappingOf, readMapping, writeMappingFiles } from '../../../src/cli/joining/mapping-files.ts';
import { takenByName, whyProposed } from '../../../src/cli/joining/show-proposal.ts';
import { proposeFields } from '../../../src/federation/proposal/propose.ts';
import { readHubs, type HubEntry } from '../../../src/capabilities/joining/hubs-file.ts';
import { temporaryFolder } from '../../server/config/temporary-folder.ts';

const network = [
  { name: 'sex', type: 'keyword', values: ['Female', 'Male'] },
  { name: 'age', type: 'long', unit: 'years' },
  { name: 'delta', type: 'keyword', values: ['minus one', 'plus'] },
];
const own = [
  { name: 'Geschlecht', type: 'keyword', values: ['w', 'm', 'x'] },
  { name: 'alter_tage', type: 'long', unit: 'days' },
  { name: 'delta', type: 'keyword', values: ['-1, "minus"', '+1'] },
];
const proposed = proposeFields(network, own);

test('a proposal goes into two tables and comes back as it was', async (t) => {
  const folder = temporaryFolder(t, {});
  const [fields, values] = await writeMappingFiles(folder, network, own, proposed);
  t.deepEqual(await readMapping(fields!, network, own), mappingOf(proposed));
  t.deepEqual(mappingOf(proposed), {
    fields: { sex: 'Geschlecht' },
    values: { sex: { w: 'Female', m: 'Male' } },
  });
  t.regex(readFileSync(fields!, 'utf8'), /"age","","alter_tage: the network counts in years/);
  t.regex(readFileSync(values!, 'utf8'), /"sex","x","",""/);
});

test('what a person fills in is read, as a spreadsheet of another country writes it too', async (t) => {
  const folder = temporaryFolder(t, {
    'fields.csv': '\uFEFFnetwork;own\r\nsex;Geschlecht\r\nage;\r\n',
    'values.csv': `field;own;network\r\ndelta;'-1, "minus";minus one\r\nsex;w;Female\r\n`.replace(
      `'-1, "minus"`,
      `"'-1, ""minus"""`,
    ),
  });
  t.deepEqual(await readMapping(join(folder, 'fields.csv'), network, own), {
    fields: { sex: 'Geschlecht' },
    values: { delta: { '-1, "minus"': 'minus one' }, sex: { w: 'Female' } },
  });
});

for (const [name, content, message] of [
  [
    'fields.csv',
    Buffer.from('network,own\nsex,M\xe4nnlich\n', 'latin1'),
    /it is not UTF-8: save it as CSV UTF-8/,
  ],
  ['fields.json', '{"fields":', /is not JSON \(line 1 column 11\): /],
  [
    'values.json',
    Buffer.from('{"values":{"sex":{"M\xe4nnlich":"male"}}}', 'latin1'),
    /is not UTF-8: save it as UTF-8/,
  ],
  ['twice.json', '{"values":{"sex":{"1":"male"}},"values":{}}', /has the key values twice in one object/],
] as const)
  test(`a ${name} that cannot be read is named with the reason`, async (t) => {
    const file = join(temporaryFolder(t, {}), name);
    writeFileSync(file, content);
    await t.throwsAsync(readMapping(file, network, own), { code: 'INPUT_INVALID', message });
    await t.throwsAsync(readMapping(`${file}.json`, network, own), { message: /there is no such file/ });
  });

test('files that are there are not overwritten', async (t) => {
  const folder = temporaryFolder(t, { 'fields.csv': 'mine' });
  await t.throwsAsync(writeMappingFiles(folder, network, own, proposed), {
    message: /fields\.csv is there already, and is not overwritten/,
  });
  t.is(readFileSync(join(folder, 'fields.csv'), 'utf8'), 'mine');
  const other = temporaryFolder(t, { 'values.csv': 'mine' });
  await t.throwsAsync(writeMappingFiles(other, network, own, proposed), {
    message: /values\.csv is there already/,
  });
  t.deepEqual(readdirSync(other), ['values.csv']);
});

test('values that a spreadsheet takes for formulas come back as they were', async (t) => {
  const held = ['=1', 'a;=b', 'c; -d e', "'", '-', '\tx', '+1'];
  const ours = [{ name: 'sex', type: 'keyword', values: held }];
  const values = held.map((value) => ({ own: value, network: `${value}!`, reason: '' }));
  const mapped = [{ network: 'sex', own: 'sex', score: 1, reason: '', conflict: null, values }];
  const [fields] = await writeMappingFiles(temporaryFolder(t, {}), network, ours, mapped);
  t.deepEqual(await readMapping(fields!, network, ours), mappingOf(mapped));
});

for (const [content, message] of [
  [{ fields: { sex: 'Geschlect' } }, /this catalogue has no field "Geschlect": did you mean "Geschlecht"\?/],
  [{ fields: { sexe: 'Geschlecht' } }, /the network has no field "sexe": did you mean "sex"\?/],
  [{ fields: { sex: 'delta', age: 'delta' } }, /sex and age both name "delta": keep one/],
  [{ values: { sexx: { w: 'Female' } } }, /the network has no field "sexx"/],
  [{ fields: ['sex'] }, /"fields": \{\.\.\.\}/],
] as const)
  test(`a mapping is refused: ${message.source}`, async (t) => {
    const folder = temporaryFolder(t, { 'mapping.json': content });
    await t.throwsAsync(readMapping(join(folder, 'mapping.json'), network, own), { message });
  });

for (const [fields, values, message] of [
  ['sex,delta\ndelta,delta\n', '', /fields\.csv: sex and delta both name "delta": keep one/],
  ['sex,delta\nsex,Geschlecht\n', '', /fields\.csv: "sex" has two rows, with "delta" and "Geschlecht"/],
  [
    'delta,delta\n',
    'delta,+1,plus\ndelta,+1,more\n',
    /values\.csv: "\+1" has two rows, with "plus" and "more"/,
  ],
  ['sex,"delta\n', '', /fields\.csv: Quote Not Closed/],
] as const)
  test(`tables are refused: ${message.source}`, async (t) => {
    const folder = temporaryFolder(t, {
      'fields.csv': `network,own\n${fields}`,
      'values.csv': `field,own,network\n${values}`,
    });
    await t.throwsAsync(readMapping(join(folder, 'fields.csv'), network, own), {
      code: 'INPUT_INVALID',
      message,
    });
  });

test('a table without a column names it', async (t) => {
  const folder = temporaryFolder(t, { 'fields.csv': 'network,mine\nsex,Geschlecht\n' });
  await t.throwsAsync(readMapping(join(folder, 'fields.csv'), network, own), {
    message: /the column "own" is missing/,
  });
});

test('what has the same name is said to be taken, whatever stands against it', (t) => {
  const [years, days] = ['years', 'days'].map((unit) => [{ name: 'age', type: 'long', unit }]);
  const [same] = proposeFields(years!, days!);
  t.regex(whyProposed(same!), /^the same name; taken all the same, by its name: the network counts in years/);
  const [other] = proposeFields(network, own).filter(({ conflict }) => conflict !== null);
  t.regex(whyProposed(other!), /; not taken: the network counts in years/);
  t.deepEqual(takenByName({ fields: {}, values: {} }, network, own), ['delta']);
  t.deepEqual(takenByName({ fields: { sex: 'delta' }, values: {} }, network, own), []);
  t.deepEqual(takenByName({ fields: { delta: 'Geschlecht' }, values: {} }, network, own), []);
});

const entry: HubEntry = {
  name: 'hub.example.org',
  url: 'https://hub.example.org',
  nodeId: 'oslo',
  key: 'k'.repeat(43),
  catalogue: 'patients',
  invitation: 'secret',
  fields: { sex: 'Geschlecht', age: 'Alter' },
  values: { sex: { w: 'Female' } },
};
const hubsIn = (file: string): readonly HubEntry[] => readHubs(JSON.parse(readFileSync(file, 'utf8')), file);

test('a hub is added to a new file, which only its owner reads', async (t) => {
  const file = join(temporaryFolder(t, {}), 'hubs.json');
  await addHub(file, entry);
  t.deepEqual(hubsIn(file), [entry]);
  t.is(statSync(file).mode & 0o777, 0o600);
});

test('joining again keeps every line that a person wrote', async (t) => {
  const file = join(temporaryFolder(t, {}), 'hubs.json');
  const byHand = { ...entry, fields: { gender: 'Geschlecht' }, values: { sex: { w: 'F' } } };
  writeFileSync(file, JSON.stringify({ hubs: [byHand] }));
  await addHub(file, { ...entry, invitation: 'newer' });
  t.deepEqual(hubsIn(file), [
    { ...byHand, fields: { age: 'Alter', gender: 'Geschlecht' }, invitation: 'newer' },
  ]);
});

test('joining a known hub at another address moves it there', async (t) => {
  const file = join(temporaryFolder(t, {}), 'hubs.json');
  await addHub(file, entry);
  await addHub(file, { ...entry, url: 'https://moved.example.org' });
  t.deepEqual(hubsIn(file), [{ ...entry, url: 'https://moved.example.org' }]);
});

for (const [what, refused, message] of [
  ['without a name', { name: ' ' }, /hubs\.1\.name/],
  ['with a name that only spaces distinguish', { name: 'hub.example.org ' }, /two hubs are named/],
  ['at an address in the clear', { name: 'b', url: 'http://b.example.org' }, /url must be https/],
] as const)
  test(`a hub ${what} is not written, since no server would dial any hub then`, async (t) => {
    const file = join(temporaryFolder(t, {}), 'hubs.json');
    await addHub(file, entry);
    await t.throwsAsync(addHub(file, { ...entry, nodeId: 'bergen', ...refused }), {
      code: 'CONFIG_INVALID',
      message,
    });
    t.deepEqual(hubsIn(file), [entry]);
  });

test('another hub of the same name, and the same hub by another name or with another catalogue, are refused', async (t) => {
  const file = join(temporaryFolder(t, {}), 'hubs.json');
  await addHub(file, entry);
  await t.throwsAsync(addHub(file, { ...entry, name: 'eu' }), {
    message: /has this hub as hub\.example\.org: join with --name hub\.example\.org, or leave/,
  });
  await t.throwsAsync(addHub(file, { ...entry, catalogue: 'samples' }), {
    message: /has hub\.example\.org with the catalogue patients, which stays/,
  });
  await t.throwsAsync(addHub(file, { ...entry, nodeId: 'bergen' }), {
    message: /has another hub named hub\.example\.org/,
  });
});
