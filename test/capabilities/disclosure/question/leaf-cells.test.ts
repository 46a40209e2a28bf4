import test from 'ava';
import { leafCells } from '../../../../src/capabilities/disclosure/question/leaf-cells.ts';
import type { DimensionCell } from '../../../../src/capabilities/disclosure/table/released-table.ts';
import { prefixPattern } from '../../../../src/sqon/filter.ts';
import { fieldsOf } from '../../../federation/collection.ts';

test('a pattern without some of its values has the whole of no cell in which they may be', (t) => {
  const field = fieldsOf({ site: 'keyword' }).get('site')!;
  const cells: readonly DimensionCell[] = [
    { kind: 'value', value: 'C50.1' },
    { kind: 'pattern', pattern: 'C50*' },
    { kind: 'other' },
    { kind: 'missing' },
  ];
  const found = (...except: readonly string[]) =>
    leafCells(
      {
        kind: 'pattern',
        field: field.indexField,
        pattern: prefixPattern('C50*'),
        caseInsensitive: false,
        except,
      },
      field,
      cells,
    );
  t.deepEqual(found(), { within: [0, 1], may: [0, 1] });
  t.deepEqual(found('C50.2'), { within: [0], may: [0, 1] });
  t.deepEqual(found('C50.1'), { within: [], may: [1] });
});
