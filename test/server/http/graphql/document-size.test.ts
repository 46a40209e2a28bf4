import test from 'ava';
import { parse } from 'graphql';
import { oversized } from '../../../../src/server/http/graphql/document-limits.ts';

const refusal = (query: string): string | null => oversized(parse(query));
const numbered = (count: number, text: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => text(at));

test('operations and fragments are counted', (t) => {
  const operations = (count: number) => numbered(count, (at) => `query Q${at} { a }`).join(' ');
  t.is(refusal(operations(200)), null);
  t.regex(refusal(operations(201))!, /^201 fragments and operations/);
});

test('repeats count beside each other and through inline fragments, not in fields of their own', (t) => {
  t.is(refusal(`{ ${'a '.repeat(201)} }`), null);
  t.regex(refusal(`{ ${'a '.repeat(202)} }`)!, /^201 repeated fields/);
  t.regex(refusal(`{ ${'... { a } '.repeat(202)} }`)!, /^201 repeated fields/);
  t.is(refusal(`{ ${numbered(500, (at) => `f${at} { key }`).join(' ')} }`), null);
  t.is(refusal(`{ ${numbered(202, (at) => `b${at}: a`).join(' ')} }`), null);
});
