import test from 'ava';
import { wireFilter } from '../../../src/federation/remote/node-filter.ts';
import type { Sqon } from '../../../src/sqon/ast.ts';
import { constant, group, leaf, wildcard } from '../../../src/sqon/ast.ts';
import { printSqon } from '../../../src/sqon/parse.ts';
import { withoutField } from '../../../src/sqon/rewrite.ts';

const printed = (sqon: Sqon, nestedPath: string | null = null) =>
  printSqon(wireFilter(sqon, () => nestedPath));

const is = (fieldName: string, ...value: unknown[]) => ({ op: 'in', content: { fieldName, value } });
const search = (value: string) => ({ op: 'wildcard', content: { fieldNames: ['c'], value } });
const of = (op: string, ...content: unknown[]) => ({ op, content });

test('constants are membership in no keys, behind what else stands in a group', (t) => {
  t.deepEqual(
    printed(group('or', [constant(false), leaf('in', 'c', ['a'])])),
    of('or', is('c', 'a'), is('_id')),
  );
  t.deepEqual(printed(constant(true)), { op: 'not-in', content: { fieldName: '_id', value: [] } });
});

const pattern = { ...wildcard(['c'], '*t'), except: ['rot'] };

test('an excepted value is excluded by a condition that no facet takes for its own', (t) => {
  const excluded = of('not', of('and', is('c', 'rot'), of('or', search('rot'))));
  t.deepEqual(printed(pattern), of('and', search('*t'), excluded));
  t.deepEqual(printed(pattern, 'items'), { ...of('and', search('*t'), excluded), pivot: 'items' });
  t.deepEqual(
    printSqon(
      withoutField(
        wireFilter(pattern, () => null),
        'c',
      ),
    ),
    of('and', search('*t'), of('not', of('and', of('or', search('rot'))))),
  );
});

test('membership that is a search stays one', (t) => {
  const listed = { ...leaf('in', 'c', ['rot']), exactFrom: 0, isSearch: true };
  t.deepEqual(printed(listed), of('and', is('c', 'rot'), of('or', search('rot'))));
  t.deepEqual(
    printed({ ...listed, op: 'not-in' }),
    of('and', of('not', of('and', is('c', 'rot'), of('or', search('rot'))))),
  );
});
