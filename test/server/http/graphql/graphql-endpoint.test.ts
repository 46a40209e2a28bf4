import test from 'ava';
import { buildSchema } from 'graphql';
import { pino } from 'pino';
import { TributaryError } from '../../../../src/lib/errors/errors.ts';
import { graphqlEndpoint } from '../../../../src/server/http/graphql/graphql-endpoint.ts';
import type { GraphQLParams, GraphQLRequest } from '../../../../src/server/http/graphql/graphql-request.ts';
import type { RequestContext } from '../../../../src/search/request-context.ts';
import { contextFor } from '../../../search/request-context.ts';
import type { QueryLimits } from '../../../../src/server/http/koa/settings.ts';

const schema = buildSchema(`
  type Query { level: Level title: String wrong(how: String): String size(of: Int!): Int huge: Int who: String }
  type Level { level: Level title: String }
  type Mutation { save(title: String): String }
`);

const failures: Record<string, () => never> = {
  ours: () => {
    throw new TributaryError('BAD_USER_INPUT', 'value at $.content is missing', {
      details: { path: '$.content' },
    });
  },
  defect: () => {
    throw new Error('secret: http://engine:9200 refused');
  },
  soon: () => {
    throw new TributaryError('NOT_READY', 'too soon', { details: { retryAfterSeconds: 4 } });
  },
  later: () => {
    throw new TributaryError('TOO_MANY_REQUESTS', 'too soon', { details: { retryAfterSeconds: 9 } });
  },
  unsafe: () => {
    throw new TributaryError('INTERNAL_SERVER_ERROR', 'secret');
  },
};

const level = () => ({ level, title: () => 'deep' });
const rootValue = {
  level,
  title: () => 'Storm',
  size: ({ of }: { of: number }) => of,
  huge: () => 2 ** 31,
  wrong: ({ how }: { how: string }, context: RequestContext) => {
    context.trace.warn('careful');
    return failures[how]!();
  },
  who: (_: unknown, context: RequestContext) => context.requestId,
  save: ({ title }: { title: string }) => title,
};
for (const type of ['Query', 'Mutation'])
  for (const [name, field] of Object.entries(
    (
      schema.getType(type) as unknown as { getFields: () => Record<string, { resolve?: unknown }> }
    ).getFields(),
  )) {
    const value = rootValue[name as keyof typeof rootValue] as (...args: unknown[]) => unknown;
    field.resolve = (_source: unknown, args: unknown, caller: unknown) => value(args, caller);
  }

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: {
    readonly data?: unknown;
    readonly errors?: { message: string; path?: unknown; extensions: Record<string, unknown> }[];
    readonly extensions?: { warnings?: string[] };
  };
  readonly logged: string;
}

const send = async (
  params: GraphQLParams | GraphQLParams[],
  options: Partial<QueryLimits> &
    Partial<Pick<GraphQLRequest, 'method' | 'simple'>> & { signal?: AbortSignal; accept?: string } = {},
): Promise<Answer> => {
  let logged = '';
  const log = pino({ level: 'error' }, { write: (line: string) => void (logged += line) });
  const { maxAliases = 15, maxDepth = 7, introspectionDisabled = false } = options;
  const endpoint = graphqlEndpoint(() => schema, { maxAliases, maxDepth, introspectionDisabled }, log);
  const plain = contextFor();
  const context = options.signal ? plain.withSignal(options.signal) : plain;
  const { method = 'POST', simple = false, accept = '*/*' } = options;
  const { status, headers, body } = await endpoint({ method, params, simple }, context, accept);
  return { status, headers, body: JSON.parse(JSON.stringify(body)) as Answer['body'], logged };
};

/** `levels` fields below one another, the leaf counted. */
const deep = (levels: number): string =>
  `{ ${'level { '.repeat(levels - 1)}title${' }'.repeat(levels - 1)} }`;

test('data comes with status 200 and the caller as context', async (t) => {
  const { status, headers, body } = await send({ query: '{ title who }' });
  t.is(status, 200);
  t.regex(headers['content-type']!, /^application\/json/);
  t.deepEqual(body, { data: { title: 'Storm', who: 'r1' } });
});

for (const [name, params, code, message = /./] of [
  ['does not parse', { query: '{ title' }, 'GRAPHQL_PARSE_FAILED'],
  ['selects fields that do not exist', { query: '{ titles novels }' }, 'GRAPHQL_VALIDATION_FAILED'],
  ['has two operations without names', { query: '{ title } { who }' }, 'GRAPHQL_VALIDATION_FAILED'],
  [
    'has an operation without a name beside another',
    { query: 'query a { title } { who }', operationName: 'a' },
    'GRAPHQL_VALIDATION_FAILED',
  ],
  [
    'has a variable of another type',
    { query: 'query($n: Int!) { size(of: $n) }', variables: { n: 'x' } },
    'BAD_USER_INPUT',
    /^Variable "\$n" got invalid value "x"; Int cannot represent non-integer value: "x"$/,
  ],
  ['lacks a variable', { query: 'query($n: Int!) { size(of: $n) }' }, 'BAD_USER_INPUT'],
  ['is a subscription', { query: 'subscription { title }' }, 'BAD_USER_INPUT'],
  [
    'has several operations and names none',
    { query: 'query a { title } query b { who }' },
    'BAD_USER_INPUT',
    /several operations: operationName must name one/,
  ],
  [
    'names an operation it does not have',
    { query: 'query a { title }', operationName: 'b' },
    'BAD_USER_INPUT',
    /^unknown operation named "b"/,
  ],
] as const)
  test(`400 when the request ${name}`, async (t) => {
    const { status, body } = await send(params);
    t.is(status, 400);
    t.true(body.errors!.every(({ extensions }) => extensions['code'] === code));
    t.regex(body.errors![0]!.message, message);
    t.is(body.errors![0]!.extensions['requestId'], 'r1');
    t.false('http' in body.errors![0]!.extensions);
    t.false('data' in body);
  });

test('an error of ours in a field keeps its code, message and details, with status 200', async (t) => {
  const { status, body } = await send({ query: '{ title wrong(how: "ours") }' });
  t.is(status, 200);
  t.deepEqual(body.data, { title: 'Storm', wrong: null });
  t.like(body.errors![0], { message: 'value at $.content is missing', path: ['wrong'] });
  t.deepEqual(body.errors![0]!.extensions, {
    code: 'BAD_USER_INPUT',
    requestId: 'r1',
    details: { path: '$.content' },
  });
});

for (const how of ['defect', 'unsafe'])
  test(`what must not be seen is hidden and logged with the request id: ${how}`, async (t) => {
    const { status, body, logged } = await send({ query: `{ wrong(how: "${how}") }` });
    t.is(status, 200);
    t.is(body.errors![0]!.message, 'internal error');
    t.deepEqual(body.errors![0]!.extensions, { code: 'INTERNAL_SERVER_ERROR', requestId: 'r1' });
    t.false(JSON.stringify(body).includes('secret'));
    t.true(logged.includes('secret') && logged.includes('r1'));
  });

test('a value that its type cannot represent is a failure of the server: hidden and logged', async (t) => {
  const { body, logged } = await send({ query: '{ huge }' });
  t.is(body.errors![0]!.message, 'internal error');
  t.like(body.errors![0], { path: ['huge'], extensions: { code: 'INTERNAL_SERVER_ERROR' } });
  t.true(logged.includes('2147483648'));
});

test('an argument that does not fit is a mistake of the client', async (t) => {
  const query = 'query($n: Int = 1) { size(of: $n) }';
  const { status, body, logged } = await send({ query, variables: { n: null } });
  t.is(status, 200);
  t.regex(body.errors![0]!.message, /^Argument "of" of non-null type "Int!" must not be null/);
  t.is(body.errors![0]!.extensions['code'], 'BAD_USER_INPUT');
  t.is(logged, '');
});

test('warnings of the caller are in the extensions of the response', async (t) => {
  const { body } = await send({ query: '{ wrong(how: "ours") }' });
  t.deepEqual(body.extensions, { warnings: ['careful'] });
});

test('the depth limit counts the root field and the leaf', async (t) => {
  t.is((await send({ query: deep(7) })).status, 200);
  const { status, body } = await send({ query: deep(8) });
  t.is(status, 400);
  t.is(body.errors![0]!.extensions['code'], 'GRAPHQL_VALIDATION_FAILED');
  t.regex(body.errors![0]!.message, /^query depth limit exceeded: at most 7 levels/);
});

test('the depth limit counts through fragments', async (t) => {
  const fragment = (levels: number) => `{ level { ...F } } fragment F on Level ${deep(levels)}`;
  t.is((await send({ query: fragment(6) })).status, 200);
  t.is((await send({ query: fragment(7) })).status, 400);
  t.is((await send({ query: `{ level { ... on Level ${deep(7)} } }` })).status, 400);
});

test('introspection is exempt from the depth limit', async (t) => {
  const ofType = `${'ofType { '.repeat(9)}name${' }'.repeat(9)}`;
  const query = `{ __type(name: "Query") { fields { type { ${ofType} } } } __schema { types { fields { type { ${ofType} } } } } }`;
  t.is((await send({ query })).status, 200);
});

test('the alias limit counts over the whole document', async (t) => {
  const aliases = (count: number, from = 0) =>
    Array.from({ length: count }, (_, n) => `a${n + from}: title`).join(' ');
  t.is((await send({ query: `{ ${aliases(15)} }` })).status, 200);
  const { status, body } = await send({
    query: `{ ${aliases(8)} level { ...F } } fragment F on Level { ${aliases(8)} }`,
  });
  t.is(status, 400);
  t.is(body.errors![0]!.extensions['code'], 'GRAPHQL_VALIDATION_FAILED');
  t.regex(body.errors![0]!.message, /^query alias limit exceeded: 16 aliases found, at most 15/);
  t.is((await send({ query: `{ ${aliases(16)} }` }, { maxAliases: 16 })).status, 200);
});

test('with introspection off neither introspection nor suggestions reveal the schema', async (t) => {
  const off = { introspectionDisabled: true };
  for (const query of ['{ __schema { queryType { name } } }', '{ __type(name: "Query") { name } }']) {
    const { status, body } = await send({ query }, off);
    t.is(status, 400);
    t.is(body.errors![0]!.extensions['code'], 'GRAPHQL_VALIDATION_FAILED');
  }
  t.is((await send({ query: '{ __typename }' }, off)).status, 200);
  t.regex((await send({ query: '{ titl }' })).body.errors![0]!.message, /Did you mean "title"/);
  t.is(
    (await send({ query: '{ titl }' }, off)).body.errors![0]!.message,
    'Cannot query field "titl" on type "Query".',
  );
});

test('a mutation needs POST with JSON', async (t) => {
  const query = 'mutation { save(title: "x") }';
  t.deepEqual((await send({ query })).body.data, { save: 'x' });
  const get = await send({ query }, { method: 'GET', simple: true });
  t.is(get.status, 405);
  t.is(get.headers['allow'], 'POST');
  t.is(get.body.errors![0]!.extensions['code'], 'METHOD_NOT_ALLOWED');
  const form = await send({ query }, { simple: true });
  t.is(form.status, 400);
  t.is(form.body.errors![0]!.extensions['code'], 'BAD_USER_INPUT');
});

test('a client that has gone is not worth a line in the log', async (t) => {
  const query = '{ wrong(how: "defect") }';
  t.not((await send({ query })).logged, '');
  t.is((await send({ query }, { signal: AbortSignal.abort() })).logged, '');
});

test('the media type of GraphQL is sent to clients that accept it', async (t) => {
  const accept = 'application/graphql-response+json; charset=utf-8, application/json; charset=utf-8';
  const { headers, status } = await send({ query: '{ titles }' }, { accept });
  t.is(headers['content-type'], 'application/graphql-response+json; charset=utf-8');
  t.is(status, 400);
});

test('a batch is answered as a list', async (t) => {
  const { status, body } = await send([{ query: '{ title }' }, { query: '{ titl }' }]);
  t.is(status, 200);
  t.deepEqual((body as unknown as { data?: unknown }[])[0], { data: { title: 'Storm' } });
});

const tooSoon: readonly (readonly [what: string, params: GraphQLParams | GraphQLParams[], wait: string])[] = [
  ['a question', { query: '{ title wrong(how: "soon") }' }, '4'],
  [
    'a part of a batch',
    [{ query: '{ title }' }, { query: '{ wrong(how: "later") }' }, { query: '{ wrong(how: "soon") }' }],
    '9',
  ],
];

for (const [what, params, wait] of tooSoon)
  test(`too soon for its caller, ${what} is 503 with the longest wait`, async (t) => {
    const { status, headers } = await send(params);
    t.is(status, 503);
    t.is(headers['retry-after'], wait);
  });

test('a batch without such a part has no Retry-After', async (t) => {
  const { status, headers } = await send([{ query: '{ wrong(how: "ours") }' }]);
  t.is(status, 200);
  t.false('retry-after' in headers);
});
