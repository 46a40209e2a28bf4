import { documentKey } from '../introspection/fields/field.ts';
import type { JsonObject } from '../json/json.ts';
import type { Sqon } from './ast.ts';

/**
 * Prints a filter as JSON in canonical form: canonical operators, lists for values, no pivot if there is none. For
 * anything a client can write, `parseSqon(printSqon(x))` equals x. A constant is printed as membership in an empty list
 * of keys: unlike an empty group, it is preserved when a facet drops its own selections and the groups emptied by that.
 */
export const printSqon = (sqon: Sqon | null): JsonObject | null => (sqon === null ? null : printNode(sqon));

const printNode = (sqon: Sqon): JsonObject => {
  const pivot = sqon.pivot === null ? {} : { pivot: sqon.pivot };
  switch (sqon.kind) {
    case 'group':
      return { op: sqon.op, content: sqon.content.map(printNode), ...pivot };
    case 'leaf':
      return { op: sqon.op, content: { fieldName: sqon.fieldName, value: sqon.values }, ...pivot };
    case 'multi': {
      const wholeWords = sqon.wholeWords === true && { wholeWords: true };
      const content = { fieldNames: sqon.fieldNames, value: sqon.value, ...wholeWords };
      return { op: sqon.op, content, ...pivot };
    }
    case 'constant':
      return { op: sqon.value ? 'not-in' : 'in', content: { fieldName: documentKey.path, value: [] } };
  }
};
