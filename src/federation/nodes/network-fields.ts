import type { Field, FieldKind, Fields } from '../../introspection/fields/field.ts';
import {
  isIntegerType,
  isWideType,
  mayBeWide,
  kindOf,
  aggregationName,
  fieldNamed,
  withHierarchies,
} from '../../introspection/fields/field.ts';
import type { Hierarchy } from '../../introspection/hierarchies/hierarchy.ts';
import type { NodeView } from './node-view.ts';
import { defaultDateFormat } from '../../introspection/dates/dates.ts';
import { areUnalike } from '../../lib/text/units.ts';
import { closest } from '../../lib/text/unknown-keys.ts';
import type { NetworkConfig } from '../config/nodes.ts';

/** The network's fields, and the notices about them for start-up and `check`. */
export interface NetworkFields {
  /** By network path: declared ones first, then in node order. `isArray`: a list at any node. */
  readonly fields: Fields;
  /** For each node that is up: its own field for each network path, omitting missing and incompatible ones. */
  readonly byNode: ReadonlyMap<string, ReadonlyMap<string, Field>>;
  /** For each node that is up: its fields whose type or unit conflicts with the network's, by network path. */
  readonly conflicts: ReadonlyMap<string, ReadonlyMap<string, FieldConflict>>;
  readonly warnings: readonly string[];
  /** Paths that are lists, whatever the nodes report. */
  readonly lists: ReadonlySet<string>;
  /** Paths that are lists within one object at some node: below nested objects `isArray` holds for every field. */
  readonly listsInObjects: ReadonlySet<string>;
  /** Paths of nested objects that several nodes have: one form for all of them, a list. */
  readonly objectLists: ReadonlySet<string>;
  /** The first node that writes a field in values of its own, by network path: rows are not sorted by these fields. */
  readonly ownValuesAt: ReadonlyMap<string, string>;
}

/** A node's field that the network cannot use. */
export interface FieldConflict {
  /** The node's own path. */
  readonly path: string;
  readonly type: string;
  readonly reason: string;
}

/**
 * The union of the nodes' fields under the network's names, plus the declared ones. Numeric types are compatible with each
 * other, keyword with text, object with nested, and a type with a list of it; on a conflict the declared type wins, else
 * the first node's, and the other nodes do not cover the field. The same holds for the unit of numbers, as far as units are
 * known: millimetres and inches are not added.
 * @param lists paths that are lists, whatever the nodes report
 * @param hierarchies the hierarchies of fields, by path
 * @param units the units of fields, by path; null: they are added whatever the nodes' units
 */
export const networkFields = (
  declared: ReadonlyMap<string, string>,
  nodes: readonly NodeView[],
  lists: ReadonlySet<string> = new Set(),
  hierarchies: ReadonlyMap<string, Hierarchy> = new Map(),
  units: ReadonlyMap<string, string | null> = new Map(),
): NetworkFields => {
  const union = new Map<string, Draft>();
  for (const [path, type] of declared) union.set(path, draft(path, type, 'the declared type'));
  const byNode = new Map<string, ReadonlyMap<string, Field>>();
  const conflicts = new Map<string, ReadonlyMap<string, FieldConflict>>();
  const listsInObjects = new Set<string>();
  const warnings: string[] = [];
  for (const node of nodes) {
    if (node.status.kind === 'down') continue;
    const covered = new Map<string, Field>();
    const unfit = new Map<string, FieldConflict>();
    const unitAt = unitsOf(node);
    for (const field of node.status.fields.values()) {
      const path = node.fieldMapping.toNetwork(field.path);
      if (path === null) continue;
      const offered = offer(node, path, field, unitAt.get(field.path));
      const known = union.get(path) ?? {
        ...draft(path, offered.type, `node "${node.config.nodeId}"`),
        kind: offered.kind,
        ...(offered.storedAt !== undefined && { storedAt: offered.storedAt }),
      };
      const unit = declaredUnit(units.get(path), known);
      const misfit =
        typeMisfit(known, offered, cureOf(path, field, declared.has(path))) ??
        unitMisfit(path, unit, offered.unit);
      if (misfit !== null) {
        const { reason, cure } = misfit;
        unfit.set(path, { path: field.path, type: offered.type, reason });
        warnings.push(`node "${node.config.nodeId}" does not cover "${path}": ${reason}; ${cure}`);
        continue;
      }
      if (!units.has(path)) warnings.push(...unitDoubts(path, unit, offered.unit));
      union.set(path, widen(known, offered));
      covered.set(path, field);
      if (field.isArray) listsInObjects.add(path);
    }
    byNode.set(node.config.nodeId, covered);
    conflicts.set(node.config.nodeId, unfit);
    warnings.push(
      ...unmappedEntries(node, node.status.fields),
      ...(node.status.notes ?? []).map((note) => `node "${node.config.nodeId}": ${note}`),
    );
  }
  const all = new Map([...union].map(([path, draft]) => [path, fieldOf(draft, union, lists)]));
  const { fields, unfit } = withHierarchies(all, hierarchies);
  warnings.push(...unfit);
  const ownValuesAt = nodesWithOwnValues(nodes, byNode);
  const objectLists = nestedAtSeveral(fields, byNode);
  return { fields, byNode, conflicts, warnings, lists, listsInObjects, objectLists, ownValuesAt };
};

const nestedAtSeveral = (fields: Fields, byNode: NetworkFields['byNode']): ReadonlySet<string> => {
  const nested = [...fields.values()].filter(({ kind }) => kind === 'nested').map(({ path }) => path);
  const hasPath = (covered: ReadonlyMap<string, Field>, path: string): boolean =>
    [...covered.keys()].some((key) => key === path || key.startsWith(`${path}.`));
  return new Set(
    nested.filter((path) => [...byNode.values()].filter((covered) => hasPath(covered, path)).length > 1),
  );
};

/** Why rows cannot be sorted by a field; null if no node writes it in values of its own. */
export const sortRefusal = (
  path: string,
  { ownValuesAt }: Pick<NetworkFields, 'ownValuesAt'>,
): string | null => {
  const nodeId = ownValuesAt.get(path);
  return nodeId === undefined
    ? null
    : `node "${nodeId}" writes ${path} in its own values: sort by another field`;
};

/** A node that is down may be back for the next page, so its entry counts. */
const nodesWithOwnValues = (
  nodes: readonly NodeView[],
  byNode: NetworkFields['byNode'],
): ReadonlyMap<string, string> => {
  const nodeOfPath = new Map<string, string>();
  for (const { config, status } of nodes) {
    const covered = byNode.get(config.nodeId) ?? null;
    const translated = [...config.values.keys()].filter((path) => !covered || fieldNamed(covered, path));
    for (const path of [...translated, ...unsortableInside(status, covered)])
      if (!nodeOfPath.has(path)) nodeOfPath.set(path, config.nodeId);
  }
  return nodeOfPath;
};

/** The fields by which a node that is itself a network does not sort. */
const unsortableInside = (
  status: NodeView['status'],
  covered: ReadonlyMap<string, Field> | null,
): readonly string[] => {
  const extended = status.kind === 'up' ? (status.extended ?? []) : [];
  const unsortable = new Set(
    extended.flatMap(({ fieldName, sortable }) => (sortable === false ? [fieldName] : [])),
  );
  return unsortable.size === 0
    ? []
    : [...(covered ?? [])].flatMap(([path, field]) => (unsortable.has(field.path) ? [path] : []));
};

/** Why a node does not cover a field, and what to do about it. */
interface Misfit {
  readonly reason: string;
  readonly cure: string;
}

const typeMisfit = (known: Draft, offered: Offered, cure: string): Misfit | null => {
  // nodes that report no details show an object without properties as JSON
  const isObject = known.type === 'object' && offered.type === 'object';
  if (isObject || familyOf(known.kind) === familyOf(offered.kind)) return null;
  return { reason: `${offered.type} there is not compatible with ${known.type} of ${known.by}`, cure };
};

const declaredUnit = (declared: string | null | undefined, { unit }: Draft): Unit | null | undefined =>
  declared === undefined ? unit : declared === null ? null : { name: declared, by: 'in network.extended' };

const unitMisfit = (path: string, known?: Unit | null, offered?: Unit): Misfit | null => {
  if (!known || offered === undefined || areUnalike(known.name, offered.name) !== true) return null;
  return {
    reason: `its unit is "${offered.name}" there, but "${known.name}" ${known.by}`,
    cure: `say in the node's units how its numbers follow: {"${path}": {"factor": FACTOR, "from": "${offered.name}"}}`,
  };
};

/** Units that are not known here may be two names of one. */
const unitDoubts = (path: string, known?: Unit | null, offered?: Unit): readonly string[] =>
  known && offered && areUnalike(known.name, offered.name) === null
    ? [`"${path}" is in ${known.name} ${known.by}, but in ${offered.name} ${offered.by}`]
    : [];

/** The units of a node's numbers, by its own paths; those that its entry converts have none. */
const unitsOf = ({ config, status }: NodeView): ReadonlyMap<string, Unit> => {
  const extended = status.kind === 'up' ? (status.extended ?? []) : [];
  return new Map(
    extended.flatMap(({ fieldName, unit }) =>
      unit == null ? [] : [[fieldName, { name: unit.trim(), by: `at node "${config.nodeId}"` }] as const],
    ),
  );
};

/** What to do about a conflict of types. */
const cureOf = (path: string, { path: nodePath, type }: Field, isDeclared: boolean): string =>
  `${isDeclared ? 'change the type' : 'declare the type that counts'} in network.fields, or give it a name of its own in the node's fields: ${JSON.stringify({ [`${path}_${type}`]: nodePath })}`;

/** The unit of a field, and what determined it, for messages. */
interface Unit {
  readonly name: string;
  readonly by: string;
}

/** A node's field in the network's terms. */
type Offered = Omit<Draft, 'by'>;

interface Draft {
  readonly path: string;
  readonly type: string;
  readonly kind: FieldKind;
  readonly isArray: boolean;
  /** Some node has 64-bit integers. */
  readonly isWide: boolean;
  readonly nestedIn: readonly string[];
  readonly storedAt?: string;
  /** The date formats of the nodes so far; a node that reports none uses the engines' default. */
  readonly formats: readonly string[];
  /** Of numbers; unset: none is known. */
  readonly unit?: Unit;
  /** What determined the type, for messages. */
  readonly by: string;
}

const draft = (path: string, type: string, by: string): Draft => ({
  path,
  type,
  kind: kindOf(type),
  isArray: false,
  isWide: isWideType(type),
  nestedIn: [],
  formats: [],
  by,
});

const offer = (node: NodeView, path: string, field: Field, unit: Unit | undefined): Offered => {
  const mapped = node.fieldMapping.valuesOf(path) !== null;
  const type = mapped ? 'keyword' : field.type;
  const nestedIn = field.nestedIn.flatMap((outer) => node.fieldMapping.toNetwork(outer) ?? []);
  const isArray = field.isArray || field.nestedIn.length > 0;
  const kind = mapped ? 'keyword' : field.kind;
  const formats = kind === 'date' ? (field.format ?? defaultDateFormat).split('||') : [];
  const storedAt = field.storedAt === undefined ? null : node.fieldMapping.toNetwork(field.storedAt);
  // a network may have both, and reports only that it has fractions
  const isWide =
    mayBeWide(field) ||
    (field.kind === 'number' && node.status.kind === 'up' && node.status.isNetwork === true);
  return {
    ...{ path, type, kind, isArray, isWide, nestedIn, formats },
    ...(storedAt !== null && { storedAt }),
    ...(kind === 'number' && unit !== undefined && { unit }),
  };
};

const families: Readonly<Partial<Record<FieldKind, string>>> = {
  keyword: 'string',
  text: 'string',
  object: 'container',
  nested: 'container',
};

const familyOf = (kind: FieldKind): string => families[kind] ?? kind;

const widen = (known: Draft, offered: Offered): Draft => {
  const type = widerType(known, offered);
  const unit = known.unit ?? offered.unit;
  return {
    path: known.path,
    type,
    kind: known.kind === offered.kind ? known.kind : kindOf(type),
    isArray: known.isArray || offered.isArray,
    isWide: known.isWide || offered.isWide,
    nestedIn: known.nestedIn.length > 0 ? known.nestedIn : offered.nestedIn,
    formats: [...new Set([...known.formats, ...offered.formats])],
    by: known.by,
    ...(unit !== undefined && { unit }),
    // a node that stores the field has values to show
    ...(known.storedAt !== undefined &&
      offered.storedAt !== undefined && {
        storedAt: known.storedAt === known.path ? offered.storedAt : known.storedAt,
      }),
  };
};

const widerType = (a: Offered, b: Offered): string => {
  if (a.type === b.type) return a.type;
  switch (a.kind) {
    case 'number':
      return isIntegerType(a.type) && isIntegerType(b.type) ? 'long' : 'double';
    case 'keyword':
    case 'text':
      return 'keyword';
    case 'object':
    case 'nested':
      return 'nested';
    case 'boolean':
    case 'range':
    case 'date':
    case 'flattened':
    case 'json':
      return a.type;
  }
};

const fieldOf = (merged: Draft, union: ReadonlyMap<string, Draft>, lists: ReadonlySet<string>): Field => {
  const { path, type, kind, storedAt } = merged;
  const isArray = merged.isArray || lists.has(path);
  const nestedIn = merged.nestedIn.filter((outer) => union.get(outer)?.kind === 'nested');
  const format = merged.formats.length > 0 ? { format: merged.formats.join('||') } : {};
  return {
    path,
    type,
    kind,
    isArray,
    nestedIn,
    indexField: {
      path,
      type,
      nestedIn,
      ...(storedAt !== undefined && union.get(storedAt)?.kind === 'flattened' && { keyOf: storedAt }),
    },
    ...format,
    ...(kind === 'number' && merged.isWide && !isWideType(type) && { holdsLongs: true }),
    ...(storedAt !== undefined && { storedAt }),
  };
};

const unmappedEntries = (node: NodeView, fields: Fields): readonly string[] =>
  [...node.config.fields]
    .filter(([, nodePath]) => !fields.has(nodePath))
    .map(
      ([path, nodePath]) =>
        `node "${node.config.nodeId}" has no field "${nodePath}", which its fields map to "${path}"`,
    );

/** A field of the network, and how each node covers it. */
export interface FieldReport {
  readonly path: string;
  /** The GraphQL name, below `aggregations` and `node`. */
  readonly name: string;
  readonly type: string;
  readonly isArray: boolean;
  /** Rows cannot be sorted by it: some node writes it in values of its own. Unset: none does. */
  readonly sortable?: false;
  /** In configuration order. */
  readonly nodes: readonly FieldCoverage[];
}

export interface FieldCoverage {
  readonly nodeId: string;
  /** `conflict`: present, but of an incompatible type or in another unit. `unknown`: the node's fields are not known. */
  readonly state: 'covered' | 'missing' | 'conflict' | 'unknown';
  /** The node's own path and type, if it has one. */
  readonly path: string | null;
  readonly type: string | null;
  /** Why it is not covered. */
  readonly reason: string | null;
  /** The value that all of the node's records have; unset: the field is not a constant. */
  readonly constant?: string | number | boolean;
}

/** The matrix of fields and nodes, for display and for portals. */
export const fieldReports = (network: NetworkFields, nodes: readonly NodeView[]): readonly FieldReport[] =>
  [...network.fields.values()].map(({ path, type, isArray }) => ({
    path,
    name: aggregationName(path),
    type,
    isArray,
    ...(network.ownValuesAt.has(path) && { sortable: false }),
    nodes: nodes.map((node) => coverage(path, network, node)),
  }));

const coverage = (path: string, network: NetworkFields, node: NodeView): FieldCoverage => {
  const { nodeId } = node.config;
  const nothing = { nodeId, path: null, type: null };
  if (node.status.kind === 'down') return { ...nothing, state: 'unknown', reason: node.status.reason };
  const nodeField = network.byNode.get(nodeId)?.get(path);
  const constant = node.config.constants?.get(path);
  if (nodeField && constant !== undefined)
    return { ...nothing, state: 'covered', type: nodeField.type, reason: null, constant };
  if (nodeField)
    return { nodeId, state: 'covered', path: nodeField.path, type: nodeField.type, reason: null };
  const conflict = network.conflicts.get(nodeId)?.get(path);
  if (conflict)
    return { nodeId, state: 'conflict', path: conflict.path, type: conflict.type, reason: conflict.reason };
  return { ...nothing, state: 'missing', reason: `has no field "${node.fieldMapping.toNode(path)}"` };
};

/** Network values that nodes spell in two ways: a facet would show both. */
export const inconsistentSpellings = ({ nodes }: NetworkConfig): readonly string[] => {
  const paths = new Set(nodes.flatMap(({ values }) => [...values.keys()]));
  return [...paths].flatMap((path) => {
    const listed = nodes.flatMap(({ nodeId, values }) =>
      [...(values.get(path)?.values() ?? [])].map((value) => ({ nodeId, value })),
    );
    return [...Map.groupBy(listed, ({ value }) => folded(value)).values()].flatMap((same) => {
      const byText = Map.groupBy(same, ({ value }) => value);
      if (byText.size === 1) return [];
      const texts = [...byText].map(
        ([text, by]) => `"${text}" (${[...new Set(by.map(({ nodeId }) => nodeId))].join(', ')})`,
      );
      return [`values.${path}: ${texts.join(' and ')} are spellings of one value: choose one of them`];
    });
  });
};

/** Removes differences that readers overlook: case, accents, and spaces around and between words. */
const folded = (value: string): string =>
  value
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .trim()
    .replace(/[\s_-]+/g, ' ')
    .toLowerCase();

/** Names in a node's `fields`, `values` and `units` for which it has no field; nodes that are down are unknown. */
export const missingFields = (nodes: readonly NodeView[]): readonly string[] =>
  nodes.flatMap(({ config, status, fieldMapping }) => {
    if (status.kind === 'down') return [];
    const { fields: named, values, units = new Map<string, unknown>() } = config;
    const lines = (key: string, paths: Iterable<string>): readonly string[] =>
      [...paths].flatMap((path) => {
        const nodePath = named.get(path) ?? path;
        if (status.fields.has(nodePath) && fieldMapping.toNetwork(nodePath) === path) return [];
        return [`node ${config.nodeId}: ${key}.${path}: ${lackOf(nodePath, status.fields, named)}`];
      });
    const unnamed = (paths: ReadonlyMap<string, unknown>) =>
      [...paths.keys()].filter((path) => !named.has(path));
    return [
      ...lines('fields', named.keys()),
      ...lines('values', unnamed(values)),
      ...lines('units', unnamed(units)),
    ];
  });

const lackOf = (name: string, fields: Fields, named: ReadonlyMap<string, string>): string => {
  if (fields.has(name)) {
    const path = [...named].find(([, nodePath]) => nodePath === name)?.[0];
    return `its field "${name}" is "${path}" here, as fields says`;
  }
  const near = closest(name, [...fields.keys()]);
  const isNear = near !== null && near.distance <= name.length * 0.6;
  return `the node has no field "${name}"${isNear ? `: did you mean "${near.name}"?` : ''}`;
};
