import test from 'ava';
import { convertedFilter } from '../../../src/federation/conversion/converted-filter.ts';
import { converted } from '../../../src/federation/conversion/unit.ts';
import type { NodeUnit } from '../../../src/federation/config/nodes.ts';
import { group, leaf, MISSING, type LeafOp } from '../../../src/sqon/ast.ts';
import { compileSqon } from '../../../src/sqon/compile.ts';
import { satisfies } from '../../sqon/evaluate-filter.ts';
import { fieldsOf } from '../collection.ts';

const fields = fieldsOf({ size: 'double', parts: 'nested', 'parts.size': 'double' });
const numbers = [-9, 0, 0.8117, 77.125, 699.6062992125984];
const units: readonly NodeUnit[] = [
  { factor: 0.0254, offset: -17.77 },
  { factor: -0.0254, offset: 17.77 },
  { factor: 0.1, offset: 0.3 },
];
const operators: readonly LeafOp[] = ['in', 'not-in', 'some-not-in', 'all', 'is'];

for (const unit of units)
  test(`records are found by the value that is shown of them: ${JSON.stringify(unit)}`, (t) => {
    const measured = new Map(
      [...fields].map(([path, field]) => [path, { field, unit, isWhole: false }] as const),
    );
    const shown = numbers.map((number) => converted(number, unit));
    const lists = shown.flatMap((value, at) => [[value], [value, shown[(at + 3) % shown.length]!]]);
    const records = [
      ...shown.map((_, at) => [at, (at + 1) % shown.length]),
      ...shown.map((_, at) => [at]),
      [],
    ];
    const documentOf = (values: readonly number[]) => ({
      size: values,
      parts: values.map((value) => ({ size: [value] })),
    });
    for (const op of operators)
      for (const path of ['size', 'parts.size'])
        for (const values of op === 'is' ? lists : [...lists, [MISSING, ...lists[0]!]]) {
          const plain = leaf(op, path, values);
          const own = convertedFilter(plain, { constants: new Map(), measured });
          for (const pivot of path === 'size' ? [null] : [null, 'parts']) {
            const [atNode, inNetwork] = [own, plain].map((one) =>
              compileSqon(group('and', [one], pivot), fields),
            );
            for (const positions of records)
              if (
                satisfies(atNode!, documentOf(positions.map((at) => numbers[at]!)), '', fields) !==
                satisfies(inNetwork!, documentOf(positions.map((at) => shown[at]!)), '', fields)
              )
                t.fail(`${op} ${path} ${values.join()} ${pivot} ${positions.join()}`);
          }
        }
    t.pass();
  });
