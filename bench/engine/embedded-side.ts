import type { Engine } from '../../src/engines/engine.ts';
import { openEngine } from '../../src/engines/open/open-engine.ts';
import { documentAt, idAt, mapping } from './documents.ts';
import { queries } from './queries.ts';
import type { Side } from './side.ts';

export const index = 'specimens';
const batch = 1000;

/** The engine of this project on files in `folder`, called through its port: the messages between threads count. */
export const embeddedSide = (folder: string): Side => {
  let engine: Engine;

  const open = async (): Promise<void> => {
    engine = await openEngine({ kind: 'embedded', dataPath: folder });
  };

  return {
    open: async () => {
      await open();
      await engine.describe(index);
    },
    load: async (count) => {
      await open();
      await engine.manage({ kind: 'create', index, mapping });
      let ms = 0;
      for (let from = 0; from < count; from += batch) {
        const operations = Array.from({ length: Math.min(batch, count - from) }, (_, i) => ({
          kind: 'upsert' as const,
          id: idAt(from + i),
          document: documentAt(from + i),
        }));
        const startedMs = performance.now();
        await engine.write(index, operations);
        ms += performance.now() - startedMs;
      }
      return ms;
    },
    run: async (number) => {
      const { search, fromSearch } = queries[number]!;
      return JSON.stringify(fromSearch(await engine.search(index, search)));
    },
    upsert: async (position, edition) => {
      await engine.write(index, [
        { kind: 'upsert', id: idAt(position), document: documentAt(position, edition) },
      ]);
    },
    close: () => engine.close(),
  };
};
