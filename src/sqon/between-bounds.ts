import type { SqonLeaf } from './ast.ts';
import { malformed } from './malformed.ts';

/** How two bounds compare: below 0 when the first is the lower one. */
export type Compare = (left: number, right: number) => number;

/**
 * Refuses what nobody means by `between`: two bounds of which the lower one comes last, and a sorted list of more,
 * which is a list of values. Longer lists that are out of order are bounds that a client gathered from several
 * selections; existing clients send them, and the smallest and largest count.
 * @param compare the bounds at two positions of the leaf's values
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

/** What a caller should know of a `between` with more than two bounds; null for others. */
export const betweenNotice = ({ values }: SqonLeaf) =>
  values.length > 2
    ? {
        text: `between takes two bounds; of these ${values.length} values only the smallest and largest count`,
        accepted: 'two bounds, the lower one first',
      }
    : null;
