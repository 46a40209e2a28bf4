import type { JsonObject } from '../json.ts';
import type { Sqon } from './ast.ts';

/**
 * The filter as JSON in canonical form: canonical operators, lists for values, no pivot where there is none.
 * `parseSqon(printSqon(x))` is x again.
 */
export const printSqon = (sqon: Sqon | null): JsonObject | null => (sqon === null ? null : printNode(sqon));

const printNode = (sqon: Sqon): JsonObject => {
  const pivot = sqon.pivot === null ? {} : { pivot: sqon.pivot };
  switch (sqon.kind) {
    case 'group':
      return { op: sqon.op, content: sqon.content.map(printNode), ...pivot };
    case 'leaf':
      return { op: sqon.op, content: { fieldName: sqon.fieldName, value: sqon.values }, ...pivot };
    case 'wildcard':
      return { op: 'wildcard', content: { fieldNames: sqon.fieldNames, value: sqon.value }, ...pivot };
  }
};
