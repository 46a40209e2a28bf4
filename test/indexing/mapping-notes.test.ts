import test from 'ava';
import { readMappingBody } from '../../src/indexing/mapping-body.ts';
import { mappingNotes } from '../../src/indexing/mapping-notes.ts';
import type { JsonObject } from '../../src/lib/json/json.ts';

const notes = (
  mapping: JsonObject,
  settings: JsonObject = {},
  engine: 'embedded' | 'opensearch' = 'embedded',
) => mappingNotes({ mapping, settings }, engine, 'm.json');

test('a type that does not exist is refused with the one that is meant, wherever it stands', (t) => {
  const properties = {
    a: { properties: { b: { type: 'keywrod' } } },
    c: { type: 'text', fields: { raw: { type: 'Keyword' } } },
    d: { type: 5 },
  };
  for (const engine of ['embedded', 'opensearch'] as const)
    t.throws(() => notes({ properties }, {}, engine), {
      code: 'INPUT_INVALID',
      message:
        'm.json: field "a.b" has the type "keywrod", which does not exist: did you mean "keyword"?; field "c.raw" has the type "Keyword", which does not exist: did you mean "keyword"?; field "d" has the type 5: a name expected',
    });
  t.deepEqual(notes({ properties: { a: { type: 'icu_collation_keyword' } } }, {}, 'opensearch'), []);
});

test('what the embedded engine does not do is named', (t) => {
  const mapping = {
    dynamic: 'strict',
    _meta: { by: 'us' },
    _routing: { required: true },
    runtime: { age: { type: 'long' } },
    properties: {
      note: { type: 'text', analyzer: 'german' },
      code: { type: 'keyword', normalizer: 'odd', index: false },
      site: { type: 'keyword', normalizer: 'small' },
      sum: { type: 'murmur3' },
      place: { type: 'geo_point' },
    },
  };
  const settings = {
    number_of_shards: 3,
    analysis: {
      normalizer: {
        odd: { type: 'custom', char_filter: ['x'] },
        small: { type: 'custom', filter: ['lowercase'] },
      },
      analyzer: { german: { type: 'german' } },
    },
  };
  const engine = 'the embedded engine';
  t.deepEqual(notes(mapping, settings), [
    'm.json: the fields under runtime are left out: age; no document holds their values: map them under properties',
    `m.json: ${engine} ignores _routing, settings.number_of_shards, settings.analysis.analyzer`,
    `m.json: ${engine} ignores "index" of code`,
    `m.json: field "note": ${engine} splits its texts as the standard analyzer does, not as "german"`,
    `m.json: field "code": ${engine} keeps its values without the normalizer "odd": it has a char_filter`,
    `m.json: field "sum" of type murmur3 is kept and shown by ${engine}, but not searched`,
  ]);
  t.deepEqual(notes(mapping, settings, 'opensearch').length, 1);
});

test('what is to be held back must be held back', (t) => {
  t.deepEqual(notes({ _source: { excludes: ['a.*'] }, properties: {} }), []);
  for (const _source of [{ includes: ['a'] }, { enabled: false }])
    t.throws(() => notes({ _source, properties: {} }), {
      message: /^m\.json: _source\.(includes|enabled) is not possible with the embedded engine: list/,
    });
  t.deepEqual(notes({ _source: { includes: ['a'] }, properties: {} }, {}, 'opensearch'), []);
});

test('a level of document types, as version 6 wrote it, is seen through and named', (t) => {
  const mapping = { properties: { a: { type: 'keyword' } } };
  for (const content of [{ mappings: { _doc: mapping } }, { old: { mappings: { donor: mapping } } }])
    t.like(readMappingBody(content, 'm.json'), { mapping });
  t.deepEqual(
    mappingNotes(readMappingBody({ mappings: { _doc: mapping } }, 'm.json'), 'embedded', 'm.json'),
    [
      'm.json: what is under "_doc" is taken for the mapping: search servers have no such level since version 7',
    ],
  );
  t.is(readMappingBody({ mappings: mapping }, 'm.json').documentLevel, undefined);
});
