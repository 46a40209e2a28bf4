import { isJsonObject } from '../../json/json.ts';
import { closest } from '../../text/unknown-keys.ts';

/** Sent by existing clients, without effect here. */
const withoutEffect = { download: ['chunkSize', 'mock'], file: ['chunkSize', 'index'] };

/** The keys that are read, of each object of a download's params. */
export interface KnownKeys {
  readonly download: readonly string[];
  readonly file: readonly string[];
  readonly sort: readonly string[];
}

/** A key that is almost one that is read, and the one it was meant to be. */
export interface MisspeltKey {
  readonly path: readonly (string | number)[];
  readonly meant: string;
}

/**
 * The first key of params that is a slip of a known one: ignored, it would give other records than those asked for.
 * Other unknown keys are the clients' own. So are those of columns, which are a portal's whole table columns.
 */
export const misspeltKey = (params: unknown, known: KnownKeys): MisspeltKey | null => {
  if (!isJsonObject(params)) return null;
  const files = Array.isArray(params['files']) ? params['files'] : [];
  const objects: readonly (readonly [unknown, readonly string[], readonly (string | number)[]])[] = [
    [params, [...known.download, ...withoutEffect.download], []],
    ...files.flatMap((file: unknown, at) => {
      const sort = isJsonObject(file) && Array.isArray(file['sort']) ? file['sort'] : [];
      return [
        [file, [...known.file, ...withoutEffect.file], ['files', at]] as const,
        ...sort.map((key: unknown, place) => [key, known.sort, ['files', at, 'sort', place]] as const),
      ];
    }),
  ];
  for (const [object, names, path] of objects) {
    const slip = slipIn(object, names);
    if (slip !== null) return { path: [...path, slip.key], meant: slip.meant };
  }
  return null;
};

const slipIn = (
  object: unknown,
  known: readonly string[],
): { readonly key: string; readonly meant: string } | null => {
  if (!isJsonObject(object)) return null;
  for (const key of Object.keys(object)) {
    if (known.includes(key)) continue;
    const near = closest(key, known);
    // beside the right key it is something else
    if (near?.isSlip && !Object.hasOwn(object, near.name)) return { key, meant: near.name };
  }
  return null;
};
