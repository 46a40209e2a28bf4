import type { DimensionConfig, DisclosureConfig } from '../../../introspection/fields/catalogue-config.ts';
import { canEqual, fieldValue } from '../../../sqon/field-values.ts';
import { storedValue, type CellValue } from '../cells/cell.ts';
import { takenValues } from '../cells/choose-cells.ts';
import type { Field, Fields } from '../../../introspection/fields/field.ts';

/** Where a disclosure.json does not fit the fields of its catalogue: messages that name the key. */
export const disclosureProblems = (
  { dimensions, unit, strata }: DisclosureConfig,
  fields: Fields,
): readonly string[] => [
  ...dimensions.flatMap((dimension, index) =>
    dimensionProblems(dimension, fields).map((problem) => `disclosure.json, dimensions.${index}: ${problem}`),
  ),
  ...(unit === 'record' ? [] : singleField(unit, 'unit', fields, ['keyword', 'number'])),
  ...(strata === null ? [] : singleField(strata, 'strata', fields, ['keyword', 'boolean'])),
];

const dimensionProblems = (dimension: DimensionConfig, fields: Fields): readonly string[] => {
  const { fieldName, edges, calendar, within, values = [] } = dimension;
  const field = fields.get(fieldName);
  if (field === undefined) return [`the index has no field ${fieldName}`];
  switch (field.kind) {
    case 'keyword':
    case 'boolean':
      if (edges !== undefined || calendar !== undefined)
        return [
          `${fieldName} is of type ${field.type}: values, most or nothing expected, not edges or calendar`,
        ];
      return [
        ...values.flatMap((value) => addressProblems(value, field)),
        ...(within === undefined || fields.has(within.fieldName)
          ? []
          : [`the index has no field ${within.fieldName}`]),
        ...takenValues(values, field),
      ];
    case 'number':
      if (calendar !== undefined) return [`${fieldName} is a number: edges expected, not calendar`];
      return [...values.flatMap((value) => numberProblems(value, field)), ...takenValues(values, field)];
    case 'date':
      return calendar === undefined ? [`${fieldName} is a date: calendar, from and to expected`] : [];
    case 'text':
    case 'object':
    case 'nested':
    case 'range':
    case 'flattened':
    case 'json':
      return [
        `${fieldName} is of type ${field.type}, which cannot be counted by: a keyword, boolean, number or date expected`,
      ];
  }
};

/** Why no record could have this value, for types that accept only some strings. */
const addressProblems = (value: CellValue, field: Field): readonly string[] =>
  storedValue(value, field) === null
    ? [`${field.path} is of type ${field.type}: ${JSON.stringify(value)} is not an address`]
    : [];

/** Why no record could have this number, or a different one may be intended. */
const numberProblems = (value: CellValue, field: Field): readonly string[] => {
  try {
    if (!canEqual(fieldValue(value, field, field.path), field))
      return [`${field.path} is of type ${field.type}, which has no value ${value}`];
  } catch {
    return [`${field.path} is a number: ${JSON.stringify(value)} is none`];
  }
  return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
    ? [
        `${field.path}: a number beyond 2^53 may have lost digits here, as ${value}: write it as text, in quotes`,
      ]
    : [];
};

const singleField = (
  name: string,
  key: string,
  fields: Fields,
  kinds: readonly Field['kind'][],
): readonly string[] => {
  const field = fields.get(name);
  if (field === undefined) return [`disclosure.json, ${key}: the index has no field ${name}`];
  if (!kinds.includes(field.kind) || field.nestedIn.length > 0)
    return [`disclosure.json, ${key}: ${name} is not a ${kinds.join(' or ')} of the record itself`];
  return [];
};
