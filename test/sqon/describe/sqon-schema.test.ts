import test from 'ava';
import { isJsonObject } from '../../../src/json/json.ts';
import { sqonSchema } from '../../../src/sqon/describe/sqon-schema.ts';
import { operatorMeant } from '../../../src/sqon/operators/table.ts';

const strings = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

test('every operator and alias that is announced is understood', (t) => {
  const { aliases, operators } = sqonSchema();
  if (!isJsonObject(aliases) || !isJsonObject(operators)) return t.fail();
  const field = operators.field as { op: string }[];
  const names = [...strings(operators.combination), ...field.map(({ op }) => op), ...Object.keys(aliases)];
  t.is(names.length, 3 + 10 + 10);
  for (const name of names) t.not(operatorMeant(name), undefined, name);
  for (const [alias, op] of Object.entries(aliases)) t.deepEqual(operatorMeant(alias), operatorMeant(op));
});

test('the document is JSON and refers only to what it defines', (t) => {
  const text = JSON.stringify(sqonSchema());
  const { schema } = JSON.parse(text) as { schema: { $defs: object } };
  for (const [, name] of text.matchAll(/"#\/\$defs\/(\w+)"/g)) t.true(name! in schema.$defs);
});
