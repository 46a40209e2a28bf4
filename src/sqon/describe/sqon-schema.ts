import type { JsonObject } from '../../json.ts';
import { combinationOperators, fieldOperators, operatorAliases } from './operators.ts';

/** The version of this document, not of the product: raised when the filter language changes. */
const schemaVersion = '1.0.0';

/** The payload of `GET /introspection/sqon`: a JSON Schema of the filter language and what its operators take. */
export const sqonSchema = (): JsonObject => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Serialized Query Object Notation',
  description: 'JSON Schema and operator metadata for building valid SQON filters.',
  version: schemaVersion,
  aliases: operatorAliases,
  operators: {
    combination: combinationOperators,
    field: [...fieldOperators.map(fieldOperator), wildcardOperator],
  },
  schema,
});

const orderedTypes = [
  'long', 'integer', 'float', 'double', 'date', 'byte', 'short', 'half_float', 'scaled_float', 'unsigned_long',
]; // prettier-ignore

const rangeOperators: ReadonlySet<string> = new Set(['gt', 'gte', 'lt', 'lte', 'between']);
const scalars = 'string | number | boolean';

const fieldOperator = (op: string): JsonObject => ({
  op,
  fieldRef: 'fieldName',
  applicableTo: rangeOperators.has(op) ? orderedTypes : 'all',
  valueType: valueTypeOf(op),
});

const valueTypeOf = (op: string): string => {
  if (op === 'between') return 'Array<number | date>';
  if (rangeOperators.has(op)) return 'number | date';
  return op === 'all' ? `Array<${scalars}>` : `${scalars} | Array<${scalars}>`;
};

const wildcardOperator: JsonObject = {
  op: 'wildcard',
  fieldRef: 'fieldNames',
  applicableTo: 'all',
  valueType: 'string',
};

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

const schema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'SQON',
  description: 'A filter: a group of filters, or a leaf on one or several fields. {} matches everything.',
  anyOf: [{ type: 'object', maxProperties: 0 }, { $ref: '#/$defs/node' }],
  $defs: {
    node: {
      oneOf: [{ $ref: '#/$defs/group' }, { $ref: '#/$defs/leaf' }, { $ref: '#/$defs/wildcard' }],
    },
    group: node(combinationOperators, { type: 'array', items: { $ref: '#/$defs/node' } }),
    leaf: node(fieldOperators, {
      type: 'object',
      required: ['fieldName', 'value'],
      properties: {
        fieldName: { type: 'string', minLength: 1, description: 'Dotted path of a field.' },
        value: { anyOf: [scalar, { type: 'array', items: scalar }] },
      },
    }),
    wildcard: node(['wildcard'], {
      type: 'object',
      required: ['fieldNames', 'value'],
      properties: {
        fieldNames: { type: 'array', items: { type: 'string', minLength: 1 } },
        value: { type: 'string', description: '`*` is any run of characters, `?` any one.' },
      },
    }),
  },
};
