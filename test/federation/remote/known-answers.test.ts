import test from 'ava';
import { openKnownAnswers, requestKey } from '../../../src/federation/remote/known-answers.ts';

const answerOf = (bytes: number, tag = '"a"') => ({ tag, body: new Uint8Array(bytes) });

test('answers take no more than their room: the one asked for least recently goes, and a huge one is not kept', (t) => {
  const answers = openKnownAnswers(32_000);
  for (const key of ['a', 'b', 'c']) answers.keep(key, answerOf(1_000));
  answers.get('a');
  for (let number = 0; number < 19; number += 1) answers.keep(`n${number}`, answerOf(1_000));
  t.deepEqual(
    ['a', 'b', 'c'].map((key) => answers.get(key) !== undefined),
    [true, false, true],
  );
  answers.keep('huge', answerOf(2_001));
  t.is(answers.get('huge'), undefined);
});

test('a tag that no header can carry is not kept, and what it replaces is forgotten', (t) => {
  const answers = openKnownAnswers(32_000);
  for (const tag of ['a', '"a', '"a\r\nx: y"', '"a b"', `"${'a'.repeat(201)}"`]) {
    answers.keep('key', answerOf(10));
    answers.keep('key', answerOf(10, tag));
    t.is(answers.get('key'), undefined, tag);
  }
});

test('a request is another one by its address, its body, and every header but those that only name it', (t) => {
  const headers = { authorization: 'Bearer a', 'x-request-id': '1' };
  const key = requestKey('http://a/graphql', headers, '{}');
  t.is(requestKey('http://a/graphql', { 'x-request-id': '2', authorization: 'Bearer a' }, '{}'), key);
  const others = [
    requestKey('http://b/graphql', headers, '{}'),
    requestKey('http://a/graphql', { ...headers, authorization: 'Bearer b' }, '{}'),
    requestKey('http://a/graphql', { ...headers, 'x-club': 'north' }, '{}'),
    requestKey('http://a/graphql', { 'x-request-id': '1' }, '{}'),
    requestKey('http://a/graphql', headers, '{ }'),
  ];
  t.is(new Set([key, ...others]).size, 6);
  t.false(key.includes('Bearer'));
});
