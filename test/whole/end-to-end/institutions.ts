import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { programEnvironment, programFile } from '../../program.ts';
import { runHere } from '../../cli/run-here.ts';
import { postQuery, type Settings } from './processes.ts';

/**
 * A folder with one catalogue, and the settings of a server over it.
 * @param folder to be filled
 * @param records one JSON object a line, each with `person_id`
 * @param files more of them, by their paths in the folder
 */
export const institution = async (
  folder: string,
  catalogue: string,
  records: string,
  files: Readonly<Record<string, unknown>> = {},
): Promise<Settings> => {
  const all = {
    [`configs/${catalogue}/base.json`]: { documentType: catalogue, esIndex: catalogue },
    'records.ndjson': records,
    ...files,
  };
  for (const [name, content] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  const settings = {
    CONFIGS_PATH: join(folder, 'configs'),
    DATA_PATH: join(folder, 'data'),
    HUBS_PATH: join(folder, 'hubs.json'),
    NODES_PATH: Object.hasOwn(files, 'nodes.json') ? join(folder, 'nodes.json') : 'off',
    PORTAL_PATH: 'off',
  };
  const loaded = await runHere(
    ['load', join(folder, 'records.ndjson'), '--index', catalogue, '--id-field', 'person_id'],
    settings,
  );
  if (loaded.code !== 0) throw new Error(loaded.output);
  return settings;
};

export interface Ran {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/**
 * Runs a command with a text on standard input.
 * @param within what comes before the program, such as what closes its network
 */
export const runWith = async (
  input: string,
  args: readonly string[],
  settings: Settings,
  within: readonly string[] = [],
): Promise<Ran> => {
  const env = { ...programEnvironment, ...settings };
  const [program, ...before] = [...within, process.execPath];
  const child = spawn(program!, [...before, programFile, ...args], { env, stdio: 'pipe' });
  child.stdin.end(input);
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number]>,
  ]);
  return { code, output, errors };
};

export interface Answer {
  readonly hits: { readonly total: number };
  readonly nodes: readonly {
    readonly nodeId: string;
    readonly state: string;
    readonly hits: number | null;
  }[];
}

/**
 * How many records a hub counts, and how its nodes stand.
 * @throws Error when it does not answer
 */
export const countAt = async (url: string): Promise<Answer> => {
  const { data, errors } = await postQuery(
    `${url}/network/graphql`,
    '{ network { hits { total } nodes { nodeId state hits } } }',
  );
  if (errors !== undefined) throw new Error(JSON.stringify(errors));
  return data?.['network'] as Answer;
};

/** How many records a hub counts of each sex. */
export const sexesAt = async (url: string): Promise<unknown> => {
  const query = '{ network { aggregations { sex { buckets { key doc_count } } } nodes { state } } }';
  const { data } = await postQuery(`${url}/network/graphql`, query);
  const { aggregations } = data?.['network'] as { aggregations: { sex: { buckets: unknown } } };
  return aggregations.sex.buckets;
};

/** Waits until something holds; failures mean that it does not yet. */
export const until = async (holds: () => Promise<boolean>): Promise<void> => {
  while (!(await holds().catch(() => false))) await new Promise((resolve) => setTimeout(resolve, 100));
};
