import { resolve } from 'node:path';
import { isJsonObject } from '../../json/json.ts';
import { readJsonFile } from '../json-file.ts';

/** A repository's keys, unchecked, and how to refer to them in messages. */
export interface WrittenRepository {
  readonly keys: Readonly<Record<string, unknown>>;
  /** @param path in the entry; empty for the entry itself */
  readonly nameOf: (path: readonly PropertyKey[]) => string;
}

export interface WrittenRepositories {
  readonly repositories: readonly WrittenRepository[];
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/** The entries of the file at REPOSITORIES_PATH; none without the variable. */
export const repositoriesInFile = (file: string | undefined): WrittenRepositories => {
  const broken = (problem: string): WrittenRepositories => ({
    repositories: [],
    problems: [problem],
    warnings: [],
  });
  if (file === undefined) return { repositories: [], problems: [], warnings: [] };
  const read = readJsonFile(resolve(file));
  switch (read.kind) {
    case 'missing':
      return broken(`REPOSITORIES_PATH names ${JSON.stringify(file)}, which does not exist`);
    case 'broken':
      return broken(`${file} ${read.reason}`);
    case 'read': {
      const { content } = read;
      if (!isJsonObject(content) || !Array.isArray(content['repositories']))
        return broken(`${file}: {"repositories": [...]} expected`);
      const others = Object.keys(content).filter((key) => key !== 'repositories');
      const entries = content['repositories'].map((entry: unknown, at) => entryOf(file, entry, at));
      return {
        repositories: entries.filter((entry) => typeof entry !== 'string'),
        problems: [
          ...others.map((key) => `${file}: the key ${key} is unknown: only repositories is read`),
          ...entries.filter((entry) => typeof entry === 'string'),
        ],
        warnings: [],
      };
    }
  }
};

const entryOf = (file: string, entry: unknown, at: number): WrittenRepository | string => {
  const where = `${file}, repositories[${at}]`;
  if (!isJsonObject(entry)) return `${where}: an object expected`;
  return { keys: entry, nameOf: (path) => [where, ...(path.length === 0 ? [] : [keyOf(path)])].join(', ') };
};

const keyOf = (path: readonly PropertyKey[]): string =>
  path
    .map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at === 0 ? '' : '.'}${String(key)}`))
    .join('');
