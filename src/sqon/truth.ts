import type { Sqon, SqonGroup } from './ast.ts';
import { operators } from './operators/table.ts';

/**
 * The truth value of a filter for every document, from the constants in it; null when it depends on the document.
 * Dropping a facet's selections never changes that.
 */
export const truthOf = (sqon: Sqon): boolean | null => {
  switch (sqon.kind) {
    case 'constant':
      return sqon.value;
    case 'group':
      return groupTruth(sqon);
    case 'leaf':
    case 'multi':
      return null;
  }
};

const groupTruth = ({ op, content, pivot }: SqonGroup): boolean | null => {
  if (content.length === 0) return true;
  const truths = content.map(truthOf);
  const operator = operators[op];
  // with a pivot, "not" means that no object satisfies all of them together, the others that such an object exists
  if (pivot !== null) return operator.neverTogether(truths) ? operator.negative : null;
  return operator.truth(truths);
};
