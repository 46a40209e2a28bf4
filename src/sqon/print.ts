import { documentKey } from '../introspection/fields/document-key.ts';
import type { JsonObject } from '../json.ts';
import type { Sqon } from './ast.ts';

/**
 * The filter as JSON in canonical form: canonical operators, lists for values, no pivot where there is none. Of what a
 * client can write, `parseSqon(printSqon(x))` is x again. A constant is membership in an empty list of keys: unlike an
 * empty group it stands firm where a facet drops its own selections and the groups left empty with them.
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
