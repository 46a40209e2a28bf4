import type { Engine, IndexDescription, WriteOperation, WriteOutcome } from '../../src/engines/engine.ts';
import { TributaryError } from '../../src/lib/errors/errors.ts';
import type { JsonObject } from '../../src/lib/json/json.ts';
import { facetOf } from './naive/facets.ts';
import { hitsOf, type Numbered } from './naive/hits.ts';
import { refusal } from './naive/write.ts';

interface NaiveIndex {
  mapping: JsonObject;
  lastNumber: number;
  documents: Map<string, Numbered>;
}

/**
 * An engine without any index: every query looks at every document's JSON, in the plainest way there is. It shares no
 * code with the engines it is the measure of, only the reading of dates.
 */
export const openNaiveEngine = (): Engine => {
  const indexes = new Map<string, NaiveIndex>();
  const aliases = new Map<string, readonly string[]>();
  const indexOf = (name: string): NaiveIndex => {
    const index = indexes.get(aliases.get(name)?.[0] ?? name);
    if (index === undefined) throw new TributaryError('index_not_found', `no index ${name}`);
    return index;
  };
  return {
    describe: async (name): Promise<IndexDescription> => {
      const index = indexOf(name);
      const indices = aliases.get(name) ?? [name];
      return {
        indices,
        aliases: [...aliases.keys()].filter(
          (alias) => alias !== name && aliases.get(alias)!.some((behind) => indices.includes(behind)),
        ),
        properties: propertiesOf(index),
        documents: index.documents.size,
      };
    },
    search: async (name, query) => {
      const index = indexOf(name);
      const properties = propertiesOf(index);
      const documents = [...index.documents.values()].sort((a, b) => a.number - b.number);
      return {
        ...(query.hits && { hits: hitsOf(properties, documents, query.hits) }),
        facets: query.facets.map((facet) => facetOf(properties, documents, facet)),
        tookMs: 0,
        warnings: [],
      };
    },
    write: async (name, operations) => {
      const index = indexOf(name);
      return operations.map((operation) => apply(index, operation));
    },
    manage: async (action) => {
      switch (action.kind) {
        case 'create':
          if (indexes.has(action.index)) throw new TributaryError('CONFLICT', 'exists');
          indexes.set(action.index, { mapping: action.mapping, lastNumber: 0, documents: new Map() });
          return;
        case 'extend': {
          const index = indexOf(action.index);
          const grown = grow(propertiesOf(index), action.properties);
          index.mapping = { ...index.mapping, properties: grown };
          return;
        }
        case 'delete':
          indexes.delete(action.index);
          return;
        case 'alias':
          if (action.replacesIndex === true) indexes.delete(action.alias);
          aliases.set(action.alias, action.indices);
          return;
      }
    },
    close: async () => indexes.clear(),
  };
};

const propertiesOf = (index: NaiveIndex): JsonObject => (index.mapping['properties'] ?? {}) as JsonObject;

const apply = (index: NaiveIndex, operation: WriteOperation): WriteOutcome => {
  const known = index.documents.has(operation.id);
  if (operation.kind === 'delete') {
    index.documents.delete(operation.id);
    return { status: known ? 'deleted' : 'notFound' };
  }
  const reason = refusal(index.mapping, operation.document);
  if (reason !== null) return { status: 'refused', reason, retryable: false };
  const number = ++index.lastNumber;
  index.documents.set(operation.id, { id: operation.id, object: operation.document, path: '', number });
  return { status: known ? 'updated' : 'created' };
};

const grow = (properties: JsonObject, added: JsonObject): JsonObject => {
  const grown: Record<string, JsonObject> = { ...(properties as Record<string, JsonObject>) };
  for (const [key, property] of Object.entries(added as Record<string, JsonObject>)) {
    const before = grown[key];
    if (
      before !== undefined &&
      property['type'] !== undefined &&
      property['type'] !== (before['type'] ?? 'object')
    ) {
      throw new TributaryError('CONFLICT', `type of ${key}`);
    }
    grown[key] =
      before === undefined
        ? property
        : {
            ...before,
            ...(property['properties'] && {
              properties: grow(
                (before['properties'] ?? {}) as JsonObject,
                property['properties'] as JsonObject,
              ),
            }),
            ...(property['fields'] && {
              fields: { ...(before['fields'] as JsonObject), ...(property['fields'] as JsonObject) },
            }),
          };
  }
  return grown;
};
