import { conform } from '../cases/conform.ts';
import { divergences, missingType } from './divergences.ts';
import type { JsonObject } from '../../../src/lib/json/json.ts';
import { onServers } from './on-servers.ts';

/** A mapping with the names that a server has for types. */
const named = (server: string, mapping: JsonObject): JsonObject =>
  server.startsWith('opensearch')
    ? (JSON.parse(JSON.stringify(mapping).replaceAll('"flattened"', '"flat_object"')) as JsonObject)
    : mapping;

await onServers((server, engine) => {
  for (const shards of [1, 3]) {
    conform({
      name: shards === 1 ? server.name : `${server.name}, ${shards} shards`,
      engine,
      indexOf: (collection) => `tributary-${shards}-${collection.replaceAll(' ', '-')}`,
      create: (index, { mapping, settings }) =>
        engine.manage({
          kind: 'create',
          index,
          // these servers add unmapped fields by themselves unless told not to
          mapping: { dynamic: false, ...named(server.name, mapping) },
          settings: { ...settings, number_of_shards: shards, number_of_replicas: 0 },
        }),
      lacks: (type) => missingType(server.name, type),
      leftOut: (collection, check) => divergences(server.name, collection, check, shards),
      tiesOpen: shards > 1,
    });
  }
});
