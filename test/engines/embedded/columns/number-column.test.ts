import test from 'ava';
import { NumberColumn, numbersOf } from '../../../../src/engines/embedded/columns/number-column.ts';

const [long, longer] = [2n ** 53n + 1n, 2n ** 53n + 3n];

test('exact values stay with their objects when a first list follows objects without a value', (t) => {
  const column = new NumberColumn(false);
  column.append(0, long);
  column.append(2, 7);
  column.append(3, [longer, 5]);
  column.append(5, long);
  t.deepEqual(
    [0, 1, 2, 3, 4, 5].map((ordinal) => numbersOf(column, ordinal).map(BigInt)),
    [[long], [], [7n], [longer, 5n], [], [long]],
  );
});
