import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { invalidConfig, type TributaryError } from '../../lib/errors/errors.ts';
import { isJsonObject, type JsonObject } from '../../lib/json/json.ts';
import { fileReason } from '../../lib/runtime/file-failure.ts';
import { giveTo } from '../../lib/runtime/private-file.ts';
import { readJsonFile } from './json-file.ts';

/**
 * Changes a configuration file that people edit: its indentation is kept, and readers see either the old file or
 * the new one. Reading and writing are synchronous, so that concurrent changes in this process are not lost.
 * @param change returns the new content, or null to leave the file as it is
 * @param initial the content of a file that does not exist yet, which is created for this user only; unset: it must exist
 * @throws TributaryError CONFIG_INVALID when the file cannot be read, is not an object, or cannot be written
 */
export const editJson = async (
  file: string,
  change: (content: JsonObject) => JsonObject | null,
  initial?: JsonObject,
): Promise<void> => {
  const { content, text } = contentOf(file, initial);
  const next = change(content);
  if (next === null) return;
  const end = text.endsWith('\n') ? '\n' : '';
  replaceFile(file, JSON.stringify(next, null, indentOf(text)) + end);
};

const contentOf = (
  file: string,
  initial: JsonObject | undefined,
): { readonly content: JsonObject; readonly text: string } => {
  const found = readJsonFile(file);
  if (found.kind === 'missing' && initial !== undefined) return { content: initial, text: '\n' };
  if (found.kind === 'missing') throw invalid(file, 'cannot be read: there is no such file');
  if (found.kind === 'broken') throw invalid(file, found.reason);
  // writing the file would drop one of the two values
  if (found.repeated !== null) throw invalid(file, found.repeated);
  if (!isJsonObject(found.content)) throw invalid(file, 'is not a JSON object');
  return { content: found.content, text: found.text };
};

/** The indentation of the file's first key; two spaces for a single-line file. */
const indentOf = (text: string): string => /^\s*\{\r?\n([ \t]+)"/.exec(text)?.[1] ?? '  ';

/**
 * Writes a configuration file atomically: readers see either the old file or the new one, also where the disk is full.
 * @param mode of a file that does not exist yet; by default this user only
 * @throws TributaryError CONFIG_INVALID when it cannot be written
 */
export const replaceFile = (file: string, text: string, mode = 0o600): void => {
  let temporary: string | null = null;
  try {
    const { target, owner, ...before } = existing(file);
    temporary = path.join(path.dirname(target), `.${path.basename(target)}.${randomUUID()}.tmp`);
    const allowed = before.mode ?? mode;
    const handle = openSync(temporary, 'wx', allowed);
    try {
      // sets the mode regardless of the umask of the editing user
      fchmodSync(handle, allowed);
      giveTo(owner, handle);
      writeFileSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(temporary, target);
  } catch (error) {
    if (temporary !== null) rmSync(temporary, { force: true });
    const reason = fileReason(error) ?? String((error as NodeJS.ErrnoException).code);
    throw invalid(file, `cannot be written: ${reason}`, error);
  }
};

interface Existing {
  readonly target: string;
  /** null: the file is not there yet. */
  readonly mode: number | null;
  readonly owner: { readonly uid: number; readonly gid: number };
}

/** The target of the path, with links resolved, its mode and its owner; of one that is not there yet, the folder's owner. */
const existing = (file: string): Existing => {
  try {
    const target = realpathSync(file);
    const owner = statSync(target);
    return { target, mode: owner.mode, owner };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return { target: file, mode: null, owner: statSync(path.dirname(file)) };
  }
};

const invalid = (file: string, problem: string, cause?: unknown): TributaryError =>
  invalidConfig(`${file} ${problem}`, { cause });
