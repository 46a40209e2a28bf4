import { parentPort, workerData } from 'node:worker_threads';
import { TributaryError } from '../../lib/errors/errors.ts';
import type { HierarchyReply } from './open-hierarchies.ts';
import { readHierarchy, type HierarchyFile } from './read-hierarchy.ts';

const reply = async (source: HierarchyFile): Promise<void> => {
  try {
    const data = await readHierarchy(source);
    const { parents, children, descendants, texts, roots, obsolete, replacements } = data;
    const lists = [parents, children, descendants].flatMap(({ offsets, numbers }) => [offsets, numbers]);
    const all = [
      ...lists,
      ...Object.values<Uint8Array | Uint32Array>({ ...texts }),
      roots,
      obsolete,
      replacements,
    ];
    const buffers = new Set(all.map(({ buffer }) => buffer as ArrayBuffer));
    parentPort!.postMessage({ data } satisfies HierarchyReply, [...buffers]);
  } catch (error) {
    if (!(error instanceof TributaryError)) throw error;
    parentPort!.postMessage({ problem: error.message } satisfies HierarchyReply);
  }
};

await reply(workerData as HierarchyFile);
