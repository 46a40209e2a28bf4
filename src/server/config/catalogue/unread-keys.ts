import { z } from 'zod';
import { noticeAt, type Problem } from '../../../lib/text/problem.ts';
import { closest, unknownKeys, withoutWrappers, type UnknownKey } from '../../../lib/text/unknown-keys.ts';
import { catalogueContent, keysWithoutMeaning, sectionKeys } from './catalogue-files.ts';
import { inFile, keyText, type Part } from './parts.ts';

export interface UnreadKey {
  readonly problem: Problem;
  /** Whether it belongs to disclosure.json, or is `disclosure` misspelt: the data that it would hide must not be shown. */
  readonly isDisclosure: boolean;
}

/**
 * The unknown keys of a catalogue's files, one line per key of each list for all its entries. `index` at the top level
 * belongs to another feature and is ignored silently.
 */
export const unreadKeys = (parts: readonly Part[]): readonly UnreadKey[] =>
  parts.flatMap(({ file, keys, beside = [] }) => {
    const unread = unknownKeys(catalogueContent, keys).filter(
      ({ path, key }) => path.length > 0 || key !== 'index',
    );
    const byList = Map.groupBy(unread, ({ path, key }) =>
      JSON.stringify([path.filter((step) => typeof step === 'string'), key]),
    );
    return [
      ...beside.map((key) => ({
        problem: noticeAt(file, key, 'is not read: this file holds the network only'),
        isDisclosure: isOfDisclosure(key, file),
      })),
      ...[...byList.values()].map((same) => ({
        problem: problemOf(file, same),
        isDisclosure:
          same[0]!.path.length <= Number(file === 'catalogue.json') && isOfDisclosure(same[0]!.key, file),
      })),
    ];
  });

/** catalogue.json has keys of its own: there, `unit` or `order` mean something else. */
const isOfDisclosure = (key: string, file: string): boolean =>
  closest(key, ['disclosure'])!.isSlip || (file !== 'catalogue.json' && sectionWith(key) === 'disclosure');

const problemOf = (file: string, same: readonly UnknownKey[]): Problem => {
  const [{ path, key, known }] = same as [UnknownKey];
  const more = same.length === 1 ? '' : `, as ${same.length - 1} more such keys`;
  const { what, hint, near } = wordsOf(path, key, known);
  const reason = `${what}${more}${hint === '' ? '' : `: ${hint}`}`;
  return {
    ...noticeAt(file, keyText([...inFile(file, path), key]), reason),
    ...(near !== undefined && { near }),
  };
};

interface Words {
  readonly what: string;
  readonly hint: string;
  readonly near?: string;
}

const wordsOf = (path: UnknownKey['path'], key: string, known: readonly string[]): Words => {
  const isTop = path.length === 0;
  if (isTop && Object.hasOwn(keysWithoutMeaning, key))
    return { what: 'is not read', hint: keysWithoutMeaning[key]! };
  const last = path.findLast((step) => typeof step === 'string');
  if (last === 'extended' && key === 'type') {
    const hint = 'a field has the type of the mapping, and is shown as its displayType';
    return { what: 'is not read', hint };
  }
  if (isTop) {
    const section = sectionWith(key);
    if (section !== null) return { what: 'is not read here', hint: `did you mean ${section}.${key}?` };
  }
  const near = closest(key, known);
  if (near === null) return { what: 'is unknown', hint: '' };
  return near.isSlip
    ? { what: 'is unknown', hint: `did you mean ${near.name}?`, near: near.name }
    : { what: 'is unknown and not read', hint: `the closest known one is ${near.name}`, near: near.name };
};

/** The section to which a misplaced top-level key belongs. */
const sectionWith = (key: string): string | null => {
  const found = Object.entries(sectionKeys).find(([, schema]) => {
    const bare = withoutWrappers(schema);
    return bare instanceof z.ZodObject && Object.hasOwn(bare.shape, key);
  });
  return found?.[0] ?? null;
};
