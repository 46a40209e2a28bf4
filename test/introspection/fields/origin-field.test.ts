import test from 'ava';
import { originField, originProperties, withoutOrigin } from '../../../src/introspection/fields/field.ts';
import { readFields } from '../../../src/introspection/mapping/mapping.ts';

const title = { type: 'keyword' };

test('a document and a mapping lose the object and keep the rest', (t) => {
  const origin = { repository: 'R', organization: 'O', run: '1' };
  t.deepEqual(withoutOrigin({ title: 'A', [originField]: origin }), { title: 'A' });
  t.deepEqual(withoutOrigin({ title, ...originProperties }), { title });
});

test('a document without such an object is returned itself', (t) => {
  const document = { title: 'A' };
  t.is(withoutOrigin(document), document);
});

test('it is not a field of a catalogue, and nothing warns of it', (t) => {
  const { fields, warnings } = readFields({ title, ...originProperties });
  t.deepEqual([...fields.keys()], ['title']);
  t.deepEqual(warnings, []);
});

test('an object of that name deeper in a document is the document’s own', (t) => {
  const { fields } = readFields({ file: { properties: { [originField]: title } } });
  t.true(fields.has(`file.${originField}`));
});
