import test from 'ava';
import fc from '../../fast-check.ts';
import { shapeDocument } from '../../../src/indexing/repositories/record-page.ts';
import type { JsonObject } from '../../../src/lib/json/json.ts';

const play: JsonObject = {
  id: 'p1',
  data: { title: 'Lear', acts: [{ no: 1, scenes: [{ no: 1 }, { no: 2 }] }, 'prologue', { no: 2 }] },
};

test('rename moves a member, in each object of a list too', (t) => {
  t.deepEqual(shapeDocument(play, [{ kind: 'rename', from: 'id', to: 'data.id' }]), {
    data: { ...(play['data'] as JsonObject), id: 'p1' },
  });
  t.deepEqual(shapeDocument(play, [{ kind: 'rename', from: 'data.acts.no', to: 'data.acts.number' }]), {
    id: 'p1',
    data: {
      title: 'Lear',
      acts: [{ scenes: [{ no: 1 }, { no: 2 }], number: 1 }, 'prologue', { number: 2 }],
    },
  });
  t.deepEqual(shapeDocument({ a: 1 }, [{ kind: 'rename', from: 'a', to: 'a.b' }]), { a: { b: 1 } });
});

test('drop takes a member out wherever its path leads', (t) => {
  t.deepEqual(shapeDocument(play, [{ kind: 'drop', path: 'data.acts.scenes.no' }]), {
    id: 'p1',
    data: { title: 'Lear', acts: [{ no: 1, scenes: [{}, {}] }, 'prologue', { no: 2 }] },
  });
});

test('constant makes its way and goes into each object of a list', (t) => {
  t.deepEqual(shapeDocument({ a: 1 }, [{ kind: 'constant', path: 'from.house.name', value: 'X' }]), {
    a: 1,
    from: { house: { name: 'X' } },
  });
  t.deepEqual(shapeDocument({ a: [{ b: 1 }, {}] }, [{ kind: 'constant', path: 'a.c', value: [null] }]), {
    a: [{ b: 1, c: [null] }, { c: [null] }],
  });
});

test('flatten puts the members in place of the object, in order', (t) => {
  const flat = shapeDocument({ a: 1, data: { data: 2, b: 3 }, c: 4 }, [{ kind: 'flatten', path: 'data' }]);
  t.deepEqual(flat, { a: 1, data: 2, b: 3, c: 4 });
  t.deepEqual(Object.keys(flat), ['a', 'data', 'b', 'c']);
});

test('steps go one after another', (t) => {
  const document = shapeDocument({ systemId: 's', data: { a: 1, b: 2 } }, [
    { kind: 'flatten', path: 'data' },
    { kind: 'drop', path: 'b' },
    { kind: 'rename', from: 'a', to: 'b' },
  ]);
  t.deepEqual(document, { systemId: 's', b: 1 });
});

test('a path that a document lacks changes nothing', (t) => {
  t.deepEqual(
    shapeDocument(play, [
      { kind: 'rename', from: 'x.y', to: 'id' },
      { kind: 'rename', from: 'id.y', to: 'z' },
      { kind: 'drop', path: 'data.title.length' },
      { kind: 'drop', path: 'toString' },
      { kind: 'flatten', path: 'none' },
    ]),
    play,
  );
});

for (const [what, document, step, message] of [
  [
    'rename onto a member',
    { a: 1, b: null },
    { kind: 'rename', from: 'a', to: 'b' },
    'b already exists, and is not overwritten',
  ],
  [
    'rename into a text',
    { a: 1, b: 'x' },
    { kind: 'rename', from: 'a', to: 'b.c' },
    'b.c cannot be set: b is not an object',
  ],
  [
    'rename out of a list',
    { a: [{ b: 1 }] },
    { kind: 'rename', from: 'a.b', to: 'c' },
    'a.b leads through a list, and nothing can be moved out of a list',
  ],
  [
    'constant over a member',
    { a: { b: 1 } },
    { kind: 'constant', path: 'a.b', value: 2 },
    'a.b already exists, and is not overwritten',
  ],
  [
    'flatten onto a member',
    { a: 1, data: { b: 1, a: 2 } },
    { kind: 'flatten', path: 'data' },
    'data.a cannot be set: a already exists, and is not overwritten',
  ],
  [
    'flatten a list',
    { data: [{}] },
    { kind: 'flatten', path: 'data' },
    'data cannot be flattened: it is not an object',
  ],
  [
    'flatten null',
    { data: null },
    { kind: 'flatten', path: 'data' },
    'data cannot be flattened: it is not an object',
  ],
] as const)
  test(`${what} is refused`, (t) => {
    const before = JSON.stringify(document);
    t.throws(() => shapeDocument(document, [step]), { code: 'INPUT_INVALID', message });
    t.is(JSON.stringify(document), before);
  });

test('names of the language are members like others', (t) => {
  const document = JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}') as JsonObject;
  t.is(
    JSON.stringify(shapeDocument(document, [{ kind: 'rename', from: '__proto__.a', to: '__proto__.b' }])),
    '{"__proto__":{"b":1},"constructor":2}',
  );
  t.is(
    JSON.stringify(shapeDocument({ a: 1 }, [{ kind: 'rename', from: 'a', to: '__proto__' }])),
    '{"__proto__":1}',
  );
});

test('renaming there and back changes nothing but the order', (t) => {
  const leaf = fc.oneof(fc.integer(), fc.string(), fc.constant(null));
  const inner = fc.record({ x: leaf, keep: leaf }, { requiredKeys: [] });
  const documents = fc.record({ a: fc.oneof(inner, fc.array(fc.oneof(inner, leaf)), leaf), other: leaf });
  fc.assert(
    fc.property(documents, (document) => {
      const there = shapeDocument(document as JsonObject, [{ kind: 'rename', from: 'a.x', to: 'a.y' }]);
      t.false(JSON.stringify(there['a']).includes('"x":'));
      t.deepEqual(shapeDocument(there, [{ kind: 'rename', from: 'a.y', to: 'a.x' }]), document as JsonObject);
    }),
  );
});
