import test from 'ava';
import { emptyBitset, listBits } from '../../../../../src/engines/embedded/columns/bitset.ts';
import { chunkSize } from '../../../../../src/engines/embedded/columns/chunked.ts';
import { KeywordColumn } from '../../../../../src/engines/embedded/columns/keyword-column.ts';
import { matchCodes } from '../../../../../src/engines/embedded/query/filter/match-codes.ts';
import { seeded } from '../../../random-documents.ts';

for (const [strings, longest] of [
  [5, 1],
  [300, 1],
  [70_000, 1],
  [5, 3],
  [500, 40],
] as const) {
  for (const objects of [1, 33, chunkSize, chunkSize + 37]) {
    test(`objects with a wanted code of ${strings}, up to ${longest} of ${objects} each, are marked`, (t) => {
      const random = seeded(objects);
      const column = new KeywordColumn();
      // the codes exist before the objects, which makes the chunks as wide as they get
      for (let i = 0; i < strings; i++) column.table.add(`s${i}`);
      for (let ordinal = 0; ordinal < objects; ordinal++) {
        const length = random.below(longest + 1);
        if (length > 0)
          column.append(
            ordinal,
            Array.from({ length }, () => `s${random.below(strings)}`),
          );
      }
      column.padTo(objects);
      for (const share of [0, 0.02, 0.5, 1]) {
        const wanted = Uint8Array.from({ length: strings + 1 }, (_, code) =>
          Number(code > 0 && random.chance(share)),
        );
        const bits = emptyBitset(objects);
        matchCodes(column, wanted, bits);
        const expected = Array.from({ length: objects }, (_, ordinal) => ordinal).filter((ordinal) =>
          column.codesOf(ordinal).some((code) => wanted[code] === 1),
        );
        // a comparison of their texts: the assertion's own takes seconds for lists this long
        t.is([...listBits(bits)].join(), expected.join());
      }
    });
  }
}
