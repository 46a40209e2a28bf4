import { z } from 'zod';
import { closest, unknownKeys, withoutWrappers, type UnknownKey } from '../../text/unknown-keys.ts';
import { catalogueContent, keysWithoutMeaning, sectionKeys } from './catalogue-files.ts';
import { inFile, keyText, type Part } from './parts.ts';

export interface UnreadKey {
  readonly file: string;
  readonly line: string;
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
        file,
        line: `${file}: the key ${key} is not read: this file holds the network only`,
        isDisclosure: isOfDisclosure(key, file),
      })),
      ...[...byList.values()].map((same) => ({
        file,
        line: lineOf(file, same),
        isDisclosure:
          same[0]!.path.length <= Number(file === 'catalogue.json') && isOfDisclosure(same[0]!.key, file),
      })),
    ];
  });

/** catalogue.json has keys of its own: there, `unit` or `order` mean something else. */
const isOfDisclosure = (key: string, file: string): boolean =>
  closest(key, ['disclosure'])!.isSlip || (file !== 'catalogue.json' && sectionWith(key) === 'disclosure');

const lineOf = (file: string, same: readonly UnknownKey[]): string => {
  const [{ path, key, known }] = same as [UnknownKey];
  const at = keyText(inFile(file, path) as UnknownKey['path']);
  const more = same.length === 1 ? '' : ` and ${same.length - 1} more`;
  return `${file}${at === '' ? '' : `, ${at}${more}`}: ${wordsOf(path, key, known)}`;
};

const wordsOf = (path: UnknownKey['path'], key: string, known: readonly string[]): string => {
  const isTop = path.length === 0;
  if (isTop && Object.hasOwn(keysWithoutMeaning, key))
    return `the key ${key} is not read: ${keysWithoutMeaning[key]}`;
  const last = path.findLast((step) => typeof step === 'string');
  if (last === 'extended' && key === 'type')
    return 'the key type is not read: a field has the type of the mapping, and is shown as its displayType';
  if (isTop) {
    const section = sectionWith(key);
    if (section !== null) return `the key ${key} is not read here: did you mean ${section}.${key}?`;
  }
  const near = closest(key, known);
  if (near === null) return `the key ${key} is unknown`;
  return near.isSlip
    ? `the key ${key} is unknown: did you mean ${near.name}?`
    : `the key ${key} is unknown and not read: the closest known one is ${near.name}`;
};

/** The section to which a misplaced top-level key belongs. */
const sectionWith = (key: string): string | null => {
  const found = Object.entries(sectionKeys).find(([, schema]) => {
    const bare = withoutWrappers(schema);
    return bare instanceof z.ZodObject && Object.hasOwn(bare.shape, key);
  });
  return found?.[0] ?? null;
};
