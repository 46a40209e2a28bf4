import test from 'ava';
import { GraphQLError } from 'graphql';
import { pino } from 'pino';
import { TributaryError } from '../../../../src/lib/errors/errors.ts';
import { presentResult } from '../../../../src/server/http/graphql/graphql-results.ts';
import { contextFor } from '../../../search/request-context.ts';
import { servePlots } from '../plots.ts';

const query = '{ plot { hits { total } } }';
const networkQuery = '{ network { total } }';
const fromNode = { 'tributary-node': '1' };

test('queries of other nodes are answered with a fingerprint of the fields, where records are shown', async (t) => {
  const plots = await servePlots(t);
  const schemaOf = async (headers: Record<string, string>, url = plots.url, source = query) => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query: source }),
    });
    await answer.text();
    return answer.headers.get('tributary-schema');
  };
  t.regex((await schemaOf(fromNode))!, /^[0-9a-f]{32}$/);
  t.regex((await schemaOf(fromNode, plots.networkUrl, networkQuery))!, /^[0-9a-f]{32}$/);
  t.is(await schemaOf({ ...fromNode, 'x-tier': 'counts' }), null);
  t.is(await schemaOf({}), null);
  t.is(await schemaOf({ 'if-none-match': '*' }), null);
});

test('an error that several fields share is reported once where no node answers, and for each otherwise', (t) => {
  const [away, same, other] = [
    new TributaryError('ENGINE_UNAVAILABLE', 'no node answered'),
    new TributaryError('NODE_TIMEOUT', 'timed out'),
    new TributaryError('ENGINE_UNAVAILABLE', 'no node answered'),
  ];
  const errors = [away, away, same, same, other, away].map(
    (originalError, at) => new GraphQLError(originalError.message, { originalError, path: [`f${at}`] }),
  );
  const options = { context: contextFor(), suggestions: true, log: pino({ enabled: false }) };
  const shown = presentResult({ data: null, errors }, options).errors?.map(({ path }) => path?.[0]);
  t.deepEqual(shown, ['f0', 'f2', 'f3', 'f4']);
});

test('without suggestions a message keeps what the client wrote, however often that looks like one', (t) => {
  const shown = (message: string): string | undefined => {
    const options = { context: contextFor(), suggestions: false, log: pino({ enabled: false }) };
    return presentResult({ errors: [new GraphQLError(message)] }, options).errors?.[0]?.message;
  };
  t.is(
    shown('Cannot query field "a" on type "B". Did you mean "c" or "d"?'),
    'Cannot query field "a" on type "B".',
  );
  t.is(shown('"Did you mean e?" is no field. Did you mean "c"?'), '"Did you mean e?" is no field.');
  // a pattern that looks for the end from each of them takes hours
  const sent = JSON.stringify('Did you mean '.repeat(200_000));
  t.is(
    shown(`Int cannot represent non-integer value: ${sent}`),
    `Int cannot represent non-integer value: ${sent}`,
  );
});
