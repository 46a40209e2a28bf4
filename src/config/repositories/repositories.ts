import type { z } from 'zod';
import { editDistance } from '../../text/edit-distance.ts';
import { TributaryError } from '../../errors/errors.ts';
import type { RepositoryConfig } from '../../indexing/repositories/repository.ts';
import type { Environment } from '../environment.ts';
import type { WrittenRepository } from './repositories-file.ts';
import { repositoriesInFile } from './repositories-file.ts';
import { repositoriesInVariables } from './repositories-variables.ts';
import type { RepositoryEntry, RepositoryKind } from './repository-entry.ts';
import { repositoryEntries } from './repository-entry.ts';

export interface ReadRepositories {
  readonly repositories: readonly RepositoryConfig[];
  readonly warnings: readonly string[];
}

/**
 * The repositories to index: those of the file at REPOSITORIES_PATH, then those of the variables
 * MAESTRO_REPOSITORIES_<n>_....
 * @throws TributaryError CONFIG_INVALID naming every problem with its file, entry and key, or its variable
 */
export const readRepositories = (env: Environment, file: string | undefined): ReadRepositories => {
  const inFile = repositoriesInFile(file);
  const inVariables = repositoriesInVariables(env);
  const written = [...inFile.repositories, ...inVariables.repositories];
  const read = written.map((repository) => readRepository(repository, env));
  const problems = [
    ...inFile.problems,
    ...read.flatMap((one) => (Array.isArray(one) ? one : [])),
    ...repeatedCodes(written),
  ];
  if (problems.length > 0)
    throw new TributaryError('CONFIG_INVALID', problems.join('; '), { details: { problems } });
  return {
    repositories: read.flatMap((one) => (Array.isArray(one) ? [] : [one])),
    warnings: [...inFile.warnings, ...inVariables.warnings],
  };
};

/** @returns the problems of an invalid one */
const readRepository = (written: WrittenRepository, env: Environment): RepositoryConfig | string[] => {
  const kind = written.keys['kind'];
  if (kind !== 'study' && kind !== 'record') return [kindProblem(written)];
  const parsed = repositoryEntries[kind].safeParse(written.keys);
  if (!parsed.success) return parsed.error.issues.flatMap((issue) => problemsOf(issue, written, kind));
  return withCredential(parsed.data, written, env);
};

const kindProblem = ({ keys, nameOf }: WrittenRepository): string => {
  const name = nameOf(['kind']);
  const expected = name.endsWith('_TYPE') ? 'SONG or LYRIC expected' : '"study" or "record" expected';
  return `${name}: ${keys['kind'] === undefined ? 'is missing: ' : ''}${expected}`;
};

const problemsOf = (
  issue: z.core.$ZodIssue,
  { nameOf }: WrittenRepository,
  kind: RepositoryKind,
): string[] => {
  if (issue.code !== 'unrecognized_keys') return [`${nameOf(issue.path)}: ${issue.message}`];
  const known = issue.path.length === 0 ? Object.keys(repositoryEntries[kind].shape) : ['header', 'env'];
  return issue.keys.map((key) => {
    const near = known.find((name) => editDistance(key.toLowerCase(), name.toLowerCase()) <= 2);
    const hint = near === undefined ? `${known.join(', ')} are known` : `did you mean ${near}?`;
    return `${nameOf([...issue.path, key])}: the key is unknown: ${hint}`;
  });
};

/** The value only comes from the environment, so that the file contains no secrets. */
const withCredential = (
  { credential, displayName, ...entry }: RepositoryEntry,
  { nameOf }: WrittenRepository,
  env: Environment,
): RepositoryConfig | string[] => {
  const config = { ...entry, displayName: displayName ?? entry.code };
  if (credential === undefined) return config;
  const value = env[credential.env];
  const name = nameOf(['credential', 'env']);
  if (value === undefined || value === '')
    return [`${name}: the variable ${credential.env} is not set: the value of the header ${credential.header} expected in it`]; // prettier-ignore
  if (!/^[\x20-\x7e]+$/.test(value))
    return [`${name}: what the variable ${credential.env} holds cannot be sent in a header: printable ASCII expected`]; // prettier-ignore
  return { ...config, credential: { header: credential.header, value } };
};

/** Repository codes in routes are case-insensitive. */
const repeatedCodes = (written: readonly WrittenRepository[]): string[] => {
  const first = new Map<string, WrittenRepository>();
  return written.flatMap((repository) => {
    const { code } = repository.keys;
    if (typeof code !== 'string' || code === '') return [];
    const other = first.get(code.toLowerCase());
    if (other === undefined) {
      first.set(code.toLowerCase(), repository);
      return [];
    }
    return [`${repository.nameOf(['code'])}: ${JSON.stringify(code)} is taken by ${other.nameOf([])}`];
  });
};
