import test from 'ava';
import { tokensOf } from '../../../src/engines/semantics/analyser.ts';

for (const [text, tokens] of [
  ['The Quick, brown fox!', ['the', 'quick', 'brown', 'fox']],
  ["it's 3.14 or 1,000; e.g. x_y a-b", ["it's", '3.14', 'or', '1,000', 'e.g', 'x_y', 'a', 'b']],
  ['Zoë ÉTÉ', ['zoë', 'été']],
  ['東京 tower', ['東', '京', 'tower']],
  ['\u{1F600}\u{1F601} !?', ['\u{1F600}', '\u{1F601}']],
  [
    'so \u{1F44D}\u{1F3FD} \u{1F1EB}\u{1F1F7}\u{1F1E9}\u{1F1EA} 1\uFE0F\u20E3',
    ['so', '\u{1F44D}\u{1F3FD}', '\u{1F1EB}\u{1F1F7}', '\u{1F1E9}\u{1F1EA}', '1\uFE0F\u20E3'],
  ],
  ['\u{1F469}\u200D\u{1F469}', ['\u{1F469}\u200D\u{1F469}']],
  ['_ __ _a b_', ['_a', 'b_']],
  ['ΟΔΟΣ İ', ['οδοσ', 'i']],
  ['a\u00ADb e\u0301', ['a\u00ADb', 'e\u0301']],
  ['½ ² ① ⅷ', ['ⅷ']],
  ['x'.repeat(300), ['x'.repeat(255), 'x'.repeat(45)]],
  ['אב"ג', ['אב"ג']],
] as const) {
  test(`words of ${JSON.stringify(text)}`, (t) => t.deepEqual(tokensOf(text), tokens));
}
