import { randomUUID } from 'node:crypto';
import { open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { TributaryError } from '../errors/errors.ts';
import { isJsonObject, type JsonObject } from '../json/json.ts';

/**
 * Changes a file of the configuration that people edit: its indentation stays, and readers see either the old file or
 * the new one.
 * @param change returns the new content, or null to leave the file as it is
 * @throws TributaryError CONFIG_INVALID when the file cannot be read, is no object, or cannot be written
 */
export const editJson = async (
  file: string,
  change: (content: JsonObject) => JsonObject | null,
): Promise<void> => {
  const text = await readFile(file, 'utf8').catch((error: unknown) =>
    Promise.reject(failed('read', file, error)),
  );
  const next = change(parsed(text, file));
  if (next === null) return;
  const end = text.endsWith('\n') ? '\n' : '';
  await replaceFile(file, JSON.stringify(next, null, indentOf(text)) + end);
};

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
