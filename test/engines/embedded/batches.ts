import type { WriteOperation } from '../../../src/engines/engine.ts';
import { seeded } from '../random-documents.ts';

/** Every document that the batches write has one of so many keys. */
const keys = 60;

export const batchMapping = {
  properties: {
    batch: { type: 'integer' },
    tags: { type: 'keyword' },
    items: { type: 'nested', properties: { k: { type: 'keyword' } } },
    filler: { type: 'keyword' },
  },
};

/** The writes of the batch of that number: creations, updates and deletions, the same each time. */
export const batchOf = (number: number, size: number): readonly WriteOperation[] => {
  const random = seeded(number);
  return Array.from({ length: size }, (): WriteOperation => {
    const id = `d${random.below(keys)}`;
    if (random.chance(0.2)) return { kind: 'delete', id };
    const items = Array.from({ length: random.below(3) }, () => ({ k: `k${random.below(5)}` }));
    const filler = String(random.below(1e9)).repeat(20);
    return {
      kind: 'upsert',
      id,
      document: { batch: number, tags: [`t${number % 3}`, `u${random.below(4)}`], items, filler },
    };
  });
};

/** Which documents there are after all batches up to and including `last`: the batch that wrote each. */
export const stateAfter = (last: number, size: number, first = 1): ReadonlyMap<string, number> => {
  const state = new Map<string, number>();
  for (let number = first; number <= last; number++) {
    for (const operation of batchOf(number, size)) {
      if (operation.kind === 'delete') state.delete(operation.id);
      else state.set(operation.id, number);
    }
  }
  return state;
};
