import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';
import { loadConfig } from '../../../../src/server/config/load.ts';
import { openReleaseStore } from '../../../../src/capabilities/disclosure/release/release-store.ts';
import { standard } from '../../../../src/standard.ts';
import { openNode } from '../../../../src/server/node/open-node.ts';
import { temporaryFolder } from '../../../server/config/temporary-folder.ts';
import { contextFor } from '../../../search/request-context.ts';
import { cohort, cohortProperties, drafted } from '../cohort.ts';

const disclosure = {
  unit: 'donor_id',
  dimensions: [
    { fieldName: 'sex', values: ['female', 'male'] },
    { fieldName: 'age', edges: [20, 40] },
  ],
};
const base = { catalogId: 'cohort', documentType: 'donor', esIndex: 'donors' };
const documents = cohort(60, 7);
const rows = {
  ...{ filters: null, filterThemselves: true, includeMissing: true, facets: [] },
  hits: { first: 5, offset: 0, sort: [], searchAfter: null, trackTotal: true, fields: ['surname'] },
};

/** What a catalogue shows a caller for whom nothing is configured, by its id. */
const shown = async (
  env: Readonly<Record<string, string>>,
  prepare?: Parameters<typeof openNode>[1]['prepare'],
): Promise<Readonly<Record<string, string>>> => {
  const node = await openNode(loadConfig({ NODES_PATH: 'off', PORTAL_PATH: 'off', ...env }), {
    log: pino({ level: 'silent' }),
    secret: () => undefined,
    capabilities: standard,
    ...(prepare && { prepare }),
  });
  try {
    const found = node
      .now()
      .registry.states()
      .map(async (state) => {
        const id = state.config.catalogueId;
        if (state.status === 'failed') return [id, `${state.error.code}: ${state.error.message}`] as const;
        return state.catalogue.search(rows, contextFor()).then(
          ({ hits }) => [id, `opens ${hits.length} records`] as const,
          (error: { readonly code: string }) => [id, error.code] as const,
        );
      });
    return Object.fromEntries(await Promise.all(found));
  } finally {
    await node.close();
  }
};

/** A server with records, their configuration, and a release of them if they were guarded before. */
const prepared = async (t: ExecutionContext, wasGuarded: boolean) => {
  const folder = temporaryFolder(t, { 'configs/cohort/base.json': base });
  const env = { CONFIGS_PATH: join(folder, 'configs'), DATA_PATH: join(folder, 'data') };
  const guarded = join(folder, 'configs/cohort/disclosure.json');
  if (wasGuarded) {
    writeFileSync(guarded, JSON.stringify(disclosure));
    const { release, table } = await drafted(documents, {
      dimensions: disclosure.dimensions,
    });
    openReleaseStore(env.DATA_PATH, 'cohort').publish(release, table, ['donors']);
  }
  const first = await shown(env, async (engine) => {
    await engine.manage({ kind: 'create', index: 'donors', mapping: { properties: cohortProperties } });
    const operations = documents.map(
      (document, id) => ({ kind: 'upsert', id: String(id), document }) as const,
    );
    await engine.write('donors', operations);
    await engine.manage({ kind: 'alias', alias: 'donors_now', indices: ['donors'] });
  });
  t.is(first['cohort'], wasGuarded ? 'NOT_DISCLOSED' : 'opens 5 records');
  rmSync(guarded, { force: true });
  return { folder, env };
};

type Files = Readonly<Record<string, unknown>>;

/** Whether or not anything was ever released: a file that means to guard must not be passed over. */
const misspelt: Readonly<Record<string, Files>> = {
  'another name': { 'disclosures.json': disclosure },
  'letters exchanged': { 'disclousre.json': disclosure },
  'another case': { 'Disclosure.json': disclosure },
  'a backup only': { 'disclosure.json.bak': disclosure },
  'a copy of an editor': { 'disclosure.json~': disclosure },
  'a copy of a file manager': { 'disclosure (1).json': disclosure },
  'a hidden file': { '.disclosure.json': disclosure },
  'a text file': { 'disclosure.json.txt': disclosure },
  'another format': { 'disclosure.yaml': 'unit: donor_id\n' },
  'a folder, as mounts make them': { 'disclosure.json/keep': '' },
  'an empty file': { 'disclosure.json': '' },
  null: { 'disclosure.json': 'null' },
  'null under its key': { 'disclosure.json': { disclosure: null } },
  'an empty object': { 'disclosure.json': {} },
  'a list': { 'disclosure.json': [] },
  'half a file': { 'disclosure.json': JSON.stringify(disclosure).slice(0, 60) },
  'an unknown tier': { 'disclosure.json': { ...disclosure, default: 'Records' } },
  'a misspelt key': { 'disclosure.json': { ...disclosure, treshold: 50 } },
  'no unit': { 'disclosure.json': { dimensions: disclosure.dimensions } },
  'records, and more': { 'disclosure.json': { default: 'records', dimensions: [] } },
  'another key': { 'disclosure.json': { disclosures: disclosure } },
  'a misspelt key in base.json': { 'base.json': { ...base, disclosur: disclosure } },
  'its keys in base.json': { 'base.json': { ...base, ...disclosure } },
  'its keys in a file of another name': { 'release.json': disclosure },
  'capital letters': { 'DISCLOSURE.JSON': disclosure },
  'two spellings of its ending': {
    'disclosure.json': disclosure,
    'disclosure.JSON': { ...disclosure, default: 'records' },
  },
  'a byte order mark twice': { 'disclosure.json': `\uFEFF\uFEFF${JSON.stringify(disclosure)}` },
  'two bytes for each letter': {
    'disclosure.json': Buffer.from(`\uFEFF${JSON.stringify(disclosure)}`, 'utf16le').toString('latin1'),
  },
  'a comment': { 'disclosure.json': `// of the board\n${JSON.stringify(disclosure)}` },
  'a comment within': { 'disclosure.json': JSON.stringify(disclosure).replace('{', '{ /* of the board */ ') },
  'a trailing comma': { 'disclosure.json': JSON.stringify(disclosure).replace(/\}$/, ',}') },
  'single quotes': { 'disclosure.json': JSON.stringify(disclosure).replaceAll('"', "'") },
  'a key twice': {
    'disclosure.json': JSON.stringify({ default: 'counts', ...disclosure }).replace(
      /\}$/,
      ',"default":"records"}',
    ),
  },
  'a key twice, once in escapes': {
    'disclosure.json': JSON.stringify(disclosure).replace(/\}$/, ',"un\\u0069t":"record"}'),
  },
  'all of it twice': {
    'disclosure.json': `{"disclosure":${JSON.stringify(disclosure)},"disclosure":{"default":"records"}}`,
  },
  'twice in base.json': {
    'base.json': JSON.stringify(base).replace(
      /\}$/,
      `,"disclosure":${JSON.stringify(disclosure)},"disclosure":{"default":"records"}}`,
    ),
  },
  'null in base.json': { 'base.json': { ...base, disclosure: null } },
  'no time between releases': { 'disclosure.json': { ...disclosure, releaseEvery: 'P0D' } },
  'a number as text': { 'disclosure.json': { ...disclosure, threshold: '50' } },
  'a tier as a list': { 'disclosure.json': { ...disclosure, default: ['records'] } },
  'a tier in a section': { 'disclosure.json': { default: 'records', disclosure } },
  'true as text': { 'disclosure.json': { ...disclosure, lowerBoundsToOldClients: 'true' } },
  'a prototype': { 'disclosure.json': `{"__proto__":${JSON.stringify(disclosure)}}` },
  'two files in one': {
    'disclosure.json': JSON.stringify(disclosure) + JSON.stringify({ default: 'records' }),
  },
  'another tier as its only key': { 'disclosure.json': { default: 'Records' } },
  'blanks only': { 'disclosure.json': ' \n\t' },
};

/** Of guarded records alone. */
const spoilt: Readonly<Record<string, Files>> = {
  removed: {},
  'removed, by an alias': { 'base.json': { ...base, esIndex: 'donors_now' } },
  'removed, under another id': { 'base.json': { ...base, catalogId: 'all' } },
  'removed, under another id and alias': {
    'base.json': { ...base, catalogId: 'all', esIndex: 'donors_now' },
  },
  'whole, but a backup beside it': { 'disclosure.json': disclosure, 'disclosure.json.bak': disclosure },
  'whole, but a misspelt file beside it': { 'disclosure.json': disclosure, 'extendet.json': [] },
  'whole, but an unknown key in base.json': {
    'disclosure.json': disclosure,
    'base.json': { ...base, disableDownload: true },
  },
  'whole, and another in base.json': {
    'disclosure.json': disclosure,
    'base.json': { ...base, disclosure: { default: 'records' } },
  },
  'whole, but an open catalogue by an alias': {
    'disclosure.json': disclosure,
    '../open/base.json': { ...base, catalogId: 'open', esIndex: 'donors_now' },
  },
  'in another folder': {
    '../other/base.json': { ...base, catalogId: 'other' },
    '../other/disclosure.json': disclosure,
  },
};

/** What is in the place of the file, in a catalogue's folder. */
const links: Readonly<Record<string, (folder: string) => void>> = {
  'a broken link': (folder) => symlinkSync('nowhere.json', join(folder, 'disclosure.json')),
  'a link to itself': (folder) => symlinkSync('disclosure.json', join(folder, 'disclosure.json')),
  'a link to a folder': (folder) => symlinkSync('.', join(folder, 'disclosure.json')),
  'a link to another file': (folder) => symlinkSync('base.json', join(folder, 'disclosure.json')),
  'a link to an empty file': (folder) => symlinkSync('/dev/null', join(folder, 'disclosure.json')),
  'a file that nobody may read': (folder) => {
    writeFileSync(join(folder, 'disclosure.json'), JSON.stringify({ default: 'counts' }), { mode: 0 });
  },
};

for (const wasGuarded of [true, false])
  test(`no misspelt or broken disclosure.json opens records that were ${wasGuarded ? '' : 'never '}guarded`, async (t) => {
    const { folder, env } = await prepared(t, wasGuarded);
    const opened: string[] = [];
    const cases = { ...misspelt, ...(wasGuarded ? spoilt : {}) };
    for (const [name, files] of Object.entries(cases)) {
      const configs = join(folder, 'spoilt');
      rmSync(configs, { recursive: true, force: true });
      cpSync(env.CONFIGS_PATH, configs, { recursive: true });
      for (const [file, content] of Object.entries(files)) {
        const path = join(configs, 'cohort', file);
        mkdirSync(join(path, '..'), { recursive: true });
        writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
      }
      for (const [id, answer] of Object.entries(await shown({ ...env, CONFIGS_PATH: configs })))
        if (answer.startsWith('opens')) opened.push(`${name}: ${id} ${answer}`);
    }
    for (const [name, link] of Object.entries(links)) {
      const configs = join(folder, 'linked');
      rmSync(configs, { recursive: true, force: true });
      cpSync(env.CONFIGS_PATH, configs, { recursive: true });
      link(join(configs, 'cohort'));
      const { cohort: linked } = await shown({ ...env, CONFIGS_PATH: configs });
      if (linked!.startsWith('opens')) opened.push(name);
    }
    t.deepEqual(opened, []);
  });

test('records that were guarded open when disclosure.json says so, and others as always', async (t) => {
  const { env } = await prepared(t, true);
  const file = join(env.CONFIGS_PATH, 'cohort/disclosure.json');
  writeFileSync(file, JSON.stringify({ default: 'records' }));
  t.deepEqual(await shown(env), { cohort: 'opens 5 records' });
  rmSync(file);
  const { cohort: refused } = await shown(env);
  t.regex(refused!, /cohort has no disclosure\.json, but .* write \{"default": "records"\}/);
});

test('records that were loaded anew under another id stay closed, as they are read by the name that was released', async (t) => {
  const { env } = await prepared(t, true);
  const configs = join(env.CONFIGS_PATH, 'cohort');
  writeFileSync(join(configs, 'base.json'), JSON.stringify({ ...base, esIndex: 'donors_now' }));
  writeFileSync(join(configs, 'disclosure.json'), JSON.stringify(disclosure));
  t.deepEqual(await shown(env), { cohort: 'NOT_DISCLOSED' });
  rmSync(join(configs, 'disclosure.json'));
  const renamed = { ...base, catalogId: 'all', esIndex: 'donors_now' };
  writeFileSync(join(configs, 'base.json'), JSON.stringify(renamed));

  const { all } = await shown(env, async (engine) => {
    await engine.manage({ kind: 'create', index: 'donors_2', mapping: { properties: cohortProperties } });
    await engine.write('donors_2', [{ kind: 'upsert', id: '0', document: documents[0]! }]);
    await engine.manage({ kind: 'alias', alias: 'donors_now', indices: ['donors_2'] });
  });
  t.regex(all!, /all has no disclosure\.json, but its records were released as catalogue cohort/);
});

/** Texts as they are, anything else as JSON. */
const fileText = (content: unknown): string =>
  typeof content === 'string' ? content : JSON.stringify(content);

/** Keys that disclosure.json has too, where they mean something else. */
const alike: Readonly<Record<string, Files>> = {
  'the unit of a field': {
    'extended.json': [{ fieldName: 'age', unit: 'years', displayValues: { default: 'none', order: '1' } }],
  },
  'whatever portals draw': { 'charts.json': { order: ['age'], unit: 'donors', default: { strata: 3 } } },
  'the same in base.json': {
    'base.json': {
      ...base,
      charts: { order: ['age'], default: 'age' },
      extended: [{ fieldName: 'age', unit: 'years' }],
    },
  },
  "a catalogue's description": {
    'catalogue.json': { title: 'A cohort', order: 1, unit: 'person', default: true },
  },
  'an index of hierarchies': {
    'hierarchies.json': {
      order: { file: 'icd10.csv' },
      unit: { file: 'icd10.csv' },
      default: { file: 'icd10.csv' },
    },
    'icd10.csv': 'code,parent\nC,\nC50,C\n',
  },
  "a network's profile": { 'network.json': { network: { disclosure: { threshold: 10 } } } },
};

const misplaced: Readonly<Record<string, Files>> = {
  'in base.json': { 'base.json': { ...base, unit: 'donor_id' } },
  'in facets.json': { 'facets.json': { aggregations: [], order: 3 } },
  'in table.json': { 'table.json': { columns: [{ fieldName: 'age', unit: 'years' }] } },
  'misspelt in extended.json': { 'extended.json': [{ fieldName: 'age', unitt: 'years' }] },
  'beside a network': { 'network.json': { network: {}, default: 'records' } },
  'misspelt in catalogue.json': { 'catalogue.json': { title: 'A cohort', disclosre: {} } },
};

test('keys that disclosure.json has too are read where they are known, and errors elsewhere', async (t) => {
  const { folder, env } = await prepared(t, true);
  const withFiles = async (files: Files, own: object): Promise<string> => {
    const configs = join(folder, 'alike');
    rmSync(configs, { recursive: true, force: true });
    cpSync(env.CONFIGS_PATH, configs, { recursive: true });
    for (const [file, content] of Object.entries({ 'disclosure.json': own, ...files }))
      writeFileSync(join(configs, 'cohort', file), fileText(content));
    return (await shown({ ...env, CONFIGS_PATH: configs }))['cohort']!;
  };
  for (const [own, expected] of [
    [disclosure, 'NOT_DISCLOSED'],
    [{ default: 'records' }, 'opens 5 records'],
  ] as const) {
    for (const [name, files] of Object.entries(alike)) t.is(await withFiles(files, own), expected, name);
    for (const [name, files] of Object.entries(misplaced))
      t.regex(await withFiles(files, own), /^unknown_error: .*: [\w.[\]]+ is /, name);
  }
});

test('what may be in the folder of a guarded catalogue', async (t) => {
  const { env } = await prepared(t, true);
  const folder = join(env.CONFIGS_PATH, 'cohort');
  const files = {
    'disclosure.json': disclosure,
    'extended.json': [],
    'mapping.json': { properties: cohortProperties },
    'hierarchies.json': { icd10: { file: 'icd10.csv' } },
    'icd10.csv': 'code,parent\nC,\nC50,C\n',
    'catalogue.json': { title: 'A cohort' },
    'README.md': 'Of the ethics board.',
    '.gitkeep': '',
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), fileText(content));
  t.deepEqual(await shown(env), { cohort: 'NOT_DISCLOSED' });
  writeFileSync(join(folder, 'disclosure.json.bak'), '');
  t.regex((await shown(env))['cohort']!, /disclosure\.json\.bak/);
});
