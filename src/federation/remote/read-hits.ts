import type { CursorValue } from '../../engines/engine.ts';
import type { JsonObject, JsonValue } from '../../json/json.ts';
import { isJsonObject, setOwn } from '../../json/json.ts';
import { wireBounds } from '../../facets/row/wire-bounds.ts';
import type { CatalogueHit, CatalogueResult } from '../../search/query.ts';
import { isCount, malformedAnswer } from '../../search/malformed-answer.ts';
import type { Column } from './hit-columns.ts';

type Columns = readonly Column[];

/**
 * Reads and checks a remote's page of hits in one pass.
 * @param hits the value of its field `hits`
 * @throws TributaryError NODE_BAD_RESPONSE naming the place
 */
export const readHits = (
  hits: unknown,
  columns: Columns,
): Pick<CatalogueResult, 'total' | 'totalBounds' | 'hits'> => {
  if (!isJsonObject(hits)) throw malformedAnswer(['hits']);
  const { total = null, edges } = hits;
  if (total !== null && !isCount(total)) throw malformedAnswer(['hits', 'total']);
  const { upper_bound: upper, estimate } = hits;
  const bounds = total === null || upper === undefined ? null : wireBounds(total, upper, estimate);
  if (bounds === 'malformed') throw malformedAnswer(['hits', 'upper_bound']);
  if (!Array.isArray(edges ?? [])) throw malformedAnswer(['hits', 'edges']);
  const rows = (edges ?? []) as readonly unknown[];
  return {
    total,
    ...(bounds && { totalBounds: bounds }),
    hits: rows.map((edge, index) => readEdge(edge, index, columns)),
  };
};

const readEdge = (edge: unknown, index: number, columns: Columns): CatalogueHit => {
  if (!isJsonObject(edge)) throw malformedAnswer(['hits', 'edges', index]);
  const { node, searchAfter } = edge;
  const cursor = searchAfter ?? [];
  if (!isCursor(cursor)) throw malformedAnswer(['hits', 'edges', index, 'searchAfter']);
  if (!isJsonObject(node)) throw malformedAnswer(['hits', 'edges', index, 'node']);
  const { id, _source: whole } = node;
  const { nodeId } = edge;
  if (typeof id !== 'string') throw malformedAnswer(['id']);
  const source = isJsonObject(whole) ? whole : sourceOf(node, columns);
  return { id, source, cursor, ...(typeof nodeId === 'string' && { nodeId }) };
};

const isCursor = (value: unknown): value is readonly CursorValue[] =>
  Array.isArray(value) &&
  value.every((one) => one === null || ['string', 'boolean'].includes(typeof one) || Number.isFinite(one));

/** The selected GraphQL values by their raw paths; nested objects stand where they are stored. */
const sourceOf = (node: JsonObject, columns: Columns): JsonObject => {
  const source: Draft = {};
  for (const { path, names, below } of columns) {
    let value: JsonValue | undefined = node;
    for (const name of names) value = isJsonObject(value) ? value[name] : undefined;
    // a dotted key reads the same as the nested form
    if (below === undefined) source[path] = value ?? null;
    else putAt(source, path.split('.'), nestedObjects(value, names, below));
  }
  return source;
};

/** The objects of a connection; null where there are none: a single object that is stored without a list shows no hits. */
const nestedObjects = (
  value: JsonValue | undefined,
  names: readonly string[],
  columns: Columns,
): JsonValue => {
  const hits = isJsonObject(value) ? (value['hits'] ?? null) : null;
  if (hits === null) return null;
  const at = ['hits', 'edges', 'node', ...names, 'hits', 'edges'];
  const edges = isJsonObject(hits) ? (hits['edges'] ?? []) : null;
  if (!Array.isArray(edges)) throw malformedAnswer(at);
  return (edges as readonly JsonValue[]).map((edge, index) => {
    const node = isJsonObject(edge) ? edge['node'] : undefined;
    if (!isJsonObject(node)) throw malformedAnswer([...at, index]);
    return sourceOf(node, columns);
  });
};

type Draft = Record<string, JsonValue | undefined>;

const putAt = (target: Draft, [name, ...deeper]: readonly string[], value: JsonValue): void => {
  if (deeper.length === 0) return setOwn(target, name!, value);
  const known = Object.hasOwn(target, name!) ? target[name!] : undefined;
  const inner: Draft = isJsonObject(known) ? known : {};
  setOwn(target, name!, inner);
  putAt(inner, deeper, value);
};
