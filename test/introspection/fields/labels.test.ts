import test from 'ava';
import { buildHierarchy } from '../../../src/introspection/hierarchies/build-hierarchy.ts';
import { extendedConfig, tableConfig } from '../../../src/introspection/fields/field-config.ts';
import { withHierarchies } from '../../../src/introspection/fields/field.ts';
import { fieldsOf } from '../../federation/collection.ts';

const term = (id: string, label: string) => ({
  ...{ id, label, synonyms: [], parents: [], obsolete: false, replacedBy: null },
});

const having = (terms: Parameters<typeof buildHierarchy>[1]) =>
  withHierarchies(
    fieldsOf({ code: 'keyword' }),
    new Map([['code', buildHierarchy('codes', terms, 'codes.csv')]]),
  ).fields;

test('values are shown as the labels of their terms, unless displayValues say otherwise', (t) => {
  const fields = having([term('a', 'Apple'), term('b', 'Banana'), term('c', '')]);
  const [plain] = extendedConfig(fields, { extended: [] });
  t.deepEqual(plain!.displayValues, { a: 'Apple', b: 'Banana', c: 'c' });
  const extended = [{ fieldName: 'code', displayValues: { b: 'Musa', z: 'Other' } }];
  const [described] = extendedConfig(fields, { extended });
  t.deepEqual(described!.displayValues, { a: 'Apple', b: 'Musa', c: 'c', z: 'Other' });
  const table = {
    columns: [{ fieldName: 'code' }],
    defaultSorting: [],
    maxResultsWindow: 1,
    rowIdFieldName: 'id',
  };
  t.deepEqual(tableConfig(fields, { extended, table }).columns[0]!.displayValues, described!.displayValues);
});

test('clients look up the labels that they need from a large hierarchy', (t) => {
  const fields = having(Array.from({ length: 2_001 }, (_, at) => term(`t${at}`, `Term ${at}`)));
  t.deepEqual(extendedConfig(fields, { extended: [] })[0]!.displayValues, {});
});
