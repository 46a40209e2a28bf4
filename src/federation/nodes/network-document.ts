import { isShownWhole, mayBeWide, parentPaths, type Field } from '../../introspection/fields/field.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts';
import { putAt, valueAt, type Draft } from '../../lib/json/json.ts';
import { storedValues } from '../../local/hits/stored-document.ts';
import type { NetworkFields } from './network-fields.ts';
import type { NodeView } from './node-view.ts';
import type { ValueMap } from '../../search/facets/row/measure-row.ts';

/** A node's objects that correspond to objects of the network: the document, or those of one nested path. */
interface Level {
  /** Relative to the level above, in the node's names. */
  readonly own: string;
  /** Relative to the level above, in the network's names. */
  readonly path: readonly string[];
  readonly leaves: Leaf[];
  readonly levels: Map<string, Level>;
}

interface Leaf {
  readonly own: string;
  readonly path: readonly string[];
  readonly values: ValueMap | null;
  /** The node has fractions where others have 64-bit integers. */
  readonly isDouble: boolean;
  readonly form: Form;
}

/** How every node's documents show a field's values; `stored`: as a node has them, since lists may be part of a value. */
type Form = 'list' | 'single' | 'stored';

/**
 * The leaf fields at and below some network paths, and the paths themselves where a node has them: what to request from
 * a node.
 */
export const leafPaths = (
  paths: readonly string[],
  { fields }: Pick<NetworkFields, 'fields'>,
): readonly string[] => {
  const leaves = new Set<string>();
  const parents = parentPaths(fields);
  const isContainer = ({ path, kind }: Field): boolean =>
    (kind === 'object' || kind === 'nested') && parents.has(path);
  const values = [...fields.values()].filter((field) => !isContainer(field) && field.storedAt === undefined);
  for (const requested of paths) {
    const path = fields.get(requested)?.storedAt ?? requested;
    const nodeField = fields.get(path);
    if (nodeField !== undefined && !isContainer(nodeField)) leaves.add(path);
    else
      for (const field of values)
        if (field.path === path || field.path.startsWith(`${path}.`)) leaves.add(field.path);
  }
  return [...leaves];
};

/** A document that holds one object, at a dotted path. */
export const objectUnder = (path: string, object: JsonObject): JsonObject =>
  path.split('.').reduceRight<JsonObject>((inner, name) => ({ [name]: inner }), object);

/** The object at a dotted path of a document that holds one object; {} when there is none. */
export const objectAt = (document: JsonObject, path: string): JsonObject => {
  const [stored] = storedValues(valueAt(document, path));
  return isJsonObject(stored) ? stored : {};
};

/**
 * Translates a node's documents to the network's names and values. Nested objects stay separate where the node's nested
 * path corresponds to one of the network's; otherwise their values form a list. Where the node has no such nested path,
 * its value becomes that of one object. Nested objects that several nodes have are a list in every document, however a node
 * stores a single one. A field that is a list at any node is one in every document; of others a list is left only where a
 * document has several values.
 * @param paths network paths: of values, as leafPaths returns them, and of nested objects that count even without values
 */
export const documentTranslator = (
  node: NodeView,
  paths: readonly string[],
  network: Pick<NetworkFields, 'fields' | 'byNode' | 'listsInObjects' | 'objectLists'>,
): ((source: JsonObject) => JsonObject) => {
  const covered = network.byNode.get(node.config.nodeId);
  const root: Level = { own: '', path: [], leaves: [], levels: new Map() };
  for (const path of paths) {
    const nodeField = covered?.get(path);
    const field = network.fields.get(path)!;
    if (nodeField) placeField(root, { field, own: nodeField, form: formOf(field, network) }, node);
  }
  const nested = paths.flatMap((path) => nestedPathsOf(network.fields.get(path)!));
  const lists = [...new Set(nested)]
    .filter((path) => network.objectLists.has(path))
    .map((path) => path.split('.'));
  return (source) => {
    const document = filled(root, source);
    for (const path of lists) asList(document, path);
    return document as JsonObject;
  };
};

/** The nested paths that a field's own path leads through, outermost first. */
const nestedPathsOf = ({ path, kind, nestedIn }: Field): readonly string[] => [
  ...nestedIn.filter((outer) => isBelow(path, outer)),
  ...(kind === 'nested' ? [path] : []),
];

/** Turns a single object at a path into a list of one. */
const asList = (target: Draft, [name, ...rest]: readonly string[]): void => {
  if (!Object.hasOwn(target, name!)) return;
  const value = target[name!];
  if (rest.length > 0) {
    for (const item of Array.isArray(value) ? (value as unknown[]) : [value])
      if (isJsonObject(item as JsonValue)) asList(item as Draft, rest);
  } else if (isJsonObject(value as JsonValue)) target[name!] = [value];
};

const formOf = (
  { path, kind, isArray, nestedIn }: Field,
  { listsInObjects }: Pick<NetworkFields, 'listsInObjects'>,
): Form => {
  if (isShownWhole(kind) || kind === 'object' || kind === 'nested') return 'stored';
  // one value of each nested object is no list
  const isList = nestedIn.length === 0 ? isArray : listsInObjects.has(path);
  return isList ? 'list' : 'single';
};

interface Placed {
  readonly field: Field;
  /** The node's. */
  readonly own: Field;
  readonly form: Form;
}

/** Adds a leaf below the levels that the node and the network share on the path to it. */
const placeField = (root: Level, { field, own, form }: Placed, { fieldMapping }: NodeView): void => {
  let level = root;
  let [above, aboveOwn] = ['', ''];
  for (const nested of field.nestedIn) {
    const ownNested = fieldMapping.toNode(nested);
    // a field may have a different path than the objects that contain it at the node
    if (!isBelow(field.path, nested) || !own.path.startsWith(`${ownNested}.`)) break;
    if (!own.nestedIn.includes(ownNested) || !isBelow(ownNested, aboveOwn) || !isBelow(nested, above)) break;
    const known = level.levels.get(nested);
    const next = known ?? {
      own: below(ownNested, aboveOwn),
      path: below(nested, above).split('.'),
      leaves: [],
      levels: new Map<string, Level>(),
    };
    level.levels.set(nested, next);
    [level, above, aboveOwn] = [next, nested, ownNested];
  }
  if (field.kind === 'nested') {
    const ownNested = fieldMapping.toNode(field.path);
    if (own.kind === 'nested' && isBelow(ownNested, aboveOwn) && !level.levels.has(field.path))
      level.levels.set(field.path, {
        own: below(ownNested, aboveOwn),
        path: below(field.path, above).split('.'),
        leaves: [],
        levels: new Map(),
      });
    return;
  }
  level.leaves.push({
    own: below(own.path, aboveOwn),
    path: below(field.path, above).split('.'),
    values: fieldMapping.valuesOf(field.path),
    isDouble: field.holdsLongs === true && !mayBeWide(own),
    form,
  });
};

const isBelow = (path: string, above: string): boolean => above === '' || path.startsWith(`${above}.`);
const below = (path: string, above: string): string => (above === '' ? path : path.slice(above.length + 1));

const filled = (level: Level, object: JsonObject): Draft => {
  const filledObject: Draft = {};
  for (const inner of level.levels.values()) {
    const stored = valueAt(object, inner.own);
    if (stored === undefined || stored === null) continue;
    const objects = storedValues(stored).filter(isJsonObject);
    const all = objects.map((nested) => filled(inner, nested));
    putAt(filledObject, inner.path, isJsonObject(stored) ? all[0] : all);
  }
  for (const leaf of level.leaves) {
    const value = shownValue(valueAt(object, leaf.own), leaf);
    if (value !== undefined) putAt(filledObject, leaf.path, value);
  }
  return filledObject;
};

/** Undefined without a value. */
const shownValue = (
  stored: JsonValue | undefined,
  { values, isDouble, form }: Leaf,
): JsonValue | undefined => {
  if (form === 'stored') return stored ?? undefined;
  const translated = storedValues(stored).map((value) =>
    values === null ? (isDouble ? double(value) : value) : values.toNetwork(String(value)),
  );
  if (translated.length === 0) return form === 'list' && Array.isArray(stored) ? [] : undefined;
  return form === 'single' && translated.length === 1 ? translated[0] : translated;
};

/** A number with a fraction that JSON wrote like an integer; digits beyond the precision of doubles stay. */
const double = (value: JsonValue): JsonValue =>
  typeof value === 'string' && String(Number(value)) === value ? Number(value) : value;
