import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import test from 'ava';
import fc from '../../fast-check.ts';
import { openEngine } from '../../../src/engines/open/open-engine.ts';
import { readFields } from '../../../src/introspection/mapping/mapping.ts';
import type { JsonObject } from '../../../src/lib/json/json.ts';
import { group, leaf, type Sqon } from '../../../src/sqon/ast.ts';
import { compileSqon } from '../../../src/sqon/compile.ts';
import type { Plain } from '../../sqon/evaluate-filter.ts';
import { chainOf, holds } from '../../sqon/evaluate-sqon.ts';
import { boundsFor } from '../../sqon/fixture.ts';

/** Filters compared, some to a collection; ENGINE_CASES=10000 for the full measure. */
const cases = Number(process.env['ENGINE_CASES'] ?? 100);
const filtersEach = 10;

const properties: JsonObject = {
  name: { type: 'keyword' },
  size: { type: 'integer' },
  rooms: {
    type: 'nested',
    properties: {
      name: { type: 'keyword' },
      shelves: {
        type: 'nested',
        properties: {
          name: { type: 'keyword' },
          boxes: { type: 'nested', properties: { name: { type: 'keyword' }, size: { type: 'integer' } } },
        },
      },
    },
  },
  doors: { type: 'nested', properties: { name: { type: 'keyword' }, size: { type: 'integer' } } },
};
const fields = readFields(properties).fields;

const names = fc.constantFrom('a', 'b', '', '\u{1F600}', '\uFFFD');
const sizes = fc.integer({ min: -2, max: 2 });
const oneOrMany = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof(value, fc.constant(null), fc.array(value, { maxLength: 2 }));
const record = <Model>(model: { [Key in keyof Model]: fc.Arbitrary<Model[Key]> }) =>
  fc.record(model, { requiredKeys: [] });
const several = <Value>(value: fc.Arbitrary<Value>) => fc.oneof(value, fc.array(value, { maxLength: 2 }));

const box = record({ name: oneOrMany(names), size: oneOrMany(sizes) });
const shelf = record({ name: oneOrMany(names), boxes: several(box) });
const room = record({ name: oneOrMany(names), shelves: several(shelf) });
const houses = record({
  name: oneOrMany(names),
  size: oneOrMany(sizes),
  rooms: several(room),
  doors: several(box),
});

const pivots = fc.constantFrom(null, 'rooms', 'rooms.shelves', 'rooms.shelves.boxes', 'doors');
const nameFields = fc.constantFrom(
  'name',
  'rooms.name',
  'rooms.shelves.name',
  'rooms.shelves.boxes.name',
  'doors.name',
  'none',
);
const sizeFields = fc.constantFrom('size', 'rooms.shelves.boxes.size', 'doors.size');
const wanted = fc.array(fc.oneof(names, fc.constantFrom('*', '__missing__')), { maxLength: 3 });

const leaves: fc.Arbitrary<Sqon> = fc.oneof(
  fc
    .tuple(fc.constantFrom('in', 'not-in', 'some-not-in', 'all'), nameFields, wanted)
    .map(([op, name, values]) => leaf(op as 'in', name, values)),
  fc
    .tuple(
      fc.constantFrom('gt', 'gte', 'lt', 'lte', 'between'),
      sizeFields,
      fc.array(sizes, { minLength: 1, maxLength: 3 }),
    )
    .map(([op, name, values]) => leaf(op as 'gt', name, boundsFor(op, values))),
);

const filters: fc.Arbitrary<Sqon> = fc.letrec<{ node: Sqon; group: Sqon }>((tie) => ({
  node: fc.oneof({ maxDepth: 3, depthIdentifier: 'node' }, leaves, tie('group')),
  group: fc
    .tuple(
      fc.constantFrom('and', 'or', 'not'),
      fc.array(tie('node'), { maxLength: 3, depthIdentifier: 'node' }),
      pivots,
    )
    .map(([op, content, pivot]) => group(op as 'and', content, pivot)),
})).node;

test('the documents found are those that the filter, read word by word, holds for', async (t) => {
  t.timeout(300_000 + cases * 100);
  const dataPath = await mkdtemp(join(tmpdir(), 'tributary-'));
  const engine = await openEngine({ kind: 'embedded', dataPath });
  t.teardown(async () => {
    await engine.close();
    await rm(dataPath, { recursive: true });
  });
  let collections = 0;
  const found = async (index: string, sqon: Sqon): Promise<readonly number[]> => {
    const filter = compileSqon(sqon, fields);
    const hits = { filter, size: 100, offset: 0, sort: [], searchAfter: null, source: [], trackTotal: true };
    const result = await engine.search(index, { hits, facets: [] });
    return result.hits!.hits.map(({ id }) => Number(id));
  };
  const property = fc.asyncProperty(
    fc.array(houses, { minLength: 1, maxLength: 12 }),
    fc.array(filters, { minLength: 1, maxLength: filtersEach }),
    async (documents, requested) => {
      const index = `houses-${++collections}`;
      await engine.manage({ kind: 'create', index, mapping: { properties } });
      await engine.write(
        index,
        documents.map((document, i) => ({ kind: 'upsert', id: String(i), document: document as JsonObject })),
      );
      const answers = await Promise.all(requested.map((sqon) => found(index, sqon)));
      await engine.manage({ kind: 'delete', index });
      const expected = requested.map((sqon) =>
        documents.flatMap((document, i) => (holds(sqon, chainOf(document as Plain), fields) ? [i] : [])),
      );
      return isDeepStrictEqual(answers, expected);
    },
  );
  await fc.assert(property, { numRuns: Math.ceil(cases / filtersEach), includeErrorInReport: true });
  t.pass();
});
