import type { Engine } from '../../src/engines/engine.ts';
import { documentAt, idAt, mapping } from '../engine/documents.ts';

export const index = 'tributary-bench';
const batch = 2_000;

/** Fills the index with documents 0 up to `count`. Resolves to documents a second, without the making of them. */
export const fill = async (engine: Engine, count: number): Promise<number> => {
  await engine.manage({ kind: 'delete', index });
  await engine.manage({ kind: 'create', index, mapping });
  let ms = 0;
  for (let from = 0; from < count; from += batch) {
    const operations = Array.from({ length: Math.min(batch, count - from) }, (_, i) => ({
      kind: 'upsert' as const,
      id: idAt(from + i),
      document: documentAt(from + i),
    }));
    const startedMs = performance.now();
    const outcomes = await engine.write(index, operations);
    ms += performance.now() - startedMs;
    const refused = outcomes.find(({ status }) => status !== 'created');
    if (refused !== undefined) throw new Error(`a document was not created: ${JSON.stringify(refused)}`);
  }
  return (count / ms) * 1000;
};
