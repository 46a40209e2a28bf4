import { hash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject, type JsonValue } from '../../json/json.ts';
import { newSerialQueue } from '../../concurrency/locks.ts';

/** Download manifests, kept for a day for the caller who requested the download. */
export interface ManifestStore {
  /**
   * Keeps a manifest. To make room, it drops the oldest manifests of the caller with the most, so that no caller can
   * displace those of others. A manifest larger than one caller may keep is not kept.
   * @param caller who may read it, as a string distinct for each caller
   */
  readonly keep: (id: string, caller: string, manifest: unknown) => Promise<void>;
  /** Null if this caller has no manifest with that id. */
  readonly find: (id: string, caller: string) => Promise<JsonValue | null>;
}

const dayMs = 24 * 60 * 60 * 1_000;
const ending = '.json';
const isId = /^[\w-]{16,64}$/;
/** The share of the total that a single caller may keep. */
const shareOfCaller = 1 / 8;

/**
 * @param folder created on first use; readable by this user only
 * @param maxBytes the limit for all manifests together
 */
export const openManifestStore = (
  folder: string,
  maxBytes: number,
  nowMs: () => number = Date.now,
): ManifestStore => {
  const pathOf = (id: string, caller: string): string => join(folder, `${tagOf(caller)}.${id}${ending}`);
  const ownBytes = Math.floor(maxBytes * shareOfCaller);
  const writes = newSerialQueue();
  const keep = async (id: string, caller: string, text: string): Promise<void> => {
    const bytes = Buffer.byteLength(text);
    if (bytes > ownBytes) return;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const kept = await withoutExpired(await filesIn(folder), nowMs() - dayMs);
    const room = { ofAll: maxBytes - bytes, of: tagOf(caller), ofCaller: ownBytes - bytes };
    for (const { path } of surplus(kept, room)) await rm(path, { force: true });
    await writeFile(pathOf(id, caller), text, { mode: 0o600 });
  };
  return {
    // one at a time, so that each sees the space that is left
    keep: (id, caller, manifest) => writes(() => keep(id, caller, JSON.stringify({ caller, manifest }))),
    find: async (id, caller) => {
      if (!isId.test(id)) return null;
      const known = await stat(pathOf(id, caller)).catch(unlessMissing);
      if (known === null || known.mtimeMs < nowMs() - dayMs) return null;
      const text = await readFile(pathOf(id, caller), 'utf8').catch(unlessMissing);
      const kept = text === null ? null : parsed(text);
      if (!isJsonObject(kept) || kept['caller'] !== caller) return null;
      return kept['manifest'] ?? null;
    },
  };
};

const unlessMissing = (error: unknown): null => {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
  throw error;
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // truncated: the process was killed, or the disk full, while it was written
    return null;
  }
};

/** Identifies the caller in a file name without revealing the identity. */
const tagOf = (caller: string): string => hash('sha256', caller).slice(0, 32);

interface KeptFile {
  readonly path: string;
  readonly of: string;
  readonly bytes: number;
  readonly atMs: number;
}

const filesIn = async (folder: string): Promise<readonly KeptFile[]> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith(ending));
  const files = await Promise.all(
    names.map(async (name): Promise<readonly KeptFile[]> => {
      const path = join(folder, name);
      const found = await stat(path).catch(unlessMissing);
      const [of] = name.split('.');
      return found === null ? [] : [{ path, of: of!, bytes: found.size, atMs: found.mtimeMs }];
    }),
  );
  return files.flat();
};

const withoutExpired = async (files: readonly KeptFile[], sinceMs: number): Promise<readonly KeptFile[]> => {
  for (const { path, atMs } of files) if (atMs < sinceMs) await rm(path, { force: true });
  return files.filter(({ atMs }) => atMs >= sinceMs);
};

/** The files to remove until the caller, and all callers together, keep at most that many bytes. */
const surplus = (
  files: readonly KeptFile[],
  room: { readonly ofAll: number; readonly of: string; readonly ofCaller: number },
): readonly KeptFile[] => {
  const oldestFirst = files.toSorted((a, b) => a.atMs - b.atMs);
  const queues = Map.groupBy(oldestFirst, ({ of }) => of);
  const held = new Map([...queues].map(([of, own]) => [of, own.reduce((sum, { bytes }) => sum + bytes, 0)]));
  let total = [...held.values()].reduce((sum, bytes) => sum + bytes, 0);
  const removed: KeptFile[] = [];
  const removeOldestOf = (of: string): void => {
    const file = queues.get(of)!.shift()!;
    held.set(of, held.get(of)! - file.bytes);
    total -= file.bytes;
    removed.push(file);
  };
  while ((held.get(room.of) ?? 0) > room.ofCaller) removeOldestOf(room.of);
  while (total > room.ofAll)
    removeOldestOf([...held].reduce((most, one) => (one[1] > most[1] ? one : most))[0]);
  return removed;
};
