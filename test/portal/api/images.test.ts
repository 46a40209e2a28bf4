import test from 'ava';
import type { Field } from '../../../portal/src/api/fields.ts';
import { linkOf, picturesOf } from '../../../portal/src/images/images.ts';

const field = (path: string, more: Partial<Field> = {}): Field => ({
  ...{ path, name: path, type: 'keyword', kind: 'values', unit: null, description: null },
  ...{ displayValues: {}, nodes: null, ...more },
});

test('pictures of a record lie below its catalogue, or below its institution', (t) => {
  const fields = new Map([
    ['a.url', field('a.url', { isImage: true })],
    ['title', field('title')],
  ]);
  const values: Record<string, unknown> = { 'a.url': ['x', null, ['y']], title: 'z' };
  const of = (kind: 'catalogue' | 'network', path: string) =>
    picturesOf(
      {
        fields,
        source: {
          id: 's',
          name: 'S',
          kind,
          path,
          documentType: null,
          description: null,
          status: 'available',
        },
      },
      { id: 'one/1', nodeId: 'eu/lyon' },
      (at) => values[at],
    ).map((one) => one.path);
  t.deepEqual(of('catalogue', 'art'), ['art/images/one%2F1/a.url/0', 'art/images/one%2F1/a.url/1']);
  t.deepEqual(of('network', 'network')[0], 'network/images/eu%2Flyon/one%2F1/a.url/0');
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
