import { readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isJsonObject } from '../../lib/json/json.ts';
import type { Config } from './config.ts';
import { lookFile } from './portal.ts';

/**
 * A text that changes whenever one of these files is edited, replaced, added or removed: those of the catalogues and of access
 * control, nodes.json, hubs.json, portal.json, files that they name, and secrets. Compares times and sizes instead of waiting for notices of
 * the file system, which network file systems and mounted configuration maps do not send. Never rejects: a file that cannot be
 * read is part of the text.
 */
export const configStamp = async (
  {
    configsPath,
    catalogues,
    nodes,
    hubs,
    access,
    http: { portal },
  }: Pick<Config, 'configsPath' | 'catalogues' | 'nodes' | 'hubs' | 'access' | 'http'>,
  secrets: readonly string[] = [],
): Promise<string> => {
  const lines: string[] = [];
  const add = async (file: string): Promise<void> => {
    lines.push(`${file} ${await stampOf(file)}`);
  };
  const names = await entriesOf(configsPath);
  // one after the other, so that a slow disk does not delay other work
  for (const folder of [configsPath, ...names.map((name) => join(configsPath, name))])
    for (const name of folder === configsPath ? names : await entriesOf(folder))
      if (/\.json$/i.test(name)) await add(join(folder, name));
  for (const named of [nodes, hubs]) if (named !== null) await add(resolve(named.file));
  for (const named of [access?.file, portal?.lookFile ?? lookFile])
    if (named !== undefined) await add(resolve(named));
  if (access?.keys?.kind === 'pem') await add(resolve(access.keys.file));
  for (const file of [...filesNamedIn({ catalogues, nodes }), ...secrets]) await add(file);
  return lines.join('\n');
};

/** The files of hierarchies and of translated values that the configuration names, as absolute paths. */
const filesNamedIn = ({ catalogues, nodes }: Pick<Config, 'catalogues' | 'nodes'>): readonly string[] => [
  ...catalogues.flatMap(({ hierarchies = {} }) => Object.values(hierarchies).map(({ path }) => path)),
  ...(nodes === null
    ? []
    : filesIn(nodes.content).map((file) => resolve(dirname(resolve(nodes.file)), file))),
];

/** The file names in a nodes.json that has not been checked. */
const filesIn = (content: unknown): readonly string[] => {
  if (!isJsonObject(content)) return [];
  const { network, nodes } = content;
  const hierarchies = isJsonObject(network) ? valuesOf(network['hierarchies']) : [];
  const entries = Array.isArray(nodes) ? nodes.filter(isJsonObject) : [];
  return [
    ...hierarchies.map((one) => (isJsonObject(one) ? one['file'] : null)),
    ...entries.flatMap((entry) => valuesOf(entry['values'])),
  ].filter((file) => typeof file === 'string');
};

const valuesOf = (value: unknown): readonly unknown[] => (isJsonObject(value) ? Object.values(value) : []);

const entriesOf = async (folder: string): Promise<readonly string[]> => {
  try {
    return (await readdir(folder)).sort();
  } catch {
    return [];
  }
};

const stampOf = async (file: string): Promise<string> => {
  try {
    const { mtimeNs, size, ino } = await stat(file, { bigint: true });
    return `${mtimeNs} ${size} ${ino}`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unreadable';
  }
};
