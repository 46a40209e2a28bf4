import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';

// Prints how large the source is, and through how many of its files four requests run: a bench of the structure.
// `npm run house` prints the numbers, `npm run house -- --files` also the files behind them.

const root = join(import.meta.dirname, '..');
const names = globSync('src/**/*.ts', { cwd: root }).sort();
const sources = names.map((name) => {
  const text = readFileSync(join(root, name), 'utf8');
  return {
    name,
    lines: text.split('\n').length - 1,
    ast: ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true),
  };
});
const verbose = process.argv.includes('--files');

const report = (what: string, value: number | string, atMost?: number): void =>
  console.log(`${String(value).padStart(7)}  ${what}${atMost === undefined ? '' : ` (at most ${atMost})`}`);

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;

/** The length in lines of every function with a body. */
const functionLengths = (file: ts.SourceFile): number[] => {
  const lengths: number[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const lineOf = (position: number): number => file.getLineAndCharacterOfPosition(position).line;
      lengths.push(lineOf(node.end) - lineOf(node.getStart(file)) + 1);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return lengths;
};

const countOf = (kind: ts.SyntaxKind, node: ts.Node): number => {
  let count = node.kind === kind ? 1 : 0;
  ts.forEachChild(node, (child) => void (count += countOf(kind, child)));
  return count;
};

/** For each file, the files that import it. */
const importersOf = (): ReadonlyMap<string, ReadonlySet<string>> => {
  const importers = new Map<string, Set<string>>(names.map((name) => [name, new Set()]));
  for (const { name, ast } of sources)
    for (const [, path] of ast.text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g))
      importers.get(join(dirname(name), path!))?.add(name);
  return importers;
};

const structure = (): void => {
  const importers = importersOf();
  const small = sources.filter(({ name, lines }) => lines <= 40 && importers.get(name)!.size === 1);
  const folders = Object.entries(Object.groupBy(names, dirname));
  const crowded = folders.toSorted(([, one], [, other]) => other!.length - one!.length)[0]!;
  const lengths = sources.flatMap(({ ast }) => functionLengths(ast));
  const lines = sources.map((source) => source.lines);
  report(
    'lines of source',
    lines.reduce((sum, one) => sum + one, 0),
    62_000,
  );
  report('files', names.length, 640);
  report('lines in the median file', median(lines));
  report('lines in the median function', median(lengths));
  report(
    'functions of more than 40 lines, in percent',
    ((100 * lengths.filter((one) => one > 40).length) / lengths.length).toFixed(1),
  );
  report(
    'uses of `any`',
    sources.reduce((sum, { ast }) => sum + countOf(ts.SyntaxKind.AnyKeyword, ast), 0),
  );
  report('files of at most 40 lines with one importer', small.length);
  if (verbose)
    for (const { name } of small) console.log(`           ${name} <- ${[...importers.get(name)!].join()}`);
  report(`files in the largest folder, ${crowded[0]}`, crowded[1]!.length, 25);
};

/** A separate server, with an inspector that counts which functions run. */
interface Counted {
  readonly url: string;
  /** The files of `src` in whose functions a request ran, on the main thread, once everything is warm. */
  readonly filesOf: (path: string, body: unknown) => Promise<readonly string[]>;
  readonly stop: () => Promise<void>;
}

const post = async (url: string, body: unknown): Promise<void> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok || /"errors":/.test(text)) throw new Error(`${url}: ${response.status} ${text}`);
};

const startCounted = async (env: Readonly<Record<string, string>>): Promise<Counted> => {
  const server = spawn(process.execPath, ['--inspect=127.0.0.1:0', 'src/main.ts', 'start', '--sample'], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      SERVER_PORT: '0',
      SERVER_HOST: '127.0.0.1',
      INDEXING_PORT: 'off',
      LOG_LEVEL: 'silent',
      ...env,
    },
  });
  const [inspector, url] = await Promise.all([
    printed(server, /Debugger listening on (ws:\/\/\S+)/),
    printed(server, /is running at (http:\/\/\S+)/),
  ]);
  const { call, close } = await inspect(inspector);
  await call('Profiler.enable');
  await call('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  /** Timers run too, but each of them rarely: functions that ran every time belong to the request. */
  const filesOfOne = async (path: string, body: unknown): Promise<ReadonlySet<string>> => {
    await call('Profiler.takePreciseCoverage');
    await post(`${url}${path}`, body);
    const { result } = (await call('Profiler.takePreciseCoverage')) as { result: readonly Coverage[] };
    const prefix = pathToFileURL(join(root, 'src/')).href;
    return new Set(
      result
        .filter(
          ({ url: file, functions }) =>
            file.startsWith(prefix) && functions.some(({ ranges }) => ranges[0]!.count > 0),
        )
        .map(({ url: file }) => file.slice(prefix.length)),
    );
  };
  return {
    url,
    filesOf: async (path, body) => {
      for (let warm = 0; warm < 3; warm += 1) await post(`${url}${path}`, body);
      const runs = [await filesOfOne(path, body), await filesOfOne(path, body), await filesOfOne(path, body)];
      return [
        ...runs.reduce((common, files) => new Set([...common].filter((file) => files.has(file)))),
      ].sort();
    },
    stop: async () => {
      close();
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      await ended;
    },
  };
};

interface Coverage {
  readonly url: string;
  readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[];
}

const printed = (server: ChildProcessWithoutNullStreams, pattern: RegExp): Promise<string> =>
  new Promise((resolve, reject) => {
    let output = '';
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const found = pattern.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    };
    server.stdout.on('data', read);
    server.stderr.on('data', read);
    server.once('exit', () => reject(new Error(`the server did not start:\n${output}`)));
  });

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
    new Promise((resolve) => {
      lastId += 1;
      pending.set(lastId, resolve);
      socket.send(JSON.stringify({ id: lastId, method, params }));
    });
  return { call, close: () => socket.close() };
};

const filters = { op: 'and', content: [{ op: 'in', content: { fieldName: 'sex', value: ['Female'] } }] };
const facets =
  'aggregations { primary_site { buckets { key doc_count } } vital_status { buckets { key doc_count } } }';
const page = 'total edges { node { donor_id age primary_site } }';

/** @returns the four requests: the server, the path, the body, the maximum number of files */
const requests = (local: Counted, federated: Counted) =>
  [
    [
      'a local facet request',
      local,
      '/toronto/graphql',
      '{ donor { aggregations { primary_site { buckets { key doc_count } } } } }',
      60,
    ],
    [
      'a filtered local facet request',
      local,
      '/toronto/graphql',
      `query ($filters: JSON) { donor { aggregations(filters: $filters) { primary_site { buckets { key doc_count } } } } }`,
      undefined,
    ],
    [
      'a local page',
      local,
      '/toronto/graphql',
      'query ($filters: JSON) { donor { hits(filters: $filters, first: 20) { total edges { node { donor_id primary_site } } } } }',
      undefined,
    ],
    [
      'a federated facet request',
      federated,
      '/network/graphql',
      `query ($filters: JSON) { network(filters: $filters) { total ${facets} } }`,
      undefined,
    ],
    [
      'a federated page',
      federated,
      '/network/graphql',
      `query ($filters: JSON) { network(filters: $filters) { total partial nodes { nodeId status hits } ${facets} hits(first: 20) { ${page} } } }`,
      95,
    ],
  ] as const;

/** The sample's network with each node behind a URL, as in a consortium. */
const remoteNodes = (url: string): string => {
  const network = JSON.parse(readFileSync(join(root, 'nodes.json'), 'utf8')) as {
    nodes: Record<string, unknown>[];
  };
  const nodes = network.nodes.map(({ catalogue, ...node }) => ({
    ...node,
    graphqlUrl: `${url}/${String(catalogue)}/graphql`,
  }));
  // paths of files are relative to the folder of nodes.json
  return JSON.stringify({ ...network, nodes }).replaceAll('"configs/', `"${join(root, 'configs')}/`);
};

const walk = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'house-'));
  const local = await startCounted({ DATA_PATH: join(folder, 'local'), NODES_PATH: 'off' });
  writeFileSync(join(folder, 'nodes.json'), remoteNodes(local.url));
  const federated = await startCounted({
    DATA_PATH: join(folder, 'federated'),
    NODES_PATH: join(folder, 'nodes.json'),
  });
  try {
    for (const [what, server, path, query, atMost] of requests(local, federated)) {
      const files = await server.filesOf(path, { query, variables: { filters } });
      report(`files that ${what} runs through`, files.length, atMost);
      if (verbose) for (const file of files) console.log(`           ${file}`);
    }
  } finally {
    await Promise.all([local.stop(), federated.stop()]);
    rmSync(folder, { recursive: true });
  }
};

structure();
await walk();
