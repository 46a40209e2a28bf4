import test from 'ava';
import type { Source } from '../../../portal/src/api/config.ts';
import type { Field } from '../../../portal/src/api/fields.ts';
import { hasImages, linkOf, pictureAt, picturesOf } from '../../../portal/src/images/images.ts';

const field = (path: string, more: Partial<Field> = {}): Field => ({
  ...{ path, name: path, type: 'keyword', kind: 'values', unit: null, description: null },
  ...{ displayValues: {}, nodes: null, ...more },
});

const source: Source = {
  ...{ id: 's', name: 'S', kind: 'network' as const, path: 'network' },
  ...{ documentType: null, description: null, status: 'available' as const },
};
const imageHosts = ['images.example.org', '*.cdn.example.org'];
const fields = new Map([
  ['a.url', field('a.url', { isImage: true })],
  ['title', field('title')],
]);

test('pictures of a record are those on listed hosts, each once', (t) => {
  const url = 'https://images.example.org/1.png';
  const values: Record<string, unknown> = {
    'a.url': ['', url, null, [url, 'https://other.example.org/2.png', 'https://x.cdn.example.org/3']],
    title: url,
  };
  const of = (hosts?: readonly string[]) =>
    picturesOf(
      { fields, source: { ...source, ...(hosts && { imageHosts: hosts }) } },
      (path) => values[path],
    );
  t.deepEqual(of(imageHosts), [url, 'https://x.cdn.example.org/3']);
  t.deepEqual(of([]), []);
  t.deepEqual(of(), []);
});

test('a picture is requested by https from a listed host, and from no address that means another', (t) => {
  const catalogue = { source: { ...source, imageHosts } };
  const at = (value: unknown) => pictureAt(catalogue, { isImage: true }, value);
  t.is(at('http://images.example.org/a b?c#d'), 'https://images.example.org/a%20b?c#d');
  t.is(at('HTTPS://IMAGES.example.org/1'), 'https://images.example.org/1');
  for (const wrong of [
    ...[
      'https://cdn.example.org/1',
      'https://evilcdn.example.org/1',
      'https://images.example.org.evil.org/1',
    ],
    ...[
      'https://images.example.org:8443/1',
      'http://images.example.org:80443/1',
      'https://me@images.example.org/1',
    ],
    ...[
      'https://evil.org/images.example.org',
      'https://evil.org\\@images.example.org/1',
      '//images.example.org/1',
    ],
    ...[
      'ftp://images.example.org/1',
      'data:image/png;base64,AAAA',
      'javascript:alert(1)',
      'images.example.org/1',
    ],
    ...['', null, 7, { url: 'https://images.example.org/1' }],
  ])
    t.is(at(wrong), null, JSON.stringify(wrong));
  t.is(pictureAt(catalogue, {}, 'https://images.example.org/1'), null);
  t.is(pictureAt(catalogue, undefined, 'https://images.example.org/1'), null);
});

test('a catalogue has pictures where a field has them, hosts are listed, and records are shown', (t) => {
  const disclosure = null;
  t.true(hasImages({ fields, disclosure, source: { ...source, imageHosts } }));
  t.false(hasImages({ fields, disclosure, source: { ...source, imageHosts: [] } }));
  t.false(hasImages({ fields: new Map(), disclosure, source: { ...source, imageHosts } }));
});

test('links: values that are some, or that stand for {value}; nothing but http and https', (t) => {
  t.is(linkOf({ link: true }, 'https://example.org/a'), 'https://example.org/a');
  t.is(
    linkOf({ link: 'https://example.org/{value}?x' }, 'a b/../$&'),
    'https://example.org/a%20b%2F..%2F%24%26?x',
  );
  t.is(linkOf({ link: 'https://example.org/{value}' }, 7), 'https://example.org/7');
  for (const value of ['javascript:alert(1)', 'a', '', null, { a: 1 }])
    t.is(linkOf({ link: true }, value), null);
  t.is(linkOf({}, 'https://example.org'), null);
});
