import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from '../../fast-check.ts';
import { run, startNode, type RunningNode } from '../end-to-end/processes.ts';
import type { Plain } from '../../sqon/evaluate-filter.ts';
import { books, libraryProperties } from '../../sqon/fixture.ts';
import { hiddenIndex } from './breaches.ts';

/** The server as a separate process, so that a crash of it is seen as one. */
export interface ServedLibrary {
  readonly url: string;
  readonly documents: readonly Plain[];
  /** Ends the server and removes its data; what it complained about meanwhile, and its exit code. */
  readonly stop: () => Promise<{ readonly code: number | null; readonly output: string }>;
}

const defaultCount = 60;
const documentSeed = 20;

export interface LibraryOptions {
  readonly documentCount?: number;
  /** Of a library that shows counts only, by a release of these documents. */
  readonly disclosure?: object;
}

/** One catalogue, served alone and as the only node of a network. */
export const serveLibrary = async (
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
