import test from 'ava';
import { notHonoured } from '../../../src/introspection/mapping/not-honoured.ts';

test('what the embedded engine does not do is named by path', (t) => {
  const mapping = {
    properties: {
      folded: { type: 'keyword', normalizer: 'low' },
      gone: { type: 'keyword', normalizer: 'gone' },
      site: { type: 'constant_keyword' },
      fixed: { type: 'constant_keyword', value: 'a' },
      title: { type: 'text', analyzer: 'standard', fields: { en: { type: 'text', analyzer: 'english' } } },
      items: { type: 'nested', properties: { k: { type: 'keyword', normalizer: 'uppercase' } } },
    },
  };
  t.deepEqual(notHonoured(mapping, { normalizer: { low: { filter: ['lowercase'] } } }), [
    'field "gone": the embedded engine keeps its values without the normalizer "gone": the settings have no normalizer "gone"',
    'field "site": the embedded engine takes a constant_keyword without "value" for a keyword',
    'field "title.en": the embedded engine splits its texts as the standard analyzer does, not as "english"',
    'field "items.k": the embedded engine keeps its values without the normalizer "uppercase": the settings have no normalizer "uppercase"',
  ]);
});
