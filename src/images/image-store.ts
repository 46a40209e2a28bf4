import { hash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { openSemaphore, type Semaphore } from '../concurrency/locks.ts';
import { asTributaryError, type TributaryError } from '../errors/errors.ts';
import { privateFolder } from '../runtime/private-file.ts';
import { checkedImage, fetchImage, type Image, type ImageNetwork } from './fetch-image.ts';
import type { ImageHost } from './image-hosts.ts';

export interface ImageSettings {
  /** Where pictures may be fetched from; empty: no pictures are served. */
  readonly hosts: readonly ImageHost[];
  /** The folder for fetched pictures, as an absolute path. */
  readonly folder: string;
  /** The maximum size of the folder; the oldest pictures are deleted first. */
  readonly maxBytes: number;
}

/** The caller who requests a picture. */
export interface ImageCaller {
  readonly name: string;
  /** Called before a picture is fetched, not for a stored one. @throws TributaryError TOO_MANY_REQUESTS */
  readonly admit: () => Promise<void>;
  /** Aborted when the caller does not wait for it any more. */
  readonly signal: AbortSignal;
}

export interface ImageStore {
  /**
   * The picture at an address that a record contains: stored, or fetched from its host.
   * @throws TributaryError NOT_FOUND, UPSTREAM_FAILED, TOO_MANY_REQUESTS, NODE_TIMEOUT
   */
  readonly find: (address: string, caller: ImageCaller) => Promise<Image>;
}

/** The age at which a picture is fetched again; if its host fails then, the old one stays. */
const freshMs = 7 * 24 * 3_600_000;
/** How long a failure is remembered. */
const failedMs = 60_000;
const maxFetches = 16;
const maxFetchesOfCaller = 4;

/** @param network how hosts are reached; default: the public internet */
export const openImageStore = (
  { hosts, folder, maxBytes }: ImageSettings,
  network?: ImageNetwork,
): ImageStore => {
  const files = openImageFiles(folder, maxBytes);
  const slots = openSlots();
  const failures = new LRUCache<string, TributaryError>({ max: 1_000, ttl: failedMs });
  const underWay = new Map<string, Promise<Image>>();
  /** The picture if it need not be fetched. @throws TributaryError if fetching it failed a moment ago */
  const known = async (name: string): Promise<Image | null> => {
    const kept = await files.read(name);
    const failure = failures.get(name);
    if (kept !== null && (kept.isFresh || failure !== undefined)) return kept.image;
    if (failure !== undefined) throw failure;
    return null;
  };
  const fetchAndKeep = async (address: string, name: string): Promise<Image> => {
    // another caller may have fetched it meanwhile
    const image = await known(name);
    if (image !== null) return image;
    try {
      const image = await fetchImage(address, hosts, network);
      await files.keep(name, image.bytes);
      return image;
    } catch (error) {
      failures.set(name, asTributaryError(error));
      const kept = await files.read(name);
      if (kept === null) throw error;
      return kept.image;
    }
  };
  const fetchOnce = (address: string, name: string): Promise<Image> => {
    const fetching = underWay.get(name) ?? fetchAndKeep(address, name).finally(() => underWay.delete(name));
    underWay.set(name, fetching);
    return fetching;
  };
  return {
    find: async (address, caller) => {
      const name = hash('sha256', address);
      const image = await known(name);
      if (image !== null) return image;
      await caller.admit();
      const release = await slots(caller);
      try {
        return await fetchOnce(address, name);
      } finally {
        release();
      }
    },
  };
};

/** A slot for each fetch: few per caller, so that a slow host does not stop the other callers, and a limit in all. */
const openSlots = (): ((caller: ImageCaller) => Promise<() => void>) => {
  const ofAll = openSemaphore(maxFetches);
  const ofCallers = new Map<string, { readonly slots: Semaphore; users: number }>();
  return async ({ name, signal }) => {
    const own = ofCallers.get(name) ?? { slots: openSemaphore(maxFetchesOfCaller), users: 0 };
    ofCallers.set(name, own);
    own.users += 1;
    const held: (() => void)[] = [];
    const release = (): void => {
      held.forEach((one) => one());
      own.users -= 1;
      if (own.users === 0) ofCallers.delete(name);
    };
    try {
      held.push(await own.slots.acquire(signal));
      held.push(await ofAll.acquire(signal));
      return release;
    } catch (error) {
      release();
      throw error;
    }
  };
};

interface ImageFiles {
  /** null: not stored, or not readable any more. */
  readonly read: (name: string) => Promise<{ readonly image: Image; readonly isFresh: boolean } | null>;
  /** Stores a picture; nothing on a full or read-only disk. */
  readonly keep: (name: string, bytes: Buffer) => Promise<void>;
}

/** Pictures as files, each named by its address: several servers may share a folder. */
const openImageFiles = (folder: string, maxBytes: number): ImageFiles => {
  /** The size of the folder when it was last read, plus what was written since; null before. */
  let usedBytes: number | null = null;
  const makeRoom = async (): Promise<void> => {
    const entries = await Promise.all(
      (await readdir(folder)).map(async (name) => {
        const found = await stat(join(folder, name)).catch(() => null);
        return { name, bytes: found?.size ?? 0, writtenMs: found?.mtimeMs ?? 0 };
      }),
    );
    usedBytes = entries.reduce((sum, { bytes }) => sum + bytes, 0);
    if (usedBytes <= maxBytes) return;
    for (const { name, bytes } of entries.sort((one, other) => one.writtenMs - other.writtenMs)) {
      await rm(join(folder, name), { force: true });
      usedBytes -= bytes;
      // leaves some room, so that not every picture has the folder read
      if (usedBytes <= maxBytes * 0.9) return;
    }
  };
  return {
    read: async (name) => {
      try {
        const path = join(folder, name);
        const [bytes, { mtimeMs }] = await Promise.all([readFile(path), stat(path)]);
        return { image: checkedImage(bytes), isFresh: Date.now() - mtimeMs < freshMs };
      } catch {
        return null;
      }
    },
    keep: async (name, bytes) => {
      const part = join(folder, `${name}.${randomBytes(4).toString('hex')}`);
      try {
        await mkdir(folder, { recursive: true, mode: privateFolder });
        await writeFile(part, bytes, { mode: 0o600 });
        await rename(part, join(folder, name));
        if (usedBytes !== null) usedBytes += bytes.length;
        if (usedBytes === null || usedBytes > maxBytes) await makeRoom();
      } catch {
        await rm(part, { force: true }).catch(() => undefined);
      }
    },
  };
};
