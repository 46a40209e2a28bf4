import { announcedUrl, ended } from '../../announced-url.ts';
import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runHere } from '../../cli/run-here.ts';
import { patientSample } from '../../patient-sample.ts';
import { programEnvironment, programFile } from '../../program.ts';

/** Where what is opened is put, and closed in the end. */
export interface Opening {
  readonly folder: string;
  readonly onClose: (step: () => Promise<unknown>) => void;
}

/** A catalogue: its files by name, its mapping, and its documents. */
export interface ServedCatalogue {
  readonly files: Readonly<Record<string, unknown>>;
  readonly mapping: unknown;
  readonly documents: readonly object[];
  readonly idField: string;
}

/**
 * Loads catalogues as `tributary load` does and serves them with `tributary start`, at a folder and a port of their own.
 * @param nodes the content of nodes.json; none without it
 * @returns the server's address
 */
export const serve = async (
  { folder, onClose }: Opening,
  name: string,
  catalogues: Readonly<Record<string, ServedCatalogue>>,
  nodes?: object,
): Promise<string> => {
  const root = join(folder, name);
  const environment = environmentOf(root, nodes === undefined ? 'off' : join(root, 'nodes.json'));
  // a busy machine answers late
  const defaults = { timeoutMs: 300_000, discoveryTimeoutMs: 300_000 };
  if (nodes !== undefined) await write(environment.NODES_PATH, { defaults, ...nodes });
  for (const [id, { files, mapping, documents, idField }] of Object.entries(catalogues)) {
    for (const [file, content] of Object.entries(files))
      await write(join(environment.CONFIGS_PATH, id, file), content);
    await write(join(root, `${id}.mapping`), mapping);
    const lines = join(root, `${id}.ndjson`);
    await writeFile(lines, documents.map((document) => `${JSON.stringify(document)}\n`).join(''));
    const { code, output } = await runHere(
      ['load', lines, '--catalogue', id, '--mapping', join(root, `${id}.mapping`), '--id-field', idField],
      environment,
    );
    if (code !== 0) throw new Error(output);
  }
  const { url, stop } = await start(environment, ['start']);
  onClose(stop);
  return url;
};

/** Starts the sample consortium, which loads itself. */
export const serveSample = async ({ folder, onClose }: Opening): Promise<string> => {
  const root = join(folder, 'sample');
  const environment = { ...environmentOf(root, patientSample(root)), CONFIGS_PATH: undefined };
  const { url, stop } = await start(environment, ['start', '--sample']);
  onClose(stop);
  return url;
};

const environmentOf = (root: string, nodesPath: string) => ({
  ...programEnvironment,
  CONFIGS_PATH: join(root, 'configs'),
  DATA_PATH: join(root, 'data'),
  NODES_PATH: nodesPath,
  SERVER_HOST: '127.0.0.1',
  SERVER_PORT: '0',
  INDEXING_PORT: 'off',
});

const write = async (file: string, content: unknown): Promise<void> => {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(content));
};

const start = async (environment: NodeJS.ProcessEnv, command: readonly string[]) => {
  const server = spawn(process.execPath, [programFile, ...command], { env: environment });
  return { url: await announcedUrl(server), stop: () => ended(server) };
};
