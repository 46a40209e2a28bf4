import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { writeFileSync } from 'node:fs';
import test from 'ava';
import type { Outcome } from './load-in.ts';
import { loadIn as load, settings } from './load-in.ts';
import { openEngine } from '../../../src/engines/open/open-engine.ts';
import type { IndexDescription } from '../../../src/engines/engine.ts';
import { temporaryFolder } from '../temporary-configs.ts';
import { programEnvironment, programFile } from '../../program.ts';

/** Starts `tributary load` as a separate process in that folder; `outcome` resolves when it has ended. */
const startLoad = (folder: string, argv: readonly string[]) => {
  const child = spawn(process.execPath, [programFile, 'load', ...argv], {
    cwd: folder,
    env: { ...programEnvironment, ...settings },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const outcome = once(child, 'close').then(([code]): Outcome => ({ code: code as number, output }));
  return { child, outcome, output: () => output };
};

/** Runs `tributary load` with that standard input, as a separate process. */
const loadFrom = (folder: string, argv: readonly string[], input: string): Promise<Outcome> => {
  const { child, outcome } = startLoad(folder, argv);
  child.stdin.end(input);
  return outcome;
};

const describe = async (folder: string, index: string): Promise<IndexDescription> => {
  const engine = await openEngine({ kind: 'embedded', dataPath: join(folder, 'data') });
  try {
    return await engine.describe(index);
  } finally {
    await engine.close();
  }
};

const json = (...path: string[]): unknown => JSON.parse(readFileSync(join(...path), 'utf8'));
const ships = '{"id":"a","rig":"brig","crew":[{"name":"Ann"}]}\n{"id":"b","rig":"bark"}\n';

test.serial('a load goes on when nobody reads what it prints', async (t) => {
  const names = Array.from({ length: 300 }, (_, at) => `c${String(at)}`).join();
  const folder = temporaryFolder({ 'wide.csv': `id,${names}\n1,${names.replaceAll('c', 'v ')}\n` });
  const { child, outcome } = startLoad(folder, ['wide.csv', '--catalogue', 'wide']);
  child.stdout.destroy();
  const { code, output } = await outcome;
  t.is(code, 0, output);
  t.is((await describe(folder, 'wide')).documents, 1);
});

/** Where the system has a device that is always full. */
const onFullDevice = existsSync('/dev/full') ? test.serial : test.serial.skip;

onFullDevice('a load whose output cannot be written is finished, and says so once', async (t) => {
  const folder = temporaryFolder({ 'ships.ndjson': ships });
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [programFile, 'load', 'ships.ndjson', '--catalogue', 'navy'], {
    cwd: folder,
    env: { ...programEnvironment, ...settings },
    stdio: ['ignore', full, 'pipe'],
  });
  closeSync(full);
  let errors = '';
  child.stderr!.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  t.is(errors, 'the output cannot be written: ENOSPC: no space left on device, write\n');
  t.is(code, 1);
  t.is((await describe(folder, 'navy')).documents, 2);
});

test.serial('a disk that fills before the starter folder leaves no part of a file there', async (t) => {
  const folder = temporaryFolder({ 'ships.ndjson': ships });
  const configs = join(folder, 'configs');
  mkdirSync(configs);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8k', 'none', configs], { stdio: 'ignore' });
  } catch {
    return t.pass('no disk can be mounted here');
  }
  t.teardown(() => void execFileSync('umount', ['-l', configs]));
  writeFileSync(join(configs, 'other'), Buffer.alloc(8_192));
  const full = await load(folder, ['ships.ndjson', '--catalogue', 'navy']);
  t.is(full.code, 1, full.output);
  t.regex(full.output, /configs\/navy\/extended\.json cannot be written: the disk has no room/);
  t.regex(full.output, /navy has 2 records now\n$/);
  t.deepEqual(readdirSync(join(configs, 'navy')), []);
});

test.serial('a new catalogue gets an index and a starter folder, and a second load updates', async (t) => {
  const folder = temporaryFolder({ 'ships.ndjson': ships });
  const first = await load(folder, ['ships.ndjson', '--catalogue', 'navy']);
  t.is(first.code, 0, first.output);
  t.regex(first.output, /loaded 2 documents into navy: 2 created, 0 updated, 0 rejected/);
  t.regex(first.output, /wrote base\.json, extended\.json, table\.json, facets\.json, mapping\.json/);
  t.like(json(folder, 'configs/navy/base.json'), { documentType: 'navy', esIndex: 'navy', maxDepth: 9 });
  t.like(await describe(folder, 'navy'), { documents: 2, properties: { crew: { type: 'nested' } } });

  const second = await load(folder, ['ships.ndjson', '--catalogue', 'navy']);
  t.is(second.code, 0, second.output);
  t.regex(second.output, /0 created, 2 updated/);
  t.notRegex(second.output, /wrote/);
});

test.serial('a bulk body with a mapping file and further names, without any configuration', async (t) => {
  const mapping = {
    settings: {},
    aliases: { fleet: {} },
    mappings: { dynamic: false, properties: { rig: { type: 'keyword' } } },
  };
  const bulk = '{"index":{"_id":"1"}}\n{"rig":"brig","more":1}\n';
  const folder = temporaryFolder({ 'm.json': mapping });
  writeFileSync(join(folder, 'docs'), gzipSync(bulk));
  const { code, output } = await load(folder, [
    'docs',
    '--index',
    'ships_1',
    '--alias',
    'ships',
    '--alias',
    'boats',
    '--mapping',
    'm.json',
  ]);
  t.is(code, 0, output);
  const described = await describe(folder, 'boats');
  t.deepEqual([...described.aliases].sort(), ['fleet', 'ships']);
  t.like(described, { indices: ['ships_1'], documents: 1, properties: { rig: { type: 'keyword' } } });
  t.false(existsSync(join(folder, 'configs')));
});

test.serial(
  'rejected lines end a load with 3 and are kept with their numbers, the others are in',
  async (t) => {
    const folder = temporaryFolder({ 'ships.ndjson': `${ships}{oops\n` });
    const { code, output } = await load(folder, ['ships.ndjson', '--index', 'ships']);
    t.is(code, 3);
    t.is((await describe(folder, 'ships')).documents, 2);
    t.regex(output, /1 rejected line, with its reason, is in ships\.ndjson\.rejected\.ndjson/);
    t.like(json(folder, 'ships.ndjson.rejected.ndjson'), { line: 3, text: '{oops' });
  },
);

test.serial('what a mapping excludes from _source is searched and counted, and never leaves', async (t) => {
  const secret = { type: 'keyword' };
  const properties = {
    rig: { type: 'keyword' },
    owner: { properties: { name: secret, port: secret } },
    crew: { type: 'nested', properties: { name: secret, rank: secret } },
  };
  const mapping = { _source: { excludes: ['owner.*', 'crew.na*'] }, properties };
  const lines = [
    { id: 'a', rig: 'brig', owner: { name: 'Ada', port: 'Oslo' }, crew: [{ name: 'Ann', rank: 'mate' }] },
    { id: 'b', rig: 'bark', 'owner.name': 'Bob', crew: [{ name: 'Cy', rank: 'cook' }, { name: 'Di' }] },
  ].map((one) => JSON.stringify(one));
  const folder = temporaryFolder({ 'm.json': { mappings: mapping }, 'ships.ndjson': lines.join('\n') });
  const first = await load(folder, ['ships.ndjson', '--catalogue', 'navy', '--mapping', 'm.json']);
  t.is(first.code, 0, first.output);
  t.like(json(folder, 'configs/navy/mapping.json'), { mappings: { _source: mapping._source } });
  const engine = await openEngine({ kind: 'embedded', dataPath: join(folder, 'data') });
  try {
    const name = { path: 'crew.name', type: 'keyword', nestedIn: ['crew'] };
    const found = async (source: readonly string[] | null) =>
      engine.search('navy', {
        hits: {
          filter: { kind: 'nested', path: 'crew', of: { kind: 'exists', field: name } },
          size: 9,
          offset: 0,
          sort: [],
          searchAfter: null,
          trackTotal: true,
          source,
        },
        facets: [
          {
            field: name,
            filter: { kind: 'all' },
            objects: {},
            measure: { kind: 'terms', size: 9, topHits: { source: null, size: 1 } },
          },
        ],
      });
    const whole = await found(null);
    t.deepEqual(
      whole.hits!.hits.map(({ source }) => source),
      [
        { id: 'a', rig: 'brig', owner: {}, crew: [{ rank: 'mate' }] },
        { id: 'b', rig: 'bark', owner: {}, crew: [{ rank: 'cook' }, {}] },
      ],
    );
    const part = await found(['owner', 'crew.name', 'rig']);
    t.false(/Ada|Oslo|Bob|Ann/.test(JSON.stringify(part.hits)), JSON.stringify(part.hits));
    const [facet] = whole.facets;
    t.like(facet, { buckets: [{ key: 'Ann', topHit: { rank: 'mate' } }, { key: 'Cy' }, { key: 'Di' }] });
    t.false(
      JSON.stringify(
        (facet as { buckets: readonly { topHit: unknown }[] }).buckets.map(({ topHit }) => topHit),
      ).includes('Ann'),
    );
  } finally {
    await engine.close();
  }
  writeFileSync(
    join(folder, 'm.json'),
    JSON.stringify({ _source: { excludes: ['rig', 'owner.*'] }, properties }),
  );
  for (const more of [[], ['--dry-run']]) {
    const later = await load(folder, [
      'ships.ndjson',
      '--catalogue',
      'navy',
      '--mapping',
      'm.json',
      '--id-field',
      'id',
      ...more,
    ]);
    t.is(later.code, 1);
    t.regex(
      later.output,
      /_source\.excludes of the mapping names rig, which the existing index shows: load with --replace/,
    );
  }
  writeFileSync(join(folder, 'm.json'), JSON.stringify({ properties: { rig: { type: 'keywrod' } } }));
  const wrong = await load(folder, ['ships.ndjson', '--catalogue', 'new', '--mapping', 'm.json']);
  t.is(wrong.code, 1);
  t.regex(
    wrong.output,
    /m\.json: field "rig" has the type "keywrod", which does not exist: did you mean "keyword"\?/,
  );
});

test.serial('standard input, without keys, into the index a catalogue names', async (t) => {
  const folder = temporaryFolder({ 'configs/navy/base.json': { documentType: 'ship', esIndex: 'ships_7' } });
  const { code, output } = await loadFrom(folder, ['-', '--catalogue', 'navy'], 'rig,guns\nbrig,8\nbark,\n');
  t.is(code, 0, output);
  t.regex(output, /keys are derived from the line number and content/);
  t.like(await describe(folder, 'ships_7'), { documents: 2, properties: { guns: { type: 'long' } } });
  t.false(existsSync(join(folder, 'configs/navy/mapping.json')));
});

test.serial('an empty file and a mapping start a catalogue too', async (t) => {
  const mapping = { mappings: { properties: { rig: { type: 'keyword' } } } };
  const folder = temporaryFolder({ 'm.json': mapping, 'ships.ndjson': '' });
  const { code, output } = await load(folder, ['ships.ndjson', '--catalogue', 'navy', '--mapping', 'm.json']);
  t.is(code, 0, output);
  t.true(existsSync(join(folder, 'configs/navy/base.json')), output);
});

test.serial('an empty file and a mapping create the index, to be filled later', async (t) => {
  const mapping = { mappings: { dynamic: 'strict', properties: { rig: { type: 'keyword' } } } };
  const folder = temporaryFolder({ 'm.json': mapping, 'ships.ndjson': '' });
  const { code, output } = await load(folder, ['ships.ndjson', '--index', 'ships', '--mapping', 'm.json']);
  t.is(code, 0, output);
  t.is(
    output,
    'created the index ships with its mapping; the file has no documents\nships has 0 records now\n',
  );
  t.like(await describe(folder, 'ships'), {
    documents: 0,
    dynamic: 'strict',
    properties: mapping.mappings.properties,
  });
});

test.serial('a replacement leaves nothing of the old documents', async (t) => {
  const folder = temporaryFolder({ 'ships.ndjson': ships, 'others.ndjson': '{"id":"c","masts":3}\n' });
  await load(folder, ['ships.ndjson', '--index', 'ships']);
  const { code, output } = await load(folder, ['others.ndjson', '--index', 'ships', '--replace']);
  t.is(code, 0, output);
  const described = await describe(folder, 'ships');
  t.is(described.documents, 1);
  t.regex(described.indices[0] ?? '', /^ships_\d{17}$/);
  t.deepEqual(Object.keys(described.properties), ['id', 'masts']);
});

test.serial(
  'the types of columns are shown, a mixed one with its lines, and options are proposed',
  async (t) => {
    const folder = temporaryFolder({
      'ships.csv': 'name;guns;built;lost\nArk;8;31.12.1799;no\nBrig;N/A;01.02.1801;yes\n',
    });
    const { code, output } = await load(folder, ['ships.csv', '--catalogue', 'navy', '--dry-run']);
    t.is(code, 0, output);
    t.is(
      output,
      `columns, from all 2 records (csv):
  column  type     example     empty  not fitting
  name    keyword  Ark             0            0
  guns    keyword  8               0            0
  built   keyword  31.12.1799      0            0
  lost    keyword  no              0            0
guns is mixed: 1 number (line 2: 8), 1 text (line 3: N/A); it is kept as keyword, which matches all of them
proposed: --null N/A: guns would be a number
proposed: --date-format dd.MM.yyyy: built would be a date
proposed: --types lost=boolean: lost would be a boolean
facets: name, guns, built, lost
as one command: tributary load ships.csv --catalogue navy --null N/A --date-format dd.MM.yyyy --types lost=boolean
nothing was written: 2 documents could be loaded, 0 records would be rejected
`,
    );
    t.deepEqual(readdirSync(folder), ['ships.csv']);
    const typed = ['--null', 'N/A', '--date-format', 'dd.MM.yyyy', '--types', 'lost=boolean'];
    const loaded = await load(folder, ['ships.csv', '--catalogue', 'navy', ...typed]);
    t.is(loaded.code, 0, loaded.output);
    t.like((await describe(folder, 'navy')).properties, {
      guns: { type: 'long' },
      built: { type: 'date' },
      lost: { type: 'boolean' },
    });
  },
);

test.serial('a dry run counts what would be rejected and leaves the rejects of the last load', async (t) => {
  const folder = temporaryFolder({
    'ships.ndjson': `${ships}{oops\n{"rig":"sloop"}\n`,
    'ships.ndjson.rejected.ndjson': 'kept',
  });
  const { code, output } = await load(folder, [
    'ships.ndjson',
    '--index',
    'ships',
    '--id-field',
    'id',
    '--dry-run',
  ]);
  t.is(code, 3);
  t.regex(output, /line 3: not JSON/);
  t.regex(output, /line 4: no value in id, the id field/);
  t.regex(output, /2 documents could be loaded, 2 records would be rejected/);
  t.deepEqual(readdirSync(folder).sort(), ['ships.ndjson', 'ships.ndjson.rejected.ndjson']);
});

test.serial(
  'fractions that are rounded are told in a line for each field, with the option that keeps them',
  async (t) => {
    const rows = ['a,0.12345678901234567891,1', 'b,0.22345678901234567891,0.5', 'c,3,45.6666666666666667'];
    const folder = temporaryFolder({ 'f.csv': `id,p value,q\n${rows.join('\n')}\n` });
    const told = [
      'p value: 2 fractions have more digits than a number keeps (line 2: 0.12345678901234567891) and are rounded. Use --types "p value=keyword" to keep the text.',
      'q: 1 fraction has more digits than a number keeps (line 4: 45.6666666666666667) and is rounded. Use --types q=keyword to keep the text.',
    ];
    for (const options of [['--dry-run'], []]) {
      const { output } = await load(folder, ['f.csv', '--index', 'f', ...options]);
      t.deepEqual(
        output.split('\n').filter((line) => line.includes('fraction')),
        told,
      );
    }
    const { output } = await load(folder, ['f.csv', '--index', 'g', '--types', 'p value=keyword,q=keyword']);
    t.notRegex(output, /fraction/);
  },
);

test.serial('a file of an old spreadsheet is read in its encoding', async (t) => {
  const folder = temporaryFolder({});
  writeFileSync(join(folder, 'a.csv'), Buffer.from('id;name\r\n1;Zo\xeb\r\n', 'latin1'));
  const refused = await load(folder, ['a.csv', '--index', 'x']);
  t.is(refused.code, 1);
  t.regex(refused.output, /not UTF-8.*--encoding windows-1252, in which this place reads "1;Zoë"/);
  t.is((await load(folder, ['a.csv', '--index', 'x', '--encoding', 'windows-1252'])).code, 0);
  writeFileSync(join(folder, 'b.csv'), Buffer.from('\uFEFFid\tname\r\n2\tZoë\r\n', 'utf16le'));
  t.is((await load(folder, ['b.csv', '--index', 'x'])).code, 0);
  t.like(await describe(folder, 'x'), { documents: 2, properties: { id: { type: 'long' } } });
});

test.serial('records that replace others of the same file are reported', async (t) => {
  const folder = temporaryFolder({ 'a.csv': 'id,rig\n1,brig\n1,bark\n2,brig\n' });
  const { code, output } = await load(folder, ['a.csv', '--index', 'x', '--id-field', 'id']);
  t.is(code, 0);
  t.regex(output, /1 record has a key in id that an earlier record has too/);
  for (const options of [['--dry-run'], []]) {
    const unasked = await load(folder, ['a.csv', '--index', 'y', ...options]);
    t.is(unasked.code, 0);
    t.regex(unasked.output, /id is not taken for the key of the records, since it repeats \(line 3: 1\)/);
    t.regex(unasked.output, /3 documents could be loaded|3 created, 0 updated/);
  }
});

test.serial(
  'a new mapping is kept with its catalogue, so that the next replacement has it too',
  async (t) => {
    const mapping = { mappings: { properties: { id: { type: 'keyword' }, rig: { type: 'text' } } } };
    const folder = temporaryFolder({ 'ships.ndjson': ships, 'm.json': mapping });
    await load(folder, ['ships.ndjson', '--catalogue', 'navy']);
    const { code, output } = await load(folder, [
      'ships.ndjson',
      '--catalogue',
      'navy',
      '--mapping',
      'm.json',
      '--replace',
    ]);
    t.is(code, 0, output);
    const kept = json(folder, 'configs/navy/mapping.json') as typeof mapping;
    t.deepEqual(kept.mappings.properties.rig, { type: 'text' });
    t.true('crew' in kept.mappings.properties, 'with what the documents added');
    await load(folder, ['ships.ndjson', '--catalogue', 'navy', '--replace']);
    t.like((await describe(folder, 'navy')).properties, { rig: { type: 'text' }, crew: { type: 'nested' } });
  },
);

test.serial('Ctrl-C ends a load with a summary of what is in, and 130', async (t) => {
  // with a closed mapping and a key nothing is inferred, so documents are written while the input is still read
  const mapping = { dynamic: 'strict', properties: { id: { type: 'long' } } };
  const folder = temporaryFolder({ 'm.json': JSON.stringify(mapping) });
  const argv = ['-', '--index', 'x', '--mapping', 'm.json', '--id-field', 'id'];
  const { child, outcome, output: printed } = startLoad(folder, argv);
  let id = 0;
  // more than the first records, which are read before any is written; the progress shows when some are
  while (!/[1-9][\d ]* documents, 0 rejected/.test(printed())) {
    const lines = Array.from({ length: 2_000 }, () => `{"id":${String(++id)}}\n`).join('');
    if (!child.stdin.write(lines)) await Promise.race([once(child.stdin, 'drain'), outcome]);
  }
  child.kill('SIGINT');
  const { code, output } = await outcome;
  t.is(code, 130, output);
  const [, count] = /loaded ([\d ]+) documents into x: .* 0 rejected/.exec(output) ?? [];
  t.regex(output, /stopped before the end of the file: ended by Ctrl-C/);
  t.is((await describe(folder, 'x')).documents, Number(count?.replaceAll(' ', '')));
});

test.serial('the process ends with the code of the load', async (t) => {
  const folder = temporaryFolder({ 'ships.ndjson': `${ships}{oops\n` });
  const { code, output } = await loadFrom(folder, ['ships.ndjson', '--index', 'ships'], '');
  t.is(code, 3, output);
});

for (const [what, files, argv, code, message] of [
  ['a missing file', {}, ['none.csv', '--index', 'x'], 1, /cannot read none\.csv/],
  ['an empty file', { 'e.csv': '' }, ['e.csv', '--index', 'x'], 1, /the file holds no documents$/m],
  [
    'a header without rows',
    { 'e.csv': 'a,b\n' },
    ['e.csv', '--index', 'x'],
    1,
    /the file holds no documents, only a header line/,
  ],
  [
    'columns that GraphQL cannot tell apart',
    { 'e.csv': 'Größe,Gräße\n1,2\n' },
    ['e.csv', '--index', 'x'],
    1,
    /"Größe" and "Gräße" would both be Gr__e in GraphQL: rename them in the header, for example to Groesse and Graesse/,
  ],
  [
    'fields that GraphQL cannot tell apart',
    { 'e.ndjson': '{"a b":1,"a-b":2}\n' },
    ['e.ndjson', '--index', 'x'],
    1,
    /"a b" and "a-b" would both be a_b in GraphQL: rename them, for example to a_b and a_b_2/,
  ],
  [
    'a type for no column',
    { 'e.csv': 'a,b\n1,2\n' },
    ['e.csv', '--index', 'x', '--types', 'c=long'],
    1,
    /--types names c, which is not a column: the header has a, b/,
  ],
  [
    'a file without one document',
    { 'b.ndjson': '{oops\n' },
    ['b.ndjson', '--index', 'x'],
    1,
    /no document could be loaded/,
  ],
  [
    'a broken mapping',
    { 'a.csv': 'a\n1\n', 'm.json': '{' },
    ['a.csv', '--index', 'x', '--mapping', 'm.json'],
    1,
    /the mapping m\.json is not JSON/,
  ],
  [
    'a wrong command line',
    {},
    ['a.csv'],
    2,
    /either --catalogue ID or --index NAME[^]*Usage: tributary load/,
  ],
] as const)
  test.serial(`${what} ends with ${String(code)} and the reason`, async (t) => {
    const folder = temporaryFolder(files);
    const outcome = await load(folder, argv);
    t.is(outcome.code, code, outcome.output);
    t.regex(outcome.output, message);
  });

for (const [what, files, argv, code, message] of [
  ['an empty file', { 'e.csv': '' }, ['e.csv'], 1, /the file holds no documents/],
  ['nothing but bad lines', { 'e.ndjson': '{oops\n' }, ['e.ndjson'], 1, /no document could be loaded/],
  [
    'an empty file with a mapping',
    { 'e.csv': '', 'm.json': '{"properties":{}}' },
    ['e.csv', '--mapping', 'm.json'],
    0,
    /0 documents could be loaded/,
  ],
  [
    'actions that delete',
    { 'e.ndjson': '{"delete":{"_id":"1"}}\n' },
    ['e.ndjson'],
    1,
    /no document could be loaded/,
  ],
] as const)
  test.serial(`a dry run of ${what} ends as the load would, with the same reason`, async (t) => {
    const folder = temporaryFolder(files);
    const trial = await load(folder, [...argv, '--index', 'x', '--dry-run']);
    t.is(trial.code, code, trial.output);
    t.regex(trial.output, message);
    const real = await load(folder, [...argv, '--index', 'x']);
    t.is(real.code, code, real.output);
  });

test.serial(
  'fields of a mapping file that GraphQL cannot tell apart are a warning for an index and refused for a catalogue',
  async (t) => {
    const keyword = { type: 'keyword' };
    const mapping = { mappings: { properties: { 'a b': keyword, 'a-b': keyword } } };
    const folder = temporaryFolder({
      'm.json': JSON.stringify(mapping),
      'e.ndjson': '{"id":1,"a b":"x"}\n',
      'more.ndjson': '{"id":2,"c":"y"}\n{"id":3,"a_b":"z"}\n',
    });
    const supplied = await load(folder, ['e.ndjson', '--index', 'x', '--mapping', 'm.json']);
    t.is(supplied.code, 0, supplied.output);
    t.regex(
      supplied.output,
      /warning: the fields "a b" and "a-b" would both be a_b in GraphQL: no catalogue can serve an index with both/,
    );
    const more = await load(folder, ['more.ndjson', '--index', 'x']);
    t.is(more.code, 3, more.output);
    t.like(JSON.parse(readFileSync(join(folder, 'more.ndjson.rejected.ndjson'), 'utf8')), {
      line: 2,
      reason: 'the fields "a-b" and "a_b" would both be a_b in GraphQL: rename one of them',
    });
    const served = await load(folder, ['e.ndjson', '--catalogue', 'y', '--mapping', 'm.json']);
    t.is(served.code, 1, served.output);
    t.regex(
      served.output,
      /"a b" and "a-b" would both be a_b in GraphQL: rename them, for example to a_b and a_b_2/,
    );
  },
);

test.serial(
  'keys with dots are objects: in the mapping, the key, the documents; one that names no field is rejected',
  async (t) => {
    const lines = ['{"k.id":"1","o.n":1,"o":{"n":2}}', '{"k.id":"2","o..n":1}', '{"k":{"id":"3"},"o.":1}'];
    const folder = temporaryFolder({ 'dots.ndjson': lines.join('\n') });
    const { code, output } = await load(folder, ['dots.ndjson', '--index', 'dots', '--id-field', 'k.id']);
    t.regex(output, /loaded 1 document into dots: 1 created, 0 updated, 2 rejected/, String(code));
    const { properties } = await describe(folder, 'dots');
    const keyword = { type: 'keyword', ignore_above: 8000 };
    t.deepEqual(properties, {
      k: { properties: { id: keyword } },
      o: { properties: { n: { type: 'long' } } },
    });
    const rejected = readFileSync(join(folder, 'dots.ndjson.rejected.ndjson'), 'utf8').trim().split('\n');
    t.deepEqual(
      rejected.map((line) => (JSON.parse(line) as { reason: string }).reason),
      ['o..n', 'o.'].map(
        (key) =>
          `the key "${key}" has an empty part: dots stand between the names of objects and fields, as in "a.b"`,
      ),
    );
  },
);

test.serial('the last line of a load says how many records are there, also where it failed', async (t) => {
  const folder = temporaryFolder({
    'a.csv': 'id,n\n1,5\n',
    'b.ndjson': '{"id":2,"n":6}\n{oops\n',
    'c.csv': 'a,b\n1,2,3\n',
    'd.xml': '<a></a>',
  });
  const last = async (argv: readonly string[]) =>
    (await load(folder, [...argv, '--index', 'x'])).output.trimEnd().split('\n').at(-1);
  t.is(await last(['c.csv']), 'there is no index x');
  t.is(await last(['gone.csv']), 'there is no index x');
  t.is(await last(['a.csv']), 'x has 1 record now');
  t.is(await last(['b.ndjson']), 'x has 2 records now');
  t.is(await last(['c.csv']), 'x has 2 records now');
  t.is(await last(['d.xml']), 'x has 2 records now');
  t.is(await last(['c.csv', '--skip', '1', '--no-header', '--append']), 'x has 3 records now');
});

test.serial('a question ends with a command that settles it', async (t) => {
  const folder = temporaryFolder({ 'c d.csv': 'a,b\n1,2,3\n' });
  for (const options of [[], ['--dry-run']]) {
    const { code, output } = await load(folder, ['c d.csv', '--index', 'x', ...options]);
    t.is(code, 1);
    t.true(
      output.includes(
        `\nas one command: tributary load "c d.csv" --index x${options.map((one) => ` ${one}`).join('')} --skip 1 --no-header --delimiter ','\n`,
      ),
      output,
    );
  }
});
