import test from 'ava';
import { buildClientSchema, buildSchema, introspectionFromSchema, printSchema } from 'graphql';
import { heldSchema } from '../../../../src/federation/remote/discovery/introspect.ts';

const held = (text: string) => {
  const introspection = introspectionFromSchema(buildSchema(text, { assumeValid: true }));
  return heldSchema(buildClientSchema(introspection), introspection);
};

test('a schema that is kept is read as it was', (t) => {
  const text =
    '"""Trees."""\ntype Query {\n  tree(genus: [String] = ["Acer"]): String @deprecated(reason: "felled")\n}';
  t.is(printSchema(held(text).read()), text);
  t.true(held(text).isValid);
});

test('only equal schemas have one fingerprint', (t) => {
  const [one, same, other] = ['tree', 'tree', 'shrub'].map((name) => held(`type Query { ${name}: String }`));
  t.is(one!.fingerprint, same!.fingerprint);
  t.not(one!.fingerprint, other!.fingerprint);
});

test('a schema that is not valid is known to be so', (t) => {
  t.false(held('type Query { tree: String, __leaf: String }').isValid);
});
