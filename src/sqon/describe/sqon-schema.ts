import type { JsonObject } from '../../json/json.ts';
import type { MultiOp } from '../ast.ts';
import { namesOf, operators } from '../operators/table.ts';
import { combinationOperators, introspectedOperators, operatorAliases } from './operators.ts';

/** The version of this document, not of the product: incremented when the filter language changes. */
const schemaVersion = '1.1.0';

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

const schema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'SQON',
  description: 'A filter: a group of filters, or a leaf on one or several fields. {} matches everything.',
  anyOf: [{ type: 'object', maxProperties: 0 }, { $ref: '#/$defs/node' }],
  $defs: {
    node: {
      oneOf: ['group', 'leaf', ...namesOf('multi')].map((name) => ({ $ref: `#/$defs/${name}` })),
    },
    group: node(combinationOperators, { type: 'array', items: { $ref: '#/$defs/node' } }),
    leaf: node(namesOf('leaf'), {
      type: 'object',
      required: ['fieldName', 'value'],
      properties: {
        fieldName: { type: 'string', minLength: 1, description: 'Dotted path of a field.' },
        value: { anyOf: [scalar, { type: 'array', items: scalar }] },
      },
    }),
    ...Object.fromEntries(namesOf('multi').map((op) => [op, multiNode(op)])),
  },
};
