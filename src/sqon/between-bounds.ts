import type { SqonLeaf } from './ast.ts';
import { malformed } from './malformed.ts';

/** Compares two bounds: negative when the first is lower. */
export type Compare = (left: number, right: number) => number;

/**
 * Rejects unintended uses of `between`: two bounds in descending order, and a sorted list of more than two, which is a
 * list of values. Longer unsorted lists are bounds that a client collected from several selections; existing clients
 * send them, and the smallest and largest apply.
 * @param compare compares the bounds at two indexes of the leaf's values
 * @throws TributaryError BAD_USER_INPUT
 */
export const assertBetween = (leaf: SqonLeaf, compare: Compare): void => {
  const count = leaf.values.length;
  const steps = Array.from({ length: count - 1 }, (_, position) => compare(position, position + 1));
  const at = `${leaf.at}.content.value`;
  if (count === 2 && steps[0]! > 0) throw malformed(at, leaf.values, 'the lower bound before the upper one');
  const isSorted = steps.every((step) => step <= 0) || steps.every((step) => step >= 0);
  if (count > 2 && isSorted)
    throw malformed(at, leaf.values, 'two bounds, the lower one first (in takes a list of values)');
};

/** The notice for a `between` with more than two bounds; null for others. */
export const betweenNotice = ({ values }: SqonLeaf) =>
  values.length > 2
    ? {
        text: `between takes two bounds; of these ${values.length} values only the smallest and largest count`,
        accepted: 'two bounds, the lower one first',
      }
    : null;
