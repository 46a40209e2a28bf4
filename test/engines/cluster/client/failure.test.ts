import test from 'ava';
import { failureOf, serverFailure } from '../../../../src/engines/cluster/client/failure.ts';

test('a failure gives its first root cause before what caused it, and each reason once', (t) => {
  const error = {
    type: 'search_phase_execution_exception',
    reason: 'all shards failed',
    root_cause: [
      { type: 'query_shard_exception', reason: 'the field is unknown' },
      { type: 'query_shard_exception', reason: 'on another shard too' },
    ],
    caused_by: {
      type: 'parsing_exception',
      reason: 'line 3',
      caused_by: { type: 'number_format_exception', reason: 'the field is unknown' },
    },
  };
  t.deepEqual(serverFailure(error), {
    types: [
      'search_phase_execution_exception',
      'query_shard_exception',
      'parsing_exception',
      'number_format_exception',
    ],
    reason: 'the field is unknown: line 3',
  });
  const { code, message } = failureOf(400, error, 'the search of films');
  t.is(code, 'BAD_USER_INPUT');
  t.is(message, 'the search server refused the search of films: the field is unknown: line 3');
});

test('a failure that is a text is its reason, and any other is none', (t) => {
  t.deepEqual(serverFailure('down'), { types: [], reason: 'down' });
  t.deepEqual(serverFailure(undefined), { types: [], reason: '' });
});

test('a long reason is shortened at its end', (t) => {
  const { message } = failureOf(500, `start ${'x'.repeat(400)}`, 'the search of films');
  t.is(message, `the search server failed at the search of films: start ${'x'.repeat(294)}...`);
  t.true(failureOf(500, 'x'.repeat(300), 'it').message.endsWith(`: ${'x'.repeat(300)}`));
});

test('the wait that a server requests is rounded up to whole seconds', (t) => {
  t.deepEqual(failureOf(429, undefined, 'it', 400).details, { retryAfterSeconds: 1 });
});
