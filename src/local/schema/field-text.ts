import type { ExtendedEntry } from '../../introspection/fields/catalogue-config.ts';
import { displayNameOf, type Field } from '../../introspection/fields/field.ts';
import { operatorsOf } from '../../sqon/describe.ts';

/** Gives a field's description in the schema. */
export type DescribeField = (field: Field) => string;

/** Descriptions using extended.json: display name, unit and its own description. */
export const describeWith = (extended: readonly ExtendedEntry[]): DescribeField => {
  const configured = new Map(extended.map((entry) => [entry.fieldName, entry]));
  return (field) => fieldText(field, configured.get(field.path));
};

/**
 * A field as text: `Age at Diagnosis, in years. donors.age: integer, in the nested objects donors. Filters: in, ...`
 */
export const fieldText = (field: Field, entry?: ExtendedEntry): string => {
  const name = entry?.displayName ?? displayNameOf(field.path);
  const sentences = [
    entry?.unit == null ? name : `${name}, in ${entry.unit}`,
    ...(entry?.description === undefined ? [] : [entry.description]),
    `\`${field.path}\`: ${typeText(field)}`,
    filtersText(field),
  ];
  return sentences.map((sentence) => `${sentence.replace(/\.\s*$/, '')}.`).join(' ');
};

const typeText = ({ type, isArray, nestedIn }: Field): string => {
  const nested = nestedIn.at(-1);
  const described = isArray ? `list of ${type}` : type;
  return nested === undefined ? described : `${described}, in the nested objects \`${nested}\``;
};

const filtersText = ({ kind, type, path }: Field): string => {
  switch (kind) {
    case 'flattened':
      return `Filters find values at any key: ${operatorsOf(type).join(', ')}; each key, \`${path}.KEY\`, is a field of filters too`;
    case 'range':
      return '`in` finds ranges that hold a value, `gt`, `gte`, `lt`, `lte` and `between` those that overlap';
    case 'json':
      return 'Not searchable: it is shown as stored';
    case 'object':
    case 'nested':
      return 'Filters: in and not-in with "__missing__"';
    case 'number':
    case 'date':
      return `Filters: ${operatorsOf(type)
        .filter((op) => op !== 'filter')
        .join(', ')}`;
    case 'keyword':
    case 'text':
    case 'boolean':
      return `Filters: ${operatorsOf(type).join(', ')}`;
  }
};
