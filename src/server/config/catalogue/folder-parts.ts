import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isJsonObject } from '../../../lib/json/json.ts';
import { faultAt, type Problem } from '../../../lib/text/problem.ts';
import { closest } from '../../../lib/text/unknown-keys.ts';
import { readJsonFile, type JsonFile } from '../json-file.ts';
import { sectionKeys } from './catalogue-files.ts';
import { nameOf, partsOf, type Part } from './parts.ts';

export interface ReadParts {
  readonly parts: readonly Part[];
  /** The names of the files, also of those with problems. */
  readonly files: readonly string[];
  /** Files that are not JSON or contain no configuration at all. */
  readonly problems: readonly Problem[];
  /** Files with unknown names, which a folder that guards records must not have. */
  readonly strays?: readonly Stray[];
}

/** A file with an unknown name. */
export interface Stray {
  /** Its name in the folder. */
  readonly name: string;
  readonly problem: Problem;
  /** Whether it is probably meant as a disclosure.json: a copy, or a misspelt name. */
  readonly isDisclosure: boolean;
}

/**
 * The JSON files of a catalogue's folder, in alphabetical order, without hidden ones.
 * @param others files of the server that may be there, as absolute paths
 */
export const jsonFiles = (folder: string, others: ReadonlySet<string>): readonly string[] =>
  readdirSync(folder)
    .filter((name) => /\.json$/i.test(name) && !name.startsWith('.') && !others.has(join(folder, name)))
    .filter((name) => isFile(folder, name))
    .sort();

/** A file that is not part of the configuration: the index's mapping, which `load` keeps there. */
const ofNoCatalogue = 'mapping';

/** The files of a folder as parts of one configuration. Never throws. */
export const folderParts = (folder: string, others: ReadonlySet<string>): ReadParts => {
  const files = readFiles(folder, others);
  return {
    parts: files.flatMap(({ parts }) => (isProblem(parts) ? [] : parts)),
    files: files.filter(({ read }) => read.kind !== 'missing').map(({ file }) => file),
    problems: files.flatMap(({ parts }) => (isProblem(parts) ? [parts] : [])),
    strays: [...straysIn(folder, others), ...files.flatMap(repeatedIn)],
  };
};

interface ReadFile {
  readonly file: string;
  readonly read: JsonFile;
  readonly parts: readonly Part[] | Problem;
}

export const isProblem = (parts: readonly Part[] | Problem): parts is Problem => !Array.isArray(parts);

/** The files with configuration: code systems that the hierarchies name are left out, whatever keys they have. */
const readFiles = (folder: string, others: ReadonlySet<string>): readonly ReadFile[] => {
  const files: ReadFile[] = [];
  const named = new Set<string>();
  const isNamed = (file: string): boolean => named.has(join(folder, file)) && !isKnown(file);
  const names = jsonFiles(folder, others).filter((file) => nameOf(file) !== ofNoCatalogue);
  const isFirst = (file: string): boolean => nameOf(file) === 'hierarchies';
  for (const file of [...names.filter(isFirst), ...names.filter((name) => !isFirst(name))]) {
    // code systems can be large, so they are not even read
    if (isNamed(file)) continue;
    const read = readJsonFile(join(folder, file));
    const parts = partsOfFile(file, read);
    files.push({ file, read, parts });
    for (const { keys } of isProblem(parts) ? [] : parts)
      for (const one of isJsonObject(keys['hierarchies']) ? Object.values(keys['hierarchies']) : [])
        if (isJsonObject(one) && typeof one['file'] === 'string') named.add(resolve(folder, one['file']));
  }
  return names.flatMap((name) => files.filter(({ file }) => file === name && !isNamed(file)));
};

/** Files with a repeated key: either value could be meant. */
const repeatedIn = ({ file, read }: ReadFile): readonly Stray[] =>
  read.kind === 'read' && read.repeated !== null
    ? [
        {
          name: file,
          problem: faultAt(file, '', read.repeated),
          isDisclosure:
            nameOf(file) === 'disclosure' ||
            (isJsonObject(read.content) && Object.hasOwn(read.content, 'disclosure')),
        },
      ]
    : [];

const knownNames: readonly string[] = [
  ...['base', 'network', 'catalogue', ofNoCatalogue],
  ...Object.keys(sectionKeys),
];

/** Other entries of a folder, without notes (`.md`); folders and hidden files only if they look like a disclosure.json. */
const straysIn = (folder: string, others: ReadonlySet<string>): readonly Stray[] => {
  const entries = readdirSync(folder);
  const isHere = entries.some(
    (name) => isKnown(name) && nameOf(name) === 'disclosure' && isFile(folder, name),
  );
  return entries.flatMap((name): readonly Stray[] => {
    if (others.has(join(folder, name)) || name.endsWith('.md')) return [];
    const isDisclosure = looksLikeDisclosure(name);
    if (isKnown(name) && (!isDisclosure || isHere)) return [];
    if (name.startsWith('.') ? isHere || !isDisclosure : !isDisclosure && !isFile(folder, name)) return [];
    return [{ name, problem: faultAt(name, '', strayReason(name)), isDisclosure }];
  });
};

/** False for a link that leads nowhere, or to itself. */
const isFile = (folder: string, name: string): boolean => {
  try {
    return statSync(join(folder, name)).isFile();
  } catch {
    return false;
  }
};

const isKnown = (name: string): boolean => /\.json$/i.test(name) && knownNames.includes(nameOf(name));

const looksLikeDisclosure = (name: string): boolean =>
  (name.match(/\p{L}+/gu) ?? []).some(
    (word) => closest(word, ['disclosure'])!.isSlip || /disclos/i.test(word),
  );

const strayReason = (name: string): string => {
  if (isKnown(name)) return 'is not a file';
  if (looksLikeDisclosure(name))
    return 'is not read: disclosure.json is the only name; move copies elsewhere';
  const near = closest(name.split('.')[0]!, knownNames)!;
  return `is not read beside a disclosure.json: ${near.isSlip ? `did you mean ${near.name}.json?` : 'move it elsewhere'}`;
};

/** @returns the problem if the file contains no configuration */
const partsOfFile = (file: string, read: JsonFile): readonly Part[] | Problem => {
  switch (read.kind) {
    // deleted since the folder was listed
    case 'missing':
      return [];
    case 'broken':
      return faultAt(file, '', read.reason);
    case 'read':
      return partsOf(file, nameOf(file), read.content);
  }
};
