import test from 'ava';
import { tokensOf } from '../../../src/engines/embedded/tokens.ts';

for (const [text, tokens] of [
  ['The Quick, brown fox!', ['the', 'quick', 'brown', 'fox']],
  ["it's 3.14 or 1,000; e.g. x_y a-b", ["it's", '3.14', 'or', '1,000', 'e.g', 'x_y', 'a', 'b']],
  ['Zoë ÉTÉ', ['zoë', 'été']],
  ['東京 tower', ['東', '京', 'tower']],
  ['\u{1F600} !?', []],
] as const) {
  test(`words of ${JSON.stringify(text)}`, (t) => t.deepEqual(tokensOf(text), tokens));
}
