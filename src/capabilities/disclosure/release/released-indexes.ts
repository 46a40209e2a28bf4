import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TributaryError } from '../../../lib/errors/errors.ts';
import { isJsonObject, type JsonValue } from '../../../lib/json/json.ts';
import { privateFolder } from '../../../lib/runtime/private-file.ts';
import { exclusively } from './release-ledger.ts';

/**
 * Which indexes were ever released, whatever their catalogue, folder or alias is now called: they do not open without
 * their disclosure.json.
 */
export interface ReleasedIndexes {
  /**
   * The catalogue that released one of these indexes; null for none.
   * @throws TributaryError unknown_error when the record cannot be read
   */
  readonly catalogueOf: (indices: readonly string[]) => string | null;
  /**
   * The last release of a catalogue, or of any of these indexes; null for none.
   * @throws TributaryError unknown_error when the record cannot be read
   */
  readonly lastOf: (catalogueId: string, indices: readonly string[]) => ReleasedIndex | null;
  readonly isEmpty: () => boolean;
  /** @param until the slot of a release in progress, while no other process changes releases; unset: not known */
  readonly add: (catalogueId: string, indices: readonly string[], until?: string) => void;
}

/** What is known about a released index. */
export interface ReleasedIndex {
  /** The catalogue that released it. */
  readonly catalogue: string;
  /** The last slot; unset: not known. */
  readonly until?: string;
}

export const noHistory: ReleasedIndexes = {
  catalogueOf: () => null,
  lastOf: () => null,
  isEmpty: () => true,
  add: () => undefined,
};

const fileName = '@released.json';

/** @param onFailure called with the reason why an index cannot be recorded; default: throws it */
export const releasedIndexes = (
  dataPath: string,
  onFailure: (error: unknown) => void = (error) => {
    throw error;
  },
): ReleasedIndexes => {
  const file = join(dataPath, fileName);
  const read = (): ReadonlyMap<string, ReleasedIndex> => {
    try {
      const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
      if (!isJsonObject(content)) throw new TypeError('an object expected');
      return new Map(Object.entries(content).map(([index, entry]) => [index, entryOf(entry)]));
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
    lastOf: (catalogueId, indices) =>
      [...read()]
        .flatMap(([index, entry]) =>
          indices.includes(index) || entry.catalogue === catalogueId ? [entry] : [],
        )
        .sort((left, right) => ((left.until ?? '') < (right.until ?? '') ? -1 : 1))
        .at(-1) ?? null,
    catalogueOf: (indices) => {
      const known = read();
      return indices.map((index) => known.get(index)).find((entry) => entry !== undefined)?.catalogue ?? null;
    },
    add: (catalogueId, indices, until) => {
      const record = (): void => {
        const known = read();
        const added = indices.map((index): [string, ReleasedIndex] => [
          index,
          { catalogue: catalogueId, ...known.get(index), ...(until !== undefined && { until }) },
        ]);
        const all = Object.fromEntries([...known, ...added]);
        const draft = `${file}.${process.pid}`;
        mkdirSync(dataPath, { recursive: true, mode: privateFolder });
        writeFileSync(draft, JSON.stringify(all, null, 2), { mode: 0o600, flush: true });
        renameSync(draft, file);
      };
      try {
        if (until !== undefined) return record();
        const known = read();
        if (!indices.every((index) => known.has(index))) exclusively(dataPath, record);
      } catch (error) {
        onFailure(error);
      }
    },
  };
};

const entryOf = (entry: JsonValue | undefined): ReleasedIndex => {
  if (!isJsonObject(entry)) throw new TypeError('an object for each index expected');
  const { catalogue, until } = entry;
  return { catalogue: String(catalogue), ...(typeof until === 'string' && { until }) };
};
