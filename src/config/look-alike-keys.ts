import { editDistance } from '../edit-distance.ts';
import { isJsonObject } from '../json.ts';
import { knownKeys, type CatalogueFileName } from './catalogue-files.ts';

/**
 * Keys of a catalogue's file that are not known and look like one that is: a slip of the pen, which would be ignored in
 * silence. @param content the file's content without the key of its name around it
 */
export const lookAlikeKeys = (file: CatalogueFileName, content: unknown): readonly string[] =>
  objectsIn(file, content).flatMap(({ at, object, known }) =>
    Object.keys(object).flatMap((key) => {
      const near = known.includes(key)
        ? undefined
        : known.find((name) => editDistance(key, name) <= slips(name));
      const where = `${file}.json${at === '' ? '' : `, ${at}`}`;
      return near === undefined ? [] : [`${where}: the key ${key} is unknown: did you mean ${near}?`];
    }),
  );

interface FoundObject {
  /** Where it stands in the file, "" for the file itself. */
  readonly at: string;
  readonly object: object;
  readonly known: readonly string[];
}

const objectsIn = (file: CatalogueFileName, content: unknown): readonly FoundObject[] =>
  (knownKeys[file] ?? []).flatMap(({ list, keys }) => {
    if (list === null) return isJsonObject(content) ? [{ at: '', object: content, known: keys }] : [];
    const entries = list === '' ? content : isJsonObject(content) ? content[list] : undefined;
    if (!Array.isArray(entries)) return [];
    return entries.flatMap((object: unknown, position) =>
      isJsonObject(object) ? [{ at: `${list}[${position}]`, object, known: keys }] : [],
    );
  });

/** How many letters may differ: of a short name fewer, or everything looks like it. */
const slips = (name: string): number => (name.length < 6 ? 1 : 2);
