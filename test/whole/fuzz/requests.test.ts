import test from 'ava';
import fc from '../../fast-check.ts';
import { breaches } from './breaches.ts';
import { caseCount } from './case-count.ts';
import { exchange, rawExchange, type HttpRequest } from './http-exchange.ts';
import { libraryOfFile } from './served-library.ts';

const library = libraryOfFile();

const word = fc.constantFrom(
  'graphql',
  'introspection',
  'library',
  'book',
  'download',
  'network',
  'ping',
  'ready',
  'sqon',
  'fields',
  '..',
  '.',
  '',
  '__proto__',
  'constructor',
  '%2e%2e',
  '%00',
  '%',
  '%ff',
  '%2F',
  '%5c',
);
const unreserved = 'abcXYZ019-._~!$&\'()*+,;=:@%/?#[]{}|^`<>"\\';
const segment = fc.oneof(
  { weight: 3, arbitrary: word },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(...unreserved), maxLength: 12 }) },
);
const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => `/${segments.join('/')}`);
const search = fc.option(
  fc
    .array(fc.tuple(fc.constantFrom('query', 'variables', 'params', 'x', '__proto__'), segment), {
      maxLength: 3,
    })
    .map((pairs) => `?${pairs.map(([key, value]) => `${key}=${value}`).join('&')}`),
  { nil: '' },
);

const visible = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  maxLength: 40,
});
const headers = fc.dictionary(
  fc.constantFrom(
    'accept',
    'accept-encoding',
    'content-encoding',
    'content-type',
    'cookie',
    'if-none-match',
    'origin',
    'referer',
    'x-request-id',
    'x-forwarded-host',
    'authorization',
  ),
  fc.oneof(
    visible,
    fc.constantFrom(
      'application/json',
      'application/x-www-form-urlencoded',
      'gzip',
      'deflate',
      'br',
      'null',
      '*/*',
    ),
  ),
  { maxKeys: 4 },
);
const body = fc.oneof(
  fc.constant(undefined),
  fc.json(),
  fc.string({ unit: 'binary' }),
  fc.uint8Array({ maxLength: 200 }),
  fc.constantFrom('{"query":"{ book { hits { total } } }"}', 'query=%7B__typename%7D', 'params=%7B%7D'),
);
const method = fc.constantFrom('GET', 'GET', 'POST', 'POST', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH');

const request: fc.Arbitrary<HttpRequest> = fc
  .record({ method, path, search, headers, body })
  .map(({ body: sent, search: query, path: to, ...rest }) => ({
    ...rest,
    path: `${to}${query}`,
    ...(sent === undefined || rest.method === 'GET' ? {} : { body: sent }),
  }));

test.serial('any request is answered properly', async (t) => {
  const property = fc.asyncProperty(request, async (sent) => {
    const answer = await exchange(library().url, sent);
    const [breach] = breaches(answer, `${sent.path} ${String(sent.body)} ${JSON.stringify(sent.headers)}`);
    if (breach !== undefined) throw new Error(breach);
  });
  await t.notThrowsAsync(fc.assert(property, caseCount(0.1)));
});

const proper = Buffer.from(
  'POST /graphql HTTP/1.1\r\nhost: library\r\ncontent-type: application/json\r\nconnection: close\r\n' +
    'content-length: 22\r\n\r\n{"query":"{ __typename}',
);
const chunked = Buffer.from(
  'POST /graphql HTTP/1.1\r\nhost: library\r\ncontent-type: application/json\r\nconnection: close\r\n' +
    'transfer-encoding: chunked\r\n\r\n16\r\n{"query":"{__typename}\r\n2\r\n"}\r\n0\r\n\r\n',
);

/** Bytes with some of them changed, cut off somewhere, in one piece or two. */
const bytes = fc
  .record({
    from: fc.constantFrom(proper, chunked),
    changes: fc.array(fc.tuple(fc.nat(200), fc.integer({ min: 0, max: 255 })), { maxLength: 4 }),
    end: fc.nat(300),
    half: fc.nat(300),
  })
  .map(({ from, changes, end, half }) => {
    const changed = Uint8Array.from(from);
    for (const [at, byte] of changes) changed[at % changed.length] = byte;
    const cut = changed.subarray(0, Math.max(end, 1));
    return [cut.subarray(0, half), cut.subarray(half)];
  });

test.serial('bytes that are no HTTP are answered in JSON or not at all', async (t) => {
  const property = fc.asyncProperty(bytes, async (pieces) => {
    const received = await rawExchange(library().url, pieces);
    for (const answer of answersIn(received)) {
      const [breach] = breaches(answer, Buffer.concat(pieces).toString('latin1'));
      if (breach !== undefined) throw new Error(breach);
    }
  });
  await t.notThrowsAsync(fc.assert(property, caseCount(0.04)));
});

/** The answers of one connection; none of them is chunked, as all bodies are short. */
const answersIn = (received: string) => {
  const answers: { status: number; headers: Record<string, string>; text: string }[] = [];
  for (let rest = received; rest !== '';) {
    const headEnd = rest.indexOf('\r\n\r\n');
    if (headEnd < 0) throw new Error(`no HTTP: ${rest}`);
    const [line, ...fields] = rest.slice(0, headEnd).split('\r\n');
    const named = Object.fromEntries(
      fields.map((field) => [field.split(':')[0]!.toLowerCase(), field.slice(field.indexOf(':') + 1).trim()]),
    );
    const end = headEnd + 4 + Number(named['content-length'] ?? 0);
    const status = Number(line!.split(' ')[1]);
    if (status !== 100) answers.push({ status, headers: named, text: rest.slice(headEnd + 4, end) });
    rest = rest.slice(end);
  }
  return answers;
};

test.serial('a slow body is waited for, and delays no other request', async (t) => {
  const whole = '{"query":"{ book { hits { total } } }"}';
  const head = `POST /graphql HTTP/1.1\r\nhost: library\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${whole.length}\r\n\r\n`;
  const slow = rawExchange(library().url, [head, ...whole.match(/.{1,4}/g)!], 20);
  const others = await Promise.all(
    Array.from({ length: 20 }, () => exchange(library().url, { path: '/ping' })),
  );
  t.true(others.every(({ status }) => status === 200));
  t.regex(await slow, /"total":60/);
});
