import test from 'ava';
import { rejectDeepDocument } from '../../../src/http/graphql/graphql-request.ts';

const brackets = (count: number) => `${'{ a '.repeat(count)}${'}'.repeat(count)}`;

test('800 brackets in each other are read, 801 are not', (t) => {
  t.notThrows(() => rejectDeepDocument(brackets(800)));
  const error = t.throws(() => rejectDeepDocument(brackets(801)));
  t.like(error, { code: 'GRAPHQL_VALIDATION_FAILED' });
});

test('brackets beside each other, in texts and in comments do not count', (t) => {
  t.notThrows(() => rejectDeepDocument('{ a } '.repeat(2000)));
  t.notThrows(() => rejectDeepDocument(`{ a(b: "${'{'.repeat(2000)}") } # ${'['.repeat(2000)}`));
});

test('what stops being GraphQL before it is too deep is left to the parser', (t) => {
  t.notThrows(() => rejectDeepDocument(`{ a(b: "${'{'.repeat(2000)}`));
  t.throws(() => rejectDeepDocument(`${'{'.repeat(2000)}"`));
});

test('a document of more tokens than are parsed is not read to its end', (t) => {
  t.throws(() => rejectDeepDocument(`${'{ a } '.repeat(30_000)}${brackets(801)}`));
  t.notThrows(() => rejectDeepDocument(`${'{ a } '.repeat(34_000)}${brackets(801)}`));
});
