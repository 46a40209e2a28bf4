import test from 'ava';
import { escapedText } from '../../src/text/escaped-text.ts';

test('what controls a terminal or turns directions is shown as its code point', (t) => {
  t.is(escapedText('a\u001b[2Jb\nc\u202Ed'), 'a\\u{001b}[2Jb\\u{000a}c\\u{202e}d');
  t.is(escapedText('Größe, 北京 and 🌳 stay'), 'Größe, 北京 and 🌳 stay');
});

test('long text is cut where a length is given', (t) => {
  t.is(escapedText('x'.repeat(100), 10), `${'x'.repeat(9)}…`);
  t.is(escapedText('x'.repeat(10), 10), 'x'.repeat(10));
});
