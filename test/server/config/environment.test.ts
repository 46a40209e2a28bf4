import { join } from 'node:path';
import test from 'ava';
import { secrets } from '../../../src/server/config/variables.ts';
import { readEnvironment } from '../../../src/server/config/environment.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import { texts } from './texts.ts';

const refusal = (env: Record<string, string>): string => {
  try {
    readEnvironment(env);
  } catch (error) {
    if (error instanceof TributaryError && error.code === 'CONFIG_INVALID') return error.message;
  }
  return 'accepted';
};

test('unset and empty variables have their defaults', (t) => {
  const { variables, warnings } = readEnvironment({ MAX_RESULTS_WINDOW: '' });
  t.like(variables, {
    SERVER_PORT: 5050,
    MAX_RESULTS_WINDOW: 10_000,
    GRAPHQL_MAX_ALIASES: 15,
    GRAPHQL_MAX_DEPTH: 7,
    ALLOWED_CORS_ORIGINS: null,
    DISABLE_GRAPHQL_INTROSPECTION: undefined,
    PING_PATH: '/ping',
  });
  t.deepEqual(warnings, []);
});

for (const [text, value] of [
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
] as const)
  test(`a switch reads ${text}`, (t) => {
    t.is(readEnvironment({ DISABLE_FILTERS: text }).variables.DISABLE_FILTERS, value);
  });

test('every wrong value is named with its variable', (t) => {
  const message = refusal({
    DISABLE_FILTERS: 'yes',
    ENABLE_SETS: 'TRUE',
    SERVER_PORT: '70000',
    MAX_RESULTS_WINDOW: '0',
    DOWNLOAD_MAX_ROWS: '2147483648',
    INDEXING_PORT: 'none',
    SEARCH_ENGINE: 'solr',
    BEACON: 'false',
    MCP: 'OFF',
  });
  for (const part of [
    'DISABLE_FILTERS cannot be "yes": true, false, 1 or 0 expected',
    'ENABLE_SETS cannot be "TRUE": true, false, 1 or 0 expected',
    'SERVER_PORT cannot be "70000": 0 to 65535 expected',
    'MAX_RESULTS_WINDOW cannot be "0": 1 to 2147483647 expected',
    'DOWNLOAD_MAX_ROWS cannot be "2147483648": 0 to 2147483647 expected',
    'INDEXING_PORT cannot be "none": a port number or off expected',
    'SEARCH_ENGINE cannot be "solr": embedded, elasticsearch or opensearch expected',
    'BEACON cannot be "false": on, off, or another segment for its paths expected',
    'MCP cannot be "OFF": on, off, or another segment for its paths expected',
  ])
    t.true(message.includes(part), `${part} in: ${message}`);
});

test('a wrong value that may hold a password is not repeated', (t) => {
  t.is(
    refusal({ ES_HOST: 'user:secret@host' }),
    'ES_HOST cannot be what it holds: an http or https URL expected, or several separated by commas',
  );
});

test('old switches are accepted with the setting of today, which wins, and only with values they had', (t) => {
  const read = readEnvironment({
    ...{ DISABLE_SETS: 'true', ENABLE_SETS: 'true' },
    ...{ PORTAL: 'off', PORTAL_PATH: './look.json', AUDIT_REQUIRED: '0' },
  });
  t.like(read.variables, { ENABLE_SETS: false, PORTAL_PATH: 'off', AUDIT: undefined });
  t.deepEqual(texts(read.warnings), [
    'DISABLE_SETS is deprecated: write ENABLE_SETS=false instead',
    'AUDIT_REQUIRED=0 is not read: it is the default',
    'PORTAL is deprecated: write PORTAL_PATH=off instead',
  ]);
  t.is(readEnvironment({ AUDIT_REQUIRED: 'true', AUDIT: 'on' }).variables.AUDIT, 'required');
  t.is(refusal({ DISABLE_SETS: 'ture' }), 'DISABLE_SETS cannot be "ture": 0, 1, true, false expected');
});

test('an unknown name close to a known one is warned about, others are not', (t) => {
  const { warnings } = readEnvironment({
    ...{ DISABLE_FILTER: 'true', ES_PAST: 'x', HOME: '/x', POST: '1', MY_VARIABLE: 'x' },
  });
  t.deepEqual(texts(warnings), [
    'DISABLE_FILTER is unknown: did you mean DISABLE_FILTERS?',
    'ES_PAST is unknown: did you mean ES_PASS?',
  ]);
});

test('origins are a list without slashes at the end; * is any', (t) => {
  const origins = (text: string) =>
    readEnvironment({ ALLOWED_CORS_ORIGINS: text }).variables.ALLOWED_CORS_ORIGINS;
  t.deepEqual(origins('https://A.example/, http://localhost:3000'), [
    'https://a.example',
    'http://localhost:3000',
  ]);
  t.is(origins('*'), null);
  t.regex(refusal({ ALLOWED_CORS_ORIGINS: 'a.example' }), /^ALLOWED_CORS_ORIGINS cannot be "a.example"/);
  // two names of other variables that are not set, with a comma between them
  t.regex(refusal({ ALLOWED_CORS_ORIGINS: ',' }), /^ALLOWED_CORS_ORIGINS cannot be ","/);
});

test('an origin that no browser sends is refused with the one that it sends', (t) => {
  const of = (text: string) => refusal({ ALLOWED_CORS_ORIGINS: text });
  t.regex(
    of('https://x.example:443'),
    /https:\/\/x\.example:443 never matches: browsers send https:\/\/x\.example$/m,
  );
  t.regex(of('http://x.example:80'), /browsers send http:\/\/x\.example$/m);
  t.regex(of('https://x.example/portal'), /browsers send https:\/\/x\.example$/m);
  t.regex(of('https://bücher.example'), /browsers send https:\/\/xn--bcher-kva\.example$/m);
  t.regex(of('https://*.x.example'), /never matches: browsers send one host each/);
  for (const fine of [
    'https://x.example:8443',
    'http://localhost:3000',
    'http://[::1]:3000',
    'null',
    'capacitor://localhost',
  ])
    t.is(of(fine), 'accepted', fine);
});

test('an indexing service open to others needs a token', (t) => {
  t.regex(refusal({ INDEXING_HOST: '0.0.0.0' }), /INDEXING_TOKEN/);
  t.is(refusal({ INDEXING_HOST: '0.0.0.0', INDEXING_TOKEN: 'x' }), 'accepted');
  t.is(refusal({ INDEXING_HOST: '0.0.0.0', INDEXING_PORT: 'off' }), 'accepted');
});

test('a cluster may have several addresses, each an http or https URL', (t) => {
  const hosts = 'https://one:9200, https://two:9200';
  t.is(readEnvironment({ ES_HOST: hosts }).variables.ES_HOST, hosts);
  t.throws(() => readEnvironment({ ES_HOST: 'https://one:9200,two:9200' }), { code: 'CONFIG_INVALID' });
});

test('names of release 3.0 stand for those of today, with a warning, and the new name wins', (t) => {
  const { variables, warnings } = readEnvironment({
    SEARCH_CLIENT_TYPE: 'embedded',
    CONFIG_PATH: './old',
    ALLOW_CUSTOM_MAX_DOWNLOAD_ROWS: 'true',
    ES_ARRANGER_SET_INDEX: 'old-sets',
    PORT: '5051',
    SERVER_PORT: '5051',
  });
  t.like(variables, {
    SEARCH_ENGINE: 'embedded',
    CONFIGS_PATH: './old',
    ALLOW_CUSTOM_DOWNLOAD_MAX_ROWS: true,
    ES_ARRANGER_SETS_INDEX: 'old-sets',
    SERVER_PORT: 5051,
  });
  t.deepEqual(texts(warnings), [
    'SEARCH_CLIENT_TYPE is deprecated: write SEARCH_ENGINE instead',
    'CONFIG_PATH is deprecated: write CONFIGS_PATH instead',
    'ALLOW_CUSTOM_MAX_DOWNLOAD_ROWS is deprecated: write ALLOW_CUSTOM_DOWNLOAD_MAX_ROWS instead',
    'ES_ARRANGER_SET_INDEX is deprecated: write ES_ARRANGER_SETS_INDEX instead',
  ]);
  const old = readEnvironment({ PORT: '6000' });
  t.is(old.variables.SERVER_PORT, 6000);
  t.deepEqual(texts(old.warnings), ['PORT is deprecated: write SERVER_PORT instead']);
  const both = readEnvironment({ PORT: '6000', SERVER_PORT: '65535' });
  t.is(both.variables.SERVER_PORT, 65_535);
  t.deepEqual(texts(both.warnings), ['PORT is ignored: SERVER_PORT is set too']);
});

test('variables without meaning here are warnings, whatever their values', (t) => {
  const { warnings } = readEnvironment({
    ...{ ENABLE_DEBUG: 'true', NETWORK_AGGREGATIONS: '[]', PING_MS: '2200' },
    ...{ MCP_TOOLS: 'established', IMAGE_CACHE_MAX_BYTES: '5', MAX_SETS: 'many', OPEN: 'true' },
  });
  t.deepEqual(texts(warnings), [
    'ENABLE_DEBUG is not read: LOG_LEVEL sets what is logged',
    "NETWORK_AGGREGATIONS is not read: name the nodes in nodes.json or in a catalogue's network.json",
    'PING_MS is not read: remove it',
    'MCP_TOOLS is not read: remove it',
    'IMAGE_CACHE_MAX_BYTES is not read: remove it',
    'MAX_SETS is not read: remove it',
    'OPEN is not read: ENABLE_ACCESS_CONTROL=false says that the server is open on purpose',
  ]);
});

test('every secret may be in a file that another variable names', (t) => {
  const folder = temporaryFolder(t, {
    ...{ secret: 'https://top:secret-of-16-characters@search\n', empty: '' },
  });
  const file = join(folder, 'secret');
  for (const name of secrets) {
    const read = readEnvironment({ [`${name}_FILE`]: file });
    t.is(String(read.variables[name as 'ES_HOST']), 'https://top:secret-of-16-characters@search', name);
    t.deepEqual(read.warnings, [], name);
  }
  t.is(readEnvironment({ METRICS_TOKEN_FILE: join(folder, 'empty') }).variables.METRICS_TOKEN, undefined);
  t.is(
    refusal({ METRICS_TOKEN_FILE: join(folder, 'none'), INDEXING_TOKEN: 'x', INDEXING_TOKEN_FILE: file }),
    `INDEXING_TOKEN and INDEXING_TOKEN_FILE are both set: unset one of them; METRICS_TOKEN_FILE names ${JSON.stringify(join(folder, 'none'))}, which cannot be read`,
  );
});

test('hosts of pictures are names alone: nothing else would stand as it is in the policy of the pages', (t) => {
  const hostsOf = (text: string) => readEnvironment({ IMAGE_HOSTS: text }).variables.IMAGE_HOSTS;
  t.deepEqual(hostsOf('Images.Example.org, *.cdn.example.org,,xn--bcher-kva.example, intranet'), [
    ...['images.example.org', '*.cdn.example.org', 'xn--bcher-kva.example', 'intranet'],
  ]);
  for (const wrong of [
    ...['*', '*.', '*.org', '*.*.example.org', 'images.*.org', '*images.example.org', '.example.org'],
    ...['https://images.example.org', 'http://images.example.org', '//images.example.org', 'https:'],
    ...[
      'images.example.org/thumbs',
      'images.example.org/',
      'images.example.org:8443',
      'images.example.org?x',
    ],
    ...[
      'user@images.example.org',
      'images.example.org#a',
      'a b.org',
      "images.example.org; script-src 'self'",
    ],
    ...['127.0.0.1', '2130706433', '0x7f.1', '[::1]', '::1', 'bücher.example', '-a.example.org', 'a_b.org'],
    ...["'self'", 'data:', 'images.example.org.', `${'a'.repeat(64)}.org`],
  ])
    t.throws(
      () => hostsOf(`images.example.org, ${wrong}`),
      {
        code: 'CONFIG_INVALID',
        message:
          /^IMAGE_HOSTS cannot be .* is not a host name: images\.example\.org or \*\.example\.org expected/,
      },
      wrong,
    );
});
