import { editDistance } from '../../text/edit-distance.ts';
import type { Environment } from '../environment.ts';
import type { WrittenRepositories, WrittenRepository } from './repositories-file.ts';
import type { RepositoryKind } from './repository-entry.ts';

/** The suffix of a variable's name, its key in the file, and how its text is parsed. */
interface Part {
  readonly key: string;
  readonly read: (text: string) => unknown;
  /** Only for repositories of this kind. */
  readonly kind?: RepositoryKind;
}

const text = (value: string): unknown => value;
/** Invalid text is left unchanged, for the validation of the entry to report. */
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
export const repositoriesInVariables = (env: Environment): WrittenRepositories => {
  const byNumber = new Map<number, Map<string, string>>();
  const warnings: string[] = [];
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

/** Adds to the warnings. */
const repositoryOf = (
  at: number,
  values: ReadonlyMap<string, string>,
  warnings: string[],
): WrittenRepository => {
  const kind = parts['TYPE']!.read(values.get('TYPE') ?? '');
  const keys: Record<string, unknown> = {};
  for (const [part, value] of values) {
    const { key, read, kind: only } = parts[part]!;
    if (only === undefined || only === kind) keys[key] = read(value);
    else
      warnings.push(
        `${prefix}${at}_${part} is ignored: it has no effect with TYPE ${values.get('TYPE') ?? ''}`,
      );
  }
  return { keys, nameOf: ([key]) => variableOf(at, key) };
};

const variableOf = (at: number, key: PropertyKey | undefined): string => {
  const part = Object.keys(parts).find((name) => parts[name]!.key === key);
  return `${prefix}${at}${part === undefined ? '' : `_${part}`}`;
};

/** Other programs read these variables too, so an unknown name need not be wrong. */
const unknown = (variable: string): string => {
  const number = /\d+/.exec(variable)?.[0] ?? '0';
  const near = Object.keys(parts)
    .map((part) => `${prefix}${number}_${part}`)
    .map((name) => ({ name, distance: editDistance(variable, name) }))
    .sort((one, other) => one.distance - other.distance)[0]!;
  const hint = near.distance <= 3 ? `did you mean ${near.name}?` : 'it is ignored';
  return `the variable ${variable} is unknown: ${hint}`;
};
