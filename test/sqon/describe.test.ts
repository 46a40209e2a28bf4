import test from 'ava';
import { describeFields, operatorsOf, sqonSchema } from '../../src/sqon/describe.ts';
import { readFields } from '../../src/introspection/mapping/mapping.ts';
import { isJsonObject, type JsonObject } from '../../src/lib/json/json.ts';
import { operatorMeant } from '../../src/sqon/operators/table.ts';

test('fields are described by path, operators by the types that occur', (t) => {
  const { fields } = readFields({
    pages: { type: 'long' },
    id: { type: 'keyword' },
    copies: { type: 'nested', properties: { lent: { type: 'boolean' } } },
  });
  const extended = [{ fieldName: 'pages', displayName: 'Length', unit: 'pages', description: 'Counted.' }];
  const ranges = ['in', 'not-in', 'gt', 'gte', 'lt', 'lte', 'between'];
  t.deepEqual(describeFields(fields, extended), {
    fields: {
      copies: { displayName: 'Copies', type: 'nested', unit: null },
      'copies.lent': { displayName: 'Copies Lent', type: 'boolean', unit: null },
      pages: { displayName: 'Length', type: 'long', unit: 'pages', description: 'Counted.' },
    },
    operators: {
      nested: ['in', 'not-in', 'filter'],
      boolean: ['in', 'not-in', 'some-not-in', 'all', 'filter'],
      long: ranges,
    },
  });
});

test('id is described when it is configured', (t) => {
  const { fields } = readFields({ id: { type: 'keyword' } });
  t.deepEqual(Object.keys(describeFields(fields, [{ fieldName: 'id' }]).fields), ['id']);
});

test('ordered types have ranges, names have sets, the rest the basics', (t) => {
  const ranges = ['in', 'not-in', 'gt', 'gte', 'lt', 'lte', 'between'];
  for (const type of ['date', 'double', 'float', 'integer', 'long']) t.deepEqual(operatorsOf(type), ranges);
  for (const type of ['byte', 'short', 'scaled_float']) t.deepEqual(operatorsOf(type), [...ranges, 'filter']);
  for (const type of ['keyword', 'boolean', 'ip'])
    t.deepEqual(operatorsOf(type), ['in', 'not-in', 'some-not-in', 'all', 'filter']);
  for (const type of ['text', 'object', 'nested', 'constructor'])
    t.deepEqual(operatorsOf(type), ['in', 'not-in', 'filter']);
});

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
  for (const [, name] of text.matchAll(/"#\/\$defs\/([\w-]+)"/g)) t.true(name! in schema.$defs);
});

test('clients of the established server find its definitions, and those of ours by their names', (t) => {
  const { schema, version } = JSON.parse(JSON.stringify(sqonSchema())) as {
    version: string;
    schema: { $id: string; $ref: string; version: string; $defs: Record<string, JsonObject> };
  };
  t.regex(schema.$id, new RegExp(`^https://overture-stack\\.org/schemas/.*/v${version}\\.schema\\.json$`));
  t.is(schema.version, version);
  t.is(schema.$ref, '#/$defs/SQON');
  const { SQON, Leaf, InLike, RangeLike, Group } = schema.$defs;
  t.deepEqual(SQON, { oneOf: [{ $ref: '#/$defs/Group' }, { $ref: '#/$defs/Leaf' }] });
  for (const name of ['InLike', 'All', 'RangeLike', 'Between', 'Wildcard', 'Is', 'StartsWith', 'Search'])
    t.true(
      (Leaf!['oneOf'] as { $ref: string }[]).some(({ $ref }) => $ref === `#/$defs/${name}`),
      name,
    );
  t.like(InLike, {
    properties: { op: { enum: ['in', 'not-in', 'some-not-in', '=', '==', '===', '!=', '!=='] } },
  });
  t.like(RangeLike, { properties: { op: { enum: ['gt', 'gte', 'lt', 'lte', '>', '>=', '<', '<='] } } });
  t.like(Group, { properties: { content: { items: { $ref: '#/$defs/SQON' } } } });
  for (const name of ['node', 'group', 'leaf', 'wildcard', 'search']) t.true(name in schema.$defs);
});
