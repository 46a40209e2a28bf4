import { randomUUID } from 'node:crypto';
import { open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { TributaryError } from '../../errors.ts';
import { isJsonObject, type JsonObject } from '../../json.ts';
import type { CheckedNetwork } from './check-network.ts';

/**
 * Declares the fields that a check found in `network.fields` of nodes.json, so that they stay in the schema when a node
 * is down at the start. Existing declarations and everything else are unchanged; the file is replaced atomically.
 * @returns the paths that were added
 * @throws TributaryError CONFIG_INVALID when the file cannot be read, is no object, or cannot be written
 */
export const writeFields = async (
  file: string,
  { fields }: Pick<CheckedNetwork, 'fields'>,
): Promise<readonly string[]> => {
  const text = await readFile(file, 'utf8').catch((error: unknown) => Promise.reject(failed('read', file, error)));
  const content = parsed(text, file);
  const network = isJsonObject(content['network']) ? content['network'] : {};
  const declared = isJsonObject(network['fields']) ? network['fields'] : {};
  const added = fields.filter(({ path: name }) => !Object.hasOwn(declared, name));
  if (added.length === 0) return [];
  const all = { ...declared, ...Object.fromEntries(added.map(({ path: name, type }) => [name, type])) };
  // if there is no network part, it is added at the front, as in the documentation
  const filled = 'network' in content ? content : { network: {}, ...content };
  const next = { ...filled, network: { ...network, fields: all } };
  const end = text.endsWith('\n') ? '\n' : '';
  await replaceFile(file, JSON.stringify(next, null, indentOf(text)) + end);
  return added.map(({ path: name }) => name);
}; // prettier-ignore

const parsed = (text: string, file: string): JsonObject => {
  const content: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
  if (isJsonObject(content)) return content;
  throw new TributaryError('CONFIG_INVALID', `${file} is not a JSON object`);
};

/** The indentation of the file's first key; two spaces for a single-line file. */
const indentOf = (text: string): string => /^\s*\{\r?\n([ \t]+)"/.exec(text)?.[1] ?? '  ';

/** Atomic: readers see either the old file or the new one. */
const replaceFile = async (file: string, text: string): Promise<void> => {
  let temporary: string | null = null;
  try {
    const target = await realpath(file);
    const { mode } = await stat(target);
    temporary = path.join(path.dirname(target), `.${path.basename(target)}.${randomUUID()}.tmp`);
    const handle = await open(temporary, 'wx', mode);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
  } catch (error) {
    if (temporary !== null) await rm(temporary, { force: true });
    throw failed('written', file, error);
  }
};

const failed = (what: string, file: string, cause: unknown): TributaryError =>
  new TributaryError(
    'CONFIG_INVALID',
    `${file} cannot be ${what}: ${(cause as NodeJS.ErrnoException).code}`,
    {
      cause,
    },
  );
