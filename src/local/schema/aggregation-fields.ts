import type { Field, Fields } from '../../introspection/fields/field.ts';
import { aggregationName } from '../../introspection/fields/names.ts';
import { aggregationsType, numericAggregationsType } from '../../facets/facet-types.ts';
import type { FieldConfigs } from './connection-type.ts';
import type { DescribeField } from './field-text.ts';
import { byResponseKey } from '../../graphql/response-key.ts';

/**
 * One field for each facet below a nested field, or of the whole document when `within` is "", including deeper nested
 * ones, named relative to it: numbers and dates are numeric, all others have buckets.
 */
export const aggregationFields = (fields: Fields, within: string, describe: DescribeField): FieldConfigs => {
  const above = within === '' ? '' : `${within}.`;
  return Object.fromEntries(
    [...fields.values()].flatMap((field) => {
      const type = facetType(field);
      if (type === null || !field.path.startsWith(above)) return [];
      const name = aggregationName(field.path.slice(above.length));
      const description = describe(field);
      return [[name, { type, description, resolve: byResponseKey, extensions: { path: field.path } }]];
    }),
  );
};

const facetType = ({ kind, type }: Field) => {
  switch (kind) {
    case 'number':
    case 'date':
      return numericAggregationsType;
    case 'keyword':
    case 'text':
    case 'boolean':
    case 'object':
      return aggregationsType;
    case 'json':
      return type === 'nested' ? null : aggregationsType;
    case 'nested':
      return null;
  }
};
