import test from 'ava';
import fc, { runs } from '../../../../fast-check.ts';
import { codesBeginning, matchingCodes } from '../../../../../src/engines/embedded/query/filter/pattern.ts';
import { TermDictionary } from '../../../../../src/engines/embedded/columns/term-dictionary.ts';
import type { PatternPart } from '../../../../../src/sqon/filter.ts';

const letters = fc.constantFrom('a', 'B', 'b', 'é', 'É', '\u{1F600}', '\u{1F601}', '.', 'K', '\u212A');
const parts = fc.array(
  fc.oneof(
    fc.constantFrom<PatternPart>({ wildcard: 'any' }, { wildcard: 'one' }),
    fc
      .array(letters, { minLength: 1, maxLength: 3 })
      .map((list): PatternPart => ({ literal: list.join('') })),
  ),
  { maxLength: 5 },
);
const values = fc.array(
  fc.array(letters, { maxLength: 6 }).map((list) => list.join('')),
  { maxLength: 20 },
);

/** The pattern as a regular expression over code points; only the letters of ASCII are folded. */
const expression = (pattern: readonly PatternPart[], caseInsensitive: boolean): RegExp => {
  const source = pattern.map((part) => {
    if ('wildcard' in part) return part.wildcard === 'any' ? '[^]*' : '[^]';
    return Array.from(part.literal, (character) => {
      const other = character.toLowerCase() === character ? character.toUpperCase() : character.toLowerCase();
      const isFolded = caseInsensitive && /[a-zA-Z]/.test(character);
      return isFolded ? `[${character}${other}]` : `\\u{${character.codePointAt(0)!.toString(16)}}`;
    }).join('');
  });
  return new RegExp(`^${source.join('')}$`, 'u');
};

test('patterns match as the regular expressions they stand for', (t) => {
  const property = fc.property(values, parts, fc.boolean(), (list, pattern, caseInsensitive) => {
    const table = new TermDictionary();
    const codes = list.map((value) => table.add(value));
    const wanted = matchingCodes(table, pattern, caseInsensitive);
    const regular = expression(pattern, caseInsensitive);
    t.deepEqual(
      codes.map((code) => wanted[code] === 1),
      list.map((value) => regular.test(value)),
    );
  });
  t.notThrows(() => fc.assert(property, { numRuns: runs(500) }));
});

test('many prefixes match what each of them does', (t) => {
  const prefix = fc.array(letters, { minLength: 1, maxLength: 3 }).map((list) => list.join(''));
  const prefixes = fc.array(prefix, { minLength: 1, maxLength: 20 });
  const property = fc.property(values, prefixes, fc.boolean(), (list, all, caseInsensitive) => {
    const table = new TermDictionary();
    for (const value of list) table.add(value);
    const each = all.map((literal) =>
      matchingCodes(table, [{ literal }, { wildcard: 'any' }], caseInsensitive),
    );
    const some = Array.from({ length: table.size + 1 }, (_, code) =>
      Number(each.some((one) => one[code] === 1)),
    );
    t.deepEqual([...codesBeginning(table, all, caseInsensitive)], some);
  });
  t.notThrows(() => fc.assert(property, { numRuns: runs(500) }));
});

test('strings added after a search are found by the next', (t) => {
  const table = new TermDictionary();
  const pattern = [{ wildcard: 'any' }, { literal: 'b' }, { wildcard: 'any' }] as const;
  table.add('ABC');
  t.deepEqual([...matchingCodes(table, pattern, true)], [0, 1]);
  table.add('x');
  table.add('cB');
  t.deepEqual([...matchingCodes(table, pattern, true)], [0, 1, 0, 1]);
});
