import test from 'ava';
import fc from '../../fast-check.ts';
import { breaches } from './breaches.ts';
import { caseCount } from './case-count.ts';
import { damaged } from './damaged-json.ts';
import { exchange, type Answer, type HttpRequest } from './http-exchange.ts';
import { libraryOfFile } from './served-library.ts';

const library = libraryOfFile();

const field = fc.constantFrom('title', 'pages', 'printed', 'lent', 'blurb', 'copies.shelf', 'copies', 'none');
const value = fc.constantFrom<unknown>(
  'a',
  '%',
  '%a_',
  '*',
  2,
  -1,
  '1e999',
  'P70Y',
  true,
  '2001-01-01',
  '',
  null,
);

const beaconQuery = fc.record({
  meta: fc.constant({ apiVersion: 'v2.0' }),
  query: fc.record({
    requestedGranularity: fc.constantFrom('record', 'count', 'boolean', 'aggregated'),
    includeResultsetResponses: fc.constantFrom('HIT', 'ALL', 'MISS', 'NONE'),
    pagination: fc.record({ skip: fc.constantFrom(0, 1, -1, 1e9), limit: fc.constantFrom(0, 10, 1e9) }),
    filters: fc.array(
      fc.record(
        {
          id: fc.oneof(field, fc.constantFrom('HP:0001250', 'title:a', ':', 'a:b:c')),
          operator: fc.constantFrom('=', '!', '<', '>=', 'in'),
          value,
          scope: fc.constantFrom('individual', 'biosample'),
          includeDescendantTerms: fc.boolean(),
        },
        { requiredKeys: ['id'] },
      ),
      { maxLength: 4 },
    ),
  }),
});

const beaconPath = fc
  .tuple(
    fc.constantFrom('/beacon', '/library/beacon', '/network/beacon'),
    fc.constantFrom('/individuals', '/individuals/d1', '/filtering_terms', '/datasets', '/map', '/info', ''),
  )
  .map((parts) => parts.join(''));

const named = fc.constantFrom('library', 'network', 'none', '__proto__');
const tools: readonly (readonly [string, fc.Arbitrary<unknown>])[] = [
  ['describe', fc.record({ catalogue: named, query: fc.string({ maxLength: 20 }) }, { requiredKeys: [] })],
  [
    'summarise',
    fc.record({
      catalogue: named,
      facets: fc.array(field, { maxLength: 3 }),
      where: fc.array(
        fc.record(
          {
            field,
            operator: fc.constantFrom('is', 'contains', 'starts_with', 'gt', 'between', 'missing', 'under'),
            value,
            negate: fc.boolean(),
          },
          { requiredKeys: ['field'] },
        ),
        { maxLength: 3 },
      ),
    }),
  ],
  [
    'search',
    fc.record({
      catalogue: named,
      fields: fc.array(field, { maxLength: 3 }),
      limit: fc.constantFrom(0, 5, 51),
    }),
  ],
  ['get_record', fc.record({ catalogue: named, id: fc.constantFrom('d1', 'here/d1', '', '__proto__') })],
];

const call = fc.oneof(
  ...tools.map(([name, sent]) =>
    sent.map((supplied) => ({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name, arguments: supplied },
    })),
  ),
);

const json = { 'content-type': 'application/json' };
const request: fc.Arbitrary<HttpRequest> = fc.oneof(
  fc
    .tuple(beaconPath, damaged(beaconQuery))
    .map(([path, body]) => ({ method: 'POST', path, headers: json, body: JSON.stringify(body ?? null) })),
  fc
    .tuple(beaconPath, fc.constantFrom('filters', 'limit', 'skip', 'requestedGranularity'), fc.string())
    .map(([path, key, text]) => ({ path: `${path}?${key}=${encodeURIComponent(text)}` })),
  damaged(call).map((body) => ({
    ...{ method: 'POST', path: '/mcp', body: JSON.stringify(body ?? null) },
    headers: { ...json, accept: 'application/json, text/event-stream' },
  })),
  fc
    .tuple(fc.constantFrom('catalog', 'dataset', 'distribution', 'none'), fc.string({ maxLength: 8 }))
    .map(([kind, id]) => ({
      path: `/fdp/${kind}/${encodeURIComponent(id)}`,
      headers: { accept: 'application/ld+json' },
    })),
);

/** An answer of one event, as agents may get it, as the JSON of that event. */
const withoutEvents = (answer: Answer): Answer => {
  if (answer.headers['content-type'] !== 'text/event-stream') return answer;
  const [, text = ''] = /^event: message\ndata: (.*)\n\n$/.exec(answer.text) ?? [];
  return { ...answer, headers: { 'content-type': 'application/json' }, text };
};

test('any request to a door is answered properly', async (t) => {
  const property = fc.asyncProperty(request, async (sent) => {
    const answer = await exchange(library().url, sent);
    // a notification of an agent is accepted without a body
    if (answer.status === 202 && sent.path === '/mcp' && answer.text === '') return;
    const [breach] = breaches(withoutEvents(answer), `${sent.path} ${String(sent.body)}`);
    if (breach !== undefined) throw new Error(breach);
  });
  await t.notThrowsAsync(fc.assert(property, caseCount(0.1)));
});
