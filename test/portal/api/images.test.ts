import { createServer } from 'node:http';
import test from 'ava';
import type { Field } from '../../../portal/src/api/fields.ts';
import { ApiError, setBase } from '../../../portal/src/api/server.ts';
import { changeSession } from '../../../portal/src/api/session.ts';
import { fetchPicture, linkOf, picturesOf } from '../../../portal/src/images/images.ts';
import { png } from '../../images/image-host.ts';
import { listening } from '../../listening.ts';

const field = (path: string, more: Partial<Field> = {}): Field => ({
  ...{ path, name: path, type: 'keyword', kind: 'values', unit: null, description: null },
  ...{ displayValues: {}, nodes: null, ...more },
});

test('pictures of a record lie below its catalogue, or below its institution', (t) => {
  const fields = new Map([
    ['a.url', field('a.url', { isImage: true })],
    ['title', field('title')],
  ]);
  const values: Record<string, unknown> = { 'a.url': ['', 'x', null, ['y']], title: 'z' };
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
  t.deepEqual(of('catalogue', 'art'), ['art/images/one%2F1/a.url/1', 'art/images/one%2F1/a.url/2']);
  t.deepEqual(of('network', 'network')[0], 'network/images/eu%2Flyon/one%2F1/a.url/1');
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

test('a picture is fetched from where the API is, under its prefix, with the token of whoever is signed in', async (t) => {
  const server = createServer(({ url, headers: { authorization, accept } }, response) => {
    const may = authorization === 'Bearer abc' && url === '/api/network/images/tate/1/picture/0';
    response.writeHead(may ? 200 : 401, { 'content-type': may ? 'image/png' : 'application/json' });
    response.end(may && accept === 'image/*' ? png(2, 3) : '{"error":{"message":"who?"}}');
  });
  const { url } = await listening(t, server);
  setBase(new URL('/api/', url));
  const path = 'network/images/tate/1/picture/0';
  const refused = await t.throwsAsync(fetchPicture(path), { instanceOf: ApiError });
  t.is(refused.kind, 'signIn');
  const tokens = { access: 'abc', expiresAtMs: null, name: '', renew: null, signOut: async () => undefined };
  changeSession({ state: { kind: 'in', tokens } });
  const picture = await fetchPicture(path);
  t.deepEqual([picture.type, picture.size], ['image/png', png(2, 3).length]);
});
