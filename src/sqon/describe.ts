import type { ExtendedEntry } from '../introspection/fields/catalogue-config.ts';
import { displayNameOf, kindOf, type Fields } from '../introspection/fields/field.ts';
import type { Introspection, TypeClass } from './operators/operator.ts';
import { namesOf, operators } from './operators/table.ts';
import type { LeafOp, Operator, MultiOp } from './ast.ts';
import type { JsonObject } from '../lib/json/json.ts';

/** One entry of the `fields` map of `GET /introspection/{catalogue}`; the description is absent unless configured. */
export interface FieldDescription {
  readonly displayName: string;
  readonly type: string;
  /** null when none is configured: existing clients expect the key on every field. */
  readonly unit: string | null;
  readonly description?: string;
  /** Rows cannot be sorted by it; absent for all fields of a catalogue that is not a network. */
  readonly sortable?: false;
}

export interface FieldsDescription {
  /** By dotted path, in alphabetical order, including objects and nested fields. */
  readonly fields: Readonly<Record<string, FieldDescription>>;
  /** By type, for the types that occur. */
  readonly operators: Readonly<Record<string, readonly string[]>>;
}

/**
 * The `fields` and `operators` of a catalogue's introspection payload. `id`, which the schema always has, is listed
 * only when it is configured.
 */
export const describeFields = (fields: Fields, extended: readonly ExtendedEntry[]): FieldsDescription => {
  const configured = new Map(extended.map((entry) => [entry.fieldName, entry]));
  const sorted = [...fields.values()]
    .filter(({ path }) => path !== 'id' || configured.has(path))
    .sort((left, right) => (left.path < right.path ? -1 : 1));
  return {
    fields: Object.fromEntries(
      sorted.map(({ path, type }) => [path, describeField(path, type, configured.get(path))]),
    ),
    operators: Object.fromEntries(sorted.map(({ type }) => [type, operatorsOf(type)])),
  };
};

const describeField = (path: string, type: string, entry: ExtendedEntry | undefined): FieldDescription => ({
  displayName: entry?.displayName ?? displayNameOf(path),
  type,
  unit: entry?.unit ?? null,
  ...(entry?.description === undefined ? {} : { description: entry.description }),
  ...(entry?.sortable === false && { sortable: entry.sortable }),
});

/** SQON's group operators. */
const combinationOperators = namesOf('group');

/** SQON's field operators listed by introspection, with their entries. */
const introspectedOperators = [...namesOf('leaf'), ...namesOf('multi')].flatMap((op) => {
  const { introspection } = operators[op];
  return introspection === null ? [] : [{ op, introspection }];
});

/** Other spellings the contract accepts, and their canonical operators: in the established order. */
export const operatorAliases: Readonly<Record<string, string>> = Object.fromEntries(
  [...namesOf('multi'), ...namesOf('leaf').toSorted()].flatMap((op) =>
    operators[op].aliases.map((alias) => [alias, op] as const),
  ),
);

/** The types for which clients expect only range operators. */
const orderedTypes: ReadonlySet<string> = new Set(['date', 'double', 'float', 'integer', 'long']);

/** The SQON operators in the introspection payload for a mapped type, in the established order. */
export const operatorsOf = (type: string): readonly string[] => {
  const typeClass = classOf(type);
  return introspectedOperators
    .filter(({ introspection }) => introspection.listedFor.includes(typeClass))
    .map(
      ({ op, introspection }: { op: string; introspection: Introspection }) => introspection.listedAs ?? op,
    );
};

const classOf = (type: string): TypeClass => {
  if (orderedTypes.has(type)) return 'ordered';
  const kind = kindOf(type);
  if (kind === 'number' || kind === 'date') return 'measured';
  return kind === 'keyword' || kind === 'boolean' ? 'named' : 'other';
};

/** The name of the GraphQL enum of all operators, from which a network learns what a node supports. */
export const operatorEnumName = 'SqonOperator';

/** An operator's name in the enum. */
export const nameInEnum = (op: Operator): string => op.replaceAll('-', '_');

/** The version of this document, not of the product: incremented when the filter language changes. */
const schemaVersion = '1.3.0';

/** The payload of `GET /introspection/sqon`: a JSON Schema of the filter language and its operators' values. */
export const sqonSchema = (): JsonObject => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Serialized Query Object Notation',
  description: 'JSON Schema and operator metadata for building valid SQON filters.',
  version: schemaVersion,
  aliases: operatorAliases,
  operators: {
    combination: combinationOperators,
    field: introspectedOperators.map(fieldOperator),
  },
  schema,
});

const fieldOperator = ({ op, introspection }: (typeof introspectedOperators)[number]): JsonObject => ({
  op,
  fieldRef: operators[op].kind === 'multi' ? 'fieldNames' : 'fieldName',
  applicableTo: introspection.applicableTo,
  valueType: introspection.valueType,
});

const aliasesOf = (ops: readonly string[]): readonly string[] =>
  Object.entries(operatorAliases).flatMap(([alias, op]) => (ops.includes(op) ? [alias] : []));

const scalar = { type: ['string', 'number', 'boolean'] };
const pivot = {
  type: ['string', 'null'],
  description: 'A nested path: the conditions must hold for the same object there. "." and null are none.',
};

const node = (ops: readonly string[], content: JsonObject): JsonObject => ({
  type: 'object',
  required: ['op', 'content'],
  properties: { op: { enum: [...ops, ...aliasesOf(ops)] }, content, pivot },
});

const multiNode = (op: MultiOp): JsonObject =>
  node([op], {
    type: 'object',
    required: ['fieldNames', 'value'],
    properties: {
      fieldNames: { type: 'array', items: { type: 'string', minLength: 1 } },
      ...operators[op].properties,
    },
  });

const fieldPath = { type: 'string', minLength: 1, description: 'Dotted path of a field.' };

const terms = (description: string): JsonObject => {
  const term = { type: ['string', 'number'] };
  return { anyOf: [term, { type: 'array', items: term }], description };
};

const termsNode = (ops: readonly LeafOp[]): JsonObject =>
  node(ops, {
    type: 'object',
    required: ['fieldName', 'value'],
    properties: {
      fieldName: fieldPath,
      value: terms(
        "Ids of terms of the field's hierarchy: each stands for itself and all that stand under it.",
      ),
      except: terms('Terms that are left out, with all that stand under them.'),
    },
  });

const leafNode = (ops: readonly LeafOp[]): JsonObject =>
  node(ops, {
    type: 'object',
    required: ['fieldName', 'value'],
    properties: {
      fieldName: fieldPath,
      value: {
        anyOf: [scalar, { type: 'array', items: scalar }],
        description:
          'In in, not-in, some-not-in and all: `*` at the end of a value is any run of characters, `__missing__` no value, `set_id:` a saved set; in is, every value is itself.',
      },
    },
  });

/** The definition of each operator, by the names that clients of the established server look up. */
const definitionOf: Readonly<Record<LeafOp | MultiOp, string>> = {
  in: 'InLike',
  'not-in': 'InLike',
  'some-not-in': 'InLike',
  all: 'All',
  gt: 'RangeLike',
  gte: 'RangeLike',
  lt: 'RangeLike',
  lte: 'RangeLike',
  between: 'Between',
  wildcard: 'Wildcard',
  'starts-with': 'StartsWith',
  search: 'Search',
  is: 'Is',
  under: 'Under',
};

const leaves: Readonly<Record<string, JsonObject>> = Object.fromEntries([
  ...[...Map.groupBy(namesOf('leaf'), (op) => definitionOf[op])].map(
    ([name, ops]) => [name, operators[ops[0]!].takesTerms ? termsNode(ops) : leafNode(ops)] as const,
  ),
  ...namesOf('multi').map((op) => [definitionOf[op], multiNode(op)] as const),
]);

const refTo = (name: string): JsonObject => ({ $ref: `#/$defs/${name}` });

const schema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  // by which clients of the established server recognise it
  $id: `https://overture-stack.org/schemas/arranger/sqon/v${schemaVersion}.schema.json`,
  title: 'Serialized Query Object Notation',
  description:
    'A filter: a group of filters, or a leaf on one or several fields. None, and {}, match everything.',
  version: schemaVersion,
  ...refTo('SQON'),
  $defs: {
    SQON: { oneOf: [refTo('Group'), refTo('Leaf')] },
    Group: node(combinationOperators, { type: 'array', items: refTo('SQON') }),
    Leaf: { oneOf: Object.keys(leaves).map(refTo) },
    ...leaves,
    // the names until version 1.1
    node: refTo('SQON'),
    group: refTo('Group'),
    leaf: refTo('Leaf'),
    ...Object.fromEntries(namesOf('multi').map((op) => [op, refTo(definitionOf[op])])),
  },
};
