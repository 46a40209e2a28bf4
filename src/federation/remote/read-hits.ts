import type { CursorValue } from '../../engines/engine.ts';
import type { JsonObject, JsonValue } from '../../json.ts';
import { isJsonObject } from '../../json.ts';
import type { CatalogueHit } from '../../search/query.ts';
import { isCount, malformedAnswer } from '../../search/malformed-answer.ts';
import type { PrintedQuery } from './print-query.ts';

type Columns = PrintedQuery['columns'];

/**
 * Reads and checks a remote's page of hits in one pass.
 * @param hits the value of its field `hits`
 * @throws TributaryError NODE_BAD_RESPONSE naming the place
 */
export const readHits = (
  hits: unknown,
  columns: Columns,
): { readonly total: number | null; readonly hits: readonly CatalogueHit[] } => {
  if (!isJsonObject(hits)) throw malformedAnswer(['hits']);
  const { total = null, edges } = hits;
  if (total !== null && !isCount(total)) throw malformedAnswer(['hits', 'total']);
  if (!Array.isArray(edges ?? [])) throw malformedAnswer(['hits', 'edges']);
  const rows = (edges ?? []) as readonly unknown[];
  return { total, hits: rows.map((edge, place) => readEdge(edge, place, columns)) };
};

const readEdge = (edge: unknown, place: number, columns: Columns): CatalogueHit => {
  if (!isJsonObject(edge)) throw malformedAnswer(['hits', 'edges', place]);
  const { node, searchAfter } = edge;
  const cursor = searchAfter ?? [];
  if (!isCursor(cursor)) throw malformedAnswer(['hits', 'edges', place, 'searchAfter']);
  if (!isJsonObject(node)) throw malformedAnswer(['hits', 'edges', place, 'node']);
  const { id, _source: whole } = node;
  if (typeof id !== 'string') throw malformedAnswer(['id']);
  return { id, source: isJsonObject(whole) ? whole : sourceOf(node, columns), cursor };
};

const isCursor = (value: unknown): value is readonly CursorValue[] =>
  Array.isArray(value) &&
  value.every((one) => one === null || ['string', 'boolean'].includes(typeof one) || Number.isFinite(one));

/** The selected GraphQL values, keyed by their raw paths. */
const sourceOf = (node: JsonObject, columns: Columns): JsonObject => {
  const source: Record<string, JsonValue> = {};
  for (const { path, names } of columns) {
    let value: JsonValue | undefined = node;
    for (const name of names) value = isJsonObject(value) ? value[name] : undefined;
    // a dotted key reads the same as the nested form
    source[path] = value ?? null;
  }
  return source;
};
