import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { newSerialQueue } from '../../lib/concurrency/locks.ts';
import { invalidConfig } from '../../lib/errors/errors.ts';
import { unpackHierarchy, type Hierarchy, type HierarchyData } from './hierarchy.ts';
import { readHierarchy, type HierarchyFile } from './read-hierarchy.ts';

/** The reply of the reading thread. */
export type HierarchyReply = { readonly data: HierarchyData } | { readonly problem: string };

/** Files of fewer bytes are read synchronously; larger ones in a thread, since they take long. */
const smallBytes = 128 * 1024;

/** Read files by path, name and relations, as long as the hierarchies are in use. */
const known = new Map<string, { readonly stamp: string; readonly hierarchy: WeakRef<Hierarchy> }>();

/** One at a time: large files take much memory while they are read. */
const readings = newSerialQueue();

/**
 * The hierarchy of a file's current content: the one that was read before, unless the file has changed.
 * @throws TributaryError CONFIG_INVALID with file, line and term
 */
export const openHierarchy = (source: HierarchyFile): Promise<Hierarchy> =>
  readings(async () => {
    const key = JSON.stringify([source.path, source.name, source.relations]);
    const stats = await stat(source.path, { bigint: true }).catch(() => null);
    const stamp = stats === null ? '' : `${stats.mtimeNs} ${stats.size} ${stats.ino}`;
    const before = known.get(key);
    const unchanged = before?.stamp === stamp ? before.hierarchy.deref() : undefined;
    if (unchanged !== undefined) return unchanged;
    const isSmall = stats === null || stats.size < smallBytes;
    const hierarchy = unpackHierarchy(await (isSmall ? readHierarchy(source) : readApart(source)));
    known.set(key, { stamp, hierarchy: new WeakRef(hierarchy) });
    return hierarchy;
  });

const readApart = async (source: HierarchyFile): Promise<HierarchyData> => {
  const program = new URL(`./reading-thread${extname(import.meta.url)}`, import.meta.url);
  const worker = new Worker(program, {
    workerData: source,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // texts are stored in buffers: other objects are short-lived
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  });
  const { promise, resolve, reject } = Promise.withResolvers<HierarchyReply>();
  worker.once('message', resolve);
  worker.once('error', reject);
  worker.once('exit', () => reject(new Error('the thread that reads hierarchies ended')));
  const reply = await promise.catch((error: unknown) => {
    throw invalidConfig(`${source.file} is too large to be read`, { cause: error });
  });
  if ('problem' in reply) throw invalidConfig(reply.problem);
  return reply.data;
};
