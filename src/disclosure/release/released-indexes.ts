import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TributaryError } from '../../errors/errors.ts';
import { isJsonObject } from '../../json/json.ts';
import { privateFolder } from '../../runtime/private-file.ts';

/**
 * Which indexes were ever released, whatever their catalogue, folder or alias is called now: without their
 * disclosure.json they do not open.
 */
export interface ReleasedIndexes {
  /**
   * The catalogue that one of these indexes was released by; null for none.
   * @throws TributaryError unknown_error when that cannot be read
   */
  readonly catalogueOf: (indices: readonly string[]) => string | null;
  /** @throws TributaryError unknown_error when that cannot be read */
  readonly hasReleased: (catalogueId: string) => boolean;
  readonly isEmpty: () => boolean;
  readonly add: (catalogueId: string, indices: readonly string[]) => void;
}

export const noHistory: ReleasedIndexes = {
  catalogueOf: () => null,
  hasReleased: () => false,
  isEmpty: () => true,
  add: () => undefined,
};

const fileName = '@released.json';

/** @param warn called with the reason why an index cannot be recorded */
export const releasedIndexes = (
  dataPath: string,
  warn: (error: unknown) => void = () => undefined,
): ReleasedIndexes => {
  const file = join(dataPath, fileName);
  const read = (): ReadonlyMap<string, string> => {
    try {
      const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
      if (!isJsonObject(content)) throw new TypeError('an object expected');
      return new Map(Object.entries(content).map(([index, id]) => [index, String(id)]));
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return new Map();
      throw new TributaryError(
        'unknown_error',
        `${fileName} in DATA_PATH, which says what was released, cannot be read: restore it from a backup`,
        { cause },
      );
    }
  };
  return {
    isEmpty: () => !existsSync(file),
    hasReleased: (catalogueId) => [...read().values()].includes(catalogueId),
    catalogueOf: (indices) => {
      const known = read();
      return indices.map((index) => known.get(index)).find((id) => id !== undefined) ?? null;
    },
    add: (catalogueId, indices) => {
      try {
        const known = read();
        if (indices.every((index) => known.has(index))) return;
        const all = {
          ...Object.fromEntries(indices.map((index) => [index, catalogueId])),
          ...Object.fromEntries(known),
        };
        const draft = `${file}.${process.pid}`;
        mkdirSync(dataPath, { recursive: true, mode: privateFolder });
        writeFileSync(draft, JSON.stringify(all, null, 2), { mode: 0o600, flush: true });
        renameSync(draft, file);
      } catch (error) {
        warn(error);
      }
    },
  };
};
