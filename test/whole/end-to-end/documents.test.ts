import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { parse } from 'graphql';
import ts from 'typescript';
import { accessFile } from '../../../src/capabilities/access/access-file.ts';
import { packagePath } from '../../../src/lib/runtime/server-version.ts';
import { ensureSample } from '../../../src/cli/sample/sample.ts';
import { readRepositories } from '../../../src/server/config/repositories/repositories.ts';
import { openEngine } from '../../../src/engines/open/open-engine.ts';
import { readNodes } from '../../../src/federation/config/read-nodes.ts';
import { parseSqon } from '../../../src/sqon/parse.ts';
import { runHere } from '../../cli/run-here.ts';
import { temporaryFolder } from '../../server/config/temporary-folder.ts';
import { postQuery, run, startNode, type RunningNode } from './processes.ts';

/** One block of code of a document. */
interface Block {
  readonly language: string;
  readonly text: string;
  /** The document and what the block begins with. */
  readonly name: string;
}

interface Context {
  readonly t: ExecutionContext;
  readonly sample: RunningNode;
  /** The block that follows: mostly its answer. */
  readonly next: Block | undefined;
}

type Check = (block: Block, context: Context) => unknown;

const blocksOf = (document: string): readonly Block[] =>
  [...readFileSync(packagePath(document), 'utf8').matchAll(/^ *```(\w*)\n(.*?)^ *```$/gms)].map(
    ([, language = '', text = '']) => ({ language, text, name: `${document}: ${text.trim().slice(0, 60)}` }),
  );

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  // each example of docs/filters.md is a case of the conformance suite: test/engines/cases/documented.ts
  ...readdirSync(packagePath('docs'))
    .filter((name) => name.endsWith('.md') && name !== 'filters.md')
    .map((name) => `docs/${name}`),
  'docs/museums/README.md',
];

/** The request that a line with curl sends. */
const curlOf = (text: string): { path: string; query: string; variables: Record<string, unknown> } => {
  const [, path, body] = /^curl -s http:\/\/127\.0\.0\.1:\d+(\S+) .*? -d '(.*)'$/s.exec(text.trim())!;
  const { query, variables = {} } = JSON.parse(body!) as {
    query: string;
    variables?: Record<string, unknown>;
  };
  return { path: path!, query, variables };
};

const helped = new Map<string, Promise<{ readonly output: string }>>();

/** What a command prints as its help: once for all blocks. */
const helpOf = async (command: string): Promise<string> => {
  const printed = helped.get(command) ?? run([command, '--help'], {});
  helped.set(command, printed);
  return (await printed).output;
};

/** Shell: it parses; what it runs of this project is there, with those options. */
const shell: Check = async ({ text }, { t }) => {
  // with a prompt, what follows a command is its output
  const [, prompted] = /^\$ ((?:.*\\\n)*.*)/.exec(text) ?? [];
  t.notThrows(() => execFileSync('bash', ['-n'], { input: prompted ?? text }));
  for (const [, script] of text.matchAll(/\bnpm (?:run )?(?:-s )?(start|test|test:\w+)\b/g))
    t.truthy((packageJson.scripts as Record<string, unknown>)[script!], script);
  for (const [, path] of text.matchAll(/\b(?:ava|node) (\S+\.ts)\b/g))
    t.true(existsSync(packagePath(path!)), path);
  for (const [, command, options = ''] of text.matchAll(/\btributary (?:-- )?([a-z]+)((?:\\\n|[^\n#])*)/g)) {
    const output = await helpOf(command!);
    for (const [option] of options.matchAll(/--[a-z-]+/g))
      t.true(output.includes(option), `${command} ${option}`);
  }
};

/** A line with curl that reads an address of the sample. */
const fetched: Check = async ({ text }, { t, sample }) => {
  const [, path, accept = '*/*'] =
    /^curl -s '?http:\/\/127\.0\.0\.1:5050([^\s']+)'?(?: -H 'accept: ([^']+)')?$/.exec(text.trim())!;
  const response = await fetch(sample.url + path!, { headers: { accept } });
  t.is(response.status, 200, await response.text());
};

const packageJson = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as { scripts: object };

const answerOf = async (sample: RunningNode, query: string, variables = {}) =>
  postQuery(`${sample.url}/network/graphql`, query, variables);

/** A query of the sample; the next block is its answer. */
const queried: Check = async ({ text }, { t, sample, next }) => {
  const { path, query, variables } = curlOf(text);
  t.deepEqual(await postQuery(`${sample.url}${path}`, query, variables), JSON.parse(next!.text));
};

const isJson: Check = ({ text }, { t }) => t.notThrows(() => JSON.parse(text) as unknown);
const isScript: Check = ({ text }, { t }) =>
  t.deepEqual(ts.transpileModule(text, { reportDiagnostics: true }).diagnostics, []);
/** A query in GraphQL; the next block is what it finds. */
const isAnswered: Check = async ({ text }, { t, sample, next }) =>
  t.deepEqual(await answerOf(sample, text), { data: JSON.parse(next!.text) as object });

/** Pictures and output that is one of many; the reason is beside each. */
const shown: Check = () => undefined;

/** The museums' documents are elsewhere: the request must be one. */
const isQuery: Check = ({ text }, { t }) => {
  const { path, query, variables } = curlOf(text);
  t.regex(path, /^(?:\/network)?\/graphql$/);
  t.notThrows(() => parse(query));
  if (variables['filters'] !== undefined) t.notThrows(() => parseSqon(variables['filters']));
};

/** How each block is checked: the first line that its document and text begin with. */
const checks: readonly (readonly [beginning: string, check: Check])[] = [
  ['README.md: curl', queried],
  ['README.md: { "data"', isJson],
  ['CONTRIBUTING.md: POST /graphql', shown],
  ['CONTRIBUTING.md: errors json', shown],
  ['docs/institution.md: network ', shown],
  [
    'docs/access.md: {',
    ({ text }, { t }) => {
      const written = JSON.parse(text) as object;
      const token = { algorithms: ['RS256'], issuers: [written] };
      const file = 'issuer' in written ? { token, catalogues: {} } : written;
      t.deepEqual(accessFile.safeParse(file).error?.issues, undefined);
    },
  ],
  [
    'docs/consortium.md: {\n  "network": {',
    ({ text }, { t }) => t.notThrows(() => readNodes(JSON.parse(text), 'it')),
  ],
  [
    'docs/developers.md: query',
    async ({ text }, { t, sample, next }) => {
      const { errors, data } = await answerOf(sample, text, JSON.parse(next!.text) as object);
      t.is(errors, undefined);
      const { network, donor } = data as Readonly<Record<string, object>>;
      t.like(network ?? (donor as { hits: object }).hits, { partial: false });
    },
  ],
  ['docs/developers.md: { "filters"', isJson],
  [
    'docs/developers.md: { network { aggregations {\n',
    async ({ text }, { t, sample, next }) =>
      t.deepEqual(await answerOf(sample, text), JSON.parse(next!.text) as object),
  ],
  [
    'docs/developers.md: { network {',
    async ({ text }, { t, sample, next }) => {
      const { data } = await answerOf(sample, text);
      t.deepEqual(data, { network: { aggregations: { diagnosis: JSON.parse(next!.text) as unknown } } });
    },
  ],
  ['docs/developers.md: { "bucket_count"', isJson],
  // what other institutions answer, and how two servers shake hands
  ['docs/consortium.md: member ', shown],
  ['docs/consortium.md: capabilities', shown],
  [
    'docs/loading.md: {',
    ({ text }, { t }) => {
      const folder = temporaryFolder(t, { 'repositories.json': JSON.parse(text) as object });
      const env = { LYRIC_AUTHORIZATION: 'Bearer x' };
      t.is(readRepositories(env, join(folder, 'repositories.json')).repositories.length, 2);
    },
  ],
  [
    'docs/loading.md: Nr;Titel',
    async ({ text }, { t, next }) => {
      const folder = temporaryFolder(t, { 'stuecke.csv': text });
      const [command, ...output] = next!.text.split('\n');
      const args = command!
        .replace('$ tributary ', '')
        .replace('stuecke.csv', join(folder, 'stuecke.csv'))
        .split(' ');
      const settings = {
        CONFIGS_PATH: join(folder, 'configs'),
        DATA_PATH: join(folder, 'data'),
        NODES_PATH: 'off',
      };
      const printed = (await runHere(args, settings)).output.replace(`${folder}/`, '');
      t.is(printed, output.join('\n'));
    },
  ],
  [
    'docs/hierarchies.md: code,parent',
    async ({ text }, { t, next }) => {
      const codes = ['C16', 'C16.1', '151.9', 'X99'].map((code, at) => `${at + 1},${code}`);
      const folder = temporaryFolder(t, { 'people.csv': `id,code\n${codes.join('\n')}\n` });
      const settings = {
        CONFIGS_PATH: join(folder, 'configs'),
        DATA_PATH: join(folder, 'data'),
        NODES_PATH: 'off',
      };
      await runHere(['load', join(folder, 'people.csv'), '--catalogue', 'people'], settings);
      const write = (file: string, content: string): void =>
        writeFileSync(join(folder, 'configs/people', file), content);
      write('icd10.csv', text);
      write('hierarchies.json', '{"icd10": {"file": "icd10.csv"}}');
      write('extended.json', '[{"fieldName": "code", "hierarchy": "icd10"}]');
      const { output } = await run(['check'], settings);
      t.is(output, next!.text.replace('$ tributary check\n', ''));
    },
  ],
  [
    'docs/hierarchies.md: { donor {',
    async ({ text }, { t, sample }) => {
      const { errors, data } = await postQuery(`${sample.url}/toronto/graphql`, text, {});
      t.is(errors, undefined);
      const { donor } = data as {
        donor: { aggregations: { diagnosis_code: { tree: { buckets: { key: string }[] } } } };
      };
      const keys = donor.aggregations.diagnosis_code.tree.buckets.map(({ key }) => key);
      t.deepEqual(keys, ['C18', 'C20', 'C25']);
    },
  ],
  ['docs/hierarchies.md: { network', isAnswered],
  ['docs/beacon.md: curl', fetched],
  ['docs/fair.md: curl', fetched],
  ['docs/museums/README.md: curl', isQuery],
  // what the museums' folder holds, and what loading it prints
  ['docs/museums/README.md: TRIBUTARY_DATA/tate', shown],
  ['docs/museums/README.md: loaded 31 558', shown],
];

const byLanguage: Readonly<Record<string, Check>> = {
  '': shell,
  sh: shell,
  js: isScript,
  ts: isScript,
  json: isJson,
};

let sample: RunningNode | undefined;
let folder: string;

test.before(async (t) => {
  t.timeout(300_000);
  const ids = ['lyon', 'singapore', 'toronto'];
  const catalogues = ids.map((id) => ({
    catalogueId: id,
    esIndex: id,
    folder: packagePath(`configs/${id}`),
  }));
  folder = mkdtempSync(join(tmpdir(), 'tributary-'));
  const engine = await openEngine({ kind: 'embedded', dataPath: folder });
  await ensureSample({ catalogues }, engine);
  await engine.close();
  const settings = { CONFIGS_PATH: packagePath('configs'), NODES_PATH: patientNetwork() };
  sample = await startNode({ DATA_PATH: folder, SEARCH_TIMEOUT_MS: '100000', ...settings });
});

/** The sample's network, whose nodes have more time: on a busy machine five seconds may not be enough. */
const patientNetwork = (): string => {
  const text = readFileSync(packagePath('nodes.json'), 'utf8');
  const network = JSON.parse(text.replaceAll('"configs/', `"${packagePath('configs')}/`)) as {
    defaults?: object;
  };
  const file = join(folder, 'nodes.json');
  writeFileSync(file, JSON.stringify({ ...network, defaults: { ...network.defaults, timeoutMs: 100_000 } }));
  return file;
};

test.after.always(async () => {
  await sample?.kill();
  rmSync(folder, { recursive: true, force: true });
});

for (const document of documents) {
  const blocks = blocksOf(document);
  blocks.forEach((block, at) => {
    const known = checks.find(([beginning]) => block.name.startsWith(beginning.slice(0, block.name.length)));
    const check = known?.[1] ?? byLanguage[block.language];
    test(`the code in ${block.name.split('\n')[0]} is right (${at + 1})`, async (t) => {
      t.timeout(300_000);
      t.truthy(check, 'no check for this block: add a line above');
      await check?.(block, { t, sample: sample!, next: blocks[at + 1] });
      t.pass();
    });
  });
}
