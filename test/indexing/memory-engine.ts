import type { Engine, IndexAction, WriteOperation, WriteOutcome } from '../../src/engines/engine.ts';
import { TributaryError } from '../../src/lib/errors/errors.ts';
import { mergeProperties } from '../../src/indexing/mapping-body.ts';
import type { JsonObject } from '../../src/lib/json/json.ts';

/** The writing half of an engine, in memory, which finds its first documents; `log` tells what was queried in which order. */
export interface MemoryEngine {
  readonly engine: Engine;
  readonly indices: Map<string, { mapping: JsonObject; documents: Map<string, JsonObject> }>;
  readonly aliases: Map<string, readonly string[]>;
  readonly log: string[];
}

/** @param refuse a reason to refuse a document, or null */
export const memoryEngine = (refuse: (document: JsonObject) => string | null = () => null): MemoryEngine => {
  const memory: MemoryEngine = {
    indices: new Map(),
    aliases: new Map(),
    log: [],
    engine: {
      describe: async (name) => {
        const indices = memory.aliases.get(name) ?? (memory.indices.has(name) ? [name] : []);
        if (indices.length === 0) throw new TributaryError('index_not_found', `no index ${name}`);
        const found = indices.map((index) => memory.indices.get(index)!);
        return {
          indices,
          aliases: [...memory.aliases].flatMap(([alias, of]) =>
            alias !== name && of.some((index) => indices.includes(index)) ? [alias] : [],
          ),
          properties: found.reduce<JsonObject>(
            (all, { mapping }) => mergeProperties(all, (mapping['properties'] ?? {}) as JsonObject),
            {},
          ),
          documents: found.reduce((sum, { documents }) => sum + documents.size, 0),
        };
      },
      search: async (name, { hits }) => {
        const indices = memory.aliases.get(name) ?? [name];
        const found = indices
          .flatMap((index) => [...memory.indices.get(index)!.documents])
          .slice(0, hits?.size);
        return {
          facets: [],
          tookMs: 0,
          warnings: [],
          hits: { total: null, hits: found.map(([id, source]) => ({ id, source, cursor: [] })) },
        };
      },
      write: async (index, operations) => {
        memory.log.push(`write ${String(operations.length)} to ${index}`);
        return operations.map((operation) => apply(memory, index, operation, refuse));
      },
      manage: async (action) => manage(memory, action),
      close: () => Promise.resolve(),
    },
  };
  return memory;
};

const apply = (
  memory: MemoryEngine,
  index: string,
  operation: WriteOperation,
  refuse: (document: JsonObject) => string | null,
): WriteOutcome => {
  const { documents } = memory.indices.get(index)!;
  if (operation.kind === 'delete') return { status: documents.delete(operation.id) ? 'deleted' : 'notFound' };
  const reason = refuse(operation.document);
  if (reason !== null) return { status: 'refused', reason, retryable: false };
  const status = documents.has(operation.id) ? 'updated' : 'created';
  documents.set(operation.id, operation.document);
  return { status };
};

const manage = (memory: MemoryEngine, action: IndexAction): void => {
  switch (action.kind) {
    case 'create':
      memory.log.push(`create ${action.index}`);
      if (memory.indices.has(action.index)) throw new TributaryError('CONFLICT', 'there is one');
      memory.indices.set(action.index, { mapping: action.mapping, documents: new Map() });
      return;
    case 'extend': {
      memory.log.push(`extend ${action.index} by ${Object.keys(action.properties).join(', ')}`);
      const index = memory.indices.get(action.index)!;
      const properties = mergeProperties(
        (index.mapping['properties'] ?? {}) as JsonObject,
        action.properties,
      );
      index.mapping = { ...index.mapping, properties };
      return;
    }
    case 'delete':
      memory.log.push(`delete ${action.index}`);
      memory.indices.delete(action.index);
      for (const [alias, of] of memory.aliases)
        memory.aliases.set(
          alias,
          of.filter((index) => index !== action.index),
        );
      return;
    case 'alias':
      if (action.replacesIndex === true) manage(memory, { kind: 'delete', index: action.alias });
      memory.log.push(`alias ${action.alias} of ${action.indices.join(', ')}`);
      memory.aliases.set(action.alias, action.indices);
  }
};
