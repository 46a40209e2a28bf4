import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { isImported, serverLibraries, testLibraries } from '../test/named-libraries.ts';

// Prints the size of the source, and how much of it a request or a command runs through, beside the goals.
// `npm run house` measures this checkout, `npm run house -- FOLDER` another one.

const root = resolve(process.argv[2] ?? join(import.meta.dirname, '..'));

/** What is counted, how much there is, and the goal. */
type Row = readonly [what: string, now: string, goal: string];

const text = (name: string): string => readFileSync(join(root, name), 'utf8');

const files = (...patterns: readonly string[]): readonly string[] =>
  globSync([...patterns], { cwd: root, exclude: ['**/node_modules', '**/dist*'] }).sort();

const linesOf = (names: readonly string[]): number =>
  names.reduce((sum, name) => sum + text(name).split('\n').length - 1, 0);

const spaced = (count: number): string => count.toLocaleString('en').replaceAll(',', ' ');

const source = files('src/**/*.ts');

const sizes = (): readonly Row[] => {
  const rooms = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  const beside = /^src\/(capabilities|engines\/embedded|engines\/cluster|indexing|cli)\//;
  const mission = source.filter((name) => !beside.test(name));
  return [
    [
      'src: lines as the formatter writes them, files, rooms',
      `${spaced(linesOf(source))}, ${source.length}, ${rooms.length}`,
      '77 000, 450, 11',
    ],
    [
      "lines of the mission's rooms: all but capabilities, embedded, cluster, indexing, cli",
      spaced(linesOf(mission)),
      'none',
    ],
  ];
};

/** The number of members of the interface with this name, wherever it is declared. */
const membersOf = (name: string): number =>
  source
    .flatMap((file) => [...ts.createSourceFile(file, text(file), ts.ScriptTarget.Latest).statements])
    .filter((statement) => ts.isInterfaceDeclaration(statement))
    .find((statement) => statement.name.text === name)!.members.length;

const promises = async (): Promise<readonly Row[]> => {
  const url = pathToFileURL(join(root, 'src/server/config/variables.ts')).href;
  const { variables } = (await import(url)) as { variables: { shape: object } };
  const configuration = text('docs/configuration.md');
  const [headers, lines] = [configuration.match(/^\| ---/gm)!, configuration.match(/^\| /gm)!];
  return [
    [
      'variables without aliases / documented rows',
      `${Object.keys(variables.shape).length} / ${lines.length - 2 * headers.length}`,
      '60 / 300',
    ],
    [
      'members of MeasureRow / RemoteCatalogue',
      `${membersOf('MeasureRow')} / ${membersOf('RemoteCatalogue')}`,
      '10 / 6',
    ],
  ];
};

/** Words and parts of names that are about tiers of disclosure. */
const aboutTiers = /\b[tT]iers?(?![a-z])|[a-z]Tiers?(?![a-z])|[gG]uarded/;

const habits = (): readonly Row[] => {
  const tests = files('test/**/*.ts');
  const code = files('{src,test,scripts,bench,portal}/**/*.{ts,tsx,js}');
  const switches = code.flatMap((name) => text(name).match(/(?:prettier|oxfmt)-ignore/g) ?? []);
  const scripts = Object.keys((JSON.parse(text('package.json')) as { scripts: object }).scripts);
  const usedIn = (libraries: readonly string[], names: readonly string[]): number => {
    const sources = names.map(text);
    return libraries.filter((library) => isImported(library, sources)).length;
  };
  const used = usedIn(serverLibraries, source) + usedIn(testLibraries, tests);
  return [
    ['files that know of tiers', `${source.filter((name) => aboutTiers.test(text(name))).length}`, '40'],
    ['lines that switch the formatter off', `${switches.length}`, '0'],
    [
      'READMEs in src / test scripts',
      `${files('src/**/README.md').length} / ${scripts.filter((name) => name.startsWith('test')).length}`,
      '20 / 5',
    ],
    [
      'tests: lines of ts / md',
      `${spaced(linesOf(tests))} / ${spaced(linesOf(files('test/**/*.md')))}`,
      '80 000 / 2 000',
    ],
    ['packages named in the mission that are used', `${used} of 12`, '12 of 12'],
  ];
};

interface Coverage {
  readonly url: string;
  readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[];
}

/** The files of `src` of which some function or the module itself ran. */
const ranIn = (scripts: readonly Coverage[]): ReadonlySet<string> => {
  const folder = pathToFileURL(join(root, '/')).href;
  return new Set(
    scripts
      .filter(({ url }) => url.startsWith(`${folder}src/`))
      .filter(({ functions }) => functions.some(({ ranges }) => ranges[0]!.count > 0))
      .map(({ url }) => url.slice(folder.length)),
  );
};

/** The environment of a program that keeps everything in a folder. */
const environmentIn = (dataPath: string): Record<string, string> => ({
  PATH: process.env['PATH']!,
  NODE_DISABLE_COMPILE_CACHE: '1',
  CONFIGS_PATH: join(root, 'configs'),
  DATA_PATH: dataPath,
  NODES_PATH: 'off',
  SERVER_PORT: '0',
  SERVER_HOST: '127.0.0.1',
  INDEXING_PORT: 'off',
  LOG_LEVEL: 'silent',
});

/** Loads a file and counts the modules of all threads. */
const loading = (folder: string): Row => {
  const file = join(folder, 'f.csv');
  writeFileSync(file, 'name,age\nAda,36\nEmmy,53\n');
  const coverage = join(folder, 'coverage');
  const env = {
    ...environmentIn(join(folder, 'loaded')),
    CONFIGS_PATH: join(folder, 'configs'),
    NODE_V8_COVERAGE: coverage,
  };
  const { status, stderr } = spawnSync(
    process.execPath,
    ['src/main.ts', 'load', file, '--catalogue', 'people'],
    { cwd: root, env },
  );
  if (status !== 0) throw new Error(`load: ${stderr.toString()}`);
  const scripts = readdirSync(coverage)
    .map((name) => readFileSync(join(coverage, name), 'utf8'))
    .flatMap((report) => (JSON.parse(report) as { result: readonly Coverage[] }).result);
  return ['modules of src that `load f.csv` loads', `${ranIn(scripts).size}`, '140'];
};

const post = async (url: string, query: string): Promise<void> => {
  const variables = {
    filters: { op: 'and', content: [{ op: 'in', content: { fieldName: 'sex', value: ['Female'] } }] },
  };
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const body = await response.text();
  if (!response.ok || body.includes('"errors":')) throw new Error(`${url}: ${response.status} ${body}`);
};

/** Connects to an inspector. */
const inspect = async (url: string) => {
  const socket = new WebSocket(url);
  await once(socket, 'open');
  let lastId = 0;
  const pending = new Map<number, (result: unknown) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result?: unknown };
    if (id !== undefined) pending.get(id)?.(result);
  });
  const call = (method: string, params: unknown = {}): Promise<unknown> =>
    new Promise((done) => {
      lastId += 1;
      pending.set(lastId, done);
      socket.send(JSON.stringify({ id: lastId, method, params }));
    });
  return { call, close: () => socket.close() };
};

const printed = (server: ChildProcessWithoutNullStreams, pattern: RegExp): Promise<string> =>
  new Promise((done, fail) => {
    let output = '';
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const match = pattern.exec(output)?.[1];
      if (match !== undefined) done(match);
    };
    server.stdout.on('data', read);
    server.stderr.on('data', read);
    server.once('exit', () => fail(new Error(`the server did not start:\n${output}`)));
  });

/** A separate server, with an inspector that counts which functions run. */
interface Counted {
  readonly url: string;
  /** The files in whose functions a request ran, on the main thread, once everything is warm. */
  readonly filesOf: (path: string, query: string) => Promise<readonly string[]>;
  readonly stop: () => Promise<void>;
}

const startCounted = async (env: Readonly<Record<string, string>>): Promise<Counted> => {
  const server = spawn(process.execPath, ['--inspect=127.0.0.1:0', 'src/main.ts', 'start', '--sample'], {
    cwd: root,
    env,
  });
  const [inspector, url] = await Promise.all([
    printed(server, /Debugger listening on (ws:\/\/\S+)/),
    printed(server, /is running at (http:\/\/\S+)/),
  ]);
  const { call, close } = await inspect(inspector);
  await call('Profiler.enable');
  await call('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const filesOfRequest = async (address: string, query: string): Promise<ReadonlySet<string>> => {
    await call('Profiler.takePreciseCoverage');
    await post(address, query);
    const { result } = (await call('Profiler.takePreciseCoverage')) as { result: readonly Coverage[] };
    return ranIn(result);
  };
  return {
    url,
    filesOf: async (path, query) => {
      const address = `${url}${path}`;
      for (let warm = 0; warm < 3; warm += 1) await post(address, query);
      // timers run too, but each of them rarely: functions that ran every time belong to the request
      const [first, ...others] = [
        await filesOfRequest(address, query),
        await filesOfRequest(address, query),
        await filesOfRequest(address, query),
      ];
      return [...first!].filter((name) => others.every((names) => names.has(name))).sort();
    },
    stop: async () => {
      close();
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      await ended;
    },
  };
};

/** The sample's network with each node behind a URL, as in a consortium. */
const remoteNodes = (url: string): string => {
  const network = JSON.parse(text('nodes.json')) as { nodes: Record<string, unknown>[] };
  const nodes = network.nodes.map(({ catalogue, ...node }) => ({
    ...node,
    graphqlUrl: `${url}/${String(catalogue)}/graphql`,
  }));
  // paths of files are relative to the folder of nodes.json
  return JSON.stringify({ ...network, nodes }).replaceAll('"configs/', `"${join(root, 'configs')}/`);
};

const localFacet = '{ donor { aggregations { primary_site { buckets { key doc_count } } } } }';
const federatedPage = `query ($filters: JSON) {
  network(filters: $filters) {
    total partial nodes { nodeId status hits }
    aggregations { primary_site { buckets { key doc_count } } vital_status { buckets { key doc_count } } }
    hits(first: 20) { total edges { node { donor_id age primary_site } } }
  }
}`;

const walks = async (folder: string): Promise<Row> => {
  const local = await startCounted(environmentIn(join(folder, 'local')));
  writeFileSync(join(folder, 'nodes.json'), remoteNodes(local.url));
  const federated = await startCounted({
    ...environmentIn(join(folder, 'federated')),
    NODES_PATH: join(folder, 'nodes.json'),
  });
  try {
    const facet = await local.filesOf('/toronto/graphql', localFacet);
    const page = await federated.filesOf('/network/graphql', federatedPage);
    return [
      'files, and lines in them, of a local facet / a federated page',
      [facet, page].map((names) => `${names.length} (${spaced(linesOf(names))})`).join(' / '),
      '42 (7 000) / 55 (10 000)',
    ];
  } finally {
    await Promise.all([local.stop(), federated.stop()]);
  }
};

/** Speed depends on the machine: the benches print it. */
const speeds: readonly Row[] = [
  [
    'page over the slowest of 3 / 20 nodes; processor time',
    'node bench/federation/run.ts overhead',
    '+4 / 5 ms; 4 / 8 ms',
  ],
  ['request around the engine', 'node bench/engine/run.ts', '1.5 ms'],
];

const folder = mkdtempSync(join(tmpdir(), 'house-'));
try {
  const rows = [
    ...sizes(),
    await walks(folder),
    loading(folder),
    ...(await promises()),
    ...habits(),
    ...speeds,
  ];
  const line = ([what, now, goal]: Row): string => `| ${what} | ${now} | ${goal} |`;
  console.log([line(['', 'now', 'goal']), '|---|---|---|', ...rows.map(line)].join('\n'));
} finally {
  rmSync(folder, { recursive: true });
}
