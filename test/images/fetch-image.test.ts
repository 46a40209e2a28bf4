import type { RequestListener } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import { Agent } from 'undici';
import { fetchImage, lookupOf, type ImageNetwork } from '../../src/images/fetch-image.ts';
import { imageForm } from '../../src/images/image-form.ts';
import { isListed, isPublic, readImageHost, type ImageHost } from '../../src/images/image-hosts.ts';
import { imageHost, png } from './image-host.ts';

const hostsOf = (...entries: string[]): readonly ImageHost[] => entries.map((entry) => readImageHost(entry)!);

/** Names resolve to these addresses; all of them are reached at this machine. */
const network = (names: Readonly<Record<string, readonly (readonly string[])[]>>) => {
  const lookups = new Map<string, number>();
  const connected: (readonly string[])[] = [];
  const parts: ImageNetwork = {
    resolve: async (name) => {
      const before = lookups.get(name) ?? 0;
      lookups.set(name, before + 1);
      const answers = names[name] ?? [];
      return answers[Math.min(before, answers.length - 1)] ?? [];
    },
    connectTo: (addresses) => {
      connected.push(addresses);
      return new Agent({ connect: { lookup: lookupOf(['127.0.0.1']) } });
    },
  };
  return { parts, connected, lookups };
};

const publicAddress = '93.184.215.14';
const to =
  (location: string): RequestListener =>
  (_, response) =>
    void response.writeHead(302, { location }).end();

const refuses = (
  t: ExecutionContext,
  fetching: Promise<unknown>,
  code: 'NOT_FOUND' | 'UPSTREAM_FAILED',
  message: RegExp,
) => t.throwsAsync(fetching, { code, message });

for (const [address, isOpen] of [
  ['93.184.215.14', true],
  ['2606:2800:21f:cb07:6820:80da:af6b:8b2c', true],
  ['172.32.0.1', true],
  ['100.128.0.1', true],
  ['127.0.0.1', false],
  ['127.255.255.254', false],
  ['0.0.0.0', false],
  ['10.1.2.3', false],
  ['172.16.0.1', false],
  ['172.31.255.255', false],
  ['192.168.1.1', false],
  ['169.254.169.254', false],
  ['100.64.0.1', false],
  ['198.18.0.1', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['::', false],
  ['::1', false],
  ['::ffff:127.0.0.1', false],
  ['::ffff:93.184.215.14', false],
  ['::ffff:7f00:1', false],
  ['::127.0.0.1', false],
  ['64:ff9b::7f00:1', false],
  ['2002:7f00:1::', false],
  ['2001::1', false],
  ['2001:db8::1', false],
  ['fe80::1', false],
  ['fe80::1%eth0', false],
  ['fc00::1', false],
  ['fd12:3456::1', false],
  ['ff02::1', false],
  ['fec0::1', false],
  ['localhost', false],
] as const)
  test(`${address} is ${isOpen ? '' : 'not '}an address of the public internet`, (t) => {
    t.is(isPublic(address), isOpen);
  });

test('the list of hosts: names, ports and names below one, https unless it says http', (t) => {
  t.deepEqual(hostsOf('Images.Example.org', '*.example.org:8443', 'http://127.0.0.1:80', 'https://a.org/'), [
    { protocol: 'https:', host: 'images.example.org' },
    { protocol: 'https:', host: '*.example.org:8443' },
    { protocol: 'http:', host: '127.0.0.1' },
    { protocol: 'https:', host: 'a.org' },
  ]);
  for (const entry of [
    '',
    '*',
    'a.org/path',
    'user@a.org',
    'ftp://a.org',
    '*.127.0.0.1',
    'a*.org',
    'a.org?x',
  ])
    t.is(readImageHost(entry), null, entry);
});

test('a picture is served by what it is, whatever its host says of it', async (t) => {
  const picture = png(4, 3);
  const { url, port } = await imageHost(t, { '/a': picture });
  const { parts, connected } = network({ 'images.example.org': [[publicAddress, '10.0.0.1']] });
  const found = await fetchImage(
    `http://images.example.org:${port}/a`,
    hostsOf(`http://images.example.org:${port}`),
    parts,
  );
  t.deepEqual(found, { type: 'image/png', bytes: picture });
  // of what the name stands for, the public addresses alone are connected to
  t.deepEqual(connected, [[publicAddress]]);
  t.deepEqual((await fetchImage(`${url}/a`, hostsOf(url))).bytes, picture);
});

test('addresses that no list allows are refused before anything is sent', async (t) => {
  const { url, port, requested } = await imageHost(t, { '/a': png(1, 1) });
  const listed = hostsOf('images.example.org', `http://other.example.org:${port}`);
  const { parts, lookups } = network({});
  for (const address of [
    `${url}/a`,
    `http://localhost:${port}/a`,
    `http://2130706433:${port}/a`,
    `http://0x7f000001:${port}/a`,
    `http://0177.0.0.1:${port}/a`,
    `http://127.1:${port}/a`,
    `http://[::1]:${port}/a`,
    `http://[::ffff:127.0.0.1]:${port}/a`,
    'https://169.254.169.254/latest/meta-data',
    'ftp://images.example.org/a',
    'https://images.example.org:444/a',
    'https://images.example.org.evil.example/a',
    'https://evil.example/?images.example.org',
    'https://images.example.org@evil.example/a',
    'https://user:secret@images.example.org/a',
    'file:///etc/passwd',
    'data:image/png;base64,AAAA',
    'javascript:alert(1)',
    '//images.example.org/a',
    'a picture',
    '',
  ])
    await refuses(t, fetchImage(address, listed, parts), 'NOT_FOUND', /^the picture is not shown: /);
  t.deepEqual(requested, []);
  t.is(lookups.size, 0);
  // by https, which this name has no address for
  await refuses(
    t,
    fetchImage('http://images.example.org/a', listed, parts),
    'UPSTREAM_FAILED',
    /images\.example\.org has no public address/,
  );
});

test('a listed name that stands for private addresses only is refused, whenever it does', async (t) => {
  const { port, requested } = await imageHost(t, { '/a': png(1, 1), '/away': to('/a') });
  const listed = hostsOf(`http://images.example.org:${port}`);
  const at = (path: string): string => `http://images.example.org:${port}${path}`;
  for (const address of ['127.0.0.1', '10.0.0.7', '169.254.169.254', '::1', '::ffff:10.0.0.7', 'fd00::1'])
    await refuses(
      t,
      fetchImage(at('/a'), listed, network({ 'images.example.org': [[address]] }).parts),
      'UPSTREAM_FAILED',
      /images\.example\.org has no public address/,
    );
  t.deepEqual(requested, []);
  // public at first, private at the redirect: the name is resolved once for each request, and checked each time
  const { parts, lookups, connected } = network({ 'images.example.org': [[publicAddress], ['127.0.0.1']] });
  await refuses(t, fetchImage(at('/away'), listed, parts), 'UPSTREAM_FAILED', /has no public address/);
  t.deepEqual([...lookups], [['images.example.org', 2]]);
  t.deepEqual([connected, requested], [[[publicAddress]], ['/away']]);
});

test('redirects lead to listed hosts only, and three at most', async (t) => {
  const { url, port, requested } = await imageHost(t, {
    '/a': png(1, 1),
    '/1': to('/a'),
    '/2': to('/1'),
    '/3': to('/2'),
    '/4': to('/3'),
    '/private': to('http://10.0.0.1/a'),
    '/loopback': to('http://[::1]/a'),
    '/decimal': to('http://2130706433/a'),
    '/file': to('file:///etc/passwd'),
    '/elsewhere': to('https://evil.example/a'),
  });
  const listed = hostsOf(url);
  t.is((await fetchImage(`${url}/3`, listed)).type, 'image/png');
  await refuses(t, fetchImage(`${url}/4`, listed), 'UPSTREAM_FAILED', /redirects more than 3 times/);
  for (const path of ['private', 'loopback', 'file', 'elsewhere'])
    await refuses(t, fetchImage(`${url}/${path}`, listed), 'NOT_FOUND', /is not on the list/);
  await refuses(
    t,
    fetchImage(`${url}/decimal`, hostsOf(`http://127.0.0.1:${port}`)),
    'NOT_FOUND',
    /not on the list/,
  );
  t.is(requested.length, 4 + 4 + 5);
});

const jpeg = (width: number, height: number): Buffer => {
  const frame = Buffer.from([0xff, 0xc2, 0, 17, 8, height >> 8, height & 255, width >> 8, width & 255, 3]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff, 0xc4, 0, 3, 0]),
    ...[frame, Buffer.alloc(20), Buffer.from([0xff, 0xd9])],
  ]);
};

const webp = (kind: string, header: readonly number[]): Buffer => {
  const body = Buffer.concat([
    Buffer.from(`WEBP${kind}`, 'latin1'),
    Buffer.alloc(4),
    Buffer.from(header),
    Buffer.alloc(20),
  ]);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(body.length);
  return Buffer.concat([Buffer.from('RIFF', 'latin1'), size, body]);
};

test('the forms and sizes of pictures', (t) => {
  t.deepEqual(imageForm(png(640, 480)), { type: 'image/png', width: 640, height: 480 });
  t.deepEqual(imageForm(jpeg(640, 480)), { type: 'image/jpeg', width: 640, height: 480 });
  const lossy = webp('VP8 ', [0, 0, 0, 0x9d, 1, 0x2a, 0x80, 0x42, 0xe0, 1]);
  t.deepEqual(imageForm(lossy), { type: 'image/webp', width: 640, height: 480 });
  // 14 bits each, less one
  const lossless = webp('VP8L', [0x2f, 0x7f, 0xc2, 0x77, 0]);
  t.deepEqual(imageForm(lossless), { type: 'image/webp', width: 640, height: 480 });
  const extended = webp('VP8X', [0, 0, 0, 0, 0x7f, 2, 0, 0xdf, 1, 0]);
  t.deepEqual(imageForm(extended), { type: 'image/webp', width: 640, height: 480 });
  for (const whole of [png(2, 2), jpeg(2, 2), lossy, lossless, extended])
    for (let length = 0; length < whole.length; length += 1)
      if (imageForm(whole.subarray(0, length)) !== null) t.true(length > whole.length - 21, String(length));
  t.is(imageForm(png(0, 4)), null);
});

test('what is not a picture, too large, too slow or cut off is refused', async (t) => {
  const big = Buffer.concat([png(1, 1), Buffer.alloc(11 * 1024 * 1024)]);
  const { url } = await imageHost(t, {
    '/svg': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    '/html': (_, response) => void response.setHeader('content-type', 'image/png').end('<script>1</script>'),
    '/gif': Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00;'),
    '/bomb': png(60_000, 60_000),
    '/big': big,
    '/announced': (_, response) => response.writeHead(200, { 'content-length': big.length }).flushHeaders(),
    '/endless': (_, response) => {
      const more = (): void => void (response.destroyed || response.write(Buffer.alloc(1 << 20), more));
      more();
    },
    '/silent': () => undefined,
    '/dripping': (_, response) => {
      const timer = setInterval(() => response.write(Buffer.of(0x89)), 20);
      response.on('close', () => clearInterval(timer));
    },
    '/cut': (_, response) => {
      response.writeHead(200, { 'content-length': 1_000 }).write(png(4, 4));
      setTimeout(() => response.destroy(), 20);
    },
    '/half': png(40, 40).subarray(0, 60),
    '/500': (_, response) => void response.writeHead(500).end(png(1, 1)),
    '/packed': (_, response) =>
      void response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.alloc(100)),
    '/empty': Buffer.alloc(0),
  });
  const fails = (path: string, message: RegExp, timeoutMs?: number) =>
    refuses(t, fetchImage(url + path, hostsOf(url), undefined, timeoutMs), 'UPSTREAM_FAILED', message);
  for (const path of ['/svg', '/html', '/gif', '/half', '/packed', '/empty'])
    await fails(path, /not a whole JPEG, PNG or WebP picture/);
  await fails('/bomb', /larger than the 50 million pixels allowed/);
  for (const path of ['/big', '/announced', '/endless']) await fails(path, /larger than the 10485760 bytes/);
  for (const path of ['/silent', '/dripping']) await fails(path, /takes too long/, 200);
  await fails('/cut', /cannot be read/);
  await fails('/500', /answered HTTP 500/);
  await fails('/missing', /answered HTTP 404/);
  await refuses(
    t,
    fetchImage('http://127.0.0.1:1/a', hostsOf('http://127.0.0.1:1')),
    'UPSTREAM_FAILED',
    /connection refused/,
  );
});

test('a name that is resolved too slowly ends with the time for all of it', async (t) => {
  const never: ImageNetwork = {
    resolve: () => Promise.withResolvers<never>().promise,
    connectTo: () => new Agent(),
  };
  // as the look-up of a name does: a limit of time alone keeps no process running
  const underWay = setInterval(() => undefined, 1_000);
  t.teardown(() => clearInterval(underWay));
  const slow = fetchImage('https://images.example.org/a', hostsOf('images.example.org'), never, 100);
  await refuses(t, slow, 'UPSTREAM_FAILED', /takes too long/);
});

test('names below a host are those behind its dot', (t) => {
  const hosts = hostsOf('*.example.org', 'pictures.test');
  const isListedAt = (address: string): boolean => isListed(new URL(address), hosts);
  for (const address of ['https://a.example.org/x', 'https://a.b.example.org/', 'https://pictures.test/'])
    t.true(isListedAt(address), address);
  for (const address of [
    'https://example.org/',
    'https://evilexample.org/',
    'https://a.pictures.test/',
    'http://a.example.org/',
  ])
    t.false(isListedAt(address), address);
});
