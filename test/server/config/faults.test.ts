import { join } from 'node:path';
import test from 'ava';
import { loadConfig } from '../../../src/server/config/load.ts';
import { standard } from '../../../src/standard.ts';
import { sound } from '../../../src/server/node/networks.ts';
import { readServed } from '../../../src/server/node/open-server.ts';
import { problemsOf, type Problem } from '../../../src/lib/text/problem.ts';
import { temporaryFolder } from './temporary-folder.ts';

type Files = Readonly<Record<string, unknown>>;

const remote = { nodeId: 'b', graphqlUrl: 'https://b.example/graphql', documentType: 'tree' };
const hub = { name: 'eu', url: 'https://eu.example', nodeId: 'here', key: 'k'.repeat(43), catalogue: 'park' };
const open = { token: { algorithms: ['RS256'] }, catalogues: { park: { public: 'everything' } } };
const guarded = { disclosure: { default: 'counts', unit: 'id', dimensions: [{ fieldName: 'genus' }] } };
const repository = { kind: 'study', code: 's', baseUrl: 'https://s.example', indexName: 'trees' };
const keys = { JWKS_URL: 'https://id.example/keys' };

type Row = readonly [
  fault: string,
  files: Files,
  env: Readonly<Record<string, string>>,
  found: Partial<Problem>,
];

/** Files whose variables are set where they exist. */
const variables = {
  'nodes.json': 'NODES_PATH',
  'hubs.json': 'HUBS_PATH',
  'access.json': 'ACCESS_FILTER_PATH',
  'portal.json': 'PORTAL_PATH',
  'repositories.json': 'REPOSITORIES_PATH',
} as const;

const ofFile = (file: string, key: string, reason: string, near?: string): Partial<Problem> => ({
  severity: 'error',
  ...{ file, key, reason },
  ...(near !== undefined && { near }),
});
const ofVariable = (key: string, reason: string): Partial<Problem> => ({
  severity: 'error',
  ...{ file: null, key, reason },
});

const faults: readonly Row[] = [
  [
    'a wrong switch',
    {},
    { DISABLE_FILTERS: 'yes' },
    ofVariable('DISABLE_FILTERS', 'cannot be "yes": true, false, 1 or 0 expected'),
  ],
  [
    'a limit that cannot hold',
    {},
    { SEARCH_TIMEOUT_MS: '0' },
    ofVariable('SEARCH_TIMEOUT_MS', 'cannot be "0": 1 to 2147483647 expected'),
  ],
  [
    'a wrong value of an old name',
    {},
    { PORTAL: 'no' },
    ofVariable('PORTAL', 'cannot be "no": off, on expected'),
  ],
  [
    'a secret twice',
    {},
    { ES_PASS: 'x', ES_PASS_FILE: 'y' },
    ofVariable('ES_PASS', 'and ES_PASS_FILE are both set: unset one of them'),
  ],
  [
    'a service that others reach',
    {},
    { INDEXING_HOST: '0.0.0.0' },
    ofVariable('INDEXING_HOST', '"0.0.0.0" is reachable by others: set INDEXING_TOKEN too'),
  ],
  [
    'a misspelt section of nodes.json',
    { 'nodes.json': { default: {}, nodes: [remote] } },
    {},
    ofFile('nodes.json', 'default', 'is unknown: did you mean defaults?', 'defaults'),
  ],
  [
    'a misspelt key of a node',
    { 'nodes.json': { nodes: [{ ...remote, timeoutM: 1 }] } },
    {},
    ofFile('nodes.json', 'node "b": timeoutM', 'is unknown: did you mean timeoutMs?', 'timeoutMs'),
  ],
  [
    'a misspelt key within a node',
    { 'nodes.json': { nodes: [{ ...remote, units: { height: { facto: 2 } } }] } },
    {},
    ofFile('nodes.json', 'node "b": units.height.facto', 'is unknown: did you mean factor?', 'factor'),
  ],
  [
    'a node without an id',
    { 'nodes.json': { nodes: [{ graphqlUrl: 'https://b.example' }] } },
    {},
    ofFile('nodes.json', 'node number 1: nodeId', 'is missing: a text expected'),
  ],
  [
    'a time limit that no node can have',
    { 'nodes.json': { nodes: [{ ...remote, discoveryTimeoutMs: 0 }] } },
    {},
    ofFile('nodes.json', 'node "b": discoveryTimeoutMs', 'too small: expected number to be >=1'),
  ],
  [
    'a duration',
    { 'nodes.json': { defaults: { rediscover: '1m' }, nodes: [remote] } },
    {},
    ofFile('nodes.json', 'defaults.rediscover', 'expected a duration of PT1S to PT24H, such as "PT1M"'),
  ],
  [
    'a misspelt key of a hub',
    { 'hubs.json': { hubs: [{ ...hub, catalog: 'x' }] } },
    {},
    ofFile('hubs.json', 'hubs.0.catalog', 'is unknown: did you mean catalogue?', 'catalogue'),
  ],
  [
    'a hub without an address',
    { 'hubs.json': { hubs: [{ ...hub, url: undefined }] } },
    {},
    ofFile('hubs.json', 'hubs.0.url', 'is missing: a text expected'),
  ],
  [
    'a misspelt key of the access file',
    { 'access.json': { ...open, netwrok: {} } },
    keys,
    ofFile('access.json', 'netwrok', 'is unknown: did you mean network?', 'network'),
  ],
  [
    'misspelt rules',
    { 'access.json': { ...open, catalogues: { park: { rule: [] } } } },
    keys,
    ofFile('access.json', 'catalogues.park.rule', 'is unknown: did you mean rules?', 'rules'),
  ],
  [
    'an access file without tokens',
    { 'access.json': { catalogues: {} } },
    keys,
    ofFile('access.json', 'token', 'is missing: an object expected'),
  ],
  [
    'a misspelt key of the portal',
    { 'portal.json': { acent: {} } },
    {},
    ofFile('portal.json', 'acent', 'is unknown: did you mean accent?', 'accent'),
  ],
  [
    'a wrong type in the portal',
    { 'portal.json': { hiddenFacets: 'id' } },
    {},
    ofFile('portal.json', 'hiddenFacets', 'is wrong: a list expected, found a text'),
  ],
  [
    'a misspelt key of a repository',
    { 'repositories.json': { repositories: [{ ...repository, pagesize: 10 }] } },
    {},
    ofFile('repositories.json', 'repositories[0].pagesize', 'is unknown: did you mean pageSize?', 'pageSize'),
  ],
  [
    'a repository without an address',
    { 'repositories.json': { repositories: [{ ...repository, baseUrl: undefined }] } },
    {},
    ofFile(
      'repositories.json',
      'repositories[0].baseUrl',
      'is missing: an http or https URL without user, password, query and fragment expected',
    ),
  ],
  [
    'a repository of another kind',
    {},
    { MAESTRO_REPOSITORIES_0_TYPE: 'EGO' },
    ofVariable('MAESTRO_REPOSITORIES_0_TYPE', 'is wrong: SONG or LYRIC expected'),
  ],
  [
    'a credential of a repository that is not set',
    {
      'repositories.json': {
        repositories: [{ ...repository, credential: { header: 'authorization', env: 'STUDIES' } }],
      },
    },
    {},
    ofFile(
      'repositories.json',
      'repositories[0].credential.env',
      'names the variable STUDIES, which is not set: the value of the header authorization expected in it',
    ),
  ],
];

/** Faults within the folder of a catalogue, which fail only that one at the start. */
const ofCatalogues: readonly (readonly [fault: string, files: Files, found: Partial<Problem>])[] = [
  [
    'a file that is not JSON',
    { table: '{' },
    ofFile('table.json', '', 'is not JSON (line 1 column 2): a key in double quotes or } expected'),
  ],
  [
    'a list in place of an object',
    { base2: [] },
    ofFile('base2.json', '', 'is no object with keys such as catalogId, description, documentType, esIndex'),
  ],
  [
    'a wrong type of what concerns the index',
    { base: { documentType: 'tree', esIndex: 5 } },
    ofFile('base.json', 'esIndex', 'is wrong: a text expected, found a number'),
  ],
  [
    'two files that disagree',
    { other: { maxDepth: 5 }, second: { maxDepth: 6 } },
    ofFile(
      'second.json',
      'maxDepth',
      'is another than in other.json: give it in one of them, or the same in all',
    ),
  ],
  [
    'a misspelt key beside a disclosure.json',
    { disclosure: guarded, facets: { agregations: [] } },
    ofFile('facets.json', 'agregations', 'is unknown: did you mean aggregations?', 'aggregations'),
  ],
  [
    'a misspelt name of disclosure.json',
    { disclosures: { default: 'counts' } },
    ofFile('disclosures.json', '', 'is not read: disclosure.json is the only name; move copies elsewhere'),
  ],
  [
    'an index by its former name',
    { base: { documentType: 'tree', index: 'trees' } },
    ofFile('base.json', 'index', 'is there and no esIndex: rename it to esIndex, its name since release 3.1'),
  ],
  [
    'a network without nodes',
    { network: { network: 'park' } },
    ofFile('network.json', 'network', 'is wrong: an object expected, found a text'),
  ],
];

/** Everything that is wrong with a configuration, with files by their names. */
const problems = (
  folder: string,
  files: Files,
  env: Readonly<Record<string, string>>,
): readonly Problem[] => {
  const named = Object.entries(variables).flatMap(([file, name]) =>
    Object.hasOwn(files, file) ? [[name, join(folder, file)] as const] : [],
  );
  try {
    const config = loadConfig({
      ...{ NODES_PATH: 'off', HUBS_PATH: 'off', SERVER_HOST: '127.0.0.1' },
      ...{ CONFIGS_PATH: join(folder, 'configs'), ...Object.fromEntries(named), ...env },
    });
    sound(config, standard);
    return [];
  } catch (error) {
    return problemsOf(error).map((one) => ({ ...one, file: one.file?.split('/').at(-1) ?? null }));
  }
};

const base = { 'configs/park/base.json': { documentType: 'tree', esIndex: 'trees' } };

for (const [fault, files, env, found] of faults)
  test(`one reading finds ${fault}: file, key, reason and the nearest name`, (t) => {
    t.deepEqual(problems(temporaryFolder(t, { ...base, ...files }), files, env), [found as Problem]);
  });

for (const [fault, files, found] of ofCatalogues)
  test(`one reading finds ${fault} of a catalogue: file, key, reason and the nearest name`, async (t) => {
    const named = Object.entries(files).map(([name, content]) => [`configs/park/${name}.json`, content]);
    const folder = temporaryFolder(t, { ...base, ...(Object.fromEntries(named) as Files) });
    const env = { NODES_PATH: 'off', HUBS_PATH: 'off', CONFIGS_PATH: join(folder, 'configs') };
    const { catalogues } = await readServed(loadConfig(env));
    t.deepEqual(catalogues[0]!.problems.slice(0, 1), [found as Problem]);
  });

test('what is wrong in several files is found at once', (t) => {
  const files = {
    'nodes.json': '{',
    'access.json': '[',
    'portal.json': { acent: {} },
    'repositories.json': { repositories: [{ ...repository, baseUrl: 'x' }] },
  };
  const found = problems(temporaryFolder(t, { ...base, ...files }), files, keys);
  const texts = found.map(({ file, key, reason }) => `${file ?? ''} ${key} ${reason}`);
  for (const part of [/nodes\.json {2}is not JSON/, /access\.json {2}is not JSON/, /acent/, /baseUrl/])
    t.true(
      texts.some((text) => part.test(text)),
      `${String(part)} in ${texts.join('\n')}`,
    );
  const sound = {
    'nodes.json': { defaults: { x: 1 }, nodes: [remote] },
    'hubs.json': { hubs: [{ ...hub, y: 1 }] },
  };
  t.deepEqual(
    problems(temporaryFolder(t, { ...base, ...sound }), sound, {}).map(({ file, key }) => [file, key]),
    [
      ['nodes.json', 'defaults.x'],
      ['hubs.json', 'hubs.0.y'],
    ],
  );
});

test('a guarded catalogue that others reach without an access file is found, unless that is meant', (t) => {
  const files = { 'configs/park/disclosure.json': guarded };
  const folder = temporaryFolder(t, { ...base, ...files });
  t.deepEqual(problems(folder, files, {}), []);
  t.regex(problems(folder, files, { SERVER_HOST: '0.0.0.0' })[0]!.reason, /catalogue park is guarded/);
});
