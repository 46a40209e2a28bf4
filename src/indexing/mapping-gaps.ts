import type { Engine } from '../engines/engine.ts';
import { hasOwnValues, pathsAbove, withoutOrigin, type Field } from '../introspection/fields/field.ts';
import { expandedKeys, opaqueIn, type IsOpaque } from '../introspection/mapping/expanded-keys.ts';
import { mappedFields, readFields } from '../introspection/mapping/mapping.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../lib/json/json.ts';
import { nested, type Filter } from '../sqon/filter.ts';
import { firstOf } from '../lib/text/escaped-text.ts';
import { closest } from '../lib/text/unknown-keys.ts';
import { mappingType } from './mapping-body.ts';
import { readPage, readPages } from './read-documents.ts';

/** Documents that are looked at, as many as the plan of a load looks at; what they lack is searched for in all of them. */
const sampleSize = 10_000;
const maxListed = 10;

/**
 * Where the mapping of an index and its documents do not meet, as messages: fields in which no document has a value, with
 * the most similar path that documents have instead, and paths of documents that the mapping lacks. Facets and filters
 * of either are silently empty.
 * @param index its name, or an alias
 * @throws TributaryError errors of the engine
 */
export const mappingGaps = async (engine: Engine, index: string): Promise<readonly string[]> => {
  const properties = withoutOrigin((await engine.describe(index)).properties);
  const isOpaque = opaqueIn(properties);
  const found = await pathsIn(engine, index, isOpaque);
  if (found === null) return [];
  const isUnmapped = (path: string): boolean => mappingType(properties, path) === null;
  const unmapped = highest([...found], isUnmapped);
  const instead = [...new Set([...found].flatMap(ancestry))].filter(isUnmapped);
  const empty = new Set(await emptyPaths(engine, index, properties, found));
  const leaves = leafPaths(properties);
  const isEmpty = (path: string): boolean =>
    leaves.filter((leaf) => isAtOrBelow(leaf, path)).every((leaf) => empty.has(leaf));
  const unfilled = highest([...empty], isEmpty);
  return [
    ...unfilled.map((path) => `no record has a value in ${path}${hint(path, instead)}`),
    ...(unmapped.length === 0
      ? []
      : [`records have ${firstOf(unmapped, maxListed)}, which the mapping lacks: it cannot be searched`]),
  ];
};

/** The dotted paths of all values in the first documents; null if there are none. */
const pathsIn = async (engine: Engine, index: string, isOpaque: IsOpaque): Promise<Set<string> | null> => {
  const found = new Set<string>();
  let documents = 0;
  for await (const hits of readPages(engine, index)) {
    for (const { source } of hits)
      addPaths(withoutOrigin(expandedKeys(source, isOpaque)), '', isOpaque, found);
    documents += hits.length;
    if (documents >= sampleSize) break;
  }
  return documents === 0 ? null : found;
};

/** Adds the dotted paths of all values. */
const addPaths = (object: JsonObject, parent: string, isOpaque: IsOpaque, found: Set<string>): void => {
  for (const [name, value] of Object.entries(object)) addPath(value, `${parent}${name}`, isOpaque, found);
};

const addPath = (
  value: JsonValue | undefined,
  path: string,
  isOpaque: IsOpaque,
  found: Set<string>,
): void => {
  if (value === undefined || value === null) return;
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).forEach((item) => addPath(item, path, isOpaque, found));
  if (isJsonObject(value) && !isOpaque(path)) return addPaths(value, `${path}.`, isOpaque, found);
  found.add(path);
};

const leafPaths = (properties: JsonObject): readonly string[] =>
  mappedFields(properties).flatMap(({ path, definition }) =>
    isJsonObject(definition['properties']) || definition['type'] === 'alias' ? [] : [path],
  );

/** The mapped fields in which no document has a value. @param filled known to have some */
const emptyPaths = async (
  engine: Engine,
  index: string,
  properties: JsonObject,
  filled: ReadonlySet<string>,
): Promise<readonly string[]> => {
  const { fields } = readFields(properties);
  const empty: string[] = [];
  for (const path of leafPaths(properties)) {
    const field = fields.get(path);
    if (filled.has(path) || field === undefined || !hasOwnValues(field.kind)) continue;
    if (await isWithoutValue(engine, index, field)) empty.push(path);
  }
  return empty;
};

const isWithoutValue = async (
  engine: Engine,
  index: string,
  { indexField, nestedIn }: Field,
): Promise<boolean> => {
  const filter = nestedIn.reduceRight<Filter>((of, path) => nested(path, of), {
    kind: 'exists',
    field: indexField,
  });
  return (await readPage(engine, index, { filter, searchAfter: null, source: [], size: 1 })).length === 0;
};

/** Of all paths and those above them, the highest for which a test holds, each once. */
const highest = (paths: readonly string[], test: (path: string) => boolean): readonly string[] => [
  ...new Set(paths.flatMap((path) => ancestry(path).find(test) ?? [])),
];

/** The paths above a path, from the top, and itself. */
const ancestry = (path: string): readonly string[] => [...pathsAbove(path), path];

const isAtOrBelow = (path: string, above: string): boolean => path === above || path.startsWith(`${above}.`);

const lastName = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/** Names the path of documents that is written most alike, by its whole or by its last name. */
const hint = (path: string, instead: readonly string[]): string => {
  const byName = new Map(instead.map((one) => [lastName(one), one]));
  const whole = closest(path, instead);
  const last = closest(lastName(path), [...byName.keys()]);
  const near = whole?.isSlip ? whole.name : last?.isSlip ? byName.get(last.name)! : null;
  return near === null ? '' : `: is it ${near} in the records?`;
};
