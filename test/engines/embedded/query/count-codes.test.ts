import test from 'ava';
import { countCodes, countOwners } from '../../../../src/engines/embedded/query/count-codes.ts';
import { KeywordColumn } from '../../../../src/engines/embedded/columns/keyword-column.ts';
import { chunkSize } from '../../../../src/engines/embedded/columns/chunked.ts';
import { seeded, type Random } from '../../random-documents.ts';

/** Up to how many different strings, and how many an object has of them. */
interface Shape {
  readonly name: string;
  readonly strings: number;
  readonly length: (random: Random, ordinal: number) => number;
}

const objects = chunkSize + 3_001;
const shapes: readonly Shape[] = [
  { name: 'few strings', strings: 3, length: () => 1 },
  { name: 'one byte each or none', strings: 200, length: (random) => random.below(2) },
  { name: 'two bytes each', strings: 300, length: () => 1 },
  { name: 'short lists and none', strings: 40, length: (random) => random.below(5) },
  {
    name: 'lists up to past the longest that is grouped',
    strings: 900,
    length: (random) => random.below(11),
  },
  {
    name: 'lists from the second chunk on, the last of them long',
    strings: 20,
    length: (_, ordinal) => (ordinal < chunkSize ? 1 : ordinal === objects - 1 ? 15 : 2),
  },
];

const columnOf = ({ strings, length }: Shape, random: Random): KeywordColumn => {
  const column = new KeywordColumn();
  for (let ordinal = 0; ordinal < objects; ordinal++) {
    const values = Array.from({ length: length(random, ordinal) }, () => `s${random.below(strings)}`);
    if (values.length > 0) column.append(ordinal, values.length === 1 ? values[0]! : values);
  }
  column.padTo(objects);
  return column;
};

/** None, one at a border, few, about a third, all. */
const selections = (random: Random): readonly Uint32Array[] => {
  const every = Uint32Array.from({ length: objects }, (_, ordinal) => ordinal);
  return [
    new Uint32Array(0),
    Uint32Array.of(chunkSize - 1, chunkSize),
    Uint32Array.of(objects - 1),
    every.filter(() => random.chance(0.01)),
    every.filter(() => random.chance(0.3)),
    every,
  ];
};

/** Counts by codesOf; an owner's objects count once for each code. */
const naiveCounts = (column: KeywordColumn, ids: Uint32Array, ownerOf: (id: number) => number): number[] => {
  const owners = Array.from({ length: column.table.size + 1 }, () => new Set<number>());
  for (const id of ids) {
    const codes = column.codesOf(id);
    for (const code of codes.length === 0 ? [0] : codes) owners[code]!.add(ownerOf(id));
  }
  return owners.map(({ size }) => size);
};

for (const shape of shapes) {
  test(`objects and owners are counted for each code: ${shape.name}`, (t) => {
    const random = seeded(7);
    const column = columnOf(shape, random);
    for (const ids of selections(random)) {
      t.deepEqual([...countCodes(column, ids)], naiveCounts(column, ids, Number));
      const owners = ids.map((id) => id >>> 2);
      t.deepEqual(
        [...countOwners(column, ids, owners)],
        naiveCounts(column, ids, (id) => id >>> 2),
      );
    }
  });
}
