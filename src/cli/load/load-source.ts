import type { Stats } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { invalidInput, TributaryError } from '../../lib/errors/errors.ts';
import type { PlanRequest } from '../../indexing/file-import/plan-import.ts';
import type { FurtherFile } from '../../indexing/file-import/read-files.ts';
import { detectFormat } from '../../indexing/file-import/records/detect-format.ts';
import { openSource } from '../../indexing/file-import/records/open-source.ts';
import type { LoadOptions } from './load-options.ts';

/** The files of a load. */
export interface LoadSource {
  readonly request: Pick<PlanRequest, 'chunks' | 'reread' | 'format' | 'file' | 'others'>;
  /** The number of bytes read from the first file. */
  readonly bytesRead: () => number;
  /** Its size; null if unknown, or if there are other files. */
  readonly size: number | null;
}

/**
 * Opens the first file; each other file is opened after the one before it.
 * @throws TributaryError INPUT_INVALID a file that cannot be read or is of an unsupported type, with its name; a folder
 *   without files
 */
export const openSources = async (
  { files: named, codebookFile, encoding, format, reading }: LoadOptions,
  signal: AbortSignal,
): Promise<LoadSource> => {
  const files = await filesOf(named);
  const [first, ...others] = files.length === 1 ? files : files.filter((file) => file !== codebookFile);
  const open = async (file: string) => {
    const source = await openSource(file, process.stdin, { encoding, signal });
    const looked = format ?? detected(source.head, file, others.length > 0);
    return {
      ...source,
      format: looked === 'ndjson' && reading.records !== undefined ? 'json' : looked,
    } as const;
  };
  const { chunks, reread, format: found, size, bytesRead } = await open(first!);
  const isOne = others.length === 0;
  const further = others.map((name): FurtherFile => ({ name, open: () => open(name) }));
  return {
    request: { chunks, reread, format: found, ...(!isOne && { file: first!, others: further }) },
    size: isOne ? size : null,
    bytesRead,
  };
};

const detected = (head: Buffer, file: string, isNamed: boolean) => {
  try {
    return detectFormat(head);
  } catch (error) {
    if (!isNamed || !(error instanceof TributaryError)) throw error;
    throw new TributaryError(error.code, `${file}: ${error.message}`, { cause: error });
  }
};

/** The named files, and those in named folders, without hidden files and rejects of earlier loads. */
const filesOf = async (named: readonly string[]): Promise<readonly string[]> => {
  const files: string[] = [];
  for (const name of named)
    if (name === '-' || (await found(name))?.isDirectory() !== true) files.push(name);
    else files.push(...(await filesIn(name)));
  const loadable = files.length > 1 ? files.filter((file) => !file.endsWith('.rejected.ndjson')) : files;
  if (loadable.length === 0) throw invalidInput(`there are no files in ${named.join(', ')}`);
  if (loadable.length > 1 && loadable.includes('-'))
    throw invalidInput('standard input cannot be one of several files');
  for (const file of loadable.length > 1 ? loadable : [])
    if ((await found(file))?.isFile() === false)
      throw invalidInput(
        `${file} is a stream, which cannot be one of several files: write it to a file first`,
      );
  return loadable;
};

/** A link counts as its target, which is only read once; links to folders are not followed. */
const filesIn = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(
      (path) =>
        !relative(folder, path)
          .split(/[\\/]/)
          .some((part) => part.startsWith('.')),
    )
    .sort();
  const files = new Map<string, string>();
  for (const path of paths) {
    const stats = await found(path);
    const target = await realpath(path).catch(() => path);
    if (stats?.isDirectory() !== true && !files.has(target)) files.set(target, path);
  }
  return [...files.values()];
};

/** null on failure: opening the file reports the reason. */
const found = (path: string): Promise<Stats | null> => stat(path).catch(() => null);
