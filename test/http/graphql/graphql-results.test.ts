import test from 'ava';
import { GraphQLError } from 'graphql';
import { pino } from 'pino';
import { TributaryError } from '../../../src/errors/errors.ts';
import { presentResult } from '../../../src/http/graphql/graphql-results.ts';
import { contextFor } from '../../search/request-context.ts';
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
