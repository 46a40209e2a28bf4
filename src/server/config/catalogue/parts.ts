import { isJsonObject } from '../../../lib/json/json.ts';
import { withNamedFacets } from '../../../introspection/sections/sections.ts';
import { catalogueKeys, sectionKeys } from './catalogue-files.ts';
import { isDeepStrictEqual } from 'node:util';
import { faultAt, type Problem } from '../../../lib/text/problem.ts';

/** The content of one file of a catalogue, by the keys of the whole configuration. */
export interface Part {
  /** The file name, for messages. */
  readonly file: string;
  readonly keys: Readonly<Record<string, unknown>>;
  /** Other keys in a file that is read for one section only. */
  readonly beside?: readonly string[];
}

/** The name of a file without its extension. */
export const nameOf = (file: string): string => file.replace(/\.json$/i, '');

/**
 * Splits content into parts: a file named after a section may contain its bare value, along with other keys; any other
 * content is an object of keys, where `base` wraps those of base.json.
 * @param name of the file without `.json`; "" for an object from an application
 */
export const partsOf = (file: string, name: string, content: unknown): readonly Part[] | Problem => {
  if (name === 'network') return [networkPart(file, content)];
  // a hierarchy may have any name
  if (name === 'hierarchies' && isJsonObject(content) && !Object.hasOwn(content, name))
    return [{ file, keys: { hierarchies: content } }];
  const isSection = Object.hasOwn(sectionKeys, name);
  if (!isJsonObject(content))
    return isSection
      ? [{ file, keys: withNamedFacets({ [name]: content }) }]
      : faultAt(
          file,
          '',
          `is no object with keys such as ${Object.keys(catalogueKeys).slice(0, 4).join(', ')}`,
        );
  if (isSection && !Object.hasOwn(content, name))
    return [{ file, keys: withNamedFacets(unwrapped(name, content)) }];
  const { base, ...keys } = content;
  return isJsonObject(base)
    ? [
        { file, keys: withNamedFacets(base) },
        { file, keys: withNamedFacets(keys) },
      ]
    : [{ file, keys: withNamedFacets(content) }];
};

/** network.json only contains the network, bare or under its key. */
const networkPart = (file: string, content: unknown): Part => {
  if (!isJsonObject(content) || !Object.hasOwn(content, 'network'))
    return { file, keys: { network: content } };
  const { network, ...others } = content;
  return { file, keys: { network }, beside: Object.keys(others) };
};

/** Keys of the whole configuration stay as they are, all others are the section's. */
const unwrapped = (name: string, content: Readonly<Record<string, unknown>>): Part['keys'] => {
  const isOfAll = ([key]: readonly [string, unknown]): boolean => Object.hasOwn(catalogueKeys, key);
  const entries = Object.entries(content);
  return {
    ...Object.fromEntries(entries.filter(isOfAll)),
    [name]: Object.fromEntries(entries.filter((entry) => !isOfAll(entry))),
  };
};

type Path = readonly PropertyKey[];

export interface MergedParts {
  readonly content: Readonly<Record<string, unknown>>;
  /** Conflicts between the files, naming them. */
  readonly problems: readonly Problem[];
}

/**
 * Merges several files: objects are merged deeply. Scalars and lists in two files must be equal; on conflict the first
 * one is kept, so that a failed catalogue still has its name. null counts as absent.
 */
export const mergeParts = (parts: readonly Part[]): MergedParts => {
  const problems: Problem[] = [];
  const content = joined(
    parts.map(({ file, keys }) => ({ file, value: keys })),
    [],
    problems,
  );
  return { content: content as MergedParts['content'], problems };
};

interface FileValue {
  readonly file: string;
  readonly value: unknown;
}

const joined = (all: readonly FileValue[], path: Path, problems: Problem[]): unknown => {
  const present = all.filter(({ value }) => value !== null && value !== undefined);
  if (present.length === 0) return path.length === 0 ? {} : null;
  if (present.every(({ value }) => isJsonObject(value))) {
    const keys = new Set(present.flatMap(({ value }) => Object.keys(value as object)));
    return Object.fromEntries(
      [...keys].map((key) => {
        const below = present.filter(({ value }) => Object.hasOwn(value as object, key));
        const values = below.map(({ file, value }) => ({
          file,
          value: (value as Record<string, unknown>)[key],
        }));
        return [key, joined(values, [...path, key], problems)];
      }),
    );
  }
  const [first] = present;
  if (present.some(({ value }) => !isDeepStrictEqual(value, first!.value)))
    problems.push(disagreement(present, path));
  return first!.value;
};

const disagreement = (present: readonly FileValue[], path: Path): Problem => {
  const files = [...new Set(present.map(({ file }) => file))];
  const key = keyText(path);
  const last = files.at(-1)!;
  if (files.length === 1) return faultAt(last, key, 'is there twice with different values: keep one');
  const others = files.slice(0, -1).join(' and ');
  return faultAt(last, key, `is another than in ${others}: give it in one of them, or the same in all`);
};

/** The file that contains a key, and the key's path there: the file that matches the path deepest. */
export const placeOf = (
  parts: readonly Part[],
  path: Path,
): { readonly file: string; readonly key: string } => {
  let best: { readonly file: string; readonly depth: number } | null = null;
  for (const { file, keys } of parts) {
    const depth = depthOf(keys, path);
    if (best === null || depth > best.depth) best = { file, depth };
  }
  const file = best === null || best.depth === 0 ? 'base.json' : best.file;
  return { file, key: keyText(inFile(file, path)) };
};

/** Omits the section from the path in a file named after it. */
export const inFile = (file: string, path: Path): Path =>
  file.replace(/\.json$/i, '') === path[0] ? path.slice(1) : path;

const depthOf = (value: unknown, path: Path): number => {
  const [key, ...rest] = path;
  if (key === undefined || typeof value !== 'object' || value === null || !Object.hasOwn(value, key))
    return 0;
  return 1 + depthOf((value as Record<PropertyKey, unknown>)[key], rest);
};

/** A path as shown in messages: `columns[1].fieldName`. */
export const keyText = (path: Path): string =>
  path
    .map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at === 0 ? '' : '.'}${String(key)}`))
    .join('');
