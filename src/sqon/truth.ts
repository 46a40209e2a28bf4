import type { Sqon, SqonGroup } from './ast.ts';

/**
 * What a filter is of every document because of the constants in it; null when it depends on the document. Dropping
 * the selections of a facet never changes that.
 */
export const truthOf = (sqon: Sqon): boolean | null => {
  switch (sqon.kind) {
    case 'constant':
      return sqon.value;
    case 'group':
      return groupTruth(sqon);
    default:
      return null;
  }
};

const groupTruth = ({ op, content, pivot }: SqonGroup): boolean | null => {
  if (content.length === 0) return true;
  const truths = content.map(truthOf);
  const isNever = op === 'or' ? truths.every((one) => one === false) : truths.includes(false);
  // with a pivot, "not" says that no object satisfies all of them together, and the others that there is an object
  if (pivot !== null) return isNever ? op === 'not' : null;
  switch (op) {
    case 'and':
      return isNever ? false : truths.every((one) => one === true) ? true : null;
    case 'or':
      return isNever ? false : truths.includes(true) ? true : null;
    case 'not':
      return truths.includes(true) ? false : truths.every((one) => one === false) ? true : null;
  }
};
