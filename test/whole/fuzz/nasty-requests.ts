import { gzipSync, deflateSync, brotliCompressSync, constants } from 'node:zlib';
import type { HttpRequest } from './http-exchange.ts';
import { postedText } from './graphql-over-http.ts';
import type { NastyCase, Outcome } from './nasty-case.ts';

const json = { 'content-type': 'application/json' };
const good = '{"query":"{ book { hits { total } } }"}';

/** Bodies of POST /graphql. */
const bodies: readonly (readonly [string, string | Uint8Array, Outcome])[] = [
  ['nothing', '', 'refused'],
  ['null', 'null', 'refused'],
  ['a number', '1', 'refused'],
  ['a text', '"{ __typename }"', 'refused'],
  ['a list', '[]', 'refused'],
  ['a list of null', '[null]', 'refused'],
  ['lists 1 000 000 deep', '['.repeat(1_000_000), 'refused'],
  ['objects 500 000 deep', '{"query":'.repeat(500_000), 'refused'],
  ['cut off', good.slice(0, -1), 'refused'],
  ['with more behind it', `${good}${good}`, 'refused'],
  ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0xc0, 0x80, 0x22, 0x7d]), 'refused'],
  [
    'invalid UTF-8 in a query',
    Buffer.concat([Buffer.from('{"query":"{ '), Buffer.from([0xff, 0xed, 0xa0, 0x80]), Buffer.from(' }"}')]),
    'refused',
  ],
  ['UTF-16', Buffer.from(good, 'utf16le'), 'refused'],
  ['NUL bytes', Buffer.alloc(10_000), 'refused'],
  ['more than 5 MB', `{"query":"${' '.repeat(5 * 1024 * 1024)}"}`, 'refused'],
  ['a query under __proto__', '{"__proto__":{"query":"{ __typename }"}}', 'refused'],
  ['a query under constructor', '{"constructor":{"prototype":{"query":"{ __typename }"}}}', 'refused'],
  ['two queries', '{"query":"{","query":"{ book { hits { total } } }"}', 'everything'],
];

const packed = (body: Uint8Array, encoding: string): HttpRequest => ({
  path: '/graphql',
  headers: { ...json, 'content-encoding': encoding },
  body,
});
const bomb = Buffer.alloc(64 * 1024 * 1024, ' ');

const encodings: readonly NastyCase[] = [
  ['encoding: gzip that is none', packed(Buffer.from(good), 'gzip'), 'refused'],
  ['encoding: gzip cut off', packed(gzipSync(good).subarray(0, 20), 'gzip'), 'refused'],
  [
    'encoding: gzip with a wrong sum',
    packed(Buffer.concat([gzipSync(good).subarray(0, -8), Buffer.alloc(8)]), 'gzip'),
    'refused',
  ],
  ['encoding: 64 MB in gzip', packed(gzipSync(bomb), 'gzip'), 'refused'],
  ['encoding: 64 MB in deflate', packed(deflateSync(bomb), 'deflate'), 'refused'],
  [
    'encoding: 64 MB in brotli',
    packed(brotliCompressSync(bomb, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }), 'br'),
    'refused',
  ],
  ['encoding: brotli that is none', packed(Buffer.from(good), 'br'), 'refused'],
  ['encoding: two of them', packed(gzipSync(gzipSync(good)), 'gzip, gzip'), 'refused'],
  ['encoding: unknown', packed(Buffer.from(good), 'zip'), 'refused'],
  ['encoding: __proto__', packed(Buffer.from(good), '__proto__'), 'refused'],
  ['encoding: gzip, as it should be', packed(gzipSync(good), 'gzip'), 'everything'],
];

const typed = (type: string): HttpRequest => ({
  path: '/graphql',
  headers: { 'content-type': type },
  body: good,
});

const types: readonly NastyCase[] = [
  ...[
    'text/plain',
    'application/xml',
    'multipart/form-data',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    '*/*',
    '',
    ';',
    '__proto__',
    'application/graphql',
    `application/${'x'.repeat(5_000)}`,
  ].map((type): NastyCase => [`type: ${type.slice(0, 40)}`, typed(type), 'refused']),
  ['type: with parameters', typed('Application/JSON ; charset="utf-16"; a=b'), 'everything'],
  ['type: a form of JSON', typed('application/x-www-form-urlencoded'), 'refused'],
];

const form = (body: string): HttpRequest => ({
  path: '/graphql',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body,
});

const forms: readonly NastyCase[] = [
  ['form: percent signs', form('query=%%%&variables=%zz'), 'refused'],
  ['form: broken UTF-8', form('query=%ff%fe'), 'refused'],
  ['form: 100 000 keys', form('a=1&'.repeat(100_000)), 'refused'],
  ['form: __proto__', form('__proto__=1&__proto__[query]=x'), 'refused'],
  ['form: brackets', form('query[]=x&query[a][b]=y'), 'refused'],
  ['form: a mutation', form('query=mutation{saveSet}'), 'refused'],
];

/** What stands in the address, on every kind of route. */
const paths = [
  '/graphql?query=%',
  '/graphql?query=%ff',
  '/graphql?query=%00',
  '/graphql?query={&variables={',
  '/graphql?query=%7B__typename%7D&variables=%5B%5D',
  '/graphql?query=mutation%7Bx%7D',
  `/graphql?query=${'x'.repeat(12_000)}`,
  '/graphql/%',
  '/graphql/%ff%fe',
  '/graphql/../../etc/passwd',
  '/graphql%2f..%2f..',
  '/%',
  '/%00',
  '/%ff',
  '/%e0%a4%a/graphql',
  '/..%2f..%2fetc%2fpasswd',
  '/../../../../etc/passwd',
  '/.%00./graphql',
  '/__proto__/graphql',
  '/constructor/graphql',
  '/toString/introspection',
  '/introspection/__proto__',
  '/introspection/constructor',
  '/introspection/%',
  '/introspection/%00',
  '/introspection/..%2f..%2fpackage.json',
  '/introspection/..%5c..%5cpackage.json',
  `/introspection/${'x'.repeat(12_000)}`,
  '/introspection/%22%3E%3Cscript%3E',
  '/introspection/fields/more',
  '//graphql',
  '///',
  '//evil.example/graphql',
  '/?',
  '/#',
  '/*',
  '/(((((((((((((((((((((a',
  '/download',
  '/download/../x',
  '/library/download?params=%',
  '/network/graphql?query=%7B',
  '/ping/..',
  '//a@#/graphql',
  '/favicon.ico',
  '/\\..\\..\\x',
] as const;

const methods = ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'SEARCH'] as const;

const headers: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['accept of 10 000 types', { accept: Array(1_500).fill('a/b;q=0').join() }],
  ['accept of nonsense', { accept: ';;;,,,q=NaN' }],
  ['accept text/html', { accept: 'text/plain' }],
  ['x-request-id with a line break in percent', { 'x-request-id': '%0d%0aset-cookie: a=b' }],
  ['x-request-id of 10 000 characters', { 'x-request-id': 'x'.repeat(10_000) }],
  ['origin null', { origin: 'null' }],
  ['origin of nonsense', { origin: 'http://[::1' }],
  ['host of nonsense', { host: 'a b:c/d?e@f' }],
  ['an empty host', { host: '' }],
  ['host with a path', { host: 'evil.example/x' }],
  ['x-forwarded-*', { 'x-forwarded-host': '..', 'x-forwarded-proto': 'javascript', 'x-forwarded-for': '%' }],
  ['cookies of nonsense', { cookie: '=;=;__proto__=1;%' }],
  ['if-none-match', { 'if-none-match': '*', 'if-modified-since': 'soon' }],
  ['range', { range: 'bytes=99999999999-1' }],
  ['expect', { expect: 'something' }],
  ['__proto__', { __proto__x: '1', constructor: 'x' }],
];

export const nastyRequests: readonly NastyCase[] = [
  ...bodies.map(([name, body, outcome]): NastyCase => [`body: ${name}`, postedText(body), outcome]),
  ...encodings,
  ...types,
  ...forms,
  ...paths.map((path): NastyCase => [`path: ${path.slice(0, 60)}`, { path }, 'survives']),
  ...methods.flatMap((method): NastyCase[] =>
    ['/graphql', '/introspection', '/ping', '/download', '/nowhere'].map((path): NastyCase => [
      `${method} ${path}`,
      { method, path },
      'survives',
    ]),
  ),
  ...headers.map(([name, extra]): NastyCase => [
    `header: ${name}`,
    { ...postedText(good), headers: { ...json, ...extra } },
    'survives',
  ]),
];
