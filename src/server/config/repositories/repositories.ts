import type { z } from 'zod';
import { editDistance } from '../../../lib/text/edit-distance.ts';
import {
  faultAt,
  noticeAt,
  problemsError,
  problemsOf,
  schemaProblems,
  type Problem,
} from '../../../lib/text/problem.ts';
import type { RepositoryConfig } from '../../../indexing/repositories/repository.ts';
import { secretIn, type Environment } from '../environment.ts';
import { repositoryEntries, type RepositoryEntry, type RepositoryKind } from './repository-entry.ts';
import { isJsonObject } from '../../../lib/json/json.ts';
import { keyText } from '../catalogue/parts.ts';
import { readConfigFile, repeatedNotice, type ConfigFile } from '../json-file.ts';

export interface ReadRepositories {
  readonly repositories: readonly RepositoryConfig[];
  readonly warnings: readonly Problem[];
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
  if (problems.length > 0) throw problemsError(problems);
  return {
    repositories: read.flatMap((one) => (Array.isArray(one) ? [] : [one])),
    warnings: [...inFile.warnings, ...inVariables.warnings],
  };
};

/** @returns the problems if it is invalid */
const readRepository = (written: WrittenRepository, env: Environment): RepositoryConfig | Problem[] => {
  const kind = written.keys['kind'];
  if (kind !== 'study' && kind !== 'record') return [kindProblem(written)];
  const parsed = repositoryEntries[kind].safeParse(written.keys);
  if (!parsed.success) return parsed.error.issues.flatMap((issue) => issueProblems(issue, written, kind));
  return withCredential(parsed.data, written, env);
};

const kindProblem = ({ keys, placeOf }: WrittenRepository): Problem => {
  const { file, key } = placeOf(['kind']);
  const expected = key.endsWith('_TYPE') ? 'SONG or LYRIC expected' : '"study" or "record" expected';
  return faultAt(file, key, `${keys['kind'] === undefined ? 'is missing' : 'is wrong'}: ${expected}`);
};

const issueProblems = (
  issue: z.core.$ZodIssue,
  { keys, placeOf }: WrittenRepository,
  kind: RepositoryKind,
): readonly Problem[] => {
  const { file, key } = placeOf(issue.path);
  if (issue.code === 'unrecognized_keys')
    return schemaProblems(repositoryEntries[kind], [issue], keys, file, (path) => placeOf(path).key);
  const { message } = issue;
  return [faultAt(file, key, message.startsWith('is missing') ? message : `is wrong: ${message}`)];
};

/** The value only comes from the environment, so that the file contains no secrets. */
const withCredential = (
  { credential, displayName, ...entry }: RepositoryEntry,
  { placeOf }: WrittenRepository,
  env: Environment,
): RepositoryConfig | Problem[] => {
  const config = { ...entry, displayName: displayName ?? entry.code };
  if (credential === undefined) return config;
  const value = secretIn(env, credential.env);
  const { file, key } = placeOf(['credential', 'env']);
  const expected = `the value of the header ${credential.header} expected in it`;
  if (value === undefined)
    return [faultAt(file, key, `names the variable ${credential.env}, which is not set: ${expected}`)];
  if (!/^[\x20-\x7e]+$/.test(value)) {
    const reason = `names the variable ${credential.env}, whose value cannot be sent in a header: printable ASCII expected`;
    return [faultAt(file, key, reason)];
  }
  return { ...config, credential: { header: credential.header, value } };
};

/** Repository codes in routes are case-insensitive. */
const repeatedCodes = (written: readonly WrittenRepository[]): Problem[] => {
  const first = new Map<string, WrittenRepository>();
  return written.flatMap((repository) => {
    const { code } = repository.keys;
    if (typeof code !== 'string' || code === '') return [];
    const other = first.get(code.toLowerCase());
    if (other === undefined) {
      first.set(code.toLowerCase(), repository);
      return [];
    }
    const { file, key } = repository.placeOf(['code']);
    return [faultAt(file, key, `is ${JSON.stringify(code)}, as that of ${other.placeOf([]).key}`)];
  });
};

/** A repository's unchecked keys, and where they are. */
export interface WrittenRepository {
  readonly keys: Readonly<Record<string, unknown>>;
  /** @param path in the entry; empty for the entry itself */
  readonly placeOf: (path: readonly PropertyKey[]) => Pick<Problem, 'file' | 'key'>;
}

export interface WrittenRepositories {
  readonly repositories: readonly WrittenRepository[];
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** The entries of the file at REPOSITORIES_PATH; none without the variable. */
const repositoriesInFile = (path: string | undefined): WrittenRepositories => {
  const none = { repositories: [], problems: [], warnings: [] };
  try {
    const read = readConfigFile('REPOSITORIES_PATH', path);
    return read === null ? none : entriesOf(read);
  } catch (error) {
    return { ...none, problems: problemsOf(error) };
  }
};

/** @throws TributaryError CONFIG_INVALID for another form */
const entriesOf = (read: ConfigFile): WrittenRepositories => {
  const { content, file } = read;
  if (!isJsonObject(content) || !Array.isArray(content['repositories']))
    throw problemsError([faultAt(file, '', 'is wrong: {"repositories": [...]} expected')]);
  const others = Object.keys(content).filter((key) => key !== 'repositories');
  const entries = content['repositories'].map((entry: unknown, at) => entryOf(file, entry, at));
  return {
    repositories: entries.filter((entry) => 'keys' in entry),
    problems: [
      ...others.map((key) => faultAt(file, key, 'is unknown: only repositories is read')),
      ...entries.filter((entry) => 'reason' in entry),
    ],
    warnings: repeatedNotice(read),
  };
};

const entryOf = (file: string, entry: unknown, at: number): WrittenRepository | Problem => {
  const placeOf = (path: readonly PropertyKey[]) => ({ file, key: keyText(['repositories', at, ...path]) });
  if (!isJsonObject(entry)) return faultAt(file, placeOf([]).key, 'is wrong: an object expected');
  return { keys: entry, placeOf };
};

/** The suffix of a variable's name, its key in the file, and how its text is parsed. */
interface Part {
  readonly key: string;
  readonly read: (text: string) => unknown;
  /** Only for repositories of this kind. */
  readonly kind?: RepositoryKind;
}

const text = (value: string): unknown => value;
/** Invalid text is left unchanged and reported when the entry is validated. */
const number = (value: string): unknown => (/^\d+$/.test(value) ? Number(value) : value);
const list = (value: string): unknown =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
const oneOf =
  (texts: Readonly<Record<string, unknown>>) =>
  (value: string): unknown =>
    texts[value.toLowerCase()] ?? value;

const parts: Readonly<Record<string, Part>> = {
  BASE_URL: { key: 'baseUrl', read: text },
  CODE: { key: 'code', read: text },
  NAME: { key: 'displayName', read: text },
  TYPE: { key: 'kind', read: oneOf({ song: 'study', lyric: 'record' }) },
  INDEX_NAME: { key: 'indexName', read: text },
  PAGINATION_SIZE: { key: 'pageSize', read: number },
  LYRIC_CATEGORY_ID: { key: 'categoryId', read: text, kind: 'record' },
  LYRIC_VALID_DATA_ONLY: {
    key: 'validOnly',
    read: oneOf({ true: true, 1: true, false: false, 0: false }),
    kind: 'record',
  },
  SONG_INDEXING_MODE: { key: 'documents', read: text, kind: 'study' },
  SONG_INDEXABLE_STUDY_STATES: { key: 'indexableStates', read: list, kind: 'study' },
};

/** The suffixes of the variables' names, with their keys in the file. */
export const repositoryVariables: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(parts).map(([name, { key }]) => [name, key]),
);

const prefix = 'MAESTRO_REPOSITORIES_';

/**
 * The repositories of the established variables MAESTRO_REPOSITORIES_<n>_..., ordered by number, with the keys of the
 * file.
 */
const repositoriesInVariables = (env: Environment): WrittenRepositories => {
  const byNumber = new Map<number, Map<string, string>>();
  const warnings: Problem[] = [];
  for (const [variable, value] of Object.entries(env)) {
    if (value === undefined || value === '' || !variable.startsWith('MAESTRO_REP')) continue;
    const [, digits = '', part = ''] = /^MAESTRO_REPOSITORIES_(\d{1,6})_(.+)$/.exec(variable) ?? [];
    if (!Object.hasOwn(parts, part)) {
      warnings.push(unknown(variable));
      continue;
    }
    const found = byNumber.get(Number(digits)) ?? new Map<string, string>();
    byNumber.set(Number(digits), found.set(part, value));
  }
  const repositories = [...byNumber]
    .sort(([one], [other]) => one - other)
    .map(([at, values]) => repositoryOf(at, values, warnings));
  return { repositories, problems: [], warnings };
};

/** Appends to the warnings. */
const repositoryOf = (
  at: number,
  values: ReadonlyMap<string, string>,
  warnings: Problem[],
): WrittenRepository => {
  const kind = parts['TYPE']!.read(values.get('TYPE') ?? '');
  const keys: Record<string, unknown> = {};
  for (const [part, value] of values) {
    const { key, read, kind: only } = parts[part]!;
    if (only === undefined || only === kind) keys[key] = read(value);
    else
      warnings.push(
        noticeAt(
          null,
          `${prefix}${at}_${part}`,
          `is ignored: it has no effect with TYPE ${values.get('TYPE') ?? ''}`,
        ),
      );
  }
  return { keys, placeOf: ([key]) => ({ file: null, key: variableOf(at, key) }) };
};

const variableOf = (at: number, key: PropertyKey | undefined): string => {
  const part = Object.keys(parts).find((name) => parts[name]!.key === key);
  return `${prefix}${at}${part === undefined ? '' : `_${part}`}`;
};

/** A warning about an unknown variable, which may belong to another program. */
const unknown = (variable: string): Problem => {
  const number = /\d+/.exec(variable)?.[0] ?? '0';
  const near = Object.keys(parts)
    .map((part) => `${prefix}${number}_${part}`)
    .map((name) => ({ name, distance: editDistance(variable, name) }))
    .sort((one, other) => one.distance - other.distance)[0]!;
  const hint = near.distance <= 3 ? `did you mean ${near.name}?` : 'it is ignored';
  return noticeAt(null, variable, `is unknown: ${hint}`);
};
