import test from 'ava';
import { describeFields } from '../../../src/sqon/describe/describe.ts';
import { readFields } from '../../../src/introspection/mapping/mapping.ts';

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
