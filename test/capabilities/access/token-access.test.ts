import { fullAccess } from '../../../src/search/request-context.ts';
import { carryCaller } from '../../../src/server/http/koa/http-context.ts';
import { generateKeyPairSync } from 'node:crypto';
import test from 'ava';
import { requireAccess } from '../../../src/server/http/callers/require-access.ts';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import { SignJWT } from 'jose';
import { readAccessRules } from '../../../src/capabilities/access/access-rules.ts';
import { openTokenKeys, openTokenVerifier } from '../../../src/capabilities/access/verify-token.ts';
import { tokenAccess } from '../../../src/capabilities/access/open-access.ts';
import type { Filter } from '../../../src/sqon/filter.ts';
import { fieldsOf, searchOf } from '../../federation/collection.ts';
import { catalogueOf } from '../../federation/remote-server.ts';
import { bookConfig } from '../../local/catalogue-fixture.ts';
import { read, runApp } from '../../server/http/running-app.ts';
import { testNetwork } from '../../builders.ts';

const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString();
const rules = readAccessRules(
  {
    token: { algorithms: ['ES256'] },
    catalogues: {
      library: {
        rules: [
          { filter: { op: 'in', content: { fieldName: 'title', value: { claim: 'titles' } } } },
          { when: { claim: 'role', includes: 'librarian' }, filter: 'everything' },
        ],
      },
      open: { public: 'everything' },
    },
  },
  'access.json',
  ['library', 'open'],
);
const access = tokenAccess(
  rules,
  openTokenVerifier(openTokenKeys({ kind: 'pem', pem, file: 'key.pem' }), rules.token),
);
const catalogues = [bookConfig(), bookConfig({ catalogueId: 'open', documentType: 'leaflet' })];

const bearer = async (claims: Record<string, unknown>, endsInSeconds = 60): Promise<string> => {
  const token = new SignJWT(claims).setProtectedHeader({ alg: 'ES256' });
  return `Bearer ${await token.setExpirationTime(new Date(Date.now() + endsInSeconds * 1000)).sign(keys.privateKey)}`;
};

const total = `?query=${encodeURIComponent('{ book { hits { total } } }')}`;
const titled = (title: string): Filter => ({
  kind: 'terms',
  field: { path: 'title', type: 'keyword', nestedIn: [] },
  values: [title],
});

test('a token decides what a search looks at, and is needed wherever something is closed', async (t) => {
  const app = await runApp(t, { catalogues, ...access });
  const allowed = await app.get(`/library/graphql${total}`, {
    authorization: await bearer({ titles: 'Atlas' }),
  });
  t.is(allowed.status, 200);
  t.deepEqual(app.engine.searches.at(-1)!.hits!.filter, titled('Atlas'));
  await app.get(`/library/graphql${total}`, { authorization: await bearer({ role: ['librarian'] }) });
  t.deepEqual(app.engine.searches.at(-1)!.hits!.filter, { kind: 'all' });
  const before = app.engine.searches.length;

  const none = await app.get(`/library/graphql${total}`);
  t.is(none.headers.get('www-authenticate'), 'Bearer');
  t.like(await none.json(), { errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
  for (const path of [`/library/graphql${total}`, '/introspection/library', '/library/download?params={}']) {
    for (const authorization of ['', 'Bearer abc', await bearer({ titles: 'Atlas' }, -60)]) {
      const answer = await app.get(path, { authorization });
      const body = JSON.stringify(await answer.json());
      t.is(answer.status, 401, `${path} ${authorization.slice(0, 10)}`);
      t.true(body.includes('UNAUTHENTICATED'), body);
    }
  }
  const stranger = await read(app.get(`/library/graphql${total}`, { authorization: await bearer({}) }));
  t.is(stranger.status, 403);
  t.like(stranger.body, { errors: [{ extensions: { code: 'FORBIDDEN' } }] });
  t.is(app.engine.searches.length, before, 'the engine is not queried');
});

test('what is public needs no token, but no token that is wrong either', async (t) => {
  const app = await runApp(t, { catalogues, ...access });
  const query = `/open/graphql?query=${encodeURIComponent('{ leaflet { hits { total } } }')}`;
  t.is((await app.get(query)).status, 200);
  t.is((await app.get(query, { authorization: 'Basic dTpw' })).status, 200);
  t.is((await app.get(query, { authorization: 'Bearer abc' })).status, 401);
  t.is((await app.get('/introspection', { authorization: 'Bearer abc' })).status, 200);
});

test('REST introspection reports whether a filter is active', async (t) => {
  const app = await runApp(t, { catalogues, ...access });
  const filtered = async (claims: Record<string, unknown>) =>
    (await read(app.get('/introspection/library', { authorization: await bearer(claims) }))).body['meta'];
  t.deepEqual(await filtered({ titles: ['Atlas'] }), { authFiltered: true });
  t.deepEqual(await filtered({ role: 'librarian' }), { authFiltered: false });
});

test('the key network of the access file decides who may use the network, whatever the rules of catalogues', async (t) => {
  const file = {
    token: { algorithms: ['ES256'] },
    catalogues: { '*': { public: 'everything' } },
    network: { rules: [{ when: { claim: 'role', includes: 'librarian' }, filter: 'everything' }] },
  };
  const own = readAccessRules(file, 'access.json', ['library']);
  const catalogue = catalogueOf('book', fieldsOf({ id: 'keyword' }), searchOf([{ id: 'a' }]));
  const network = await testNetwork(t, [{ nodeId: 'library', catalogue }], {
    network: { documentType: 'book' },
  });
  const verify = openTokenVerifier(openTokenKeys({ kind: 'pem', pem, file: 'key.pem' }), own.token);
  const app = await runApp(t, { network, ...tokenAccess(own, verify) });
  const statuses = async (path: string, authorization?: string) =>
    (await app.get(path, authorization === undefined ? {} : { authorization })).status;
  const [reader, librarian] = [await bearer({ role: 'reader' }), await bearer({ role: 'librarian' })];
  for (const path of [`/network/graphql${total}`, '/network', '/network/introspection/network'])
    t.deepEqual(
      [await statuses(path), await statuses(path, reader), await statuses(path, librarian)],
      [401, 403, 200],
      path,
    );
  t.is(await statuses(`/library/graphql${total}`), 200);
});

test('whoever may see one of several catalogues is not refused', async (t) => {
  type Arguments = Parameters<typeof requireAccess>;
  const states = ['a', 'b'].map((catalogueId) => ({ config: { catalogueId } })) as unknown as Arguments[1];
  const requireAny = async (...open: readonly string[]) => {
    const context = {} as Arguments[0];
    const accessFilter = async (catalogueId: string): Promise<null> => {
      if (!open.includes(catalogueId)) throw new TributaryError('FORBIDDEN', 'not yours');
      return null;
    };
    await carryCaller(() => ({ ...fullAccess, accessFilter }))(context, async () => undefined);
    return requireAccess(context, states);
  };
  await t.notThrowsAsync(requireAny('b'));
  await t.notThrowsAsync(requireAny('a', 'b'));
  await t.throwsAsync(requireAny(), { code: 'FORBIDDEN' });
});
