import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import test from 'ava';
import type { Environment } from '../../../../src/server/config/environment.ts';
import { loadConfig, loadSettings } from '../../../../src/server/config/load.ts';
import { readRepositories } from '../../../../src/server/config/repositories/repositories.ts';
import { TributaryError } from '../../../../src/lib/errors/errors.ts';
import { problemsOf as problemsIn } from '../../../../src/lib/text/problem.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { texts } from '../texts.ts';

const study = {
  kind: 'study',
  code: 'ARCHIVE',
  baseUrl: 'https://archive.example.org/song',
  indexName: 'plays',
};
const record = {
  kind: 'record',
  code: 'Register',
  baseUrl: 'http://127.0.0.1:3030',
  indexName: 'plays',
  categoryId: '7',
};

const fileOf = (t: ExecutionContext, content: unknown): string =>
  join(temporaryFolder(t, { 'repositories.json': content }), 'repositories.json');

/** The problems of a file, without its folder. */
const problemsOf = (t: ExecutionContext, content: unknown, env: Environment = {}): string[] => {
  const file = fileOf(t, content);
  const error = t.throws(() => readRepositories(env, file), {
    instanceOf: TributaryError,
    code: 'CONFIG_INVALID',
  });
  const problems = texts(problemsIn(error));
  t.is(error?.message, problems.join('; '));
  return problems.map((problem) => problem.replaceAll(file, 'FILE'));
};

test('a file of both kinds, with what it leaves out', (t) => {
  const { repositories, warnings } = readRepositories({}, fileOf(t, { repositories: [study, record] }));
  const defaults = { pageSize: 100, timeoutMs: 30_000, exclude: [], map: [] };
  t.deepEqual(repositories, [
    { ...study, ...defaults, displayName: 'ARCHIVE', documents: 'analysis', indexableStates: ['PUBLISHED'] },
    { ...record, ...defaults, displayName: 'Register', validOnly: true },
  ] as never);
  t.deepEqual(warnings, []);
});

test('a file with every key', (t) => {
  const entry = {
    ...study,
    displayName: 'The archive',
    pageSize: 20,
    timeoutMs: 5000,
    credential: { header: 'Authorization', env: 'ARCHIVE_TOKEN' },
    exclude: ['A-1'],
    map: [
      { rename: 'a.b', to: 'a.c' },
      { drop: 'd' },
      { constant: 'e', value: { f: [null] } },
      { flatten: 'g' },
    ],
    documents: 'file',
    indexableStates: ['PUBLISHED', 'UNPUBLISHED'],
  };
  const file = fileOf(t, { repositories: [entry] });
  t.deepEqual(readRepositories({ ARCHIVE_TOKEN: 'Bearer s3cret' }, file).repositories, [
    {
      ...entry,
      credential: { header: 'Authorization', value: 'Bearer s3cret' },
      map: [
        { kind: 'rename', from: 'a.b', to: 'a.c' },
        { kind: 'drop', path: 'd' },
        { kind: 'constant', path: 'e', value: { f: [null] } },
        { kind: 'flatten', path: 'g' },
      ],
    },
  ] as never);
});

test('every problem is named with file, entry and key', (t) => {
  const entries = [
    { ...study, baseUrl: 'ftp://x', pageSize: 0, indexName: 'a*', pagesize: 3, colour: 'red' },
    { kind: 'record', code: 'archive', baseUrl: 'http://user:pw@x', indexName: 'i', validOnly: 'yes' },
    { code: 'C' },
    7,
    {
      ...study,
      code: 'a/b',
      exclude: [1],
      indexableStates: [],
      map: [{ drop: 'a..b' }, { move: 'x' }, null],
    },
    { ...record, code: 'D', documents: 'file', credential: { header: 'a b', envs: 'X' } },
  ];
  t.deepEqual(problemsOf(t, { repositories: entries, repository: [] }), [
    'FILE: repository is unknown: only repositories is read',
    'FILE: repositories[3] is wrong: an object expected',
    'FILE: repositories[0].baseUrl is wrong: an http or https URL without user, password, query and fragment expected',
    'FILE: repositories[0].indexName is wrong: the name of one index or alias expected',
    'FILE: repositories[0].pageSize is wrong: a whole number of 1 to 10000 expected',
    'FILE: repositories[0].pagesize is unknown: did you mean pageSize?',
    'FILE: repositories[0].colour is unknown: known are kind, code, displayName, baseUrl, indexName, pageSize, timeoutMs, credential, exclude, map, documents, indexableStates',
    'FILE: repositories[1].baseUrl is wrong: an http or https URL without user, password, query and fragment expected',
    'FILE: repositories[1].categoryId is missing: the id of a category, as a text expected',
    'FILE: repositories[1].validOnly is wrong: true or false expected',
    'FILE: repositories[2].kind is missing: "study" or "record" expected',
    'FILE: repositories[4].code is wrong: a code without spaces, slashes, ?, # and % expected',
    'FILE: repositories[4].exclude[0] is wrong: an id expected',
    'FILE: repositories[4].map[0] is wrong: one of {"rename", "to"}, {"drop"}, {"constant", "value"} and {"flatten"} with dotted paths expected',
    'FILE: repositories[4].map[1] is wrong: one of {"rename", "to"}, {"drop"}, {"constant", "value"} and {"flatten"} with dotted paths expected',
    'FILE: repositories[4].map[2] is wrong: one of {"rename", "to"}, {"drop"}, {"constant", "value"} and {"flatten"} with dotted paths expected',
    'FILE: repositories[4].indexableStates is wrong: a list of at least one state expected',
    "FILE: repositories[5].credential.header is wrong: a header's name expected",
    'FILE: repositories[5].credential.env is missing: the name of the variable that holds the value expected',
    'FILE: repositories[5].credential.envs is unknown: did you mean env?',
    'FILE: repositories[5].documents is unknown: known are kind, code, displayName, baseUrl, indexName, pageSize, timeoutMs, credential, exclude, map, categoryId, validOnly',
    'FILE: repositories[1].code is "archive", as that of repositories[0]',
  ]);
});

test('a credential that is not set or cannot be sent is named, never repeated', (t) => {
  const entry = { ...study, credential: { header: 'Authorization', env: 'ARCHIVE_TOKEN' } };
  t.deepEqual(problemsOf(t, { repositories: [entry] }), [
    'FILE: repositories[0].credential.env names the variable ARCHIVE_TOKEN, which is not set: the value of the header Authorization expected in it',
  ]);
  t.deepEqual(problemsOf(t, { repositories: [entry] }, { ARCHIVE_TOKEN: 's3cret\nx' }), [
    'FILE: repositories[0].credential.env names the variable ARCHIVE_TOKEN, whose value cannot be sent in a header: printable ASCII expected',
  ]);
});

test('a file that is missing, broken or something else', (t) => {
  const missing = join(temporaryFolder(t, {}), 'none.json');
  t.throws(() => readRepositories({}, missing), {
    code: 'CONFIG_INVALID',
    message: /^REPOSITORIES_PATH names ".*none\.json", which does not exist$/,
  });
  t.regex(problemsOf(t, '{')[0]!, /^FILE is not JSON/);
  t.deepEqual(problemsOf(t, [study]), ['FILE is wrong: {"repositories": [...]} expected']);
});

const variables = {
  MAESTRO_REPOSITORIES_0_TYPE: 'SONG',
  MAESTRO_REPOSITORIES_0_CODE: 'song.a',
  MAESTRO_REPOSITORIES_0_NAME: 'Song A',
  MAESTRO_REPOSITORIES_0_BASE_URL: 'http://song:8080/',
  MAESTRO_REPOSITORIES_0_INDEX_NAME: 'analyses',
  MAESTRO_REPOSITORIES_0_PAGINATION_SIZE: '50',
  MAESTRO_REPOSITORIES_0_SONG_INDEXABLE_STUDY_STATES: 'PUBLISHED, SUPPRESSED',
  MAESTRO_REPOSITORIES_0_SONG_INDEXING_MODE: 'file',
  MAESTRO_REPOSITORIES_12_TYPE: 'lyric',
  MAESTRO_REPOSITORIES_12_CODE: 'lyric.b',
  MAESTRO_REPOSITORIES_12_NAME: '',
  MAESTRO_REPOSITORIES_12_BASE_URL: 'http://lyric:3030',
  MAESTRO_REPOSITORIES_12_INDEX_NAME: 'records',
  MAESTRO_REPOSITORIES_12_LYRIC_CATEGORY_ID: '2',
  MAESTRO_REPOSITORIES_12_LYRIC_VALID_DATA_ONLY: 'false',
};

test('the established variables, with a gap in the numbers', (t) => {
  const {
    indexing: { repositories },
    warnings,
  } = loadSettings(variables);
  const defaults = { timeoutMs: 30_000, exclude: [], map: [] };
  t.deepEqual(repositories, [
    {
      ...defaults,
      kind: 'study',
      code: 'song.a',
      displayName: 'Song A',
      baseUrl: 'http://song:8080/',
      indexName: 'analyses',
      pageSize: 50,
      documents: 'file',
      indexableStates: ['PUBLISHED', 'SUPPRESSED'],
    },
    {
      ...defaults,
      kind: 'record',
      code: 'lyric.b',
      displayName: 'lyric.b',
      baseUrl: 'http://lyric:3030',
      indexName: 'records',
      pageSize: 100,
      categoryId: '2',
      validOnly: false,
    },
  ]);
  t.deepEqual(warnings, []);
});

test('problems with the variables are reported by their names', (t) => {
  const wrong = {
    MAESTRO_REPOSITORIES_1_TYPE: 'SONG',
    MAESTRO_REPOSITORIES_1_PAGINATION_SIZE: 'many',
    MAESTRO_REPOSITORIES_1_CODE: 'SONG.A',
    MAESTRO_REPOSITORIES_2_CODE: 'c',
    MAESTRO_REPOSITORIES_3_TYPE: 'EGO',
  };
  const error = t.throws(() => loadSettings({ ...variables, ...wrong }), { code: 'CONFIG_INVALID' });
  t.deepEqual(texts(problemsIn(error)), [
    'MAESTRO_REPOSITORIES_1_BASE_URL is missing: an http or https URL without user, password, query and fragment expected',
    'MAESTRO_REPOSITORIES_1_INDEX_NAME is missing: the name of one index or alias expected',
    'MAESTRO_REPOSITORIES_1_PAGINATION_SIZE is wrong: a whole number of 1 to 10000 expected',
    'MAESTRO_REPOSITORIES_2_TYPE is missing: SONG or LYRIC expected',
    'MAESTRO_REPOSITORIES_3_TYPE is wrong: SONG or LYRIC expected',
    'MAESTRO_REPOSITORIES_1_CODE is "SONG.A", as that of MAESTRO_REPOSITORIES_0',
  ]);
});

test('variables that are unknown, or of the other kind, are warned about', (t) => {
  const { warnings } = loadSettings({
    ...variables,
    MAESTRO_REPOSITORIES_0_LYRIC_CATEGORY_ID: '3',
    MAESTRO_REPOSITORIES_0_BASEURL: 'http://x',
    MAESTRO_REPOSITORY_12_CODE: 'x',
    MAESTRO_REPOSITORIES_0_KAFKA_DOCUMENT_UPDATE_TOPIC: 'x',
    MAESTRO_LOGGING_LEVEL: 'info',
  });
  t.deepEqual(texts(warnings), [
    'MAESTRO_REPOSITORIES_0_BASEURL is unknown: did you mean MAESTRO_REPOSITORIES_0_BASE_URL?',
    'MAESTRO_REPOSITORY_12_CODE is unknown: did you mean MAESTRO_REPOSITORIES_12_CODE?',
    'MAESTRO_REPOSITORIES_0_KAFKA_DOCUMENT_UPDATE_TOPIC is unknown: it is ignored',
    'MAESTRO_REPOSITORIES_0_LYRIC_CATEGORY_ID is ignored: it has no effect with TYPE SONG',
  ]);
});

test('a key that the file has twice is a warning', (t) => {
  const text = JSON.stringify({ repositories: [{ ...study, exclude: ['a'] }] });
  const file = fileOf(t, text.replace('"exclude"', '"exclude":["b"],"exclude"'));
  t.deepEqual(texts(readRepositories({}, file).warnings), [
    `${file} has the key exclude twice in one object (line 1): keep one; the last is read`,
  ]);
});

test('file and variables together stand in the frozen settings, the file first', (t) => {
  const folder = temporaryFolder(t, {
    'c/base.json': { documentType: 'play', esIndex: 'plays' },
    'repositories.json': { repositories: [record] },
  });
  const config = loadConfig({
    ...variables,
    CONFIGS_PATH: join(folder, 'c'),
    NODES_PATH: 'off',
    REPOSITORIES_PATH: join(folder, 'repositories.json'),
  });
  const { repositories } = config.indexing;
  t.deepEqual(
    repositories.map(({ code }) => code),
    ['Register', 'song.a', 'lyric.b'],
  );
  t.true(Object.isFrozen(repositories[1]?.map));
});

test('without any there are none', (t) => {
  t.deepEqual(loadSettings({}).indexing.repositories, []);
});
