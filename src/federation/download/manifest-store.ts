import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject, type JsonValue } from '../../json.ts';

/** Download manifests, kept for a day for the caller who requested the download. */
export interface ManifestStore {
  /**
   * Keeps a manifest, evicting the oldest to make room. A manifest larger than the whole store is not kept.
   * @param caller who may read it, as a text that is distinct for each caller
   */
  readonly keep: (id: string, caller: string, manifest: unknown) => Promise<void>;
  /** Null when this caller has none with that id. */
  readonly find: (id: string, caller: string) => Promise<JsonValue | null>;
}

const dayMs = 24 * 60 * 60 * 1_000;
const ending = '.json';
const isId = /^[\w-]{16,64}$/;

/**
 * @param folder created on first use; readable by this user only
 * @param maxBytes of all manifests together
 */
export const openManifestStore = (
  folder: string,
  maxBytes: number,
  nowMs: () => number = Date.now,
): ManifestStore => {
  const pathOf = (id: string): string => join(folder, `${id}${ending}`);
  let keeping: Promise<void> = Promise.resolve();
  const keep = async (id: string, text: string): Promise<void> => {
    if (Buffer.byteLength(text) > maxBytes) return;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await makeRoom(folder, maxBytes - Buffer.byteLength(text), nowMs() - dayMs);
    await writeFile(pathOf(id), text, { mode: 0o600 });
  };
  return {
    keep: (id, caller, manifest) => {
      // sequentially, so that each sees the space that is left
      const kept = keeping.then(() => keep(id, JSON.stringify({ caller, manifest })));
      keeping = kept.catch(() => undefined);
      return kept;
    },
    find: async (id, caller) => {
      if (!isId.test(id)) return null;
      const known = await stat(pathOf(id)).catch(unlessMissing);
      if (known === null || known.mtimeMs < nowMs() - dayMs) return null;
      const text = await readFile(pathOf(id), 'utf8').catch(unlessMissing);
      const kept: unknown = text === null ? null : JSON.parse(text);
      if (!isJsonObject(kept) || kept['caller'] !== caller) return null;
      return kept['manifest'] ?? null;
    },
  };
};

const unlessMissing = (error: unknown): null => {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
  throw error;
};

/** Removes expired manifests, then the oldest, until at most that many bytes are left. */
const makeRoom = async (folder: string, mostBytes: number, sinceMs: number): Promise<void> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith(ending));
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const found = await stat(path).catch(unlessMissing);
      return found === null ? [] : [{ path, bytes: found.size, atMs: found.mtimeMs }];
    }),
  );
  const oldestFirst = files.flat().sort((a, b) => a.atMs - b.atMs);
  let bytes = oldestFirst.reduce((sum, file) => sum + file.bytes, 0);
  for (const file of oldestFirst) {
    if (bytes <= mostBytes && file.atMs >= sinceMs) return;
    await rm(file.path, { force: true });
    bytes -= file.bytes;
  }
};
