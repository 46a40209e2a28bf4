import { createHash } from 'node:crypto';
import test from 'ava';
import type { PortalSettings } from '../../../src/server/http/koa/settings.ts';
import { fieldsOf, searchOf } from '../../federation/collection.ts';
import { catalogueOf } from '../../federation/remote-server.ts';
import { bookConfig } from '../../local/catalogue-fixture.ts';
import { missing, read, runApp } from '../../server/http/running-app.ts';
import { available, testNetwork } from '../../builders.ts';

const portal: PortalSettings = {
  imageHosts: ['images.example.org'],
  publicUrl: 'https://books.example/p',
  signIn: { issuer: 'https://id.example/one', clientId: 'books', scope: 'openid' },
  look: { name: 'Books' },
};
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

for (const path of ['/', '/explore', '/record', '/docs'])
  test(`${path} is a page for browsers alone`, async (t) => {
    const app = await runApp(t, { settings: { portal } });
    const page = await app.get(path, browser);
    t.is(page.status, 200);
    t.is(page.headers.get('content-type'), 'text/html; charset=utf-8');
    t.regex(page.headers.get('vary') ?? '', /accept/i);
    t.regex(
      page.headers.get('content-security-policy') ?? '',
      /^default-src 'none'; script-src 'self'; .*; img-src 'self' data: blob: https:\/\/images\.example\.org; /,
    );
    const { status, body } = await read(app.get(path, { accept: '*/*' }));
    t.is(status, path === '/' ? 200 : 404);
    t.is((body['error'] as { code: string } | undefined)?.code, path === '/' ? undefined : 'NOT_FOUND');
  });

test('a page names the portal to those who preview links to it, in any words', async (t) => {
  const look = { name: { de: 'Bücher', en: 'Books "$&" <b>' }, tagline: 'All of them' };
  const app = await runApp(t, { settings: { portal: { ...portal, look } } });
  const page = await (await app.get('/explore', browser)).text();
  t.true(page.includes('<meta property="og:title" content="Books &quot;$&amp;&quot; &lt;b&gt;">'), page);
  t.true(page.includes('<meta name="description" content="All of them">'));
  t.true(
    page.includes('<meta property="og:image" content="https://books.example/p/portal/assets/preview-1.png">'),
  );
  t.is((await app.get('/portal/assets/preview-1.png')).headers.get('content-type'), 'image/png');
  t.is((await app.get('/portal/logo')).status, 404);
});

test('a portal without a name has that of what it shows first, for previews and where nothing is', async (t) => {
  const app = await runApp(t, { settings: { portal: { ...portal, look: {} } } });
  const { catalogueId } = bookConfig();
  const page = await (await app.get('/', browser)).text();
  t.true(page.includes(`<meta property="og:title" content="${catalogueId}">`), page);
  t.true(page.includes(`<title>${catalogueId}</title>`), page);
  const nothing = await (await app.get('/nothing', browser)).text();
  t.true(nothing.includes(`Start page: ${catalogueId}</a>`), nothing);
});

test('a logo of pixels is the picture of a link, and a logo that could run scripts is not', async (t) => {
  const previewOf = async (logo: string) => {
    const app = await runApp(t, { settings: { portal: { ...portal, publicUrl: null, look: { logo } } } });
    const page = await (await app.get('/', browser)).text();
    return { app, image: /og:image" content="([^"]*)"/.exec(page)?.[1] };
  };
  const { app, image } = await previewOf('data:image/png;base64,iVBORw0K');
  t.is(image, `${app.url}/portal/logo`);
  const sent = await app.get('/portal/logo');
  t.deepEqual([sent.headers.get('content-type'), await sent.text()], ['image/png', '\ufffdPNG\r\n']);
  const drawn = await previewOf('data:image/svg+xml;base64,PHN2Zy8+');
  t.is(drawn.image, `${drawn.app.url}/portal/assets/preview-1.png`);
});

test('people read in their language that there is nothing at an address, programs as ever', async (t) => {
  const look = { name: { en: 'Books', de: 'Bücher <b>' }, logo: 'data:image/png;base64,iVBORw0K' };
  const app = await runApp(t, { settings: { portal: { ...portal, look } } });
  const german = await app.get('/nothing/here', { ...browser, 'accept-language': 'de-CH, en;q=0.5' });
  const page = await german.text();
  t.is(german.status, 404);
  t.is(german.headers.get('content-language'), 'de');
  t.true(page.includes('<html lang="de">') && page.includes('<h1>Diese Seite gibt es nicht</h1>'), page);
  t.true(page.includes('<a href="../">Startseite: Bücher &lt;b&gt;</a>'), page);
  const sheet = /<style>(.*)<\/style>/s.exec(page)![1]!;
  const hash = createHash('sha256').update(sheet).digest('base64');
  t.true(german.headers.get('content-security-policy')?.includes(`style-src 'sha256-${hash}'`));
  const other = await (await app.get('/nothing', { ...browser, 'accept-language': 'pt' })).text();
  t.true(
    other.includes('<h1>There is no such page</h1>') && other.includes('<a href="./">Start page: Books</a>'),
    other,
  );
  const { status, body } = await read(app.get('/nothing', { accept: '*/*' }));
  t.deepEqual([status, (body['error'] as { code: string }).code], [404, 'NOT_FOUND']);
});

test('the pages are there when the only catalogue failed', async (t) => {
  const app = await runApp(t, { catalogues: [missing()], settings: { portal } });
  t.is((await app.get('/explore', browser)).status, 200);
});

test('without the portal, browsers get what programs get', async (t) => {
  const app = await runApp(t, { settings: { portal: null } });
  t.is((await app.get('/explore', browser)).status, 404);
  t.regex((await app.get('/', browser)).headers.get('content-type')!, /^application\/json/);
  t.is((await app.get('/portal/config.json')).status, 404);
});

test('a page is not served to other methods', async (t) => {
  const app = await runApp(t, { settings: { portal } });
  const response = await fetch(`${app.url}/explore`, { method: 'POST', headers: browser });
  t.is(response.status, 404);
});

test('the configuration names the sources, limits and looks, and no data', async (t) => {
  const app = await runApp(t, {
    catalogues: [bookConfig(), missing({ description: 'Scrolls, lost' })],
    settings: { portal },
  });
  const { status, body } = await read(app.get('/portal/config.json'));
  t.is(status, 200);
  t.regex(String(body['version']), /^Tributary \d/);
  t.deepEqual(
    { ...body, version: '' },
    {
      version: '',
      publicUrl: 'https://books.example/p',
      sources: [
        {
          id: bookConfig().catalogueId,
          kind: 'catalogue',
          path: bookConfig().catalogueId,
          name: bookConfig().catalogueId,
          description: null,
          documentType: bookConfig().documentType,
          status: 'available',
        },
        {
          id: 'lost',
          kind: 'catalogue',
          path: 'lost',
          name: 'lost',
          description: 'Scrolls, lost',
          documentType: 'scroll',
          status: 'failed',
        },
      ],
      flags: { downloads: true, filters: true, playground: true, links: false },
      limits: { maxAliases: 15, maxDepth: 7, maxBodyBytes: 2000 },
      signIn: { issuer: 'https://id.example/one', clientId: 'books', scope: 'openid' },
      imageHosts: ['images.example.org'],
      look: { name: 'Books' },
    },
  );
});

test('questions have their filters in the form that the pages know', async (t) => {
  const filters = [
    { op: '>=', content: { fieldName: 'pages', value: 61 } },
    { op: 'filter', content: { fieldNames: 'title', value: 'a*' } },
    { op: 'no operator', content: { fieldName: 'pages', value: 61 } },
  ];
  const look = { name: 'Books', questions: [{ text: 'Long books', filters }] };
  const app = await runApp(t, { settings: { portal: { ...portal, look } } });
  const { body } = await read(app.get('/portal/config.json'));
  t.deepEqual(body['look'], {
    name: 'Books',
    questions: [
      {
        text: 'Long books',
        filters: [
          { op: 'gte', content: { fieldName: 'pages', value: [61] } },
          { op: 'wildcard', content: { fieldNames: ['title'], value: 'a*' } },
          filters[2],
        ],
      },
    ],
  });
});

test('the sources of a network carry its names in its order, and what its documents are called', async (t) => {
  const trees = catalogueOf('library', fieldsOf({ genus: 'keyword' }), searchOf([]));
  const node = { nodeId: 'east', displayName: 'Arboretum, East', catalogue: 'library' };
  const network = await testNetwork(t, [node], {
    network: { displayName: 'Trees', documentType: 'tree' },
    byId: () => available(trees),
  });
  const app = await runApp(t, {
    network,
    catalogues: [missing(), bookConfig({ catalogueId: 'library' })],
    settings: { portal },
  });
  const { body } = await read(app.get('/portal/config.json'));
  t.deepEqual(
    (body['sources'] as Record<string, unknown>[]).map(({ id, name, documentType }) => [
      id,
      name,
      documentType,
    ]),
    [
      ['network', 'Trees', 'tree'],
      ['library', 'Arboretum, East', bookConfig().documentType],
      ['lost', 'lost', 'scroll'],
    ],
  );
});

test('only files of the build are assets', async (t) => {
  const app = await runApp(t, { settings: { portal } });
  for (const name of ['..%2F..%2Fbuild.json', 'nothing.js', 'index.html'])
    t.is((await app.get(`/portal/assets/${name}`)).status, 404);
});
