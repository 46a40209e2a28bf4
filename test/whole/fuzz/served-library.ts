import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import fc from '../../fast-check.ts';
import { run, startNode, type RunningNode } from '../end-to-end/processes.ts';
import type { Plain } from '../../sqon/evaluate-filter.ts';
import { books, libraryProperties } from '../../sqon/fixture.ts';
import { hiddenIndex } from './breaches.ts';
import { exchange } from './http-exchange.ts';

/** The server as a separate process, so that a crash of it is seen as one. */
interface ServedLibrary {
  readonly url: string;
  readonly documents: readonly Plain[];
  /** Ends the server and removes its data; what it complained about meanwhile, and its exit code. */
  readonly stop: () => Promise<{ readonly code: number | null; readonly output: string }>;
}

const defaultCount = 60;
const documentSeed = 20;

interface LibraryOptions {
  readonly documentCount?: number;
  /** Of a library that shows counts only, by a release of these documents. */
  readonly disclosure?: object;
}

/**
 * A library for all tests of the file that calls this: it is there once they run, and must be well when they are over.
 * @param options as those of serveLibrary
 */
export const libraryOfFile = (...options: Parameters<typeof serveLibrary>): (() => ServedLibrary) => {
  let library: ServedLibrary | undefined;
  test.before(async () => {
    library = await serveLibrary(...options);
  });
  test.after.always('the server is still well', async (t) => {
    const { url, stop } = library!;
    t.is((await exchange(url, { path: '/ping' })).status, 200);
    const { code, output } = await stop();
    t.is(code, 0);
    t.notRegex(output, /internal error|"level":[56]0/);
  });
  return () => library!;
};

/** One catalogue, served alone and as the only node of a network. */
const serveLibrary = async (
  settings: Readonly<Record<string, string>> = {},
  { documentCount = defaultCount, disclosure }: LibraryOptions = {},
): Promise<ServedLibrary> => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-fuzz-'));
  const documents = fc.sample(books, { numRuns: documentCount, seed: documentSeed });
  const files = {
    'configs/base.json': { catalogId: 'library', documentType: 'book', esIndex: hiddenIndex },
    'nodes.json': { defaults: { timeoutMs: 60_000 }, nodes: [{ nodeId: 'here', catalogue: 'library' }] },
    'mapping.json': { properties: libraryProperties },
    ...(disclosure && { 'configs/disclosure.json': { disclosure } }),
  };
  mkdirSync(join(folder, 'configs'));
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), JSON.stringify(content));
  const lines = documents.map((document, at) => JSON.stringify({ id: `d${at}`, ...document }));
  writeFileSync(join(folder, 'books.ndjson'), lines.join('\n'));
  const where = {
    CONFIGS_PATH: join(folder, 'configs'),
    NODES_PATH: join(folder, 'nodes.json'),
    DATA_PATH: join(folder, 'data'),
    ...settings,
  };
  const loaded = await run(
    [
      'load',
      join(folder, 'books.ndjson'),
      '--catalogue',
      'library',
      '--mapping',
      join(folder, 'mapping.json'),
    ],
    where,
  );
  if (loaded.code !== 0 || !loaded.output.includes(`${documentCount} created`))
    throw new Error(loaded.output);
  if (disclosure !== undefined) {
    const released = await run(['release'], where);
    if (released.code !== 0) throw new Error(released.output);
  }
  const node = await startNode(where);
  return { url: node.url, documents, stop: () => stopped(node, folder) };
};

const stopped = async (node: RunningNode, folder: string) => {
  const code = await node.stop();
  rmSync(folder, { recursive: true, force: true });
  return { code, output: node.output() };
};
