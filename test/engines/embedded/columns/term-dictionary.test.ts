import test from 'ava';
import fc, { runs } from '../../../fast-check.ts';
import { TermDictionary } from '../../../../src/engines/embedded/columns/term-dictionary.ts';

const texts = fc.array(fc.string({ unit: 'binary', maxLength: 12 }), { maxLength: 60 });

test('each distinct string has one code, found again, that gives it back', (t) => {
  const property = fc.property(texts, (list) => {
    const table = new TermDictionary();
    const codes = list.map((text) => table.add(text));
    t.is(table.size, new Set(list).size);
    t.deepEqual(
      codes.map((code) => table.value(code)),
      list,
    );
    t.deepEqual(
      list.map((text) => table.find(text)),
      codes,
    );
    t.is(table.find('never added, surely'), 0);
  });
  t.notThrows(() => fc.assert(property));
});

test('codes order as their strings’ UTF-8 bytes', (t) => {
  const property = fc.property(texts, (list) => {
    const table = new TermDictionary();
    for (const left of list) {
      for (const right of list) {
        const expected = Math.sign(Buffer.compare(Buffer.from(left), Buffer.from(right)));
        t.is(Math.sign(table.compare(table.add(left), table.add(right))), expected);
        t.is(Math.sign(table.compareTo(table.add(left), Buffer.from(right))), expected);
      }
    }
  });
  t.notThrows(() => fc.assert(property, { numRuns: runs(30) }));
});

test('many strings and very long ones', (t) => {
  const table = new TermDictionary();
  // three bytes each, more than there is room for characters
  const wide = '\u3042'.repeat(40_000);
  t.is(table.value(table.add(wide)), wide);
  const long = '\u{1F600}'.repeat(100_000);
  for (let i = 0; i < 5_000; i++) t.is(table.add(`word ${i}`), i + 2);
  t.is(table.value(table.add(long)), long);
  t.is(table.find('word 4321'), 4_323);
  t.is(table.length(5_002), 400_000);
});
