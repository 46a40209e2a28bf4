import type { Field } from '../../introspection/fields/field.ts';
import type { JsonObject, JsonValue } from '../../json/json.ts';
import { isJsonObject } from '../../json/json.ts';
import { fieldValue, storedValues } from '../../local/hits/field-value.ts';
import type { FlatEdge } from '../../local/schema/network-types.ts';
import type { CursorScope } from '../query/cursor.ts';
import { pathOf } from '../query/hit-key.ts';
import type { MergedHit } from '../merge/hits.ts';
import type { NetworkFields } from '../nodes/network-fields.ts';
import type { NodeView } from '../nodes/node-view.ts';

/** Merged rows in the network's names and values. */
export const shapeHits = (
  hits: readonly MergedHit[],
  network: NetworkFields,
  nodes: readonly NodeView[],
  cursors: () => CursorScope,
): readonly FlatEdge[] => {
  const byId = new Map(nodes.map((node) => [node.config.nodeId, node]));
  let scope: CursorScope | null = null;
  return hits.map((merged) => {
    const { nodeId, hit } = merged;
    return {
      nodeId: pathOf(nodeId, hit),
      searchAfter: () => merged.printPosition((scope ??= cursors())),
      node: {
        id: hit.id,
        value: (field) => {
          const own = network.byNode.get(nodeId)?.get(field.path);
          const values = byId.get(nodeId)?.fieldMapping.valuesOf(field.path) ?? null;
          const shown = own ? storedValues(valuesAt(hit.source, own.path)) : [];
          return shapeValue(values ? shown.map((value) => values.toNetwork(String(value))) : shown, field);
        },
      },
    };
  });
};

const shapeValue = (values: readonly JsonValue[], field: Field): JsonValue => {
  if (values.length === 0) return null;
  // every number of a network is a Float, whatever type a catalogue gives it
  const as = field.kind === 'number' ? float : field;
  return field.isArray ? values.map((value) => fieldValue(value, as)) : fieldValue(values[0]!, as);
};

const float = { kind: 'number', type: 'double' } as const;

/** The values stored under a dotted path, through lists of objects; a key may itself contain the dots. */
const valuesAt = (value: JsonValue | undefined, path: string): JsonValue | undefined => {
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).map((item) => valuesAt(item, path) ?? null);
  if (!isJsonObject(value)) return undefined;
  if (Object.hasOwn(value, path)) return value[path];
  return valuesBelow(value, path);
};

const valuesBelow = (object: JsonObject, path: string): JsonValue | undefined => {
  const dot = path.indexOf('.');
  if (dot < 0) return undefined;
  const inner = path.slice(0, dot);
  return Object.hasOwn(object, inner) ? valuesAt(object[inner], path.slice(dot + 1)) : undefined;
};
