import { inSlices, type Slices } from '../../lib/graphql/execution.ts';
import type { CursorValue } from '../../engines/engine.ts';
import { isShownWhole, type Field } from '../../introspection/fields/field.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts';
import { pickPaths, fieldValue, storedValues } from './stored-document.ts';
import { boundsOf, lowerOf, type Count, type ShownBounds } from '../../search/count.ts';
import type { NodesAnswer, NodeStatus } from '../../search/nodes-answer.ts';
import type { CatalogueHit, CatalogueResult } from '../../search/query.ts';

/** The source of a node type's resolvers: an object of the document, at the top the document itself. */
export interface HitSource {
  readonly id: string;
  /** For a network's documents: unique over all nodes. */
  readonly key?: string | undefined;
  readonly object: JsonObject;
  /** Warns once per answer that a field holds more values than the schema shows. */
  readonly cutOff: (field: Field) => void;
}

/** The source of a connection type's default resolvers. */
export interface Connection extends BoundedTotal {
  readonly edges: Slices<Edge>;
}

/** All null where the total is not counted. */
type BoundedTotal = { readonly total: number | null } & {
  readonly [Name in keyof ShownBounds]: ShownBounds[Name] | null;
};

export interface Edge {
  readonly searchAfter: readonly CursorValue[] | null;
  /** The node that the document is from; unset for nested objects. */
  readonly nodeId?: string;
  readonly node: HitSource;
}

/** A connection of documents. */
export interface DocumentConnection extends Connection {
  readonly partial: boolean;
  readonly nodes: readonly NodeStatus[];
}

/**
 * A page of hits as the connection type reads it. `warn` receives what the answer omits.
 * @param alone the catalogue as a node, for answers that name no nodes
 * @param isUnwanted whether no client waits for the page any more
 */
export const hitsConnection = (
  answer: CatalogueResult,
  alone: NodesAnswer,
  warn: (message: string) => void,
  isUnwanted?: () => boolean,
): DocumentConnection => {
  const cutOff = warnOnce(warn);
  const { partial, statuses } = answer.nodes ?? alone;
  const ownNode = alone.statuses[0]?.nodeId ?? '';
  return {
    ...boundedTotal(answer.total),
    partial,
    nodes: statuses,
    edges: inSlices(
      answer.hits.map((hit) => new DocumentEdge(hit, ownNode, cutOff)),
      isUnwanted,
    ),
  };
};

/** Its cursor is computed when it is read; a class, as objects with getters of their own take several times the memory. */
class DocumentEdge implements Edge {
  readonly nodeId: string;
  readonly node: HitSource;
  readonly #hit: CatalogueHit;

  constructor(hit: CatalogueHit, ownNode: string, cutOff: HitSource['cutOff']) {
    this.nodeId = hit.nodeId ?? ownNode;
    this.node =
      hit.nodeId === undefined
        ? { id: ownId(hit.source) ?? hit.id, object: hit.source, cutOff }
        : { id: hit.id, key: hit.key, object: hit.source, cutOff };
    this.#hit = hit;
  }

  get searchAfter(): readonly CursorValue[] | null {
    const { cursor } = this.#hit;
    return cursor.length === 0 ? null : cursor;
  }
}

/** A total as clients are shown it. */
export const boundedTotal = (total: Count | null): BoundedTotal =>
  total === null
    ? { total, upper_bound: null, exists: null, exact: null, estimate: null }
    : { total: lowerOf(total), ...boundsOf(total) };

/** The document's own property only: a field may share its name with an inherited one, such as `constructor`. */
const storedAt = (object: JsonObject, segment: string): JsonValue | undefined =>
  Object.hasOwn(object, segment) ? object[segment] : undefined;

/** A leaf of a node: its value, a list for an isArray field, JSON as a whole. */
export const scalarValue = (source: HitSource, segment: string, field: Field): JsonValue => {
  const stored = storedAt(source.object, segment);
  if (stored === undefined || stored === null) return null;
  if (field.kind === 'object' || field.kind === 'nested' || isShownWhole(field.kind))
    return field.isArray && !Array.isArray(stored) ? [stored] : stored;
  const values = storedValues(stored);
  if (field.isArray) return values.map((value) => fieldValue(value, field));
  if (values.length > 1) source.cutOff(field);
  return values.length === 0 ? null : fieldValue(values[0]!, field);
};

/** An object of a node as the source of its fields; null if absent. */
export const objectValue = (
  source: HitSource,
  segment: string,
  field: Field,
): HitSource | readonly HitSource[] | null => {
  const stored = storedAt(source.object, segment);
  const objects = storedValues(stored).filter(isJsonObject);
  const sources = objects.map((object) => ({ ...source, object }));
  if (field.isArray) return stored === undefined || stored === null ? null : sources;
  if (sources.length > 1) source.cutOff(field);
  return sources[0] ?? null;
};

/** The objects of a nested field as a connection: a single object is one hit, an absent field is null. */
export const nestedConnection = (
  source: HitSource,
  segment: string,
  field: Field,
): { readonly hits: Connection } | null => {
  const stored = storedAt(source.object, segment);
  if (stored === undefined || stored === null) return null;
  const objects = storedValues(stored).filter(isJsonObject);
  const edges = objects.map((object, position) => ({
    searchAfter: null,
    node: {
      id: ownId(object) ?? `${source.id}.${field.path}.${position}`,
      object,
      cutOff: source.cutOff,
    },
  }));
  return { hits: { ...boundedTotal(objects.length), edges } };
};

/** The document, or its parts under these paths. */
export const hitSourcePaths = (
  source: HitSource,
  paths: readonly (string | null)[] | null | undefined,
): JsonObject =>
  paths === null || paths === undefined
    ? source.object
    : pickPaths(
        source.object,
        paths.filter((path) => path !== null),
      );

/** Clients identify a document by its own id before its key in the index. */
export const ownId = (object: JsonObject): string | null => {
  const [id] = storedValues(storedAt(object, 'id'));
  return typeof id === 'string' || typeof id === 'number' ? String(id) : null;
};

const warnOnce = (warn: (message: string) => void): ((field: Field) => void) => {
  const warned = new Set<string>();
  return ({ path }) => {
    if (warned.has(path)) return;
    warned.add(path);
    warn(
      `field ${path} holds several values and shows only the first; declare it in extended.json with "isArray": true to get them all`,
    );
  };
};
