import test from 'ava';
import { foldedMatching, keyContains } from '../../../src/engines/semantics/folding.ts';

test('keys contain a text whatever its case and accents; an empty one restricts nothing', (t) => {
  t.true(keyContains(foldedMatching('ÉTUDE')!)('Petite étude'));
  t.false(keyContains(foldedMatching('etudes')!)('Petite étude'));
  t.deepEqual([foldedMatching(''), foldedMatching(null)], [null, null]);
});

test('half of a character is no text', (t) => {
  t.throws(() => foldedMatching('\ud83d'), {
    code: 'BAD_USER_INPUT',
    message: 'matching must not hold half of a surrogate pair',
  });
  t.is(foldedMatching('😀'), '😀');
});

test('a text may be no longer than 1000 characters, nor may it become so by folding', (t) => {
  const tooLong = {
    code: 'BAD_USER_INPUT',
    message: /^matching takes at most 1000 characters, not 100[12]$/,
  };
  t.throws(() => foldedMatching('a'.repeat(1_001)), tooLong);
  t.throws(() => foldedMatching('ß'.repeat(501)), tooLong);
  t.is(foldedMatching('ß'.repeat(500)), 's'.repeat(1_000));
});
