import test from 'ava';
import { escapedText, withoutFolders } from '../../../src/lib/text/escaped-text.ts';

test('what controls a terminal or turns directions is shown as its code point', (t) => {
  t.is(escapedText('a\u001b[2Jb\nc\u202Ed'), 'a\\u{001b}[2Jb\\u{000a}c\\u{202e}d');
  t.is(escapedText('Größe, 北京 and 🌳 stay'), 'Größe, 北京 and 🌳 stay');
});

test('long text is cut at a maximum length', (t) => {
  t.is(escapedText('x'.repeat(100), 10), `${'x'.repeat(9)}…`);
  t.is(escapedText('x'.repeat(10), 10), 'x'.repeat(10));
});

test('texts for anybody name files without their folders', (t) => {
  for (const [text, shown] of [
    ['/srv/site/nodes.json is not JSON (line 1)', 'nodes.json is not JSON (line 1)'],
    ['catalogue a: /srv/a b.json', 'catalogue a: a b.json'],
    ['METRICS_TOKEN_FILE names "/run/my secrets/token", which', 'METRICS_TOKEN_FILE names "token", which'],
    ['https://node.example.org/graphql answered', 'https://node.example.org/graphql answered'],
    ['network.json of a and/or b, GET /network', 'network.json of a and/or b, GET /network'],
    ['(/etc/x/y.pem) and ./configs/a.json', '(y.pem) and ./configs/a.json'],
  ] as const)
    t.is(withoutFolders(text), shown);
});
